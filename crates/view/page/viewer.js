// The viewer: connects frames, camera, picked body and the parts of the page.
import { FrameCache } from "./cache.js";
import { bodyIndex, bodyPosition, readFrame } from "./frame.js";
import { drawnBounds, fittedBounds } from "./bounds.js";
import { parseLog } from "./log.js";
import { startTheme } from "./theme.js";
import { Stage } from "./stage.js";
import { Timeline } from "./timeline.js";
import { Plots } from "./plot.js";
import { Coloring } from "./coloring.js";
import { Layers } from "./layers.js";
import { Cut } from "./cut.js";
import { Compass } from "./compass.js";
import { pickedId, showBody } from "./inspector.js";
import { pageErrors, showHeading, showNotice } from "./messages.js";
import { placeRing, pointOnPage } from "./ring.js";

const cachedBytes = 384e6;
const framesAhead = 3;
/** Polling intervals in milliseconds; a finished run may be replaced. */
const askAgainAfter = { running: 1000, finished: 4000 };

export class Viewer {
  #source;
  #run;
  #frames;
  #overlays;
  #overlay = "";
  #stage;
  #plots;
  #theme;
  #frame = null;
  #turn = 0;
  #picked = null;
  /** Faults of the run that the page itself found, in sentences. */
  #ownMessages = [];
  #following = false;
  #canvas = document.getElementById("canvas");

  constructor(source, run) {
    this.#source = source;
    this.#run = run;
    this.#frames = new FrameCache(async (n) => readFrame(await source.frame(n), this.#run.shapes.length), cachedBytes);
    this.#overlays = new FrameCache(async (key) => source.overlay(...key.split(" ")), cachedBytes / 4);
    this.#stage = new Stage(this.#canvas, run);
    this.#stage.renderer.layers.rotation = run.dimension === 2;
    this.#joinParts(run);
  }

  get planar() {
    return this.#run.dimension === 2;
  }

  #joinParts(run) {
    const { renderer } = this.#stage;
    this.timeline = new Timeline(
      (n) => this.show(n),
      (pace) => this.#stage.keepPace(pace),
    );
    this.#plots = new Plots(document.getElementById("plots"), (time) => this.timeline.seekTime(time));
    this.#theme = startTheme((colors) => {
      renderer.theme = colors;
      this.#plots.refresh();
      this.#stage.moved();
    });
    this.coloring = new Coloring(run, (name, scale) => {
      renderer.colorBy(name, scale);
      this.#stage.moved();
    });
    this.layers = new Layers(renderer.layers, run, () => this.#stage.moved());
    this.cut = new Cut(run.dimension, (clip) => {
      renderer.clip = clip;
      this.#stage.moved();
    });
    const compass = new Compass(document.getElementById("compass"), run.dimension);
    this.#stage.onRebuilt(() => this.show(this.timeline.frame));
    this.#stage.onDrawn(() => {
      compass.turn(this.#stage.camera.axes());
      placeRing(this.#canvas, this.#stage.camera, this.#frame, this.#pickedIndex());
    });
  }

  move(change) {
    change(this.#stage.camera);
    this.#markView();
    this.#stage.moved();
  }

  look(view) {
    if (this.planar) return;
    this.#stage.camera.look(view);
    this.fit();
  }

  fit() {
    this.move((camera) => camera.fit(fittedBounds(this.#run, this.#frame)));
  }

  switchProjection() {
    if (!this.planar) this.move((camera) => (camera.perspective = !camera.perspective));
  }

  #markView() {
    const { view, perspective } = this.#stage.camera;
    for (const button of document.querySelectorAll("#views [data-view]"))
      button.setAttribute("aria-pressed", String(button.dataset.view === view));
    document.getElementById("projection").setAttribute("aria-pressed", String(perspective));
  }

  openPlots(open) {
    document.getElementById("plots").hidden = !open;
    document.getElementById("open-plots").setAttribute("aria-pressed", String(open));
    this.#plots.refresh();
  }

  help() {
    const { renderer } = this.#stage;
    document.getElementById("about").textContent =
      `carom ${this.#run.carom}; drawn by ${renderer.name}, the last picture in ${Math.round(this.#stage.milliseconds)} ms`;
    document.getElementById("help").showModal();
  }

  switchTheme() {
    this.#theme.toggle();
  }

  switchFollowing() {
    this.#follow(!this.#following);
  }

  savePicture() {
    this.#stage.drawFinely();
    this.#canvas.toBlob((blob) => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(blob);
      link.download = `${this.#run.title}-${String(this.timeline.frame).padStart(6, "0")}.png`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
  }

  /** Shows the first frame and the log, and follows the run while it continues. */
  async open(first) {
    this.timeline.frames = this.#run.frames;
    this.#showHeading();
    this.#showLog();
    if (this.#run.frames.length > 0) {
      this.timeline.frame = Math.min(Math.max(0, first), this.timeline.last);
      this.timeline.mark();
      await this.show(this.timeline.frame);
    } else showNotice("The run has written no frame yet.");
    this.fit();
    this.#askAgainLater();
  }

  #askAgainLater() {
    if (!this.#source.mayChange) return;
    setTimeout(() => this.#askAgain(), this.#run.finished ? askAgainAfter.finished : askAgainAfter.running);
  }

  async #showLog() {
    const text = await this.#source.log();
    if (text === null) return;
    const first = this.#plots.isEmpty;
    const log = parseLog(text);
    this.#plots.show(log, this.#run.quantities);
    this.#ownMessages = log.damaged > 0 ? [`log.csv: ${log.damaged} of ${log.rows} rows are damaged`] : [];
    this.#showHeading();
    if (!first || this.#plots.isEmpty) return;
    document.getElementById("open-plots").hidden = false;
    this.openPlots(innerHeight > 560);
    this.#plots.at(this.#run.frames[this.timeline.frame]?.time ?? null);
  }

  /**
   * Polls the manifest: a run may grow (new frames, wider ranges; the newest is shown if the last one was), or be
   * replaced by another.
   */
  async #askAgain() {
    try {
      const atEnd = this.timeline.frame >= this.timeline.last;
      const known = this.#run.frames.length;
      const run = await this.#source.run();
      // Replaced: nothing that is shown exists any more.
      if (run.edition !== this.#run.edition) return location.reload();
      Object.assign(this.#run, run);
      this.coloring.learn(run);
      this.timeline.frames = run.frames;
      this.#showHeading();
      if (run.frames.length !== known) await this.#showLog();
      if (atEnd && run.frames.length > known && !this.timeline.playing) await this.timeline.seek(this.timeline.last);
    } catch (fault) {
      // For a finished run no answer is needed.
      if (!this.#run.finished) showNotice(fault.message, true);
    }
    this.#askAgainLater();
  }

  /** Shows a frame, or why it cannot be shown. Later calls supersede earlier ones. */
  async show(n) {
    const turn = ++this.#turn;
    const late = setTimeout(() => showNotice(`loading frame ${n + 1} …`), 400);
    const [frame, fault] = await this.#frames.get(n).then(
      (frame) => [frame, null],
      (fault) => [null, fault],
    );
    clearTimeout(late);
    if (turn !== this.#turn) return;
    if (frame) this.#showFrame(frame);
    else this.#showFault(fault);
    this.#plots.at(this.#run.frames[n]?.time ?? null);
    await this.#showOverlay(turn);
    for (let ahead = 1; ahead <= framesAhead; ahead++)
      if (n + ahead <= this.timeline.last) this.#frames.get(n + ahead).catch(() => {});
  }

  #showFrame(frame) {
    this.#frame = frame;
    const bounds = drawnBounds(this.#run, frame);
    this.#stage.renderer.show(frame, bounds);
    this.cut.bounds = fittedBounds(this.#run, frame);
    this.layers.show(frame);
    this.coloring.show(frame);
    this.#showPicked();
    this.#showHeading();
    showNotice(null);
    this.#stage.moved();
  }

  #showHeading() {
    const messages = [...this.#run.messages, ...this.#ownMessages];
    showHeading({ ...this.#run, messages }, this.#frame?.bodies ?? 0);
  }

  #showFault(fault) {
    this.#frame = null;
    this.#stage.renderer.show(null, this.#run.box ?? null);
    this.#showPicked();
    showNotice(fault.message, true);
    this.#stage.moved();
  }

  /** Shows an overlay by its name; "" for none. */
  chooseOverlay(kind) {
    this.#overlay = kind;
    return this.#showOverlay(this.#turn);
  }

  /** Draws bodies at a fraction of their size. */
  resizeBodies(part) {
    this.#stage.renderer.bodySize = part;
    this.#stage.moved();
  }

  async #showOverlay(turn) {
    let container = null;
    if (this.#overlay !== "" && this.#frame) {
      try {
        container = await this.#overlays.get(`${this.#overlay} ${this.timeline.frame}`);
      } catch (fault) {
        showNotice(fault.message, true);
      }
    }
    if (turn !== this.#turn) return;
    this.#stage.renderer.showOverlay(container);
    this.#stage.moved();
  }

  /** Picks the body at a point of the window; returns its id, or null. */
  pickAt(x, y) {
    const box = this.#canvas.getBoundingClientRect();
    const density = this.#canvas.width / box.width;
    const index = this.#stage.renderer.bodyAt(this.#stage.camera, (x - box.left) * density, (y - box.top) * density);
    this.pick(this.#frame ? pickedId(this.#frame, index) : null);
    return this.#picked;
  }

  pick(id) {
    this.#picked = id;
    if (id === null) this.#follow(false);
    this.#showPicked();
    this.#stage.moved();
  }

  #pickedIndex() {
    return this.#picked === null || !this.#frame ? -1 : bodyIndex(this.#frame, this.#picked);
  }

  #showPicked() {
    const index = this.#pickedIndex();
    this.#stage.renderer.pick(index);
    showBody(this.#frame, index, this.#picked, this.#run);
    if (this.#following && index >= 0) this.#stage.camera.target = bodyPosition(this.#frame, index);
  }

  #follow(following) {
    this.#following = following && this.#picked !== null;
    document.getElementById("follow").setAttribute("aria-pressed", String(this.#following));
    this.#showPicked();
    this.#stage.moved();
  }

  lookAt(x, y) {
    if (this.pickAt(x, y) === null) return;
    const index = bodyIndex(this.#frame, this.#picked);
    this.move((camera) => (camera.target = bodyPosition(this.#frame, index)));
  }

  /** Functions for scripts, as `window.carom`. */
  get hooks() {
    return {
      errors: pageErrors,
      state: () => ({
        frame: this.timeline.frame,
        frames: this.#run.frames.length,
        time: this.#run.frames[this.timeline.frame]?.time ?? null,
        playing: this.timeline.playing,
        picked: this.#picked,
        column: this.coloring.column?.name ?? null,
        view: this.#stage.camera.view,
        renderer: this.#stage.renderer.name,
        milliseconds: this.#stage.milliseconds,
        bodies: this.#frame?.bodies ?? 0,
      }),
      show: async (n) => {
        await this.timeline.seek(n);
        await this.#stage.settle();
      },
      pickAt: (x, y) => this.pickAt(x, y),
      pointOf: (place) => pointOnPage(this.#canvas, this.#stage.camera, place),
    };
  }
}
