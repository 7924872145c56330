// The numbers of the picked body.
import { arrayNumber } from "./container.js";
import { bodyId, bodyPosition, isSphere } from "./frame.js";
import { formatNumber, wordsOf } from "./numbers.js";

const notNumbersOfBodies = ["position", "id", "shape", "orientation", "wall", "line", "spring"];

/** Fills the panel with the numbers of body `index` of a frame; -1 if the frame does not have it. */
export function showBody(frame, index, id, run) {
  const section = document.getElementById("body");
  section.hidden = id === null;
  if (id === null) return;
  document.getElementById("body-name").textContent = `Body ${id}`;
  const rows = index < 0 ? [["", "not in this frame"]] : bodyRows(frame, index, run);
  const list = document.getElementById("body-numbers");
  list.replaceChildren(...rows.flatMap(([name, value]) => [textElement("dt", name), textElement("dd", value)]));
}

function textElement(kind, text) {
  const element = document.createElement(kind);
  element.textContent = text;
  return element;
}

function bodyRows(frame, index, run) {
  const rows = bodyPosition(frame, index)
    .slice(0, run.dimension)
    .map((value, axis) => ["xyz"[axis], formatNumber(value, 5)]);
  for (const [name, array] of frame.arrays) {
    if (notNumbersOfBodies.includes(name) || name.startsWith("spring.") || array.components !== 1) continue;
    const unit = run.columns.find((column) => column.name === name)?.unit;
    rows.push([wordsOf(name), formatNumber(arrayNumber(array, index)) + (unit ? ` ${unit}` : "")]);
  }
  if (!isSphere(frame, index)) rows.push(["shape", String(frame.arrays.get("shape").values[index])]);
  if (run.dimension === 2 && frame.arrays.has("orientation")) rows.push(["angle", angleOf(frame, index)]);
  return rows;
}

function angleOf(frame, index) {
  const [, , z, w] = frame.arrays.get("orientation").values.subarray(4 * index, 4 * index + 4);
  const degrees = (2 * Math.atan2(z, w) * 180) / Math.PI;
  return `${formatNumber(degrees - 360 * Math.round(degrees / 360), 3)}°`;
}

/** The id of the body at an index. */
export function pickedId(frame, index) {
  return index < 0 ? null : bodyId(frame, index);
}
