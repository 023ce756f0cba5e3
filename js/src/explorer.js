import { mountAnswer } from "./answer.js";
import { element, keepKeys, newId, stopKeys } from "./dom.js";

/** @import { Columns, Model, Query, Row, Table } from "./types.js" */

/**
 * All rows of a checked frame: filters, one page of rows, and the answer of the selected row. Python filters and sorts;
 * only the page that is seen travels. Returns the function that lets go of the model.
 *
 * @param {Model} model
 * @param {HTMLElement} el
 * @returns {() => void}
 */
export function mountExplorer(model, el) {
  const doc = el.ownerDocument;
  const uid = newId();
  /** @type {Columns} */
  const { title, labels, columns, alerts, groups } = model.get("columns");
  /** @returns {Query} */
  const query = () => model.get("query");

  /** @param {Partial<Query>} change */
  function ask(change) {
    model.set("query", { ...query(), page: 0, ...change });
    model.save_changes();
    root.setAttribute("aria-busy", "true");
  }

  /** @param {number} position */
  function select(position) {
    model.set("row", position);
    model.save_changes();
  }

  /** @param {"alert" | "group"} key @param {{value: string, label: string}[]} options */
  function filter(key, options) {
    const id = `${uid}-${key}`;
    const choice = element(doc, "select", { id, class: "ragcite-button", change: () => ask({ [key]: choice.value }) });
    for (const { value, label } of options) choice.append(element(doc, "option", { value }, label));
    choice.value = query()[key];
    return [element(doc, "label", { for: id }, labels[key]), choice];
  }

  /** @param {{key: string, label: string, sort_label: string}} column */
  function head(column) {
    if (!column.sort_label) return element(doc, "th", { scope: "col", "data-key": column.key }, column.label);
    const sort = () => ask({ sort: column.key, descending: query().sort === column.key && !query().descending });
    const button = element(doc, "button", { type: "button", class: "ragcite-sort", title: column.sort_label, click: sort }, column.label);
    return element(doc, "th", { scope: "col", "data-key": column.key }, button);
  }

  /** @param {Row} row */
  function line(row) {
    const choose = () => select(row.position);
    const button = element(doc, "button", { type: "button", class: "ragcite-button", "data-row": String(row.position), click: choose }, row.label);
    const cells = columns.map(({ key }) => {
      if (key === "row") return element(doc, "th", { scope: "row" }, button);
      if (key !== "text") return element(doc, "td", { dir: "auto", "data-key": key }, String(row[/** @type {keyof Row} */ (key)]));
      const text = element(doc, "div", { class: "ragcite-preview", dir: "auto" }, row.text);
      return element(doc, "td", { "data-key": key }, text, row.codes ? element(doc, "div", { class: "ragcite-muted" }, row.codes) : null);
    });
    return element(doc, "tr", { click: (/** @type {Event} */ event) => event.target !== button && choose() }, ...cells);
  }

  const summary = element(doc, "span", { role: "status", class: "ragcite-muted" });
  const heads = columns.map(head);
  const body = element(doc, "tbody");
  const page = element(doc, "span", { class: "ragcite-muted" });
  const turn = (/** @type {number} */ by) => ask({ page: model.get("table").page + by });
  const back = element(doc, "button", { type: "button", class: "ragcite-button", click: () => turn(-1) }, labels.previous);
  const forth = element(doc, "button", { type: "button", class: "ragcite-button", click: () => turn(1) }, labels.next);
  const message = element(doc, "p", { class: "ragcite-muted", role: "status" });
  const detail = element(doc, "div", { class: "ragcite-detail" });
  const bar = element(doc, "div", { class: "ragcite-tools" }, ...filter("alert", alerts), ...(groups.length ? filter("group", groups) : []), summary);
  const root = element(
    doc,
    "section",
    { class: "ragcite ragcite-explorer", "aria-label": title, keydown: stopKeys },
    bar,
    element(
      doc,
      "div",
      { class: "ragcite-scroll" },
      element(doc, "table", {}, element(doc, "thead", {}, element(doc, "tr", {}, ...heads)), body),
    ),
    element(doc, "div", { class: "ragcite-tools" }, back, page, forth),
    message,
    detail,
  );

  function drawTable() {
    /** @type {Table} */
    const table = model.get("table");
    root.setAttribute("aria-busy", "false");
    const focused = /** @type {Document | ShadowRoot} */ (root.getRootNode()).activeElement?.getAttribute("data-row");
    summary.textContent = table.summary;
    page.textContent = table.position;
    back.disabled = table.page <= 0;
    forth.disabled = table.page >= table.pages - 1;
    body.replaceChildren(...table.rows.map(line));
    if (!table.rows.length) {
      body.append(element(doc, "tr", {}, element(doc, "td", { colspan: String(columns.length) }, labels.empty)));
    }
    for (const each of heads) {
      const sorted = each.getAttribute("data-key") === query().sort;
      if (sorted) each.setAttribute("aria-sort", query().descending ? "descending" : "ascending");
      else each.removeAttribute("aria-sort");
    }
    if (focused) /** @type {HTMLElement | null} */ (body.querySelector(`[data-row="${focused}"]`))?.focus();
    keepKeys(root);
    drawSelected();
  }

  function drawSelected() {
    const selected = model.get("row");
    for (const button of body.querySelectorAll("button")) {
      const current = Number(button.getAttribute("data-row")) === selected;
      button.setAttribute("aria-pressed", String(current));
      button.closest("tr")?.classList.toggle("ragcite-selected", current);
    }
    message.textContent = model.get("error") || (selected === null ? labels.select : "");
    message.hidden = message.textContent === "";
    detail.hidden = !model.get("view").answer;
  }

  drawTable();
  const letGo = mountAnswer(model, detail);
  el.append(root);
  const events = ["change:row", "change:view", "change:error"];
  model.on("change:table", drawTable);
  for (const event of events) model.on(event, drawSelected);
  return () => {
    model.off("change:table", drawTable);
    for (const event of events) model.off(event, drawSelected);
    letGo();
    root.remove();
  };
}
