import { mountAnswer } from "./answer.js";
import { mountExplorer } from "./explorer.js";

/** @import { Model } from "./types.js" */

/**
 * What anywidget calls for each view of a widget; it calls the returned function when that view goes.
 *
 * @param {{model: Model, el: HTMLElement}} context
 */
function render({ model, el }) {
  return model.get("table") ? mountExplorer(model, el) : mountAnswer(model, el);
}

export default { render };
