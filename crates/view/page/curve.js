// A plot of one column over time on a canvas: axes, the line, and a mark at the shown time.
import { formatNumber, roundTicks } from "./numbers.js";

const curveMargin = { left: 46, right: 6, top: 6, bottom: 18 };

/** Maps values to 0 … 1; says which values can be shown, and has round ticks among them. */
export function valueScale(values, isLogarithmic) {
  const isShown = isLogarithmic ? (value) => Number.isFinite(value) && value > 0 : Number.isFinite;
  const measure = isLogarithmic ? Math.log10 : (value) => value;
  const [low, high] = shownRange(values, isShown, measure);
  return {
    isShown,
    part: (value) => (measure(value) - low) / (high - low),
    ticks: (count) => (isLogarithmic ? decadeTicks(low, high, count) : roundTicks(low, high, count)),
  };
}

/** Powers of ten between two exponents. */
function decadeTicks(low, high, count) {
  const step = Math.max(1, Math.ceil((high - low) / count));
  const ticks = [];
  for (let decade = Math.ceil(low / step) * step; decade <= high; decade += step) ticks.push(10 ** decade);
  return ticks;
}

/** The range of measures, a little wider; zero stays at the edge. */
function shownRange(values, isShown, measure) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (!isShown(value)) continue;
    low = Math.min(low, measure(value));
    high = Math.max(high, measure(value));
  }
  if (low > high) return [0, 1];
  const slack = high > low ? 0.04 * (high - low) : Math.abs(high) || 1;
  return [low === 0 ? 0 : low - slack, high + slack];
}

/** The time under a point of the window. */
export function timeUnder(canvas, x, times) {
  const box = canvas.getBoundingClientRect();
  const part = (x - box.left - curveMargin.left) / (box.width - curveMargin.left - curveMargin.right);
  return times[0] + Math.min(1, Math.max(0, part)) * (times[times.length - 1] - times[0]);
}

/** Draws `values` over `times`, with a mark at `time` and `value`. */
export function drawCurve(canvas, { times, values, time, value, isLogarithmic, colors }) {
  const density = devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  [canvas.width, canvas.height] = [Math.round(width * density), Math.round(height * density)];
  const pen = canvas.getContext("2d");
  pen.scale(density, density);
  const scale = valueScale(values, isLogarithmic);
  const [first, last] = [times[0], times[times.length - 1]];
  const right = width - curveMargin.right;
  const bottom = height - curveMargin.bottom;
  const x = (at) => curveMargin.left + ((at - first) / (last - first || 1)) * (right - curveMargin.left);
  const y = (at) => bottom - scale.part(at) * (bottom - curveMargin.top);
  const area = { pen, x, y, right, bottom, first, last };
  drawAxes(area, scale, colors);
  drawLine(area, times, values, scale.isShown, colors.curve);
  drawMark(area, time, scale.isShown(value) ? value : null, colors.text);
}

function drawAxes({ pen, x, y, right, bottom, first, last }, scale, colors) {
  pen.font = "11px system-ui, sans-serif";
  pen.fillStyle = colors.quiet;
  pen.strokeStyle = colors.rule;
  pen.lineWidth = 1;
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  for (const value of scale.ticks(bottom > 60 ? 3 : 2)) {
    const at = Math.round(y(value)) + 0.5;
    pen.beginPath();
    pen.moveTo(curveMargin.left, at);
    pen.lineTo(right, at);
    pen.stroke();
    pen.fillText(formatNumber(value, 3), curveMargin.left - 6, at);
  }
  pen.textBaseline = "alphabetic";
  for (const time of roundTicks(first, last, 5)) {
    pen.textAlign = x(time) > right - 12 ? "right" : "center";
    pen.fillText(formatNumber(time, 3), x(time), bottom + 14);
  }
}

/**
 * The line as pieces of points `[x, value]`, with a gap wherever a value cannot be shown. Where many rows share a
 * column of pixels, it goes through their minimum, maximum and last value.
 */
export function linePieces(times, values, isShown, x) {
  const pieces = [];
  let piece = [];
  let column = null;
  const endColumn = () => {
    if (column) for (const value of new Set([column.low, column.high, column.last])) piece.push([column.at, value]);
    column = null;
  };
  const endPiece = () => {
    endColumn();
    if (piece.length > 0) pieces.push(piece);
    piece = [];
  };
  for (let row = 0; row < values.length; row++) {
    const [at, value] = [x(times[row]), values[row]];
    if (!isShown(value) || !Number.isFinite(at)) {
      endPiece();
    } else if (column && at - column.at < 0.5) {
      column = { at: column.at, low: Math.min(column.low, value), high: Math.max(column.high, value), last: value };
    } else {
      endColumn();
      column = { at, low: value, high: value, last: value };
    }
  }
  endPiece();
  return pieces;
}

function drawLine({ pen, x, y }, times, values, isShown, color) {
  pen.strokeStyle = color;
  pen.lineWidth = 1.6;
  pen.lineJoin = "round";
  pen.beginPath();
  for (const [[at, value], ...rest] of linePieces(times, values, isShown, x)) {
    pen.moveTo(at, y(value));
    for (const [at, value] of rest) pen.lineTo(at, y(value));
    // A line without length would not be drawn.
    if (rest.length === 0) pen.lineTo(at + pen.lineWidth, y(value));
  }
  pen.stroke();
}

function drawMark({ pen, x, y, bottom, first, last }, time, value, color) {
  const at = x(Math.min(last, Math.max(first, time)));
  pen.strokeStyle = color;
  pen.lineWidth = 1;
  pen.beginPath();
  pen.moveTo(at, curveMargin.top - 4);
  pen.lineTo(at, bottom);
  pen.stroke();
  if (value === null) return;
  pen.fillStyle = color;
  pen.beginPath();
  pen.arc(at, y(value), 3, 0, 2 * Math.PI);
  pen.fill();
}
