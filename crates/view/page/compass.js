// The directions of the axes, in a corner of the scene.

const compassColors = ["#d5453d", "#3f9b4d", "#3f78d8"];

export class Compass {
  #lines;
  #letters;

  constructor(svg, dimension) {
    const axes = ["x", "y", "z"].slice(0, dimension);
    const add = (kind, axis) => {
      const element = document.createElementNS(svg.namespaceURI, kind);
      element.setAttribute(kind === "line" ? "stroke" : "fill", compassColors[axis]);
      svg.append(element);
      return element;
    };
    this.#lines = axes.map((_, axis) => add("line", axis));
    this.#letters = axes.map((name, axis) => {
      const letter = add("text", axis);
      letter.textContent = name;
      return letter;
    });
  }

  turn({ right, up }) {
    this.#lines.forEach((line, axis) => {
      const [x, y] = [right[axis], -up[axis]];
      line.setAttribute("x2", 30 * x);
      line.setAttribute("y2", 30 * y);
      this.#letters[axis].setAttribute("x", 41 * x);
      this.#letters[axis].setAttribute("y", 41 * y);
      const unseen = Math.hypot(x, y) < 0.25;
      this.#letters[axis].setAttribute("opacity", unseen ? 0 : 1);
    });
  }
}
