import { element, keepKeys, newId, stopKeys } from "./dom.js";
import { evidence } from "./evidence.js";
import * as sections from "./sections.js";

/** @import { Badge, Model, Verification, View } from "./types.js" */

/**
 * One answer with its badges, kept in step with the model. Returns the function that lets go of the model.
 *
 * Each badge is a disclosure: a button, and a panel right after the block that it stands in. What is open lives in the model
 * only, so that all views of it and Python agree; a view changes itself when the model says so.
 *
 * @param {Model} model
 * @param {HTMLElement} el
 * @returns {() => void}
 */
export function mountAnswer(model, el) {
  const doc = el.ownerDocument;
  const uid = newId();
  const root = element(doc, "section", { class: "ragcite", keydown: onKey });
  /** @type {Map<number, {button: HTMLButtonElement, panel: HTMLElement}>} */
  const badges = new Map();
  /** @type {Map<number, HTMLElement>} */
  const verdicts = new Map();
  /** @type {HTMLElement} */
  let status;

  /** @returns {View} */
  const view = () => model.get("view");
  /** @returns {number | undefined} */
  const row = () => model.get("row") ?? undefined;

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    if (event.key === "Escape") {
      const target = /** @type {Element} */ (event.target);
      const badge = [...badges].find(([, { button, panel }]) => button === target || panel.contains(target));
      if (badge && isOpen(badge[0])) {
        close(badge[0]);
        event.preventDefault();
      }
    }
    stopKeys(event);
  }

  /** @param {number} index */
  function isOpen(index) {
    return model.get("expanded").includes(index);
  }

  /** @param {number[]} expanded @param {number | null} selected */
  function setOpen(expanded, selected) {
    model.set("expanded", expanded);
    model.set("selected", selected);
    model.save_changes();
  }

  /** @param {number} index */
  function toggle(index) {
    const open = model.get("expanded");
    setOpen(isOpen(index) ? open.filter((/** @type {number} */ each) => each !== index) : [...open, index], index);
  }

  /** Close a panel and give the focus back to its badge. @param {number} index */
  function close(index) {
    if (isOpen(index)) toggle(index);
    badges.get(index)?.button.focus();
  }

  /** @param {string} text */
  function say(text) {
    status.textContent = text;
  }

  function copy() {
    const { copy_text: text, labels } = view();
    const copied = doc.defaultView?.navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("no clipboard"));
    copied.catch(() => copyOldWay(doc, root, text)).then(
      () => say(labels.copied),
      () => say(labels.copy_failed),
    );
  }

  /** @param {number} citation @param {string} verdict */
  function verify(citation, verdict) {
    /** @type {Verification[]} */
    const all = model.get("verifications");
    const mine = (/** @type {Verification} */ each) => each.citation === citation && each.row === row();
    const kept = all.filter((each) => !mine(each));
    if (all.find(mine)?.verdict !== verdict) {
      const { source } = view().citations[citation];
      const label = view().sources.find((each) => each.index === source)?.label ?? null;
      const at = row();
      kept.push({ citation, source: label, verdict, time: new Date().toISOString(), ...(at === undefined ? {} : { row: at }) });
      say(view().labels.verified[verdict]);
    }
    model.set("verifications", kept);
    model.save_changes();
  }

  /** @param {number} citation */
  function verdictButtons(citation) {
    const { labels } = view();
    const group = element(doc, "div", { class: "ragcite-tools", role: "group", "aria-label": labels.verify }, element(doc, "span", {}, labels.verify));
    for (const verdict of ["confirmed", "rejected"]) {
      const tone = verdict === "rejected" ? " ragcite-bad" : "";
      const press = () => verify(citation, verdict);
      group.append(element(doc, "button", { type: "button", class: `ragcite-button${tone}`, "data-verdict": verdict, click: press }, labels.verdict[verdict]));
    }
    verdicts.set(citation, group);
    return group;
  }

  /** @param {Badge} badge */
  function badgeButton(badge) {
    const button = element(
      doc,
      "button",
      {
        type: "button",
        class: `ragcite-badge ragcite-${badge.tone}`,
        "aria-label": badge.name,
        "aria-expanded": "false",
        "aria-controls": `${uid}-${badge.index}`,
        title: badge.name,
        click: () => toggle(badge.index),
      },
      element(doc, "bdi", {}, badge.label),
    );
    if (badge.symbol) button.append(element(doc, "span", { "aria-hidden": "true" }, badge.symbol));
    return button;
  }

  /** @param {Badge} badge */
  function badgePanel(badge) {
    const { labels, citations } = view();
    const shut = element(doc, "button", { type: "button", class: "ragcite-button", click: () => close(badge.index) }, labels.close);
    const panel = element(
      doc,
      "div",
      {
        id: `${uid}-${badge.index}`,
        class: `ragcite-panel ragcite-panel-body ragcite-${badge.tone}`,
        role: "group",
        "aria-label": badge.panel_name,
        hidden: true,
      },
      element(doc, "div", { class: "ragcite-panel-top" }, element(doc, "bdi", {}, badge.label), shut),
    );
    for (const index of badge.citations) {
      const block = evidence(doc, view(), citations[index], badge.citations.length > 1);
      if (citations[index].source !== null) block.append(verdictButtons(index));
      panel.append(block);
    }
    if (!badge.citations.length) panel.append(element(doc, "p", {}, badge.explain));
    return panel;
  }

  /** The answer's HTML, made by Python, with a button in each badge's place and a panel in each panel's. */
  function answer() {
    const { answer: given, labels, locale, badges: all } = view();
    const block = element(doc, "div", { class: "ragcite-answer", lang: given.lang || null });
    if (given.empty) block.append(element(doc, "p", { class: "ragcite-muted" }, labels.no_answer));
    const parsed = element(doc, "template");
    parsed.innerHTML = given.html; // raw HTML and images were off when Python rendered it
    block.append(doc.importNode(parsed.content, true));
    const buttons = new Map(all.map((badge) => [badge.index, badgeButton(badge)]));
    for (const place of block.querySelectorAll("[data-ragcite-badge]")) {
      const button = buttons.get(Number(place.getAttribute("data-ragcite-badge")));
      if (button) place.replaceWith(button);
    }
    for (const place of block.querySelectorAll("[data-ragcite-panels]")) {
      const indexes = (place.getAttribute("data-ragcite-panels") ?? "").split(" ").map(Number);
      const group = element(doc, "div", { class: "ragcite-panels", lang: locale });
      for (const index of indexes) {
        const button = buttons.get(index);
        if (!button) continue;
        const panel = badgePanel(all[index]);
        badges.set(index, { button, panel });
        group.append(panel);
      }
      place.replaceWith(group);
    }
    return block;
  }

  function tools() {
    const { labels, badges: all } = view();
    const button = (/** @type {string} */ text, /** @type {() => void} */ click) =>
      element(doc, "button", { type: "button", class: "ragcite-button", click }, text);
    const bar = element(doc, "div", { class: "ragcite-tools" }, button(labels.copy, copy));
    if (all.length) {
      bar.append(button(labels.expand_all, () => setOpen(all.map((badge) => badge.index), model.get("selected"))));
      bar.append(button(labels.collapse_all, () => setOpen([], null)));
    }
    status = element(doc, "span", { role: "status", class: "ragcite-muted" });
    bar.append(status);
    return bar;
  }

  function draw() {
    const focused = /** @type {Document | ShadowRoot} */ (root.getRootNode()).activeElement;
    const had = [...badges].find(([, { button, panel }]) => button === focused || panel.contains(focused))?.[0];
    const folds = [...root.querySelectorAll("details")].map((each) => each.open);
    badges.clear();
    verdicts.clear();
    const shown = view();
    root.replaceChildren();
    if (!shown.answer) return; // an explorer without a selected row
    root.lang = shown.locale;
    root.setAttribute("aria-label", shown.title);
    root.append(
      ...[
        sections.kpis(doc, shown),
        sections.alerts(doc, shown),
        answer(),
        tools(),
        sections.citations(doc, shown),
        sections.sources(doc, shown),
        sections.references(doc, shown),
        sections.foot(doc, shown),
      ].filter((part) => part !== null),
    );
    const details = [...root.querySelectorAll("details")];
    if (details.length === folds.length) details.forEach((each, at) => (each.open = folds[at]));
    keepKeys(root);
    drawOpen();
    drawVerdicts();
    if (had !== undefined) badges.get(had)?.button.focus();
  }

  function drawOpen() {
    for (const [index, { button, panel }] of badges) {
      const open = isOpen(index);
      button.setAttribute("aria-expanded", String(open));
      panel.hidden = !open;
    }
  }

  function drawVerdicts() {
    /** @type {Verification[]} */
    const all = model.get("verifications");
    for (const [citation, group] of verdicts) {
      const verdict = all.find((each) => each.citation === citation && each.row === row())?.verdict;
      for (const button of group.querySelectorAll("button")) {
        button.setAttribute("aria-pressed", String(button.getAttribute("data-verdict") === verdict));
      }
    }
  }

  draw();
  el.append(root);
  model.on("change:view", draw);
  model.on("change:expanded", drawOpen);
  model.on("change:verifications", drawVerdicts);
  return () => {
    model.off("change:view", draw);
    model.off("change:expanded", drawOpen);
    model.off("change:verifications", drawVerdicts);
    root.remove();
  };
}

/**
 * Copying where the clipboard API is not allowed.
 *
 * @param {Document} doc
 * @param {HTMLElement} root
 * @param {string} text
 */
function copyOldWay(doc, root, text) {
  const area = element(doc, "textarea", { class: "ragcite-quiet", "aria-hidden": "true" });
  area.value = text;
  const focused = doc.activeElement;
  root.append(area);
  area.select();
  const done = doc.execCommand?.("copy");
  area.remove();
  if (focused instanceof /** @type {any} */ (doc.defaultView).HTMLElement) /** @type {HTMLElement} */ (focused).focus();
  if (!done) throw new Error("copying was refused");
}
