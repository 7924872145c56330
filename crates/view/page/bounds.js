// Bounding boxes of what is drawn.
import { bodiesBounds } from "./frame.js";

/** The smallest box around both; either may be null. */
export function unitedBounds(a, b) {
  if (!a || !b) return a ?? b;
  return {
    low: a.low.map((value, axis) => Math.min(value, b.low[axis])),
    high: a.high.map((value, axis) => Math.max(value, b.high[axis])),
  };
}

/** Bounds of points given as x, y, z, …, or null. */
export function pointsBounds(points) {
  if (!points || points.length < 3) return null;
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < points.length; i++) {
    const axis = i % 3;
    if (points[i] < low[axis]) low[axis] = points[i];
    if (points[i] > high[axis]) high[axis] = points[i];
  }
  return { low, high };
}

/** Bounds of everything that a frame draws, and of the box. */
export function drawnBounds(run, frame) {
  const lines = unitedBounds(
    pointsBounds(frame.arrays.get("wall")?.values),
    pointsBounds(frame.arrays.get("line")?.values),
  );
  return unitedBounds(unitedBounds(run.box, lines), bodiesBounds(frame));
}

/** Bounds to which a view is fitted: the box, or without one everything that is drawn. */
export function fittedBounds(run, frame) {
  return run.box ?? (frame && drawnBounds(run, frame)) ?? { low: [-1, -1, -1], high: [1, 1, 1] };
}
