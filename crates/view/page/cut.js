// The clipping plane: its axis, its position, and which side is kept.
import { formatNumber } from "./numbers.js";

export class Cut {
  #axis = null;
  #bounds = null;
  #changed;
  #at = document.getElementById("cut-at");
  #flip = document.getElementById("cut-flip");
  #buttons = [...document.querySelectorAll("#cut-axis button")];

  /** `changed(clip)` is called with the plane, or with null. */
  constructor(dimension, changed) {
    this.#changed = changed;
    this.#buttons = this.#buttons.filter((button) => {
      button.hidden = button.dataset.axis !== "" && Number(button.dataset.axis) >= dimension;
      return !button.hidden;
    });
    for (const button of this.#buttons)
      button.addEventListener("click", () =>
        this.#choose(button.dataset.axis === "" ? null : Number(button.dataset.axis)),
      );
    this.#at.addEventListener("input", () => this.#apply());
    this.#flip.addEventListener("change", () => this.#apply());
  }

  /** Range of the plane's positions. */
  set bounds(bounds) {
    this.#bounds = bounds;
  }

  chooseNext() {
    const last = this.#buttons.length - 2;
    this.#choose(this.#axis === null ? 0 : this.#axis < last ? this.#axis + 1 : null);
  }

  #choose(axis) {
    this.#axis = axis;
    for (const button of this.#buttons)
      button.setAttribute("aria-pressed", String(button.dataset.axis === (axis === null ? "" : String(axis))));
    document.getElementById("cut-details").hidden = axis === null;
    this.#apply();
  }

  #apply() {
    if (this.#axis === null || !this.#bounds) return this.#changed(null);
    const { low, high } = this.#bounds;
    const at = low[this.#axis] + (Number(this.#at.value) / 1000) * (high[this.#axis] - low[this.#axis]);
    document.getElementById("cut-value").textContent = formatNumber(at, 3);
    this.#changed({ axis: this.#axis, at, flipped: this.#flip.checked });
  }
}
