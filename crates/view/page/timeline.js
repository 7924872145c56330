// The shown frame: slider, steps, and playback at a number of frames per second.
import { formatCount, formatNumber } from "./numbers.js";

const rates = [0.5, 1, 2, 4, 8, 15, 24, 30, 60];
const wishedSeconds = 6;

export class Timeline {
  frame = 0;
  playing = false;
  #frames = [];
  #show;
  #paced;
  #elements;
  #repeats = true;

  /**
   * `show(n)` returns a promise that frame `n` is shown; `paced` is called with the milliseconds per frame, or null at
   * a pause.
   */
  constructor(show, paced) {
    this.#show = show;
    this.#paced = paced;
    const byId = (id) => document.getElementById(id);
    this.#elements = {
      play: byId("play"),
      slider: byId("slider"),
      clock: byId("clock"),
      counter: byId("counter"),
      speed: byId("speed"),
      repeat: byId("repeat"),
    };
    for (const rate of rates) this.#elements.speed.append(new Option(`${rate === 0.5 ? "½" : rate} / s`, rate));
    this.#elements.play.addEventListener("click", () => this.toggle());
    byId("step-back").addEventListener("click", () => this.step(-1));
    byId("step-forward").addEventListener("click", () => this.step(1));
    this.#elements.slider.addEventListener("input", (event) => this.seek(Number(event.target.value)));
    this.#elements.repeat.addEventListener("click", () => {
      this.#repeats = !this.#repeats;
      this.#elements.repeat.setAttribute("aria-pressed", String(this.#repeats));
    });
  }

  /** The frames of the run, each with its time; more may come. */
  set frames(frames) {
    const first = this.#frames.length === 0;
    this.#frames = frames;
    this.#elements.slider.max = Math.max(0, frames.length - 1);
    for (const id of ["play", "step-back", "step-forward", "slider"])
      document.getElementById(id).disabled = frames.length < 2;
    if (first) {
      const wished = Math.max(2, Math.min(30, frames.length / wishedSeconds));
      this.#elements.speed.value = rates.findLast((rate) => rate <= wished);
    }
    this.mark();
  }

  get last() {
    return this.#frames.length - 1;
  }

  /** Writes the shown frame into slider and texts. */
  mark() {
    const { slider, clock, counter } = this.#elements;
    slider.value = this.frame;
    const time = this.#frames[this.frame]?.time;
    // A damaged frame has no time.
    const shownTime = typeof time === "number" ? formatNumber(time) : "?";
    clock.textContent = this.#frames.length === 0 ? "" : `t = ${shownTime}`;
    counter.textContent = `${formatCount(this.frame + 1)} / ${formatCount(this.#frames.length)}`;
    slider.setAttribute(
      "aria-valuetext",
      `frame ${this.frame + 1} of ${this.#frames.length}, time ${shownTime}`,
    );
  }

  /** Seeks a frame and stops playing. */
  seek(n) {
    this.pause();
    return this.#go(n);
  }

  #go(n) {
    this.frame = Math.min(this.last, Math.max(0, n));
    this.mark();
    return this.#show(this.frame);
  }

  step(count) {
    return this.seek(this.frame + count);
  }

  /** Seeks the frame whose time is nearest. */
  seekTime(time) {
    let [best, least] = [this.frame, Infinity];
    this.#frames.forEach((frame, n) => {
      const away = frame.time === null ? Infinity : Math.abs(frame.time - time);
      if (away < least) [best, least] = [n, away];
    });
    if (best !== this.frame) this.seek(best);
  }

  faster(steps) {
    const { speed } = this.#elements;
    speed.selectedIndex = Math.min(rates.length - 1, Math.max(0, speed.selectedIndex + steps));
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  pause() {
    if (!this.playing) return;
    this.#setPlaying(false);
    this.#paced(null);
  }

  /** Plays from here, or from the start when the end is shown. */
  async play() {
    if (this.playing || this.last < 1) return;
    this.#setPlaying(true);
    if (this.frame === this.last) await this.#go(0);
    let due = performance.now();
    while (this.playing) {
      const pace = 1000 / Number(this.#elements.speed.value);
      this.#paced(pace);
      due = Math.max(due + pace, performance.now());
      await nextPicture(due);
      if (!this.playing) return;
      if (this.frame < this.last) await this.#go(this.frame + 1);
      else if (this.#repeats) await this.#go(0);
      else this.pause();
    }
  }

  #setPlaying(playing) {
    this.playing = playing;
    const { play } = this.#elements;
    play.setAttribute("aria-label", playing ? "Pause" : "Play");
    play.title = playing ? "Pause (Space)" : "Play (Space)";
    play.querySelector("use").setAttribute("href", playing ? "#icon-pause" : "#icon-play");
  }
}

/** Waits for the next screen refresh, but not before a time. */
function nextPicture(due) {
  return new Promise((resolve) => {
    const wait = Math.max(0, due - performance.now() - 8);
    setTimeout(() => requestAnimationFrame(resolve), wait);
  });
}
