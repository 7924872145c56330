import assert from "node:assert/strict";
import { test } from "node:test";
import { formatCount, formatNumber, roundTicks } from "../../page/numbers.js";
import { linePieces, valueScale } from "../../page/curve.js";
import { beyondRounding, fittingRange } from "../../page/ranges.js";
import { parseLog, rowAtTime, tellingColumns } from "../../page/log.js";

test("numbers have few digits and a power of ten where it is needed", () => {
  const cases = { 0: "0", 0.5: "0.5", 1234567: "1.235e6", 0.00012345: "1.234e−4", 3.14159265: "3.142", 12000: "12000" };
  for (const [value, text] of Object.entries(cases)) assert.equal(formatNumber(Number(value)), text);
  assert.equal(formatNumber(-2.5), "−2.5");
  assert.equal(formatNumber(NaN), "–");
  assert.equal(formatNumber(-Infinity), "−∞");
  assert.equal(formatCount(1234567), "1\u2009234\u2009567");
});

test("ticks are round and within the range", () => {
  assert.deepEqual(roundTicks(0, 1, 4), [0, 0.5, 1]);
  assert.deepEqual(roundTicks(-0.02, 0.02, 3), [-0.02, 0, 0.02]);
  assert.deepEqual(roundTicks(7, 7, 4), [7]);
  // A column of a log that differs in its last digits.
  assert.deepEqual(roundTicks(520.8038831133264, 520.8038831133265, 3), [520.8038831133264]);
  for (const [low, high] of [
    [-3, 17],
    [1e-9, 3e-9],
    [0.1, 0.11],
    [-1e12, 1e12],
  ]) {
    const ticks = roundTicks(low, high, 5);
    assert.ok(ticks.length >= 2 && ticks.length <= 11, `${ticks}`);
    assert.ok(ticks.every((tick) => tick >= low - 1e-9 * (high - low) && tick <= high + 1e-9 * (high - low)));
  }
});

test("a log is read by columns, and a last line without its end is left for later", () => {
  const log = parseLog("time,energy,steps\n0,3.5,10\n1,,20\n2,1e-3,3");
  assert.equal(log.rows, 2);
  assert.deepEqual([...log.columns.get("energy")], [3.5, NaN]);
  assert.deepEqual([...log.columns.get("steps")], [10, 20]);
  assert.equal(log.damaged, 0);
  assert.deepEqual(parseLog(""), { names: [], columns: new Map(), rows: 0, damaged: 0 });
  assert.equal(parseLog("time,energy\n0,1\n1,x\n2\n3,4,5\n4,NaN\n").damaged, 3);
});

test("values without bounds, or that are none, are values and no damage", () => {
  const log = parseLog("time,pressure\n0,inf\n1,-inf\n2,NaN\n3,nan\n4,Infinity\n5,2.5\n");
  assert.equal(log.damaged, 0);
  assert.deepEqual([...log.columns.get("pressure")], [Infinity, -Infinity, NaN, NaN, Infinity, 2.5]);
  assert.equal(parseLog("time,pressure\n0,info\n1,--inf\n2,inf inf\n3,infinite\n").damaged, 4);
});

test("a line has a gap where a value cannot be shown", () => {
  const values = [1, 2, Infinity, 4, NaN, -Infinity, 6, 7];
  const { isShown } = valueScale(values, false);
  const pieces = linePieces([0, 1, 2, 3, 4, 5, 6, 7], values, isShown, (time) => 10 * time);
  assert.deepEqual(pieces, [[[0, 1], [10, 2]], [[30, 4]], [[60, 6], [70, 7]]]);
  const crowded = linePieces([0, 0.1, 0.2, 0.3], [3, 9, 1, 4], isShown, (time) => time);
  assert.deepEqual(crowded, [[[0, 1], [0, 9], [0, 4]]]);
  assert.deepEqual(linePieces([], [], isShown, (time) => time), []);
  const scale = valueScale(values, false);
  assert.ok(scale.part(1) >= 0 && scale.part(7) <= 1 && scale.ticks(3).every(Number.isFinite));
});

test("columns that say nothing are not offered", () => {
  const log = parseLog("time,same,empty,grows\n0,1,,1\n1,1,,2\n");
  assert.deepEqual(tellingColumns(log), ["grows"]);
});

test("the row at a time is the last that is not later", () => {
  const times = [0, 1, 2, 3];
  assert.deepEqual(
    [-1, 0, 0.9, 1, 2.5, 9].map((time) => rowAtTime(times, time)),
    [0, 0, 0, 1, 2, 3],
  );
});

test("values lie between the edges of their scale, and ticks are among them", () => {
  for (const isLogarithmic of [false, true]) {
    const { part, isShown, ticks } = valueScale([0.001, 5, NaN, 4000, 0], isLogarithmic);
    assert.equal(isShown(0), !isLogarithmic);
    assert.equal(isShown(NaN), false);
    for (const value of [0.001, 5, 4000]) assert.ok(part(value) >= 0 && part(value) <= 1, `${value}: ${part(value)}`);
    assert.ok(part(5) > part(0.001) && part(4000) > part(5));
    assert.ok(ticks(3).length > 1 && ticks(3).every((tick) => part(tick) >= 0 && part(tick) <= 1));
  }
  assert.ok(Number.isFinite(valueScale([], true).part(1)));
});

test("colors show a round part of the range when most bodies are in a small one", () => {
  assert.deepEqual(fittingRange([0, 100], [0, 1.3]), [0, 2]);
  assert.deepEqual(fittingRange([0, 100], [0, 60]), [0, 100]);
  assert.deepEqual(fittingRange([-0.5, 0.2], [-0.01, 0.004]), [-0.01, 0.01]);
  assert.deepEqual(fittingRange([0, 3], [0, 0]), [0, 3]);
  assert.deepEqual(fittingRange([0, 1], [0, 1e-12]), [0, 1e-4], "noise stays dark");
  assert.deepEqual(fittingRange([0.4, 0.6], [0.45, 0.55]), [0.4, 0.6]);
  assert.deepEqual(beyondRounding("strain", [-5e-15, 4e-15]), [-1e-12, 1e-12]);
  assert.deepEqual(beyondRounding("strain", [-5e-9, 0]), [-5e-9, 0]);
  assert.deepEqual(beyondRounding("speed", [0, 1e-15]), [0, 1e-15]);
});
