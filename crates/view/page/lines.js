// Lines with a width in pixels, each a thin rectangle: between two bodies (springs, edges of a triangulation), or
// between two points (cells, outlines, the box).
import { ArrayTexture, buildProgram, drawSquares, squareShader, texelShader, useProgram } from "./gl.js";
import { bodyShader, eyeShader } from "./bodies.js";
import { columnRange } from "./ranges.js";

const lineVertexShader = `
${eyeShader}
${squareShader}
uniform vec2 viewport;
uniform float width;
uniform vec4 ink;
#ifdef BODIES
${bodyShader}
uniform vec3 period;
uniform sampler2D tones;
uniform vec3 toneScale;
uniform bool hidesBroken;
uniform usampler2D pairs;
uniform usampler2D lineTones;
uniform usampler2D lineBroken;
#else
${texelShader}
uniform vec3 target;
uniform sampler2D points;
#endif
flat out vec4 color;

void main() {
  color = ink;
  uint line = squareNumber();
#ifdef BODIES
  uvec2 ends = texelFetch(pairs, texel(line), 0).xy;
  vec3 first = placeOf(ends.x);
  vec3 second = placeOf(ends.y);
  // Across a periodic side the line goes to the nearest image.
  vec3 apart = second - first;
  second -= period * floor(apart / max(period, vec3(1e-30)) + 0.5) * vec3(greaterThan(period, vec3(0.0)));
  if (toneScale.z > 0.0) {
    float tone = toneScale.x + toneScale.y * float(texelFetch(lineTones, texel(line), 0).x);
    color.rgb = mix(ink.rgb, texture(tones, vec2(tone * 0.498 + 0.5, 0.5)).rgb, smoothstep(0.0, 0.5, abs(tone)));
  }
  bool hidden = hidesBroken && texelFetch(lineBroken, texel(line), 0).x != 0u;
#else
  vec3 first = texelFetch(points, texel(2u * line), 0).xyz - target;
  vec3 second = texelFetch(points, texel(2u * line + 1u), 0).xyz - target;
  bool hidden = false;
#endif
  // An end beyond the cut is moved to where the line meets it.
  float beyondFirst = beyondCut(first);
  float beyondSecond = beyondCut(second);
  if (beyondFirst > 0.0 && beyondSecond <= 0.0) first = mix(first, second, beyondFirst / (beyondFirst - beyondSecond));
  if (beyondSecond > 0.0 && beyondFirst <= 0.0) second = mix(second, first, beyondSecond / (beyondSecond - beyondFirst));
  if (hidden || (beyondFirst > 0.0 && beyondSecond > 0.0)) {
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
  ivec2 corner = squareCorner();
  gl_Position = corner.y == 0 ? start : end;
  float side = corner.x == 0 ? -1.0 : 1.0;
  gl_Position.xy += side * max(width, 1.0) * vec2(-along.y, along.x) / viewport * gl_Position.w;
  gl_Position.z -= 2e-4 * gl_Position.w;
}
`;

const lineFragmentShader = `
flat in vec4 color;
layout(location = 0) out vec4 shade;
void main() { shade = color; }
`;

/** Lines between bodies of the shown frame. */
export class BodyLines {
  #gl;
  #program;
  #pairs;
  #tones;
  #broken;
  #count = 0;
  #toneScale = [0, 0, 0];
  #hasBroken = false;

  constructor(gl) {
    this.#gl = gl;
    this.#program = buildProgram(gl, lineVertexShader, lineFragmentShader, ["BODIES"]);
    this.#pairs = new ArrayTexture(gl);
    this.#tones = new ArrayTexture(gl);
    this.#broken = new ArrayTexture(gl);
  }

  /** Shows pairs of bodies; `tone` colors them on a diverging scale about zero. */
  show(pairs, tone, broken) {
    this.#count = pairs ? pairs.count : 0;
    if (this.#count === 0) return;
    this.#pairs.upload(pairs);
    if (tone) this.#tones.upload(tone);
    if (broken) this.#broken.upload(broken);
    this.#toneScale = tone ? signedScale(tone) : [0, 0, 0];
    this.#hasBroken = Boolean(broken);
  }

  get count() {
    return this.#count;
  }

  /** `hidden.broken` omits broken springs. */
  draw(hidden, ...uniforms) {
    if (this.#count === 0) return;
    this.#pairs.bind(7);
    this.#tones.bind(8);
    this.#broken.bind(9);
    const hidesBroken = hidden.broken && this.#hasBroken ? 1 : 0;
    const own = { pairs: 7, lineTones: 8, lineBroken: 9, tones: 5, toneScale: this.#toneScale, hidesBroken };
    useProgram(this.#gl, this.#program, ...uniforms, own);
    drawSquares(this.#gl, this.#count);
  }
}

/** Offset, factor and 1, such that all but the few most extreme values are between -1 and 1. */
function signedScale(array) {
  const reach = Math.max(...columnRange(array, 0.01, 0.99).map(Math.abs));
  return reach > 0 ? [array.low[0] / reach, array.step[0] / reach, 1] : [0, 0, 1];
}

/** Ink that is the more transparent the more lines there are in space, where they hide each other. */
export function thinned([red, green, blue, alpha], count, planar) {
  return [red, green, blue, planar ? alpha : Math.max(0.12, alpha * Math.min(1, Math.sqrt(4000 / count)))];
}

/** Lines between points, as a list of ends. */
export class PointLines {
  #gl;
  #program;
  #points;
  #count = 0;

  constructor(gl) {
    this.#gl = gl;
    this.#program = buildProgram(gl, lineVertexShader, lineFragmentShader);
    this.#points = new ArrayTexture(gl);
  }

  get count() {
    return this.#count;
  }

  show(values) {
    this.#count = Math.floor(values.length / 6);
    if (this.#count > 0) this.#points.upload({ type: "f32", components: 3, count: 2 * this.#count, values });
  }

  draw(...uniforms) {
    if (this.#count === 0) return;
    this.#points.bind(7);
    useProgram(this.#gl, this.#program, ...uniforms, { points: 7 });
    drawSquares(this.#gl, this.#count);
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
