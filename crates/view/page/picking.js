// Finds the body under a pixel: bodies are drawn once more, with their numbers as colors, into a buffer of a few pixels
// around the requested one.

const pickSize = 9;

export class PickBuffer {
  #gl;
  #framebuffer;

  constructor(gl) {
    this.#gl = gl;
    this.#framebuffer = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.#framebuffer);
    this.#attach(gl.COLOR_ATTACHMENT0, gl.R32UI);
    this.#attach(gl.DEPTH_ATTACHMENT, gl.DEPTH_COMPONENT24);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  #attach(place, format) {
    const gl = this.#gl;
    const store = gl.createRenderbuffer();
    gl.bindRenderbuffer(gl.RENDERBUFFER, store);
    gl.renderbufferStorage(gl.RENDERBUFFER, format, pickSize, pickSize);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, place, gl.RENDERBUFFER, store);
  }

  /** The index of the body nearest to a pixel of a canvas, or -1; `draw` draws the numbers. */
  find(x, y, width, height, draw) {
    const gl = this.#gl;
    const half = Math.floor(pickSize / 2);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.#framebuffer);
    gl.viewport(half - Math.round(x), half - Math.round(height - y), width, height);
    gl.disable(gl.BLEND);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    gl.depthMask(true);
    gl.clearBufferuiv(gl.COLOR, 0, [0, 0, 0, 0]);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    draw();
    const found = new Uint32Array(pickSize * pickSize);
    gl.readPixels(0, 0, pickSize, pickSize, gl.RED_INTEGER, gl.UNSIGNED_INT, found);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    return nearestToMiddle(found);
  }
}

function nearestToMiddle(found) {
  const half = Math.floor(pickSize / 2);
  let [best, least] = [-1, Infinity];
  found.forEach((number, at) => {
    const away = ((at % pickSize) - half) ** 2 + (Math.floor(at / pickSize) - half) ** 2;
    if (number > 0 && away < least) [best, least] = [number - 1, away];
  });
  return best;
}
