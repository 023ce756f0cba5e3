import assert from "node:assert/strict";
import { test } from "node:test";
import widget from "../src/widget.js";
import { all, fakeModel, fixture, one, page, press } from "./page.js";

function mounted() {
  const doc = page();
  const data = fixture();
  const model = fakeModel({ ...data.explorer });
  const cleanup = widget.render({ model, el: doc.body });
  return { doc, model, cleanup, answer: data.answer };
}

test("a page of rows, each with a button that names it", () => {
  const { doc, model } = mounted();
  assert.equal(all(doc, ".ragcite-explorer > .ragcite-scroll tbody tr").length, 3);
  assert.deepEqual(
    all(doc, "[data-row]").map((each) => each.textContent),
    ["0", "1", "2"],
  );
  assert.equal(all(doc, 'td[data-key="text"]')[0].textContent, "Answer 0 [2].a; b");
  assert.equal(all(doc, 'td[data-key="alerts"]')[0].textContent, "2");
  assert.equal(one(doc, ".ragcite-explorer").getAttribute("aria-label"), model.get("columns").title);
});

test("filters ask Python from the first page on", () => {
  const { doc, model } = mounted();
  model.set("query", { ...model.get("query"), page: 1 });
  const choice = /** @type {HTMLSelectElement} */ (all(doc, "select")[0]);
  choice.value = "a";
  choice.dispatchEvent(new /** @type {any} */ (doc.defaultView).Event("change"));
  assert.deepEqual(model.get("query"), { alert: "a", group: "", sort: "row", descending: false, page: 0 });
  assert.equal(one(doc, ".ragcite-explorer").getAttribute("aria-busy"), "true");
  model.set("table", { ...model.get("table"), rows: [], summary: "0 of 5 rows" });
  assert.equal(one(doc, ".ragcite-explorer").getAttribute("aria-busy"), "false");
  assert.match(one(doc, "tbody").textContent ?? "", /No row fits/);
});

test("a column sorts up, then down, and says so", () => {
  const { doc, model } = mounted();
  const head = one(doc, 'th[data-key="traceability"]');
  one(head, "button").click();
  assert.deepEqual([model.get("query").sort, model.get("query").descending], ["traceability", false]);
  model.set("table", { ...model.get("table"), summary: "sorted" });
  assert.equal(head.getAttribute("aria-sort"), "ascending");
  one(head, "button").click();
  model.set("table", { ...model.get("table"), summary: "sorted again" });
  assert.equal(head.getAttribute("aria-sort"), "descending");
  assert.equal(one(doc, "[aria-sort]"), head);
});

test("a column that cannot be sorted by has no button", () => {
  const { doc } = mounted();
  assert.equal(one(doc, 'th[data-key="text"]').querySelector("button"), null);
});

test("pages turn within their bounds", () => {
  const { doc, model } = mounted();
  const [back, forth] = all(doc, ".ragcite-scroll + .ragcite-tools button").map((each) => /** @type {HTMLButtonElement} */ (each));
  assert.deepEqual([back.disabled, forth.disabled], [true, false]);
  forth.click();
  assert.equal(model.get("query").page, 1);
  model.set("table", { ...model.get("table"), page: 1 });
  assert.deepEqual([back.disabled, forth.disabled], [false, true]);
});

test("a selected row shows its answer below", () => {
  const { doc, model, answer } = mounted();
  assert.equal(one(doc, ".ragcite-detail").hidden, true);
  assert.match(doc.body.textContent ?? "", /Select a row/);
  one(doc, '[data-row="1"]').click();
  assert.equal(model.get("row"), 1);
  model.set("view", answer);
  assert.equal(one(doc, ".ragcite-detail").hidden, false);
  assert.equal(one(doc, '[data-row="1"]').getAttribute("aria-pressed"), "true");
  assert.doesNotMatch(doc.body.textContent ?? "", /Select a row/);
  all(doc, "button.ragcite-badge")[0].click();
  all(doc, "[data-verdict]")[0].click();
  assert.equal(model.get("verifications")[0].row, 1);
});

test("a click anywhere in a row selects it", () => {
  const { doc, model } = mounted();
  all(doc, "tbody tr")[2].click();
  assert.equal(model.get("row"), 2);
});

test("a row that cannot be read says why", () => {
  const { doc, model } = mounted();
  model.set("row", 2);
  model.set("error", "This row could not be read: no text");
  assert.match(doc.body.textContent ?? "", /could not be read: no text/);
});

test("keys stay inside", () => {
  const { doc } = mounted();
  assert.equal(press(all(doc, "select")[0], "j"), false);
});

test("an explorer that goes leaves neither elements nor listeners", () => {
  const { doc, model, cleanup } = mounted();
  cleanup();
  assert.equal(model.listeners(), 0);
  assert.equal(doc.body.childElementCount, 0);
});
