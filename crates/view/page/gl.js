// WebGL 2 utilities of all renderers: a context, programs, and arrays in textures.

const textureWidthBits = 11;
const textureWidth = 1 << textureWidthBits;

const textureFormats = {
  "u8 1": ["R8UI", "RED_INTEGER", "UNSIGNED_BYTE"],
  "u16 1": ["R16UI", "RED_INTEGER", "UNSIGNED_SHORT"],
  "u32 1": ["R32UI", "RED_INTEGER", "UNSIGNED_INT"],
  "u16 3": ["RGB16UI", "RGB_INTEGER", "UNSIGNED_SHORT"],
  "u32 2": ["RG32UI", "RG_INTEGER", "UNSIGNED_INT"],
  "u32 3": ["RGB32UI", "RGB_INTEGER", "UNSIGNED_INT"],
  "i16 4": ["RGBA16I", "RGBA_INTEGER", "SHORT"],
  "f32 1": ["R32F", "RED", "FLOAT"],
  "f32 3": ["RGB32F", "RGB", "FLOAT"],
};

/** A context without multisampling, which is too slow for software renderers; throws an error if there is none. */
export function openContext(canvas) {
  const attributes = { alpha: false, antialias: false, depth: false, preserveDrawingBuffer: true };
  const gl = canvas.getContext("webgl2", { ...attributes, powerPreference: "high-performance" });
  if (!gl) throw new Error("this browser has no WebGL 2, without which nothing can be drawn; try another browser");
  return gl;
}

/** The name of the renderer, and whether it is software rather than a graphics card. */
export function rendererOf(gl) {
  const names = gl.getExtension("WEBGL_debug_renderer_info");
  const name = String(gl.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  return { name, software: /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name) };
}

/** A linked program whose uniforms are set by name; `defines` are defined in both shaders. */
export function buildProgram(gl, vertex, fragment, defines = []) {
  const head =
    "#version 300 es\nprecision highp float;\nprecision highp int;\nprecision highp usampler2D;\nprecision highp isampler2D;\n";
  const lines = defines.map((name) => `#define ${name}\n`).join("");
  const program = gl.createProgram();
  const shaders = [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ].map(([kind, source]) => {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, head + lines + source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    return shader;
  });
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
    const said = [...shaders.map((shader) => gl.getShaderInfoLog(shader)), gl.getProgramInfoLog(program)];
    throw new Error(`a shader could not be compiled: ${said.filter(Boolean).join(" ")}`);
  }
  for (const shader of shaders) gl.deleteShader(shader);
  return { program, uniforms: uniformSetters(gl, program) };
}

function uniformSetters(gl, program) {
  const setters = {};
  const count = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS) ?? 0;
  for (let i = 0; i < count; i++) {
    const { name, type } = gl.getActiveUniform(program, i);
    const place = gl.getUniformLocation(program, name);
    setters[name] = uniformSetter(gl, type, place);
  }
  return setters;
}

function uniformSetter(gl, type, place) {
  switch (type) {
    case gl.FLOAT:
      return (value) => gl.uniform1f(place, value);
    case gl.FLOAT_VEC2:
      return (value) => gl.uniform2fv(place, value);
    case gl.FLOAT_VEC3:
      return (value) => gl.uniform3fv(place, value);
    case gl.FLOAT_VEC4:
      return (value) => gl.uniform4fv(place, value);
    case gl.FLOAT_MAT3:
      return (value) => gl.uniformMatrix3fv(place, false, value);
    case gl.FLOAT_MAT4:
      return (value) => gl.uniformMatrix4fv(place, false, value);
    case gl.UNSIGNED_INT:
      return (value) => gl.uniform1ui(place, value);
    default:
      return (value) => gl.uniform1i(place, value);
  }
}

/** Makes a program current and sets those of the values that it has as uniforms. */
export function useProgram(gl, { program, uniforms }, ...groups) {
  gl.useProgram(program);
  for (const values of groups) {
    for (const name in values) uniforms[name]?.(values[name]);
  }
}

/** Variants of one program, one for each set of defines, compiled when first needed. */
export class ProgramFamily {
  #gl;
  #shaders;
  #members = new Map();

  constructor(gl, vertex, fragment) {
    this.#gl = gl;
    this.#shaders = [vertex, fragment];
  }

  with(defines) {
    const key = defines.join(" ");
    if (!this.#members.has(key)) this.#members.set(key, buildProgram(this.#gl, ...this.#shaders, defines));
    return this.#members.get(key);
  }
}

/** Shader function for the texel of entry `index` of an array texture. */
export const texelShader = `
ivec2 texel(uint index) { return ivec2(int(index & ${textureWidth - 1}u), int(index >> ${textureWidthBits}u)); }
`;

/**
 * Shader functions for squares, two triangles each, from nothing but the vertex number. Software renderers repeat the
 * setup for every instance of an instanced draw, which for squares takes fifty times as long.
 */
export const squareShader = `
uint squareNumber() { return uint(gl_VertexID) / 6u; }
ivec2 squareCorner() {
  int corner = gl_VertexID % 6;
  corner = corner < 3 ? corner : corner == 3 ? 2 : corner == 4 ? 1 : 3;
  return ivec2(corner & 1, corner >> 1);
}
`;

/** Draws `count` squares with the current program. */
export function drawSquares(gl, count) {
  gl.drawArrays(gl.TRIANGLES, 0, 6 * count);
}

/** An array of numbers in a texture, in rows; reallocated when its size changes and filled again for each frame. */
export class ArrayTexture {
  /** Number of entries of the last uploaded array. */
  count = 0;
  #gl;
  #texture = null;
  #shape = "";

  constructor(gl) {
    this.#gl = gl;
  }

  /** Uploads an array of a container unchanged, without a copy. */
  upload({ type, components, count, values }) {
    const gl = this.#gl;
    this.count = count;
    const names = textureFormats[`${type} ${components}`];
    if (!names) throw new Error(`an array of ${components} ${type} for each body cannot be drawn`);
    const [internal, format, kind] = names.map((name) => gl[name]);
    const rows = Math.max(1, Math.ceil(count / textureWidth));
    if (rows > gl.getParameter(gl.MAX_TEXTURE_SIZE))
      throw new Error(`the frame has ${count} bodies, more than this graphics card can hold`);
    this.#allocate(internal, rows);
    const whole = Math.floor(count / textureWidth);
    const rest = count - whole * textureWidth;
    if (whole > 0) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, textureWidth, whole, format, kind, values, 0);
    if (rest > 0)
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, whole, rest, 1, format, kind, values, whole * textureWidth * components);
  }

  #allocate(internal, rows) {
    const gl = this.#gl;
    const shape = `${internal} ${rows}`;
    if (shape !== this.#shape) {
      gl.deleteTexture(this.#texture);
      this.#texture = gl.createTexture();
      this.#shape = shape;
      gl.bindTexture(gl.TEXTURE_2D, this.#texture);
      gl.texStorage2D(gl.TEXTURE_2D, 1, internal, textureWidth, rows);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    }
    gl.bindTexture(gl.TEXTURE_2D, this.#texture);
  }

  bind(unit) {
    const gl = this.#gl;
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, this.#texture);
    gl.activeTexture(gl.TEXTURE0);
  }
}
