// Columns of the log over time, side by side under the scene, with a line at the shown time.
import { rowAtTime, tellingColumns } from "./log.js";
import { formatNumber, roundTicks, wordsOf } from "./numbers.js";

const liked = ["kinetic_energy", "temperature", "pressure", "elastic_energy", "broken", "contacts", "collisions"];
const plotMargin = { left: 46, right: 6, top: 6, bottom: 18 };

export class Plots {
  #section;
  #log = null;
  #times = null;
  #plots = [];
  #time = 0;
  #seek;

  /** `seek(time)` is called where a plot is pressed. */
  constructor(section, seek) {
    this.#section = section;
    this.#seek = seek;
    new ResizeObserver(() => this.#arrange()).observe(section);
  }

  /** Shows a log, or one that has grown. */
  show(log) {
    this.#log = log;
    this.#times = log.columns.get("time") ?? Float64Array.from({ length: log.rows }, (_, row) => row);
    this.#arrange();
    this.#drawAll();
  }

  get isEmpty() {
    return !this.#log || this.#log.rows < 2 || tellingColumns(this.#log).length === 0;
  }

  at(time) {
    this.#time = time;
    this.#drawAll();
  }

  /** As many plots as there is room for. */
  #arrange() {
    if (this.isEmpty) return;
    const names = tellingColumns(this.#log);
    const width = this.#section.clientWidth;
    const count = Math.min(names.length, Math.max(1, Math.floor(width / 360)), 3);
    const order = [...liked.filter((name) => names.includes(name)), ...names.filter((name) => !liked.includes(name))];
    while (this.#plots.length < count) this.#plots.push(this.#newPlot(this.#plots.length, order));
    this.#plots.forEach(({ root }, i) => (root.hidden = i >= count));
    this.#drawAll();
  }

  #newPlot(place, order) {
    const root = document.createElement("div");
    root.className = "plot";
    const head = document.createElement("header");
    const select = document.createElement("select");
    select.setAttribute("aria-label", `Column of plot ${place + 1}`);
    for (const name of order) select.append(new Option(wordsOf(name), name));
    select.value = order[place];
    select.addEventListener("change", () => this.#drawAll());
    const output = document.createElement("output");
    const canvas = document.createElement("canvas");
    canvas.setAttribute("role", "img");
    head.append(select, output);
    root.append(head, canvas);
    this.#section.append(root);
    const press = (event) => event.buttons === 1 && this.#seek(this.#timeAt(canvas, event));
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      press(event);
    });
    canvas.addEventListener("pointermove", press);
    return { root, select, output, canvas, place };
  }

  #timeAt(canvas, event) {
    const [first, last] = this.#span();
    const box = canvas.getBoundingClientRect();
    const part = (event.clientX - box.left - plotMargin.left) / (box.width - plotMargin.left - plotMargin.right);
    return first + Math.min(1, Math.max(0, part)) * (last - first);
  }

  #span() {
    return [this.#times[0], this.#times[this.#times.length - 1]];
  }

  #drawAll() {
    if (this.isEmpty || this.#section.hidden) return;
    const style = getComputedStyle(document.documentElement);
    for (const plot of this.#plots) if (!plot.root.hidden) this.#draw(plot, style);
  }

  #draw({ select, output, canvas, place }, style) {
    const values = this.#log.columns.get(select.value);
    const shown = values[rowAtTime(this.#times, this.#time)];
    output.textContent = formatNumber(shown);
    canvas.setAttribute("aria-label", `${wordsOf(select.value)} over time; ${formatNumber(shown)} at the shown time`);
    const area = plotArea(canvas, this.#span(), finiteRange(values));
    drawAxes(area, style);
    drawCurve(area, this.#times, values, style.getPropertyValue(`--plot-${(place % 3) + 1}`));
    drawCursor(area, this.#time, shown, style);
  }

  /** Draws anew, in the colours of the theme. */
  refresh() {
    this.#arrange();
  }
}

/** The least and greatest finite value, a little apart. */
export function finiteRange(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return [0, 1];
  const slack = high > low ? 0.04 * (high - low) : Math.abs(high) || 1;
  return [low - (low === 0 ? 0 : slack), high + slack];
}

function plotArea(canvas, [first, last], [low, high]) {
  const density = devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  [canvas.width, canvas.height] = [Math.round(width * density), Math.round(height * density)];
  const pen = canvas.getContext("2d");
  pen.scale(density, density);
  const right = width - plotMargin.right;
  const bottom = height - plotMargin.bottom;
  const x = (time) => plotMargin.left + ((time - first) / (last - first || 1)) * (right - plotMargin.left);
  const y = (value) => bottom - ((value - low) / (high - low)) * (bottom - plotMargin.top);
  return { pen, x, y, right, bottom, first, last, low, high };
}

function drawAxes({ pen, x, y, right, bottom, first, last, low, high }, style) {
  pen.font = "11px system-ui, sans-serif";
  pen.fillStyle = style.getPropertyValue("--quiet");
  pen.strokeStyle = style.getPropertyValue("--rule");
  pen.lineWidth = 1;
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  for (const value of roundTicks(low, high, bottom > 60 ? 3 : 2)) {
    const at = Math.round(y(value)) + 0.5;
    pen.beginPath();
    pen.moveTo(plotMargin.left, at);
    pen.lineTo(right, at);
    pen.stroke();
    pen.fillText(formatNumber(value, 3), plotMargin.left - 6, at);
  }
  pen.textBaseline = "alphabetic";
  for (const time of roundTicks(first, last, 5)) {
    pen.textAlign = x(time) > right - 12 ? "right" : "center";
    pen.fillText(formatNumber(time, 3), x(time), bottom + 14);
  }
}

/** One line; where many rows share a column of pixels, only their least and greatest. */
function drawCurve({ pen, x, y }, times, values, colour) {
  pen.strokeStyle = colour;
  pen.lineWidth = 1.6;
  pen.lineJoin = "round";
  pen.beginPath();
  let pending = null;
  let started = false;
  const put = (at, value) => {
    if (started) pen.lineTo(at, y(value));
    else pen.moveTo(at, y(value));
    started = true;
  };
  const flush = () => {
    if (!pending) return;
    put(pending.at, pending.low);
    if (pending.high !== pending.low) put(pending.at, pending.high);
    if (pending.last !== pending.high) put(pending.at, pending.last);
    pending = null;
  };
  for (let row = 0; row < values.length; row++) {
    const value = values[row];
    if (!Number.isFinite(value)) {
      flush();
      started = false;
      continue;
    }
    const at = x(times[row]);
    if (pending && at - pending.at < 0.5) {
      pending.low = Math.min(pending.low, value);
      pending.high = Math.max(pending.high, value);
      pending.last = value;
    } else {
      flush();
      pending = { at, low: value, high: value, last: value };
    }
  }
  flush();
  pen.stroke();
}

function drawCursor({ pen, x, y, bottom, first, last }, time, value, style) {
  const at = x(Math.min(last, Math.max(first, time)));
  pen.strokeStyle = style.getPropertyValue("--text");
  pen.lineWidth = 1;
  pen.beginPath();
  pen.moveTo(at, plotMargin.top - 4);
  pen.lineTo(at, bottom);
  pen.stroke();
  if (!Number.isFinite(value)) return;
  pen.fillStyle = style.getPropertyValue("--text");
  pen.beginPath();
  pen.arc(at, y(value), 3, 0, 2 * Math.PI);
  pen.fill();
}
