// Offscreen rendering at any resolution: coarser than the canvas during motion on a slow renderer, finer at rest. On
// the way to the canvas, pixels with nearer neighbors are darkened (screen-space ambient occlusion), which shows how
// bodies lie.
import { buildProgram, useProgram } from "./gl.js";

const wholeVertexShader = `
out vec2 place;
void main() {
  place = vec2(float((gl_VertexID << 1) & 2), float(gl_VertexID & 2));
  gl_Position = vec4(place * 2.0 - 1.0, 0.0, 1.0);
}
`;

const backgroundFragmentShader = `
uniform vec3 above;
uniform vec3 below;
in vec2 place;
layout(location = 0) out vec4 shade;
void main() { shade = vec4(mix(below, above, place.y), 1.0); }
`;

const presentFragmentShader = `
uniform sampler2D picture;
uniform sampler2D depths;
uniform vec2 texelSize;
uniform vec2 reach;
uniform vec2 nearFar;
uniform float thickness;
uniform bool perspective;
in vec2 place;
layout(location = 0) out vec4 shade;

#ifdef SHADED
float depthAt(vec2 where) {
  float depth = texture(depths, where).r;
  float n = nearFar.x;
  float f = nearFar.y;
  return perspective ? n * f / (f - depth * (f - n)) : n + depth * (f - n);
}

// How much nearer two opposite neighbors are, in thicknesses.
vec2 nearer(float own, vec2 offset) {
  return (own - vec2(depthAt(place + offset), depthAt(place - offset))) / thickness;
}
#endif

void main() {
  vec4 drawn = texture(picture, place);
  vec3 tone = drawn.rgb;
#ifdef SHADED
  if (texture(depths, place).r < 1.0 && drawn.a > 0.5) {
    float own = depthAt(place);
    float outline = 0.0;
    float hollow = 0.0;
    // Opposite pairs of neighbors, so that an inclined plane is not darkened; the far ones at different distances, so
    // that no edge is repeated.
    for (int i = 0; i < 8; i++) {
      float angle = float(i) * 0.39269908 + 0.4;
      vec2 direction = vec2(cos(angle), sin(angle));
      if (i % 2 == 0) {
        vec2 close = nearer(own, 1.3 * texelSize * direction);
        outline += clamp(close.x + close.y - 0.15, 0.0, 1.0);
      }
      vec2 wide = nearer(own, reach * direction * (0.25 + 0.75 * fract(float(i) * 0.618034)));
      vec2 far = smoothstep(2.0, 6.0, wide);
      hollow += clamp(dot(clamp(wide, -1.0, 1.0), 1.0 - far), 0.0, 1.0);
    }
    tone *= (1.0 - 0.07 * outline) * (1.0 - 0.068 * hollow);
  }
#endif
  shade = vec4(tone, 1.0);
}
`;

export class Surface {
  width = 0;
  height = 0;
  #gl;
  #framebuffer;
  #picture = null;
  #depths = null;
  #background;
  #plain;
  #shaded;

  constructor(gl) {
    this.#gl = gl;
    this.#framebuffer = gl.createFramebuffer();
    this.#background = buildProgram(gl, wholeVertexShader, backgroundFragmentShader);
    this.#plain = buildProgram(gl, wholeVertexShader, presentFragmentShader);
    this.#shaded = buildProgram(gl, wholeVertexShader, presentFragmentShader, ["SHADED"]);
  }

  /** Binds the offscreen picture in a given size, and fills it with the background. */
  begin(width, height, { above, below }) {
    const gl = this.#gl;
    this.#resize(width, height);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.#framebuffer);
    gl.viewport(0, 0, width, height);
    gl.disable(gl.DEPTH_TEST);
    gl.disable(gl.BLEND);
    gl.depthMask(true);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    useProgram(gl, this.#background, { above, below });
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  #resize(width, height) {
    if (width === this.width && height === this.height) return;
    const gl = this.#gl;
    gl.deleteTexture(this.#picture);
    gl.deleteTexture(this.#depths);
    this.#picture = this.#texture(gl.RGBA8, width, height, gl.LINEAR);
    this.#depths = this.#texture(gl.DEPTH_COMPONENT24, width, height, gl.NEAREST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.#framebuffer);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.#picture, 0);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, this.#depths, 0);
    [this.width, this.height] = [width, height];
  }

  #texture(format, width, height, filter) {
    const gl = this.#gl;
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, format, width, height);
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, filter);
    for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
    return texture;
  }

  /** Draws the picture to the canvas; `shading` has the lengths of the ambient occlusion, or is null. */
  present(canvas, shading) {
    const gl = this.#gl;
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.disable(gl.DEPTH_TEST);
    gl.disable(gl.BLEND);
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, this.#depths);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.#picture);
    const texelSize = [1 / this.width, 1 / this.height];
    useProgram(gl, shading ? this.#shaded : this.#plain, { picture: 0, depths: 1, texelSize }, shading ?? {});
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  /** Waits until drawing is complete, so that its duration can be measured. */
  finish() {
    const gl = this.#gl;
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  }
}
