// Lines of a width in pixels, each a thin square: between two bodies (springs, edges of a
// triangulation), or between two points (cells, outlines, the box).
import { ArrayBufferOnCard, buildProgram, useProgram } from "./gl.js";
import { bodyShader, eyeShader } from "./bodies.js";

const lineVertexShader = `
${eyeShader}
uniform vec2 viewport;
uniform float width;
uniform vec4 ink;
#ifdef BODIES
${bodyShader}
uniform vec3 period;
uniform sampler2D tones;
uniform vec3 toneScale;
uniform float brokenShown;
layout(location = 0) in uvec2 ends;
layout(location = 1) in float tone;
layout(location = 2) in float broken;
#else
uniform vec3 target;
layout(location = 0) in vec3 from;
layout(location = 1) in vec3 to;
#endif
flat out vec4 colour;

void main() {
  colour = ink;
#ifdef BODIES
  vec3 first = placeOf(ends.x);
  vec3 second = placeOf(ends.y);
  // Across a periodic face the line goes to the nearer image.
  vec3 apart = second - first;
  second -= period * floor(apart / max(period, vec3(1e-30)) + 0.5) * vec3(greaterThan(period, vec3(0.0)));
  if (toneScale.z > 0.0) colour.rgb = texture(tones, vec2((toneScale.x + toneScale.y * tone) * 0.498 + 0.5, 0.5)).rgb;
  bool hidden = broken > 0.5 && brokenShown < 0.5;
#else
  vec3 first = from - target;
  vec3 second = to - target;
  bool hidden = false;
#endif
  if (hidden || (isCut(first) && isCut(second))) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    return;
  }
  vec3 a = seenFromEye(first);
  vec3 b = seenFromEye(second);
  if (perspective) {
    float near = -1e-3 * eyeDistance;
    if (a.z > near && b.z > near) {
      gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
      return;
    }
    if (a.z > near) a = mix(a, b, (a.z - near) / (a.z - b.z));
    if (b.z > near) b = mix(b, a, (b.z - near) / (b.z - a.z));
  }
  vec4 start = projection * vec4(a, 1.0);
  vec4 end = projection * vec4(b, 1.0);
  vec2 along = (end.xy / end.w - start.xy / start.w) * viewport;
  float span = length(along);
  along = span > 1e-6 ? along / span : vec2(1.0, 0.0);
  gl_Position = (gl_VertexID & 2) == 0 ? start : end;
  float side = (gl_VertexID & 1) == 0 ? -1.0 : 1.0;
  gl_Position.xy += side * width * vec2(-along.y, along.x) / viewport * gl_Position.w;
  gl_Position.z -= 2e-4 * gl_Position.w;
}
`;

const lineFragmentShader = `
flat in vec4 colour;
layout(location = 0) out vec4 shade;
void main() { shade = colour; }
`;

/** Lines between the bodies of the shown frame. */
export class BodyLines {
  #gl;
  #program;
  #ends;
  #tones;
  #broken;
  #layout;
  #toneScale = [0, 0, 0];

  constructor(gl) {
    this.#gl = gl;
    this.#program = buildProgram(gl, lineVertexShader, lineFragmentShader, ["BODIES"]);
    this.#ends = new ArrayBufferOnCard(gl);
    this.#tones = new ArrayBufferOnCard(gl);
    this.#broken = new ArrayBufferOnCard(gl);
    this.#layout = gl.createVertexArray();
  }

  /** Shows pairs of bodies; `tone` colours them from its least to its greatest about zero. */
  show(pairs, tone, broken) {
    const gl = this.#gl;
    this.#ends.upload(pairs ? pairs.values : new Uint32Array(0), pairs ? pairs.count : 0);
    gl.bindVertexArray(this.#layout);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#ends.buffer);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribIPointer(0, 2, gl.UNSIGNED_INT, 0, 0);
    gl.vertexAttribDivisor(0, 1);
    this.#perLine(1, this.#tones, tone);
    this.#perLine(2, this.#broken, broken);
    gl.bindVertexArray(null);
    this.#toneScale = tone ? signedScale(tone) : [0, 0, 0];
  }

  #perLine(place, buffer, array) {
    const gl = this.#gl;
    if (!array) {
      gl.disableVertexAttribArray(place);
      gl.vertexAttrib1f(place, 0);
      return;
    }
    buffer.upload(array.values, array.count);
    const kind = { u8: gl.UNSIGNED_BYTE, u16: gl.UNSIGNED_SHORT, f32: gl.FLOAT }[array.type];
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, 1, kind, false, 0, 0);
    gl.vertexAttribDivisor(place, 1);
  }

  draw(...uniforms) {
    if (this.#ends.count === 0) return;
    const gl = this.#gl;
    useProgram(gl, this.#program, ...uniforms, { toneScale: this.#toneScale, tones: 5 });
    gl.bindVertexArray(this.#layout);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, this.#ends.count);
    gl.bindVertexArray(null);
  }
}

/** Offset, factor and 1, so that the value farthest from zero becomes -1 or 1. */
function signedScale({ low, step, type }) {
  const most = type === "u8" ? 255 : 65535;
  const reach = Math.max(Math.abs(low[0]), Math.abs(low[0] + step[0] * most));
  return reach > 0 ? [low[0] / reach, step[0] / reach, 1] : [0, 0, 1];
}

/** Lines between points, as a list of ends. */
export class PointLines {
  #gl;
  #program;
  #points;
  #layout;

  constructor(gl) {
    this.#gl = gl;
    this.#program = buildProgram(gl, lineVertexShader, lineFragmentShader);
    this.#points = new ArrayBufferOnCard(gl);
    this.#layout = gl.createVertexArray();
    gl.bindVertexArray(this.#layout);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#points.buffer);
    for (let end = 0; end < 2; end++) {
      gl.enableVertexAttribArray(end);
      gl.vertexAttribPointer(end, 3, gl.FLOAT, false, 24, 12 * end);
      gl.vertexAttribDivisor(end, 1);
    }
    gl.bindVertexArray(null);
  }

  show(points) {
    this.#points.upload(points, Math.floor(points.length / 6));
  }

  draw(...uniforms) {
    if (this.#points.count === 0) return;
    const gl = this.#gl;
    useProgram(gl, this.#program, ...uniforms);
    gl.bindVertexArray(this.#layout);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, this.#points.count);
    gl.bindVertexArray(null);
  }
}

/** The twelve edges of a box, or four in the plane. */
export function boxEdges({ low, high }, dimension) {
  const points = [];
  for (let axis = 0; axis < dimension; axis++) {
    const others = [0, 1, 2].filter((other) => other !== axis && other < dimension);
    for (let corner = 0; corner < 1 << others.length; corner++) {
      const end = [...low];
      others.forEach((other, bit) => (end[other] = (corner >> bit) & 1 ? high[other] : low[other]));
      points.push(...end);
      end[axis] = high[axis];
      points.push(...end);
    }
  }
  return new Float32Array(points);
}
