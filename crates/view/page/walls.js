// Walls as thin glass: transparent, and denser where they are seen at a grazing angle, so that cylinders and bowls look
// round.
import { buildProgram, useProgram } from "./gl.js";
import { eyeShader } from "./bodies.js";

const wallVertexShader = `
${eyeShader}
uniform vec3 target;
layout(location = 0) in vec3 corner;
out vec3 seen;
out float beyond;
void main() {
  vec3 place = corner - target;
  seen = seenFromEye(place);
  beyond = beyondCut(place);
  gl_Position = projection * vec4(seen, 1.0);
}
`;

const wallFragmentShader = `
uniform vec4 ink;
uniform bool perspective;
in vec3 seen;
in float beyond;
layout(location = 0) out vec4 shade;
void main() {
  if (beyond > 0.0) discard;
  vec3 normal = normalize(cross(dFdx(seen), dFdy(seen)));
  vec3 ray = perspective ? normalize(seen) : vec3(0.0, 0.0, -1.0);
  float sideways = 1.0 - abs(dot(normal, ray));
  shade = vec4(ink.rgb, ink.a * (0.35 + 0.65 * sideways * sideways));
}
`;

export class Walls {
  #gl;
  #program;
  #buffer;
  #count = 0;
  #layout;

  constructor(gl) {
    this.#gl = gl;
    this.#program = buildProgram(gl, wallVertexShader, wallFragmentShader);
    this.#buffer = gl.createBuffer();
    this.#layout = gl.createVertexArray();
    gl.bindVertexArray(this.#layout);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffer);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
    gl.bindVertexArray(null);
  }

  show(corners) {
    const gl = this.#gl;
    this.#count = corners.length / 3;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffer);
    gl.bufferData(gl.ARRAY_BUFFER, corners, gl.DYNAMIC_DRAW);
  }

  draw(...uniforms) {
    if (this.#count === 0) return;
    const gl = this.#gl;
    useProgram(gl, this.#program, ...uniforms);
    gl.bindVertexArray(this.#layout);
    gl.drawArrays(gl.TRIANGLES, 0, this.#count);
    gl.bindVertexArray(null);
  }
}
