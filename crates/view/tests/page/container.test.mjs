import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { arrayNumber, bytesOfBase64, decodeContainer, gunzip } from "../../page/container.js";
import { columnRange } from "../../page/ranges.js";
import { bodiesBounds, bodyId, bodyIndex, bodyPosition, readFrame } from "../../page/frame.js";
import { FrameCache } from "../../page/cache.js";

/** A container of arrays, as the server packs it. */
function packed(time, bodies, arrays) {
  let offset = 0;
  const entries = arrays.map(({ values, ...entry }) => {
    const at = offset;
    offset += Math.ceil(values.byteLength / 8) * 8;
    return { ...entry, count: values.length / entry.components, offset: at };
  });
  let header = JSON.stringify({ time, bodies, arrays: entries });
  while ((4 + header.length) % 8 !== 0) header += " ";
  const bytes = new Uint8Array(4 + header.length + offset);
  new DataView(bytes.buffer).setUint32(0, header.length, true);
  bytes.set(new TextEncoder().encode(header), 4);
  arrays.forEach(({ values }, i) =>
    bytes.set(
      new Uint8Array(values.buffer, values.byteOffset, values.byteLength),
      4 + header.length + entries[i].offset,
    ),
  );
  return bytes.buffer;
}

const positions = {
  name: "position",
  type: "u16",
  components: 3,
  values: new Uint16Array([0, 0, 0, 65535, 10, 5]),
  low: [1, 2, 3],
  step: [2, 1, 1],
};
const radii = { name: "radius", type: "u16", components: 1, values: new Uint16Array([1, 3]), low: [0], step: [0.5] };
const ids = { name: "id", type: "u32", components: 1, values: new Uint32Array([7, 4e9]) };
const shapes = { name: "shape", type: "u16", components: 1, values: new Uint16Array([65535, 0]) };

test("arrays come back as they were packed", () => {
  const { time, bodies, arrays } = decodeContainer(packed(0.25, 2, [positions, radii, ids]));
  assert.deepEqual([time, bodies], [0.25, 2]);
  assert.equal(arrayNumber(arrays.get("position"), 1, 0), 131071);
  assert.equal(arrayNumber(arrays.get("radius"), 1), 1.5);
  assert.equal(arrayNumber(arrays.get("id"), 1), 4e9);
});

test("bytes that are no container are refused in a sentence, wherever they end", () => {
  const whole = packed(0, 2, [positions, radii]);
  for (let length = 0; length < whole.byteLength - 6; length++)
    assert.throws(() => decodeContainer(whole.slice(0, length)), /^Error: the data /, `${length} bytes`);
  assert.throws(() => decodeContainer(packed(0, 2, [{ ...radii, type: "u64" }])), /unknown type, u64/);
});

test("gzip streams are unpacked, damaged ones are named, other bytes are left alone", async () => {
  const bytes = new Uint8Array([1, 2, 3, 4]);
  assert.deepEqual(new Uint8Array(await gunzip(gzipSync(bytes))), bytes);
  assert.deepEqual(new Uint8Array(await gunzip(bytes)), bytes);
  await assert.rejects(gunzip(gzipSync(bytes).subarray(0, 12)), /cut short or damaged/);
  assert.deepEqual(bytesOfBase64("AQIDBA=="), bytes);
});

test("a frame knows its bodies by index and by id", () => {
  const frame = readFrame(decodeContainer(packed(0, 2, [positions, radii, ids, shapes])), 1);
  assert.deepEqual([...frame.spheres], [0]);
  assert.deepEqual(frame.groups, [{ shape: 0, indices: new Uint32Array([1]) }]);
  assert.equal(bodyIndex(frame, 4e9), 1);
  assert.equal(bodyIndex(frame, 5), -1);
  assert.equal(bodyId(frame, 0), 7);
  assert.deepEqual(bodyPosition(frame, 1), [131071, 12, 8]);
  assert.deepEqual(bodiesBounds(frame), { low: [0, 1, 2], high: [131072, 13, 9] });
  assert.deepEqual(columnRange(frame.arrays.get("radius")), [0.5, 1.5]);
});

test("a shape that the run does not have is drawn as a sphere", () => {
  const unknown = { ...shapes, values: new Uint16Array([3, 9]) };
  const frame = readFrame(decodeContainer(packed(0, 2, [positions, radii, unknown])), 1);
  assert.deepEqual([[...frame.spheres], frame.groups], [[0, 1], []]);
});

test("arrays of another length than the bodies are refused", () => {
  assert.throws(() => readFrame(decodeContainer(packed(0, 3, [positions])), 0), /3 bodies, but 2 entries of position/);
});

test("a cache keeps what was asked for last within its bytes, and asks again for what failed", async () => {
  const asked = [];
  const load = async (n) => {
    asked.push(n);
    if (n === 9 && asked.filter((it) => it === 9).length === 1) throw new Error("cut short");
    return { bytes: 40, n };
  };
  const cache = new FrameCache(load, 100);
  for (const n of [1, 2, 1, 3, 1, 2]) assert.equal((await cache.get(n)).n, n);
  assert.deepEqual(asked, [1, 2, 3, 2], "2 was the oldest when 3 came");
  await assert.rejects(cache.get(9));
  assert.equal((await cache.get(9)).n, 9);
});
