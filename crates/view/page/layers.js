// Visible layers; only those that the run has are offered.

const layerNames = {
  walls: "walls",
  box: "box",
  springs: "springs",
  broken: "broken springs",
  rotation: "rotation of bodies",
  shading: "depth shading",
};

export class Layers {
  #layers;
  #changed;
  #ticks = new Map();

  /** `layers` is changed in place, then `changed()` is called. */
  constructor(layers, run, changed) {
    this.#layers = layers;
    this.#changed = changed;
    const place = document.getElementById("layers");
    for (const [name, words] of Object.entries(layerNames)) place.append(this.#tick(name, words));
    this.#offer("box", run.box !== null && run.box !== undefined);
    this.#offer("shading", run.dimension === 3);
    this.#fillOverlays(run.overlays ?? []);
  }

  #tick(name, words) {
    const label = document.createElement("label");
    label.className = "tick";
    label.hidden = true;
    const input = document.createElement("input");
    input.type = "checkbox";
    input.checked = this.#layers[name];
    input.addEventListener("change", () => {
      this.#layers[name] = input.checked;
      this.#changed();
    });
    const text = document.createElement("span");
    text.textContent = words;
    label.append(input, text);
    this.#ticks.set(name, label);
    return label;
  }

  /** `listener` is called with whether springs are shown, at each change. */
  onSprings(listener) {
    const input = this.#ticks.get("springs").querySelector("input");
    input.addEventListener("change", () => listener(input.checked));
  }

  #fillOverlays(overlays) {
    document.getElementById("overlay-field").hidden = overlays.length === 0;
    const names = { delaunay: "Delaunay edges", voronoi: "Voronoi cells" };
    for (const kind of overlays) document.getElementById("overlay").append(new Option(names[kind] ?? kind, kind));
  }

  #offer(name, is) {
    if (is) this.#ticks.get(name).hidden = false;
  }

  /** Offers the layers that a frame has; once offered, a layer stays, so that the panel does not jump. */
  show(frame) {
    const has = (name) => (frame.arrays.get(name)?.count ?? 0) > 0;
    this.#offer("walls", has("wall") || has("line"));
    this.#offer("springs", has("spring"));
    this.#offer("broken", frame.arrays.get("spring.broken")?.values.includes(1) ?? false);
    this.#offer("rotation", frame.arrays.has("orientation") && (frame.spheres === null || frame.spheres.length > 0));
  }
}
