import { element } from "./dom.js";

/** @import { Citation, Quote, Source, View } from "./types.js" */

/**
 * How something stands, in a sign and in words.
 *
 * @param {Document} doc
 * @param {{symbol: string, tone: string, state_text: string}} item
 */
export function stateOf(doc, item) {
  const sign = item.symbol ? `${item.symbol} ` : "";
  return element(doc, "span", { class: `ragcite-state ragcite-${item.tone}` }, sign + item.state_text);
}

/**
 * Number, name and details of a source, its confidence and its link.
 *
 * @param {Document} doc
 * @param {View} view
 * @param {Source} source
 * @param {string} [locator]
 */
export function sourceLine(doc, view, source, locator = "") {
  const details = [...source.details, ...(locator ? [locator] : [])].join(" · ");
  const line = element(doc, "p", {}, element(doc, "bdi", {}, `[${source.number}] `, element(doc, "strong", {}, source.title)));
  if (details) line.append(" ", element(doc, "bdi", { class: "ragcite-muted" }, details));
  if (source.confidence) {
    const level = source.confidence.level === "good" ? "fine" : source.confidence.level;
    line.append(" ", element(doc, "span", { class: `ragcite-confidence ragcite-${level}` }, source.confidence.text));
  }
  if (source.url && /^(https?|mailto):/i.test(source.url)) {
    const link = { href: source.url, title: source.url, target: "_blank", rel: "noopener noreferrer nofollow" };
    line.append(" ", element(doc, "a", link, view.labels.open_link));
  }
  return line;
}

/**
 * A passage with what was found in it marked.
 *
 * @param {Document} doc
 * @param {View} view
 * @param {number | null} number
 */
export function excerpt(doc, view, number) {
  if (number === null) return element(doc, "p", { class: "ragcite-muted" }, view.labels.no_text);
  const quoted = element(doc, "blockquote", { dir: "auto" });
  for (const [text, kind] of view.excerpts[number].segments) {
    if (kind === "gap") quoted.append(element(doc, "span", { class: "ragcite-gap" }, ` ${text} `));
    else if (kind) quoted.append(element(doc, "mark", { class: kind === "near" ? "ragcite-near" : null }, text));
    else quoted.append(text);
  }
  return quoted;
}

/**
 * @param {Document} doc
 * @param {View} view
 * @param {Quote} quote
 */
function quoteLines(doc, view, quote) {
  const cited = (/** @type {string} */ text) => element(doc, "q", { dir: "auto" }, text);
  const lines = [element(doc, "p", {}, stateOf(doc, quote), ": ", cited(quote.text))];
  if (quote.tone !== "good") lines.push(element(doc, "p", { class: "ragcite-muted" }, quote.explain));
  if (quote.source_says) lines.push(element(doc, "p", {}, `${view.labels.source_says}: `, cited(quote.source_says)));
  return quote.excerpt === null ? lines : [...lines, element(doc, "p", {}, quote.elsewhere), excerpt(doc, view, quote.excerpt)];
}

/**
 * What there is to say of one citation: its source, its quotes, the passage.
 *
 * @param {Document} doc
 * @param {View} view
 * @param {Citation} citation
 * @param {boolean} several whether its mark has others as well, so that it must say which it is
 */
export function evidence(doc, view, citation, several) {
  const block = element(doc, "div", { class: "ragcite-evidence" });
  const source = view.sources.find((each) => each.index === citation.source);
  if (source) block.append(sourceLine(doc, view, source, citation.locator));
  else if (several) block.append(element(doc, "p", {}, element(doc, "bdi", {}, citation.reference)));
  if (!citation.quotes.length || !source) block.append(element(doc, "p", {}, stateOf(doc, citation), `. ${citation.explain}`));
  for (const quote of citation.quotes) block.append(...quoteLines(doc, view, quote));
  if (source) block.append(excerpt(doc, view, citation.excerpt));
  if (citation.others.length) block.append(element(doc, "p", {}, citation.others_title));
  for (const other of citation.others) {
    block.append(element(doc, "p", {}, element(doc, "bdi", {}, element(doc, "strong", {}, other.title))), excerpt(doc, view, other.excerpt));
  }
  return block;
}
