// Ranges of color scales.
import { arrayNumber } from "./container.js";
import { roundedUp } from "./numbers.js";

const mostSampled = 20000;
/** Smaller fractions of a range are rounding noise. */
const noise = 1e-4;

/** The range of a column in a frame, between two quantiles. */
export function columnRange(array, from = 0, to = 1) {
  const count = Math.min(array.count, mostSampled);
  const values = Float64Array.from({ length: count }, (_, i) =>
    arrayNumber(array, Math.floor((i * array.count) / count)),
  );
  values.sort();
  if (values.length === 0) return [0, 1];
  const at = (part) => values[Math.round(part * (values.length - 1))];
  return [at(from), at(to)];
}

/**
 * The range of the run, unless most bodies of the frame are in a small part of it next to zero: then from zero to a
 * round number above them. It changes seldom from frame to frame, and colors still differ.
 */
export function fittingRange([low, high], [least, most]) {
  const reach = Math.max(Math.abs(low), Math.abs(high));
  const here = Math.max(Math.abs(least), Math.abs(most));
  if (here === 0 || here > 0.5 * reach) return [low, high];
  const near = roundedUp(Math.max(here, noise * reach));
  return [Math.max(low, -near), Math.min(high, near)];
}

/** Smallest strain that is not rounding noise of springs at rest. */
const leastStrain = 1e-12;

/** A range, widened if it would show the rounding of positions: strain is dimensionless, so the limit has no unit. */
export function beyondRounding(name, [low, high]) {
  const isNoise = name === "strain" && Math.max(Math.abs(low), Math.abs(high)) < leastStrain;
  return isNoise ? [-leastStrain, leastStrain] : [low, high];
}
