import { element } from "./dom.js";
import { excerpt, sourceLine, stateOf } from "./evidence.js";

/** @import { Citation, View } from "./types.js" */

/**
 * The figures.
 *
 * @param {Document} doc
 * @param {View} view
 */
export function kpis(doc, view) {
  const items = view.kpis.map((kpi) => element(doc, "li", { class: `ragcite-${kpi.tone}` }, element(doc, "strong", {}, kpi.value), ` ${kpi.label}`));
  return element(doc, "ul", { class: "ragcite-kpis" }, ...items);
}

/**
 * @param {Document} doc
 * @param {View} view
 */
export function alerts(doc, view) {
  const items = view.alerts.map((alert) => {
    const title = element(doc, "summary", {}, element(doc, "strong", {}, alert.severity_text), " ", element(doc, "bdi", {}, alert.message));
    return element(doc, "li", { class: `ragcite-${alert.severity}` }, element(doc, "details", {}, title, element(doc, "p", {}, alert.meaning)));
  });
  return items.length ? element(doc, "ul", { class: "ragcite-alerts", "aria-label": view.labels.alerts }, ...items) : null;
}

/**
 * The table of citations.
 *
 * @param {Document} doc
 * @param {View} view
 */
export function citations(doc, view) {
  if (!view.citations.length) return null;
  const { labels } = view;
  const heads = [labels.citation, labels.excerpt, labels.result].map((text) => element(doc, "th", { scope: "col" }, text));
  const table = element(
    doc,
    "table",
    {},
    element(doc, "thead", {}, element(doc, "tr", {}, ...heads)),
    element(doc, "tbody", {}, ...view.citations.map((citation) => row(doc, view, citation))),
  );
  return folded(doc, `${labels.citations} (${view.citations.length})`, table, note(doc, view.citations_more));
}

/**
 * @param {Document} doc
 * @param {View} view
 * @param {Citation} citation
 */
function row(doc, view, citation) {
  const source = view.sources.find((each) => each.index === citation.source);
  const details = source ? [...source.details, ...(citation.locator ? [citation.locator] : [])].join(" · ") : "";
  const about = element(doc, "td", {}, element(doc, "bdi", {}, citation.title), " ", element(doc, "bdi", { class: "ragcite-muted" }, details));
  for (const quote of citation.quotes) about.append(element(doc, "br"), element(doc, "q", { dir: "auto" }, quote.text));
  const label = citation.badge === null ? "" : view.badges[citation.badge].label;
  return element(
    doc,
    "tr",
    {},
    element(doc, "td", {}, `${citation.number} `, element(doc, "bdi", {}, label)),
    about,
    element(doc, "td", {}, stateOf(doc, citation)),
  );
}

/**
 * The sources, cited or not.
 *
 * @param {Document} doc
 * @param {View} view
 */
export function sources(doc, view) {
  if (!view.sources.length) return null;
  const items = view.sources.map((source) =>
    element(
      doc,
      "li",
      {},
      sourceLine(doc, view, source),
      element(doc, "p", { class: "ragcite-muted" }, source.times_text),
      excerpt(doc, view, source.excerpt),
    ),
  );
  const list = element(doc, "ul", { class: "ragcite-sources" }, ...items);
  return folded(doc, `${view.labels.sources} (${view.sources_total})`, list, note(doc, view.sources_more));
}

/**
 * The answer's own closing list.
 *
 * @param {Document} doc
 * @param {View} view
 */
export function references(doc, view) {
  if (!view.reference_list.length) return null;
  const items = view.reference_list.map((entry) => element(doc, "li", {}, element(doc, "bdi", {}, entry.label), `: ${entry.text}`));
  return folded(doc, view.labels.reference_list, element(doc, "ul", {}, ...items));
}

/**
 * How things were read, and what the check cannot say.
 *
 * @param {Document} doc
 * @param {View} view
 */
export function foot(doc, view) {
  return element(doc, "div", { class: "ragcite-foot" }, element(doc, "p", {}, view.reading), element(doc, "p", {}, view.caveat));
}

/**
 * @param {Document} doc
 * @param {string} text
 */
function note(doc, text) {
  return text ? element(doc, "p", {}, text) : null;
}

/**
 * @param {Document} doc
 * @param {string} title
 * @param {...(Node | null)} children
 */
function folded(doc, title, ...children) {
  return element(doc, "details", { class: "ragcite-section" }, element(doc, "summary", {}, title), ...children);
}
