// Schedules drawing: at once and coarsely during motion, once and finely at rest. Nothing is drawn while nothing
// changes.
import { Camera } from "./camera.js";
import { Renderer } from "./renderer.js";

const restAfter = 160;
const movingBudget = 40;
const playingBudget = 160;
const restingBudget = 1500;
const coarsest = 0.35;
const sparsest = 16;
/** Up to this number, all bodies are always drawn. */
const fewBodies = 50000;

export class Stage {
  /** Duration of the last draw, in milliseconds. */
  milliseconds = 0;
  #canvas;
  #asked = 0;
  #rest = 0;
  #pace = null;
  #moving;
  #drawnListeners = [];
  #rebuiltListeners = [];

  constructor(canvas, run) {
    this.#canvas = canvas;
    this.camera = new Camera(run.dimension);
    this.renderer = new Renderer(canvas, run);
    this.#moving = { scale: this.renderer.software ? 0.6 : 1, every: 1, fine: false };
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => {
      this.renderer.rebuild();
      for (const listener of this.#rebuiltListeners) listener();
    });
    new ResizeObserver(() => this.#resized()).observe(canvas);
    this.#resized();
  }

  /** `listener` is called after each draw. */
  onDrawn(listener) {
    this.#drawnListeners.push(listener);
  }

  /** `listener` is called after a lost WebGL context was restored, without its resources. */
  onRebuilt(listener) {
    this.#rebuiltListeners.push(listener);
  }

  #resized() {
    const density = Math.min(devicePixelRatio || 1, 2);
    const [width, height] = [this.#canvas.clientWidth, this.#canvas.clientHeight].map((size) =>
      Math.max(1, Math.round(size * density)),
    );
    if (width === this.#canvas.width && height === this.#canvas.height) return;
    [this.#canvas.width, this.#canvas.height] = [width, height];
    this.camera.aspect = width / height;
    // At once, for a resized canvas is black until it is drawn.
    if (this.renderer.theme) this.#draw(this.#moving);
    this.moved();
  }

  /** Draws soon after a change, then finely when nothing follows. */
  moved() {
    clearTimeout(this.#rest);
    this.#asked ||= requestAnimationFrame(() => {
      this.#asked = 0;
      this.#draw({ ...this.#moving, fine: !this.renderer.software || this.#pace !== null });
      this.#adapt();
      if (this.#pace === null) this.#refineAfter(Math.max(restAfter, 1.5 * this.milliseconds), 1);
    });
  }

  /** During playback each frame is drawn once, as finely as the interval between frames allows. */
  keepPace(milliseconds) {
    if (this.#pace === milliseconds) return;
    this.#pace = milliseconds;
    clearTimeout(this.#rest);
    this.moved();
  }

  #refineAfter(milliseconds, scale) {
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => {
      this.#draw({ scale, every: 1, fine: true });
      if (scale === 1 && this.#isFinerAffordable()) this.#refineAfter(restAfter, 2);
    }, milliseconds);
  }

  /** Whether there is time for four samples per pixel, judged by a draw with one. */
  #isFinerAffordable() {
    return (devicePixelRatio || 1) < 1.75 && 4 * this.milliseconds < restingBudget;
  }

  /** Lowers the resolution if drawing takes too long, and then the number of spheres; or raises them again. */
  #adapt() {
    const { scale, every } = this.#moving;
    const budget = Math.max(movingBudget, Math.min(0.4 * (this.#pace ?? 0), playingBudget));
    const share = budget / Math.max(this.milliseconds, 1);
    const wanted = 0.5 * scale * (1 + Math.sqrt(share));
    // In steps, for every new size reallocates textures.
    this.#moving.scale = Math.min(1, Math.max(coarsest, Math.round(16 * wanted) / 16));
    const isMany = this.renderer.bodyCount > fewBodies;
    if (isMany && wanted < coarsest && share < 0.4) this.#moving.every = Math.min(sparsest, 2 * every);
    else if (every > 1 && (!isMany || wanted > 1.5 * coarsest)) this.#moving.every = every / 2;
  }

  /** Draws now, as finely as there is time for. */
  drawFinely() {
    cancelAnimationFrame(this.#asked);
    clearTimeout(this.#rest);
    this.#asked = 0;
    this.#draw({ scale: 1, every: 1, fine: true });
    if (this.#isFinerAffordable()) this.#draw({ scale: 2, every: 1, fine: true });
  }

  #draw(quality) {
    const start = performance.now();
    this.renderer.draw(this.camera, quality);
    this.renderer.finish();
    this.milliseconds = performance.now() - start;
    for (const listener of this.#drawnListeners) listener();
  }

  /** Draws finely, and resolves when the picture is on the screen. */
  async settle() {
    this.drawFinely();
    await new Promise((resolve) => {
      const late = setTimeout(resolve, 100);
      requestAnimationFrame(() => {
        clearTimeout(late);
        resolve();
      });
    });
  }
}
