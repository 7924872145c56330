// When to draw, and how finely: at once and coarsely while things move, once and finely when they
// rest. Nothing is drawn while nothing changes.
import { Camera } from "./camera.js";
import { Renderer } from "./renderer.js";

const restAfter = 160;
const movingBudget = 40;
const restingBudget = 1500;

export class Stage {
  /** How long the last picture took, in milliseconds. */
  milliseconds = 0;
  #canvas;
  #asked = 0;
  #rest = 0;
  #movingScale;
  #pixelCost = 0;
  #drawnListeners = [];

  constructor(canvas, run) {
    this.#canvas = canvas;
    this.camera = new Camera(run.dimension);
    this.renderer = new Renderer(canvas, run);
    this.#movingScale = this.renderer.software ? 0.6 : 1;
    new ResizeObserver(() => this.#resized()).observe(canvas);
    this.#resized();
  }

  /** `listener` is called after each picture. */
  onDrawn(listener) {
    this.#drawnListeners.push(listener);
  }

  #resized() {
    const density = Math.min(devicePixelRatio || 1, 2);
    const [width, height] = [this.#canvas.clientWidth, this.#canvas.clientHeight].map((size) =>
      Math.max(1, Math.round(size * density)),
    );
    if (width === this.#canvas.width && height === this.#canvas.height) return;
    [this.#canvas.width, this.#canvas.height] = [width, height];
    this.camera.aspect = width / height;
    // At once, for a canvas of a new size is black until it is drawn.
    if (this.renderer.theme) this.#draw(this.#movingScale, false);
    this.moved();
  }

  /** Something moved: draws soon, then finely when nothing follows. */
  moved() {
    this.#asked ||= requestAnimationFrame(() => {
      this.#asked = 0;
      this.#drawMoving();
    });
  }

  #drawMoving() {
    const quick = this.#movingScale >= 1 && this.milliseconds < movingBudget / 2;
    this.#draw(this.#movingScale, !this.renderer.software || quick);
    this.#adapt();
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => this.drawFinely(), Math.max(restAfter, 1.5 * this.milliseconds));
  }

  /** Coarser pictures when they take too long, finer ones when there is time. */
  #adapt() {
    const wanted = this.#movingScale * Math.sqrt(movingBudget / Math.max(this.milliseconds, 1));
    this.#movingScale = Math.min(1, Math.max(0.35, 0.5 * (this.#movingScale + wanted)));
  }

  /** Draws now, with as many points per pixel as there is time for. */
  drawFinely() {
    cancelAnimationFrame(this.#asked);
    clearTimeout(this.#rest);
    this.#asked = 0;
    const wanted = (devicePixelRatio || 1) >= 1.75 ? 1 : 2;
    const affordable = this.#pixelCost * wanted * wanted < restingBudget;
    this.#draw(affordable ? wanted : 1, true);
  }

  #draw(scale, fine) {
    const start = performance.now();
    this.renderer.draw(this.camera, scale, fine);
    this.renderer.finish();
    this.milliseconds = performance.now() - start;
    // What a picture of one point per pixel costs; an upper bound, since bodies cost something too.
    this.#pixelCost = this.milliseconds / (scale * scale);
    for (const listener of this.#drawnListeners) listener();
  }

  /** Draws finely and promises that the picture is on the screen. */
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
