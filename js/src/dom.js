/**
 * One element. Texts become text nodes, so nothing that came from an answer or a source is ever read as HTML.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {Document} doc
 * @param {K} tag
 * @param {Record<string, string | boolean | ((event: any) => void) | null | undefined>} [attributes] functions are listeners, `true`
 *     an attribute without value; what is null, undefined or false is left out
 * @param {...(Node | string | null)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(doc, tag, attributes = {}, ...children) {
  const made = doc.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (typeof value === "string") made.setAttribute(name, value);
  }
  for (const child of children) if (child) made.append(child);
  return made;
}

/**
 * Keep a notebook's shortcuts away from everything in `root` that can have the focus. JupyterLab asks the focused element
 * before it asks those around it, so the mark on the root alone would not do.
 *
 * @param {Element} root
 */
export function keepKeys(root) {
  for (const each of [root, ...root.querySelectorAll("a, button, select, summary, [tabindex]")]) {
    each.setAttribute("data-lm-suppress-shortcuts", "true");
  }
}

/**
 * A listener for the root of a view: keys without a modifier end there. VS Code would act on some of them.
 *
 * @param {KeyboardEvent} event
 */
export function stopKeys(event) {
  if (!event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation();
}

let ids = 0;

/**
 * An id that no other view on the page has, whatever the other views are.
 *
 * @returns {string}
 */
export function newId() {
  ids += 1;
  return `ragcite-w${ids}-${Math.random().toString(36).slice(2, 8)}`;
}
