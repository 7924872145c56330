// From which value to which colors go.
import { arrayNumber } from "./container.js";
import { roundedUp } from "./numbers.js";

const mostSampled = 20000;
/** Smaller parts of a range are the noise of rounding. */
const noise = 1e-4;

/** The smallest and largest value of a column in a frame, between two quantiles. */
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
 * The range of the run, unless most bodies of the frame are in a small part of it next to zero: then
 * from zero to a round number above them. It changes seldom from frame to frame, and colors still tell.
 */
export function fittingRange([low, high], [least, most]) {
  const reach = Math.max(Math.abs(low), Math.abs(high));
  const here = Math.max(Math.abs(least), Math.abs(most));
  if (here === 0 || here > 0.5 * reach) return [low, high];
  const near = roundedUp(Math.max(here, noise * reach));
  return [Math.max(low, -near), Math.min(high, near)];
}

/** The least strain that springs at rest do not have by rounding alone. */
const leastStrain = 1e-12;

/** A range, wider if it would show how places are rounded: a strain is a part of a length, whatever its unit. */
export function beyondRounding(name, [low, high]) {
  const isNoise = name === "strain" && Math.max(Math.abs(low), Math.abs(high)) < leastStrain;
  return isNoise ? [-leastStrain, leastStrain] : [low, high];
}
