// Least-recently-used cache of frames, up to a number of bytes.

export class FrameCache {
  #load;
  #limit;
  #entries = new Map();

  /** `load(n)` returns a promise of a frame with its `bytes`. */
  constructor(load, limit) {
    this.#load = load;
    this.#limit = limit;
  }

  /** A promise of frame `n`; it is loaded again if it failed before. */
  get(n) {
    const known = this.#entries.get(n);
    if (known) {
      // Moved to the end, for a Map keeps insertion order.
      this.#entries.delete(n);
      this.#entries.set(n, known);
      return known.promise;
    }
    const entry = { promise: this.#load(n), bytes: 0 };
    this.#entries.set(n, entry);
    entry.promise.then(
      (frame) => {
        entry.bytes = frame.bytes;
        this.#dropOldest(n);
      },
      () => this.#entries.delete(n),
    );
    return entry.promise;
  }

  #dropOldest(newest) {
    let total = 0;
    for (const entry of this.#entries.values()) total += entry.bytes;
    for (const [n, entry] of this.#entries) {
      if (total <= this.#limit) return;
      if (n === newest || entry.bytes === 0) continue;
      total -= entry.bytes;
      this.#entries.delete(n);
    }
  }
}
