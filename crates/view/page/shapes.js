// Polyhedra and meshes: every shape is uploaded once and drawn for each body that has it, with flat faces and thin
// lines along sharp edges.
import { ArrayTexture, ProgramFamily, useProgram } from "./gl.js";
import { bodyColorShader, bodyShader, eyeShader, indexArray } from "./bodies.js";

const sharpCosine = Math.cos((25 * Math.PI) / 180);

const shapeVertexShader = `
${eyeShader}
${bodyShader}
${bodyColorShader}
uniform isampler2D orientations;
uniform int turned;
uniform uint picked;
uniform usampler2D members;
uniform sampler2D corners;
uniform uint cornerCount;
uniform float bodySize;
flat out uint body;
flat out vec3 color;
flat out float chosen;
flat out vec3 face;
out vec3 edges;
#ifdef CUT
out float beyond;
#endif

vec3 turnedBy(vec4 turn, vec3 v) {
  return v + 2.0 * cross(turn.xyz, cross(turn.xyz, v) + turn.w * v);
}

void main() {
  uint vertex = uint(gl_VertexID);
  uint index = texelFetch(members, texel(vertex / cornerCount), 0).x;
  uint first = 3u * (vertex % cornerCount);
  vec3 place = placeOf(index);
  vec4 turn = turned == 1 ? normalize(vec4(texelFetch(orientations, texel(index), 0))) : vec4(0.0, 0.0, 0.0, 1.0);
  face = rotation * turnedBy(turn, texelFetch(corners, texel(first + 1u), 0).xyz);
  body = index;
  edges = texelFetch(corners, texel(first + 2u), 0).xyz;
#ifndef PICK
  color = colorOf(index);
  chosen = index == picked ? 1.0 : 0.0;
#endif
  vec3 corner = place + turnedBy(turn, bodySize * texelFetch(corners, texel(first), 0).xyz);
#ifdef CUT
  beyond = beyondCut(corner);
#endif
  gl_Position = projection * vec4(seenFromEye(corner), 1.0);
}
`;

const shapeFragmentShader = `
uniform vec3 accent;
uniform float density;
flat in uint body;
flat in vec3 color;
flat in float chosen;
flat in vec3 face;
in vec3 edges;
#ifdef CUT
in float beyond;
#endif
#ifdef PICK
layout(location = 0) out uint found;
void main() {
#ifdef CUT
  if (beyond > 0.0) discard;
#endif
  found = body + 1u;
}
#else
layout(location = 0) out vec4 shade;
void main() {
  vec3 normal = face.z < 0.0 ? -face : face;
  bool isFlat = false;
#ifdef CUT
  if (beyond > 0.0) discard;
#if !defined(FLAT) && !defined(FILL)
  // Where a body is cut open its back faces are seen, and drawn as if they were the cut: no other body lies between.
  // In clumps, whose spheres overlap, the parts inside other spheres are seen too.
  isFlat = !gl_FrontFacing;
#endif
#endif
#if defined(FLAT) || defined(FILL)
  float light = 1.0;
#else
  float light = isFlat ? 0.95 : 0.42 + 0.58 * max(0.0, dot(normal, vec3(-0.36, 0.48, 0.8)));
#endif
  vec3 width = fwidth(edges);
  vec3 near = smoothstep(width * 0.4 * density, width * (0.4 * density + 1.0), edges);
  float line = isFlat ? 0.0 : 1.0 - min(near.x, min(near.y, near.z));
  line *= clamp(0.25 / density / max(width.x, max(width.y, width.z)) - 0.6, 0.0, 1.0);
  vec3 tone = color * light;
  if (isFlat) tone = mix(tone, accent, 0.35 * chosen);
  // The depth of these faces is not that of the cut, so alpha 0 excludes them from ambient occlusion.
  shade = vec4(mix(tone, mix(tone * 0.55, accent, chosen), line), isFlat ? 0.0 : 1.0);
}
#endif
`;

export class Shapes {
  #gl;
  #programs;
  #solids;

  /** Shapes of the run, each with `vertices` (x, y, z …) and `triangles` (three corners each). */
  constructor(gl, shapes) {
    this.#gl = gl;
    this.#programs = new ProgramFamily(gl, shapeVertexShader, shapeFragmentShader);
    this.#solids = shapes.map((shape) => new Solid(gl, shape));
  }

  show(groups) {
    for (const solid of this.#solids) solid.bodies = 0;
    for (const { shape, indices } of groups) this.#solids[shape].show(indices);
  }

  draw(look, ...uniforms) {
    const shown = this.#solids.filter((solid) => solid.bodies > 0);
    if (shown.length === 0) return;
    const program = this.#programs.with(look);
    for (const solid of shown) {
      useProgram(this.#gl, program, ...uniforms, solid.uniforms());
      this.#gl.drawArrays(this.#gl.TRIANGLES, 0, solid.corners * solid.bodies);
    }
  }
}

/** One shape and the bodies that have it. */
class Solid {
  bodies = 0;
  #corners;
  #members;

  constructor(gl, shape) {
    const values = flatCorners(shape);
    this.corners = values.length / 9;
    this.#corners = new ArrayTexture(gl);
    this.#corners.upload({ type: "f32", components: 3, count: values.length / 3, values });
    this.#members = new ArrayTexture(gl);
  }

  show(indices) {
    this.bodies = indices.length;
    this.#members.upload(indexArray(indices));
  }

  uniforms() {
    this.#members.bind(6);
    this.#corners.bind(7);
    return { members: 6, corners: 7, cornerCount: this.corners };
  }
}

/** Nine numbers per corner of each triangle: position, normal, and distance from each sharp edge. */
export function flatCorners({ vertices, triangles }) {
  const normals = triangleNormals(vertices, triangles);
  const sharp = sharpEdges(triangles, normals);
  const corners = new Float32Array(triangles.length * 9);
  for (let at = 0; at < triangles.length; at++) {
    const triangle = Math.floor(at / 3);
    const first = 9 * at;
    corners.set(vertices.slice(3 * triangles[at], 3 * triangles[at] + 3), first);
    corners.set(normals.subarray(3 * triangle, 3 * triangle + 3), first + 3);
    // The distance from edge k is 1 at the opposite corner; edges that are not sharp have distance 1 everywhere.
    for (let edge = 0; edge < 3; edge++)
      corners[first + 6 + edge] = !sharp[3 * triangle + edge] || (edge + 2) % 3 === at % 3 ? 1 : 0;
  }
  return corners;
}

function triangleNormals(vertices, triangles) {
  const normals = new Float32Array(triangles.length);
  for (let at = 0; at < triangles.length; at += 3) {
    const [a, b, c] = [0, 1, 2].map((i) => 3 * triangles[at + i]);
    const u = [0, 1, 2].map((axis) => vertices[b + axis] - vertices[a + axis]);
    const v = [0, 1, 2].map((axis) => vertices[c + axis] - vertices[a + axis]);
    const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.hypot(...normal) || 1;
    normals.set(
      normal.map((value) => value / length),
      at,
    );
  }
  return normals;
}

/** For edge k of each triangle, from its corner k to the next: whether the two faces meet at a sharp angle. */
function sharpEdges(triangles, normals) {
  const firstSide = new Map();
  const sharp = new Uint8Array(triangles.length).fill(1);
  for (let at = 0; at < triangles.length; at++) {
    const triangle = Math.floor(at / 3);
    const [a, b] = [triangles[at], triangles[3 * triangle + ((at + 1) % 3)]];
    const key = a < b ? `${a} ${b}` : `${b} ${a}`;
    const other = firstSide.get(key);
    if (other === undefined) {
      firstSide.set(key, at);
      continue;
    }
    const neighbor = Math.floor(other / 3);
    let cosine = 0;
    for (let axis = 0; axis < 3; axis++) cosine += normals[3 * triangle + axis] * normals[3 * neighbor + axis];
    if (cosine > sharpCosine) sharp[at] = sharp[other] = 0;
  }
  return sharp;
}
