import assert from "node:assert/strict";
import { test } from "node:test";
import widget from "../src/widget.js";
import { all, fakeModel, fixture, one, page, press } from "./page.js";

/** @param {string} [name] */
function mounted(name = "answer") {
  const doc = page();
  const model = fakeModel({ view: fixture()[name] });
  const cleanup = widget.render({ model, el: doc.body });
  const badges = all(doc, "button.ragcite-badge");
  /** @param {HTMLElement} badge */
  const panelOf = (badge) => /** @type {HTMLElement} */ (doc.getElementById(badge.getAttribute("aria-controls") ?? ""));
  return { doc, model, cleanup, badges, panelOf, view: model.get("view") };
}

test("every mark is a button that names number, source and state", () => {
  const { badges, view } = mounted();
  assert.deepEqual(
    badges.map((badge) => badge.getAttribute("aria-label")),
    view.badges.map((/** @type {any} */ badge) => badge.name),
  );
  assert.equal(badges[0].textContent, "[1]✓");
  assert.equal(badges[0].getAttribute("aria-label"), "Source 1: <b>CGV</b> v2.1, section 5.2, p. 12, found verbatim");
  assert.ok(badges.every((badge) => badge.getAttribute("type") === "button" && badge.getAttribute("aria-expanded") === "false"));
});

test("a badge opens its panel right behind its block and closes it again", () => {
  const { badges, panelOf, model } = mounted();
  badges[0].click();
  assert.equal(badges[0].getAttribute("aria-expanded"), "true");
  assert.equal(panelOf(badges[0]).hidden, false);
  assert.equal(badges[0].closest("p")?.nextElementSibling, panelOf(badges[0]).parentElement);
  assert.equal(one(panelOf(badges[0]), "mark").textContent, "free of charge");
  badges[2].click();
  assert.deepEqual(model.get("expanded"), [0, 2]);
  assert.equal(model.get("selected"), 2);
  badges[0].click();
  assert.deepEqual(model.get("expanded"), [2]);
  assert.equal(panelOf(badges[0]).hidden, true);
  assert.equal(model.saved, 3);
});

test("unknown, malformed and grouped marks say what is the matter", () => {
  const { badges, panelOf } = mounted();
  assert.match(panelOf(badges[2]).textContent ?? "", /no such source.*Nearest source\[3\]/s);
  assert.equal(all(panelOf(badges[3]), ".ragcite-evidence").length, 2);
  assert.match(panelOf(badges[4]).textContent ?? "", /cannot be read as one/);
  assert.match(panelOf(badges[1]).textContent ?? "", /found in another source.*Found in \[3\]/s);
});

test("Escape closes the panel that holds the focus and gives the focus back", () => {
  const { doc, badges, panelOf, model } = mounted();
  badges[0].click();
  badges[1].click();
  one(panelOf(badges[0]), ".ragcite-panel-top button").focus();
  assert.equal(press(/** @type {HTMLElement} */ (doc.activeElement), "Escape"), false);
  assert.deepEqual(model.get("expanded"), [1]);
  assert.equal(doc.activeElement, badges[0]);
  press(badges[1], "Escape");
  assert.deepEqual(model.get("expanded"), []);
});

test("the close button gives the focus back", () => {
  const { doc, badges, panelOf } = mounted();
  badges[0].click();
  one(panelOf(badges[0]), ".ragcite-panel-top button").click();
  assert.equal(panelOf(badges[0]).hidden, true);
  assert.equal(doc.activeElement, badges[0]);
});

test("keys stay inside, but for those with a modifier", () => {
  const { doc, badges } = mounted();
  assert.equal(press(badges[0], "j"), false);
  assert.equal(press(badges[0], "a"), false);
  assert.equal(press(badges[0], "s", { ctrlKey: true }), true);
  const focusable = all(doc, "section, a, button, summary");
  assert.ok(focusable.every((each) => each.getAttribute("data-lm-suppress-shortcuts") === "true"));
});

test("two views of one model stay in step and share no id", () => {
  const doc = page();
  const model = fakeModel({ view: fixture().answer });
  const [first, second] = [doc.createElement("div"), doc.createElement("div")];
  doc.body.append(first, second);
  widget.render({ model, el: first });
  widget.render({ model, el: second });
  all(first, "button.ragcite-badge")[2].click();
  assert.equal(all(second, "button.ragcite-badge")[2].getAttribute("aria-expanded"), "true");
  const ids = all(doc, "[id]").map((each) => each.id);
  assert.equal(new Set(ids).size, ids.length);
});

test("Python can open a badge", () => {
  const { badges, model } = mounted();
  model.set("expanded", [1]);
  assert.deepEqual(
    badges.map((badge) => badge.getAttribute("aria-expanded")),
    ["false", "true", "false", "false", "false"],
  );
});

test("a changed answer is drawn anew; what is open stays open and the focus stays on its badge", () => {
  const { doc, badges, model, view } = mounted();
  badges[1].click();
  badges[1].focus();
  one(doc, ".ragcite-section:last-of-type").setAttribute("open", "");
  model.set("view", { ...view, reading: "changed" });
  const drawn = all(doc, "button.ragcite-badge");
  assert.notEqual(drawn[1], badges[1]);
  assert.equal(drawn[1].getAttribute("aria-expanded"), "true");
  assert.equal(doc.activeElement, drawn[1]);
  assert.match(doc.body.textContent ?? "", /changed/);
  assert.equal(all(doc, "details[open]").length, 1);
});

test("nothing of an answer or a source becomes an element", () => {
  const { doc } = mounted();
  assert.equal(doc.querySelectorAll("img, script, b").length, 0);
  assert.match(doc.body.textContent ?? "", /<img src=x> Dogs travel/);
});

test("a link that is not one for the web is not made", () => {
  const doc = page();
  const view = fixture().answer;
  view.sources[0].url = "javascript:alert(1)";
  widget.render({ model: fakeModel({ view }), el: doc.body });
  assert.equal(doc.querySelectorAll("a").length, 0);
});

test("a reader's verdict is stored once per citation and can be taken back", () => {
  const { doc, badges, panelOf, model } = mounted();
  badges[0].click();
  const [yes, no] = all(panelOf(badges[0]), "[data-verdict]");
  yes.click();
  const [entry] = model.get("verifications");
  assert.deepEqual({ ...entry, time: "" }, { citation: 0, source: "<b>CGV</b> v2.1", verdict: "confirmed", time: "" });
  assert.ok(!Number.isNaN(Date.parse(entry.time)));
  assert.equal(yes.getAttribute("aria-pressed"), "true");
  assert.match(one(doc, "[role=status]").textContent ?? "", /verified/);
  no.click();
  assert.deepEqual(
    model.get("verifications").map((/** @type {any} */ each) => each.verdict),
    ["rejected"],
  );
  no.click();
  assert.deepEqual(model.get("verifications"), []);
  assert.equal(no.getAttribute("aria-pressed"), "false");
});

test("all badges open and close together", () => {
  const { doc, badges, model } = mounted();
  const [, open, close] = all(doc, ".ragcite-answer + .ragcite-tools button");
  open.click();
  assert.deepEqual(model.get("expanded"), [0, 1, 2, 3, 4]);
  close.click();
  assert.ok(badges.every((badge) => badge.getAttribute("aria-expanded") === "false"));
});

test("copying says whether it worked", async () => {
  const { doc, view } = mounted();
  const [copy] = all(doc, ".ragcite-answer + .ragcite-tools button");
  const status = one(doc, "[role=status]");
  copy.click(); // neither a clipboard nor execCommand here
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal(status.textContent, view.labels.copy_failed);
  /** @type {string[]} */
  const copied = [];
  Object.defineProperty(doc.defaultView?.navigator, "clipboard", {
    value: { writeText: async (/** @type {string} */ text) => void copied.push(text) },
  });
  copy.click();
  await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual(copied, [view.copy_text]);
  assert.equal(status.textContent, view.labels.copied);
});

test("an empty answer says so, in the reader's language", () => {
  const { doc } = mounted("empty");
  assert.equal(one(doc, "section").lang, "fr");
  assert.match(one(doc, ".ragcite-answer").textContent ?? "", /réponse vide/);
  assert.equal(all(doc, "button.ragcite-badge").length, 0);
});

test("the parts around the answer are there", () => {
  const { doc, view } = mounted();
  assert.equal(all(doc, ".ragcite-alerts > li").length, 1);
  assert.equal(all(doc, "tbody tr").length, view.citations.length);
  assert.match(one(doc, ".ragcite-sources").textContent ?? "", /never cited|cited/);
  assert.match(one(doc, ".ragcite-foot").textContent ?? "", /does not make an answer right/);
  assert.match(doc.body.textContent ?? "", /X: not among the given sources/);
});

test("a view that goes leaves neither elements nor listeners", () => {
  const { doc, model, cleanup } = mounted();
  assert.ok(model.listeners() > 0);
  cleanup();
  assert.equal(model.listeners(), 0);
  assert.equal(doc.body.childElementCount, 0);
});
