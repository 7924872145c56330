// The legend of the color scale, with its numbers or its categories.
import { paletteSize, scaleTable } from "./color.js";
import { formatNumber, roundTicks, wordsOf } from "./numbers.js";

const mostKinds = 12;

/** Draws a scale into the panel; `kinds` are the integers in the frame, for a categorical one. */
export function drawLegend(scale, column, kinds) {
  const bar = document.getElementById("legend-bar");
  const ticks = document.getElementById("legend-ticks");
  document.getElementById("legend").hidden = scale.kind === "plain";
  if (scale.kind === "plain") return;
  const listed = scale.kind === "categorical";
  ticks.classList.toggle("kinds", listed);
  bar.hidden = listed;
  ticks.replaceChildren(...(listed ? kindMarks(kinds) : tickMarks(scale)));
  if (!listed) fillBar(bar, scaleTable(scale.kind));
  const unit = column.unit ? ` in ${column.unit}` : "";
  bar.setAttribute(
    "aria-label",
    `${wordsOf(column.name)}${unit} from ${formatNumber(scale.low)} to ${formatNumber(scale.high)}`,
  );
}

function fillBar(bar, table) {
  bar.width = table.length / 4;
  bar.height = 1;
  bar.getContext("2d").putImageData(new ImageData(new Uint8ClampedArray(table), bar.width, 1), 0, 0);
}

function tickMarks({ low, high }) {
  let values = roundTicks(low, high, 3);
  if (values.length < 2) values = [low, high];
  return values.map((value) => {
    const mark = document.createElement("span");
    mark.textContent = formatNumber(value, 3);
    const part = (value - low) / (high - low);
    // Marks at the ends stay within the panel.
    mark.style.left = `${100 * part}%`;
    if (part < 0.04) mark.style.transform = "none";
    if (part > 0.96) mark.style.transform = "translateX(-100%)";
    return mark;
  });
}

function kindMarks(kinds) {
  const table = scaleTable("categorical");
  const marks = kinds.slice(0, mostKinds).map((kind) => {
    const mark = document.createElement("span");
    const swatch = document.createElement("i");
    const at = 4 * (((kind % paletteSize) + paletteSize) % paletteSize);
    swatch.style.background = `rgb(${table.slice(at, at + 3).join(" ")})`;
    mark.append(swatch, String(kind));
    return mark;
  });
  if (kinds.length > mostKinds) {
    const more = document.createElement("span");
    more.textContent = kinds.length > paletteSize ? "… and more; colors repeat" : `… ${kinds.length} in all`;
    marks.push(more);
  }
  return marks;
}
