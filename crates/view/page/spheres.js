// Sphere impostors: one square per sphere, in which every pixel intersects its ray with the sphere and writes the depth
// of the hit. Spheres are round at any size, correct where they overlap, and flat where they are cut. In the plane they
// are discs.
import { ProgramFamily, drawSquares, squareShader, useProgram } from "./gl.js";
import { bodyColorShader, bodyShader, eyeShader } from "./bodies.js";

const roundVertexShader = `
${eyeShader}
${bodyShader}
${bodyColorShader}
${squareShader}
uniform usampler2D spheres;
uniform bool listed;
uniform int every;
uniform usampler2D radii;
uniform isampler2D orientations;
uniform vec2 radiusScale;
uniform float pixel;
uniform float bodySize;
uniform uint picked;
flat out vec3 center;
flat out float radius;
flat out uint body;
#ifdef CUT
// Distance of the center beyond the cut, in radii.
flat out float beyond;
#endif
#ifndef PICK
flat out vec3 color;
flat out float chosen;
#ifdef MARKS
flat out vec4 turn;
#endif
#endif
out vec3 offset;

void main() {
  uint index = squareNumber() * uint(every);
  if (listed) index = texelFetch(spheres, texel(index), 0).x;
  vec3 place = placeOf(index);
  center = seenFromEye(place);
  float depth = perspective ? -center.z : 1.0;
  // At least about a pixel, or sparse small bodies would flicker and vanish.
  radius = bodySize * (radiusScale.x + radiusScale.y * float(texelFetch(radii, texel(index), 0).x));
#ifdef FILL
  // Large enough that no gap is left on a square lattice; the nearer particle wins every pixel.
  radius *= 1.42;
#endif
  // Spheres that stand for skipped ones are enlarged so that the surface of a heap stays closed.
  radius *= pow(float(every), 0.4);
  radius = max(radius, 0.6 * pixel * depth);
  bool hidden = depth <= 0.0;
#ifdef CUT
  beyond = beyondCut(place) / max(radius, 1e-30);
  hidden = hidden || beyond >= 1.0;
#endif
  if (hidden) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    return;
  }
  body = index;
#ifndef PICK
  color = colorOf(index);
  chosen = index == picked ? 1.0 : 0.0;
#ifdef MARKS
  turn = vec4(texelFetch(orientations, texel(index), 0)) / 32767.0;
#endif
#endif
  vec2 corner = vec2(squareCorner()) * 2.0 - 1.0;
  if (perspective) {
    float square = dot(center, center);
    float stretch = sqrt(square / max(square - radius * radius, 1e-3 * square));
    vec3 away = center * inversesqrt(square);
    vec3 right = normalize(cross(away, vec3(0.0, 1.0, 0.0)));
    offset = stretch * (corner.x * right + corner.y * cross(right, away));
  } else {
    offset = vec3(corner, 0.0);
  }
  gl_Position = projection * vec4(center + radius * offset, 1.0);
}
`;

/** Declarations that the fragment shaders of discs and spheres share. */
const roundShader = `
uniform mat3 rotation;
uniform vec3 accent;
flat in vec3 center;
flat in float radius;
flat in uint body;
#ifdef CUT
uniform vec4 clip;
flat in float beyond;
#endif
in vec3 offset;
#ifdef PICK
layout(location = 0) out uint found;
#else
flat in vec3 color;
flat in float chosen;
layout(location = 0) out vec4 shade;
#ifdef MARKS
flat in vec4 turn;
vec3 turnedBack(vec3 v) {
  vec3 axis = -turn.xyz;
  return v + 2.0 * cross(axis, cross(axis, v) + turn.w * v);
}
#endif
#endif
`;

const discFragmentShader = `
${roundShader}
uniform vec3 rimTone;
uniform float density;

void main() {
  float away = dot(offset, offset);
  if (away > 1.0) discard;
#ifdef CUT
  if (beyond + dot(clip.xyz, transpose(rotation) * offset) > 0.0) discard;
#endif
#ifdef FILL
  gl_FragDepth = gl_FragCoord.z + 1e-3 * away;
#endif
#ifdef PICK
  found = body + 1u;
#else
  float fromCenter = sqrt(away);
  float soft = max(fwidth(fromCenter), 1e-4);
  // A thin rim separates neighbors of one color; it fades where discs are only a few pixels.
#ifdef FILL
  float rim = 0.0;
#else
  float rim = smoothstep(1.0 - (density + 1.0) * soft, 1.0 - density * soft, fromCenter) * clamp(0.3 / (density * soft) - 1.0, 0.0, 1.0);
#endif
  vec3 tone = mix(color, rimTone, 0.3 * rim);
#ifdef MARKS
  vec2 own = turnedBack(vec3(offset.xy, 0.0)).xy;
  float mark = own.x > 0.0 ? 1.0 - smoothstep(0.07, 0.07 + 1.5 * soft, abs(own.y)) : 0.0;
  tone = mix(tone, rimTone, 0.45 * mark * clamp(0.4 / (density * soft) - 1.0, 0.0, 1.0));
#endif
  tone = mix(tone, accent, chosen * smoothstep(0.70, 0.74, fromCenter));
  shade = vec4(tone, 1.0);
#endif
}
`;

// The ray starts at the square, not at the eye: for far spheres 32-bit rounding would dominate otherwise.
const sphereFragmentShader = `
${roundShader}
uniform mat4 projection;
uniform bool perspective;

void main() {
  vec3 ray = perspective ? normalize(center + radius * offset) : vec3(0.0, 0.0, -1.0);
  float along = dot(offset, ray);
  float inside = along * along - dot(offset, offset) + 1.0;
  if (inside < 0.0) discard;
  // Entry point of the ray, in radii from the center.
  vec3 hit = offset - (along + sqrt(inside)) * ray;
  bool isFlat = false;
#ifdef CUT
  vec3 plane = rotation * clip.xyz;
  float past = beyond + dot(plane, hit);
  isFlat = past > 0.0;
  if (isFlat) {
    // The entry point is cut away; the ray hits the cut before it leaves the sphere, or misses.
    float falling = -dot(plane, ray) * 2.0 * sqrt(inside);
    if (falling <= past) discard;
    hit += ray * 2.0 * sqrt(inside) * past / falling;
  }
#endif
  float z = center.z + radius * hit.z;
  gl_FragDepth = 0.5 + 0.5 * (projection[2][2] * z + projection[3][2]) / (perspective ? -z : 1.0);
#ifdef PICK
  found = body + 1u;
#else
  vec3 tone = color;
#ifdef MARKS
  vec3 own = turnedBack(transpose(rotation) * hit);
  tone *= own.x * own.y * own.z > 0.0 ? 0.72 : 1.0;
#endif
  float light = 0.42 + 0.58 * max(0.0, dot(hit, vec3(-0.36, 0.48, 0.8)));
  float shine = pow(max(0.0, dot(hit, vec3(-0.2, 0.27, 0.94))), 40.0);
  // A cut is lit evenly, whatever its direction, for it is what one wants to see.
  tone = isFlat ? 0.95 * tone : tone * light + 0.10 * shine;
  float rim = isFlat ? smoothstep(0.75, 0.85, length(hit)) : 1.0 - smoothstep(0.5, 0.62, -dot(hit, ray));
  shade = vec4(mix(tone, accent, chosen * rim), 1.0);
#endif
}
`;

export class Spheres {
  #gl;
  #discs;
  #spheres;
  #bodies;

  constructor(gl, bodies) {
    this.#gl = gl;
    this.#discs = new ProgramFamily(gl, roundVertexShader, discFragmentShader);
    this.#spheres = new ProgramFamily(gl, roundVertexShader, sphereFragmentShader);
    this.#bodies = bodies;
  }

  /**
   * Draws all spheres, or one of `every` n; `look` has the defines FLAT (discs), FILL (discs without gaps), CUT (by a
   * plane), MARKS (rotation is visible) and PICK (ids).
   */
  draw(look, every, ...uniforms) {
    if (this.#bodies.sphereCount === 0) return;
    const isFlat = look.includes("FLAT") || look.includes("FILL");
    const program = (isFlat ? this.#discs : this.#spheres).with(look);
    useProgram(this.#gl, program, ...uniforms, { every });
    drawSquares(this.#gl, Math.ceil(this.#bodies.sphereCount / every));
  }
}
