// A page without a browser, and a model without a kernel.
import { readFileSync } from "node:fs";
import { JSDOM } from "jsdom";

/** @import { Model } from "../src/types.js" */

/** Fresh data for each test. */
export function fixture() {
  return JSON.parse(readFileSync(new URL("fixture.json", import.meta.url), "utf8"));
}

export function page() {
  const dom = new JSDOM("<!doctype html><body></body>", { pretendToBeVisual: true });
  return dom.window.document;
}

/**
 * The traits of a widget. As in Jupyter, a change is told to all views once, and only if it is one.
 *
 * @param {Record<string, any>} traits
 * @returns {Model & {listeners: () => number, saved: number}}
 */
export function fakeModel(traits) {
  /** @type {Map<string, Set<() => void>>} */
  const callbacks = new Map();
  const state = { expanded: [], selected: null, verifications: [], ...traits };
  return {
    saved: 0,
    get: (name) => /** @type {any} */ (state)[name],
    set(name, value) {
      if (JSON.stringify(/** @type {any} */ (state)[name]) === JSON.stringify(value)) return;
      /** @type {any} */ (state)[name] = value;
      for (const callback of callbacks.get(`change:${name}`) ?? []) callback();
    },
    save_changes() {
      this.saved += 1;
    },
    on(event, callback) {
      callbacks.set(event, (callbacks.get(event) ?? new Set()).add(callback));
    },
    off(event, callback) {
      callbacks.get(event)?.delete(callback);
    },
    listeners: () => [...callbacks.values()].reduce((sum, each) => sum + each.size, 0),
  };
}

/**
 * The one element that fits; a test fails where there is none.
 *
 * @param {ParentNode} root
 * @param {string} selector
 * @returns {HTMLElement}
 */
export function one(root, selector) {
  const found = root.querySelectorAll(selector);
  if (found.length !== 1) throw new Error(`${selector}: ${found.length} elements`);
  return /** @type {HTMLElement} */ (found[0]);
}

/**
 * @param {ParentNode} root
 * @param {string} selector
 * @returns {HTMLElement[]}
 */
export function all(root, selector) {
  return [...root.querySelectorAll(selector)].map((each) => /** @type {HTMLElement} */ (each));
}

/**
 * Press a key; returns whether the event reached the page, as a notebook's own shortcuts would see it.
 *
 * @param {HTMLElement} target
 * @param {string} key
 * @param {KeyboardEventInit} [more]
 */
export function press(target, key, more = {}) {
  const view = /** @type {any} */ (target.ownerDocument.defaultView);
  let reached = false;
  const notebook = () => (reached = true);
  target.ownerDocument.addEventListener("keydown", notebook);
  target.dispatchEvent(new view.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));
  target.ownerDocument.removeEventListener("keydown", notebook);
  return reached;
}
