import assert from "node:assert/strict";
import { test } from "node:test";
import { Camera, dot3 } from "../../page/camera.js";
import { categoricalPalette, colorScale, divergingMap, oklch, sequentialMap } from "../../page/color.js";
import { drawnBounds, fittedBounds, pointsBounds, unitedBounds } from "../../page/bounds.js";
import { flatCorners } from "../../page/shapes.js";
import { boxEdges } from "../../page/lines.js";

const near = (a, b, message) => assert.ok(Math.abs(a - b) < 1e-9 * (1 + Math.abs(b)), message ?? `${a} is not ${b}`);

/** Lightness as people see it, from bytes of sRGB. */
function lightness([r, g, b]) {
  const linear = [r, g, b].map((byte) => ((byte / 255 + 0.055) / 1.055) ** 2.4);
  return 116 * Math.cbrt(dot3(linear, [0.2126, 0.7152, 0.0722])) - 16;
}

const entries = (table) => Array.from({ length: table.length / 4 }, (_, i) => [...table.subarray(4 * i, 4 * i + 3)]);

test("oklch agrees with known colors", () => {
  assert.deepEqual(oklch(1, 0, 0), [255, 255, 255]);
  assert.deepEqual(oklch(0, 0, 0), [0, 0, 0]);
  assert.deepEqual(oklch(0.627955, 0.257683, 29.2339), [255, 0, 0]);
});

test("the sequential map grows evenly in lightness and stays within sRGB", () => {
  const colors = entries(sequentialMap());
  const steps = colors.slice(1).map((color, i) => lightness(color) - lightness(colors[i]));
  const mean = steps.reduce((a, b) => a + b) / steps.length;
  for (let i = 0; i + 8 < steps.length; i += 8) {
    const here = steps.slice(i, i + 8).reduce((a, b) => a + b) / 8;
    assert.ok(here > 0.6 * mean && here < 1.4 * mean, `step ${i}: ${here} of ${mean}`);
  }
  assert.ok(
    colors.every((color) => !(color[0] === 0 && color[1] === 255)),
    "no clipped color",
  );
});

test("the diverging map is lightest in the middle and as dark at both ends", () => {
  const colors = entries(divergingMap()).map(lightness);
  assert.ok([127, 128].includes(colors.indexOf(Math.max(...colors))));
  assert.ok(Math.abs(colors[0] - colors[255]) < 6);
});

test("kinds have different colors", () => {
  const colors = entries(categoricalPalette()).map(String);
  assert.equal(new Set(colors).size, colors.length);
});

test("values of both signs get a scale about zero, equal ones a range all the same", () => {
  assert.deepEqual(colorScale({ categorical: false }, -1, 3), { kind: "diverging", low: -3, high: 3 });
  assert.deepEqual(colorScale({ categorical: false }, 2, 2), { kind: "sequential", low: 1, high: 3 });
  assert.equal(colorScale({ categorical: true }, 0, 9).kind, "categorical");
  assert.equal(colorScale(null).kind, "plain");
});

test("the axes of every view are orthonormal and right-handed", () => {
  const camera = new Camera(3);
  for (const view of ["oblique", "x", "y", "z", "-x", "-y", "-z"]) {
    camera.look(view);
    const { right, up, back } = camera.axes();
    for (const axis of [right, up, back]) near(dot3(axis, axis), 1);
    near(dot3(right, up), 0);
    const cross = [0, 1, 2].map((i) => right[(i + 1) % 3] * up[(i + 2) % 3] - right[(i + 2) % 3] * up[(i + 1) % 3]);
    cross.forEach((value, i) => near(value, back[i], `${view}: ${cross} is not ${back}`));
  }
});

test("in the plane x goes right and y up, without perspective and without turning", () => {
  const camera = new Camera(2);
  const before = camera.axes();
  camera.orbit(0.3, 0.2);
  assert.deepEqual(camera.axes(), before);
  assert.equal(camera.perspective, false);
  near(before.right[0], 1);
  near(before.up[1], 1);
});

test("a fitted box is seen whole and fills the canvas, from everywhere", () => {
  const box = { low: [0, -3, 2], high: [10, 4, 5] };
  for (const aspect of [0.5, 1, 2.3]) {
    for (const view of ["oblique", "x", "y", "z"]) {
      const camera = new Camera(3);
      camera.aspect = aspect;
      camera.look(view);
      camera.fit(box);
      let most = 0;
      for (let corner = 0; corner < 8; corner++) {
        const place = camera.project([0, 1, 2].map((i) => ((corner >> i) & 1 ? box.high[i] : box.low[i])));
        most = Math.max(most, Math.abs(place.right) / aspect, Math.abs(place.up));
      }
      assert.ok(most <= 0.9 + 1e-9 && most > 0.6, `${view} at ${aspect}: ${most}`);
    }
  }
});

test("what is under the pointer stays there while zooming, and follows it while panning", () => {
  const camera = new Camera(2);
  camera.fit({ low: [0, 0, 0], high: [10, 10, 0] });
  const point = [7, 3, 0];
  const before = camera.project(point);
  camera.zoom(1.7, before.right, before.up);
  near(camera.project(point).right, before.right);
  near(camera.project(point).up, before.up);
  camera.pan(0.25, -0.5);
  near(camera.project(point).right, before.right + 0.25);
  near(camera.project(point).up, before.up - 0.5);
});

test("the matrix of a draw and project agree, and depths are within the clip volume", () => {
  for (const perspective of [true, false]) {
    const camera = new Camera(3);
    camera.aspect = 1.5;
    camera.fit({ low: [0, 0, 0], high: [2, 3, 4] });
    camera.perspective = perspective;
    const { rotation, projection } = camera.uniforms({ low: [0, 0, 0], high: [2, 3, 4] });
    for (const point of [
      [0, 0, 0],
      [2, 3, 4],
      [1, 2.5, 0.5],
    ]) {
      const offset = point.map((value, i) => value - camera.target[i]);
      const seen = [0, 1, 2].map((row) => dot3([rotation[row], rotation[row + 3], rotation[row + 6]], offset));
      seen[2] -= camera.distance;
      const clip = [0, 1, 2, 3].map(
        (row) => dot3([projection[row], projection[row + 4], projection[row + 8]], seen) + projection[row + 12],
      );
      const place = camera.project(point);
      near(clip[0] / clip[3], place.right / 1.5);
      near(clip[1] / clip[3], place.up);
      assert.ok(Math.abs(clip[2] / clip[3]) <= 1, `depth ${clip[2] / clip[3]}`);
    }
  }
});

test("boxes unite, and without one a view is fitted to the bodies", () => {
  const one = { low: [0, 0, 0], high: [1, 1, 1] };
  assert.deepEqual(unitedBounds(one, { low: [-1, 2, 0], high: [0, 3, 0] }), { low: [-1, 0, 0], high: [1, 3, 1] });
  assert.equal(unitedBounds(null, one), one);
  assert.deepEqual(pointsBounds([1, 2, 3, 0, 5, 3]), { low: [0, 2, 3], high: [1, 5, 3] });
  const position = { components: 3, count: 1, values: new Uint16Array([1, 2, 3]), low: [0, 0, 0], step: [1, 1, 1] };
  const frame = { bodies: 1, typicalRadius: 1, arrays: new Map([["position", position]]) };
  assert.deepEqual(drawnBounds({ box: null }, frame), { low: [0, 1, 2], high: [2, 3, 4] });
  assert.deepEqual(fittedBounds({ box: one }, frame), one);
});

test("a box has twelve edges in space and four in the plane, each along one axis", () => {
  const box = { low: [0, 0, 0], high: [1, 2, 3] };
  for (const [dimension, count] of [
    [3, 12],
    [2, 4],
  ]) {
    const points = boxEdges(box, dimension);
    assert.equal(points.length, 6 * count);
    for (let i = 0; i < points.length; i += 6) {
      const along = [0, 1, 2].filter((axis) => points[i + axis] !== points[i + 3 + axis]);
      assert.equal(along.length, 1);
    }
  }
});

test("edges between triangles of one face are not drawn, those between faces are", () => {
  // A square of two triangles, and a third that stands up from one of its sides.
  const vertices = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0.5, 0, 1];
  const corners = flatCorners({ vertices, triangles: [0, 1, 2, 0, 2, 3, 1, 0, 4] });
  assert.equal(corners.length, 9 * 9);
  const distances = (triangle) =>
    [0, 1, 2].map((corner) => [...corners.subarray(27 * triangle + 9 * corner + 6, 27 * triangle + 9 * corner + 9)]);
  // Edge 2 of the first triangle, from its corner 2 to its corner 0, is the diagonal: far from everything.
  assert.deepEqual(
    distances(0).map((row) => row[2]),
    [1, 1, 1],
  );
  assert.deepEqual(
    distances(0).map((row) => row[0]),
    [0, 0, 1],
    "the fold: 0 at its ends, 1 opposite",
  );
  assert.deepEqual([...corners.subarray(3, 6)], [0, 0, 1]);
});
