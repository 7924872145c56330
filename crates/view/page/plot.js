// Plots of log columns over time, side by side under the scene, with a line at the shown time.
import { rowAtTime, tellingColumns } from "./log.js";
import { drawCurve, timeUnder } from "./curve.js";
import { formatNumber, wordsOf } from "./numbers.js";

const liked = ["kinetic_energy", "temperature", "pressure", "contact_energy", "bond_energy", "broken_springs", "contacts", "collisions"];

export class Plots {
  #section;
  #log = null;
  #names = [];
  #quantities = new Map();
  #times = null;
  #plots = [];
  #time = 0;
  #seek;

  /** `seek(time)` is called where a plot is clicked. */
  constructor(section, seek) {
    this.#section = section;
    this.#seek = seek;
    new ResizeObserver(() => this.#arrange()).observe(section);
  }

  /** Shows a log, or one that has grown; `quantities` are those of its columns whose unit and meaning are known. */
  show(log, quantities = []) {
    this.#log = log;
    this.#quantities = new Map(quantities.map((quantity) => [quantity.column, quantity]));
    this.#names = log.rows < 2 ? [] : tellingColumns(log);
    this.#times = log.columns.get("time") ?? Float64Array.from({ length: log.rows }, (_, row) => row);
    this.#arrange();
  }

  get isEmpty() {
    return this.#names.length === 0;
  }

  /** Marks a time; null leaves the mark where it is. */
  at(time) {
    this.#time = time ?? this.#time;
    this.#drawAll();
  }

  /** As many plots as fit. */
  #arrange() {
    if (this.isEmpty) return;
    const names = this.#names;
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
    for (const name of order) {
      const option = new Option(wordsOf(name), name);
      option.title = this.#meaningOf(name);
      select.append(option);
    }
    select.value = order[place];
    select.addEventListener("change", () => this.#drawAll());
    const scale = document.createElement("button");
    scale.textContent = "log";
    scale.title = "Logarithmic scale";
    scale.setAttribute("aria-pressed", "false");
    scale.addEventListener("click", () => {
      scale.setAttribute("aria-pressed", String(scale.getAttribute("aria-pressed") === "false"));
      this.#drawAll();
    });
    const output = document.createElement("output");
    const canvas = document.createElement("canvas");
    canvas.setAttribute("role", "img");
    head.append(select, scale, output);
    root.append(head, canvas);
    this.#section.append(root);
    const press = (event) => event.buttons === 1 && this.#seek(timeUnder(canvas, event.clientX, this.#times));
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      press(event);
    });
    canvas.addEventListener("pointermove", press);
    return { root, select, scale, output, canvas, place };
  }

  /** What a column is and its unit, as far as they are known. */
  #meaningOf(name) {
    const { unit = "", meaning = "" } = this.#quantities.get(name) ?? {};
    return unit === "" ? meaning : `${meaning} Unit: ${unit}.`;
  }

  #drawAll() {
    if (this.isEmpty || this.#section.hidden) return;
    const style = getComputedStyle(document.documentElement);
    for (const plot of this.#plots) if (!plot.root.hidden) this.#draw(plot, style);
  }

  #draw({ select, scale, output, canvas, place }, style) {
    select.title = this.#meaningOf(select.value);
    const values = this.#log.columns.get(select.value);
    const shown = values[rowAtTime(this.#times, this.#time)];
    output.textContent = formatNumber(shown);
    canvas.setAttribute("aria-label", `${wordsOf(select.value)} over time; ${formatNumber(shown)} at the shown time`);
    drawCurve(canvas, {
      times: this.#times,
      values,
      time: this.#time,
      value: shown,
      isLogarithmic: scale.getAttribute("aria-pressed") === "true",
      colors: {
        curve: style.getPropertyValue(`--plot-${(place % 3) + 1}`),
        text: style.getPropertyValue("--text"),
        quiet: style.getPropertyValue("--quiet"),
        rule: style.getPropertyValue("--rule"),
      },
    });
  }

  /** Draws again, in the colors of the theme. */
  refresh() {
    this.#arrange();
  }
}
