// A frame as arrays of numbers, never an object per body.
import { arrayNumber } from "./container.js";

const sphereShape = 65535;

/** Reads a frame from its container; checks that the arrays of bodies have one entry per body. */
export function readFrame(container, shapeCount) {
  const { arrays, bodies } = container;
  const position = arrays.get("position");
  if (!position || position.components !== 3) throw new Error("the frame has no positions");
  for (const [name, array] of arrays) {
    if (isOfBodies(name) && array.count !== bodies)
      throw new Error(`the frame has ${bodies} bodies, but ${array.count} entries of ${name}`);
  }
  return {
    ...container,
    ...bodiesByShape(arrays.get("shape"), bodies, shapeCount),
    typicalRadius: typicalRadius(arrays.get("radius"), bodies),
  };
}

function isOfBodies(name) {
  return !["wall", "line", "edge", "segment"].includes(name) && name !== "spring" && !name.startsWith("spring.");
}

/** Bodies grouped by shape; `spheres` is null if all are spheres. */
function bodiesByShape(shape, bodies, shapeCount) {
  if (!shape) return { spheres: null, groups: [] };
  const counts = new Uint32Array(shapeCount + 1);
  const place = (body) => (shape.values[body] < shapeCount ? shape.values[body] : shapeCount);
  for (let body = 0; body < bodies; body++) counts[place(body)]++;
  const lists = Array.from(counts, (count) => new Uint32Array(count));
  counts.fill(0);
  for (let body = 0; body < bodies; body++) {
    const at = place(body);
    lists[at][counts[at]++] = body;
  }
  const spheres = lists.pop();
  const groups = lists.map((indices, shape) => ({ shape, indices })).filter((group) => group.indices.length > 0);
  return { spheres, groups };
}

/** The mean radius of some hundred bodies, the length scale of shadows and thin lines. */
function typicalRadius(radius, bodies) {
  if (!radius || bodies === 0) return 0;
  const stride = Math.max(1, Math.floor(bodies / 500));
  let sum = 0;
  let count = 0;
  for (let body = 0; body < bodies; body += stride, count++) sum += arrayNumber(radius, body);
  return sum / count;
}

/** The index in a frame of the body with an id, or -1. */
export function bodyIndex(frame, id) {
  const ids = frame.arrays.get("id");
  if (!ids) return id < frame.bodies ? id : -1;
  return ids.values.indexOf(id);
}

/** The id of the body at an index. */
export function bodyId(frame, index) {
  const ids = frame.arrays.get("id");
  return ids ? ids.values[index] : index;
}

/** Position of a body. */
export function bodyPosition(frame, index) {
  const position = frame.arrays.get("position");
  return [0, 1, 2].map((axis) => arrayNumber(position, index, axis));
}

export function isSphere(frame, index) {
  const shape = frame.arrays.get("shape");
  return !shape || shape.values[index] === sphereShape;
}

/** Bounds of all bodies with their radii, or null if there are none. */
export function bodiesBounds(frame) {
  if (frame.bodies === 0) return null;
  const position = frame.arrays.get("position");
  const least = [Infinity, Infinity, Infinity];
  const most = [-Infinity, -Infinity, -Infinity];
  const { values } = position;
  for (let i = 0; i < values.length; i += 3) {
    for (let axis = 0; axis < 3; axis++) {
      const value = values[i + axis];
      if (value < least[axis]) least[axis] = value;
      if (value > most[axis]) most[axis] = value;
    }
  }
  const margin = frame.typicalRadius;
  const inUnits = (ticks, axis) => position.low[axis] + position.step[axis] * ticks;
  return {
    low: least.map((v, axis) => inUnits(v, axis) - margin),
    high: most.map((v, axis) => inUnits(v, axis) + margin),
  };
}
