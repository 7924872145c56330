// The choice of the column that colors show, and of its range.
import { colorScale } from "./color.js";
import { drawLegend } from "./legend.js";
import { wordsOf } from "./numbers.js";
import { beyondRounding, columnRange, fittingRange } from "./ranges.js";

const handful = 8;
const mostBodies = [0.05, 0.93];

export class Coloring {
  column = null;
  #columns = [];
  #isChosen = false;
  #changed;
  #frame = null;
  #select = document.getElementById("column");
  #range = document.getElementById("range");

  /** `changed(name, scale)` is called whenever the meaning of colors changes. */
  constructor(run, changed) {
    this.#changed = changed;
    this.#select.append(new Option("one color", ""));
    for (const column of allColumns(run)) this.#offer(column);
    this.#select.addEventListener("change", () => this.choose(this.#select.value));
    this.#range.addEventListener("change", () => this.#apply());
    this.#start(run);
  }

  choose(name) {
    this.#isChosen = true;
    this.column = this.#columns.find((column) => column.name === name) ?? null;
    this.#select.value = name;
    this.#apply();
  }

  chooseNext() {
    this.#select.selectedIndex = (this.#select.selectedIndex + 1) % this.#select.options.length;
    this.choose(this.#select.value);
  }

  /** Updates ranges, which may widen while a run continues, and columns, which come with its first frame. */
  learn(run) {
    for (const column of run.columns) {
      const known = this.#columns.find(({ name }) => name === column.name);
      if (known) [known.low, known.high] = [column.low, column.high];
      else this.#offer({ ...column });
    }
    if (!this.#isChosen && !this.column) this.#start(run);
  }

  #offer(column) {
    this.#columns.push(column);
    this.#select.append(new Option(wordsOf(column.name), column.name));
  }

  #start(run) {
    this.column = firstColumn(run, this.#columns);
    this.#select.value = this.column?.name ?? "";
  }

  show(frame) {
    this.#frame = frame;
    this.#apply();
  }

  #apply() {
    const { column } = this;
    const array = column && this.#frame?.arrays.get(column.name);
    const scale = colorScale(column, ...beyondRounding(column?.name, this.#rangeOf(column, array)));
    document.getElementById("range-field").hidden = scale.kind === "plain" || scale.kind === "categorical";
    drawLegend(scale, column, array && column.categorical ? kindsOf(array) : []);
    this.#changed(column?.name ?? null, scale);
  }

  #rangeOf(column, array) {
    if (!column) return [0, 1];
    const choice = this.#range.value;
    if (array && choice === "bulk") return columnRange(array, ...mostBodies);
    if (array && (choice === "frame" || column.low === undefined)) return columnRange(array);
    const ofRun = [column.low ?? 0, column.high ?? 1];
    return array && choice === "fitting" ? fittingRange(ofRun, columnRange(array, ...mostBodies)) : ofRun;
  }
}

/** The run's columns, and radius and id, which every frame may have. */
function allColumns(run) {
  const known = run.columns.map((column) => ({ ...column }));
  for (const name of ["radius", "id"]) {
    if (!known.some((column) => column.name === name)) known.push({ name, unit: "", categorical: false });
  }
  return known;
}

/** The column shown at first: ids for a handful of bodies, otherwise the one that the scene asks for. */
function firstColumn(run, columns) {
  if (run.frames.find((frame) => frame.bodies > 0)?.bodies <= handful) {
    const id = columns.find((column) => column.name === "id");
    id.categorical = true;
    return id;
  }
  const varied = columns.filter((column) => column.categorical || column.high > column.low);
  // The run lists the column that its scene asks for first; constant columns show nothing.
  const liked = [columns[0].name, "strain", "speed"];
  const found = liked.map((name) => varied.find((column) => column.name === name));
  return found.find((column) => column) ?? varied[0] ?? null;
}

/** The distinct integers of a column, in order. */
function kindsOf(array) {
  const kinds = new Set(array.values);
  const [low, step] = [array.low[0], array.step[0]];
  return [...kinds].map((value) => Math.round(low + step * value)).sort((a, b) => a - b);
}
