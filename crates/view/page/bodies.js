// The bodies of the shown frame on the GPU. Each array is uploaded once per frame and read by index in the shaders, so
// that spheres, shapes and springs share it.
import { ArrayTexture, texelShader } from "./gl.js";
import { plainColor, scaleTable } from "./color.js";

const noBody = 0xffffffff;

/** Shader functions of the eye and the clipping plane; positions are relative to the target. */
export const eyeShader = `
uniform mat3 rotation;
uniform mat4 projection;
uniform float eyeDistance;
uniform bool perspective;
uniform vec4 clip;
vec3 seenFromEye(vec3 point) { return rotation * point - vec3(0.0, 0.0, eyeDistance); }
float beyondCut(vec3 point) { return dot(clip.xyz, point) - clip.w; }
`;

export const bodyShader = `
${texelShader}
uniform usampler2D positions;
uniform vec3 positionLow;
uniform vec3 positionStep;
vec3 placeOf(uint index) { return positionLow + positionStep * vec3(texelFetch(positions, texel(index), 0).xyz); }
`;

export const bodyColorShader = `
uniform usampler2D columnValues;
uniform sampler2D colors;
uniform int colorKind;
uniform vec3 plain;
uniform vec2 column;
uniform vec2 range;
vec3 colorOf(uint index) {
  if (colorKind == 0) return plain;
  float value = column.x + column.y * float(texelFetch(columnValues, texel(index), 0).x);
  if (colorKind == 2) {
    float entries = float(textureSize(colors, 0).x);
    return texelFetch(colors, ivec2(int(mod(floor(value + 0.5), entries)), 0), 0).rgb;
  }
  float part = clamp((value - range.x) * range.y, 0.0, 1.0);
  return texture(colors, vec2((part * 255.0 + 0.5) / 256.0, 0.5)).rgb;
}
`;

const noRotation = { type: "i16", components: 4, count: 1, values: new Int16Array([0, 0, 0, 32767]) };

export class Bodies {
  count = 0;
  /** Number of spheres or discs. */
  sphereCount = 0;
  picked = noBody;
  #gl;
  #position;
  #radius;
  #column;
  #orientation;
  #colors;
  #spheres;
  #frame = null;
  #scale = { kind: "plain", low: 0, high: 1 };
  #shownColumn = null;

  constructor(gl) {
    this.#gl = gl;
    this.#position = new ArrayTexture(gl);
    this.#radius = new ArrayTexture(gl);
    this.#column = new ArrayTexture(gl);
    this.#orientation = new ArrayTexture(gl);
    this.#colors = gl.createTexture();
    this.#spheres = new ArrayTexture(gl);
    this.colorBy(null, this.#scale);
  }

  /** Uploads a frame, or none. */
  show(frame) {
    this.#frame = frame;
    this.count = frame ? frame.bodies : 0;
    this.sphereCount = frame?.spheres ? frame.spheres.length : this.count;
    if (!frame) return;
    this.#position.upload(frame.arrays.get("position"));
    this.#radius.upload(frame.arrays.get("radius") ?? zeros(frame.bodies));
    this.#orientation.upload(frame.arrays.get("orientation") ?? noRotation);
    if (frame.spheres) this.#spheres.upload(indexArray(frame.spheres));
    this.colorBy(this.#shownColumn, this.#scale);
  }

  /** Colors bodies by a column of the frame on a scale; plain if the frame has no such column. */
  colorBy(name, scale) {
    this.#shownColumn = name;
    if (scale.kind !== this.#scale.kind || !this.#frame) this.#uploadTable(scale.kind);
    this.#scale = scale;
    const array = this.#columnArray();
    if (array) this.#column.upload(array);
  }

  #columnArray() {
    return this.#scale.kind === "plain" ? null : (this.#frame?.arrays.get(this.#shownColumn) ?? null);
  }

  #uploadTable(kind) {
    const gl = this.#gl;
    const bytes = scaleTable(kind);
    gl.bindTexture(gl.TEXTURE_2D, this.#colors);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, bytes.length / 4, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  }

  get hasRotation() {
    return Boolean(this.#frame?.arrays.has("orientation"));
  }

  /** Binds the textures and returns the uniforms with which shaders read them. */
  uniforms(target) {
    this.#position.bind(0);
    this.#radius.bind(1);
    this.#column.bind(2);
    this.#orientation.bind(3);
    this.#spheres.bind(6);
    const gl = this.#gl;
    gl.activeTexture(gl.TEXTURE4);
    gl.bindTexture(gl.TEXTURE_2D, this.#colors);
    gl.activeTexture(gl.TEXTURE0);
    const { arrays } = this.#frame;
    const position = arrays.get("position");
    const radius = arrays.get("radius");
    const column = this.#columnArray();
    const { kind, low, high } = this.#scale;
    return {
      positions: 0,
      radii: 1,
      columnValues: 2,
      orientations: 3,
      colors: 4,
      spheres: 6,
      listed: this.#frame.spheres ? 1 : 0,
      positionLow: position.low.map((value, axis) => value - target[axis]),
      positionStep: position.step,
      radiusScale: radius ? [radius.low[0], radius.step[0]] : [0, 0],
      colorKind: !column ? 0 : kind === "categorical" ? 2 : 1,
      column: column ? [column.low[0], column.step[0]] : [0, 0],
      range: [low, 1 / (high - low)],
      plain: plainColor.map((byte) => byte / 255),
      turned: arrays.has("orientation") ? 1 : 0,
      picked: this.picked,
    };
  }
}

function zeros(count) {
  return { type: "u8", components: 1, count, values: new Uint8Array(count) };
}

/** A list of bodies as an array to upload. */
export function indexArray(values) {
  return { type: "u32", components: 1, count: values.length, values };
}
