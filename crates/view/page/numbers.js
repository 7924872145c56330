// Formats numbers for people: a few significant digits, ticks at round values.

/** A number with at most `digits` significant digits, with a power of ten where it is needed. */
export function formatNumber(value, digits = 4) {
  if (Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text =
    size >= 1e6 || size < 1e-3
      ? Number(value.toPrecision(digits)).toExponential().replace("e+", "e")
      : String(Number(value.toPrecision(Math.max(digits, Number.isInteger(value) ? 7 : 0))));
  return text.replaceAll("-", "−");
}

/** An integer with a thin space between thousands. */
export function formatCount(value) {
  return String(value).replace(/\B(?=(\d{3})+$)/g, "\u2009");
}

/** Round values from `low` to `high`, about `count` of them. */
export function roundTicks(low, high, count) {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return [low];
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999);
  // Beyond 1e12 neighboring ticks are not distinguished, and the loop would hardly end.
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  if (!(Math.abs(first) < 1e12 && Math.abs(last) < 1e12)) return [low];
  const ticks = [];
  for (let i = first; i <= last; i++) ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
}

/** The least of …, 1, 2, 5, 10, 20, … that is not below a positive value. */
export function roundedUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return Number((power * [1, 2, 5, 10].find((factor) => factor * power >= value * (1 - 1e-9))).toPrecision(12));
}

/** A name from a file in words. */
export function wordsOf(name) {
  return name.replaceAll("_", " ");
}
