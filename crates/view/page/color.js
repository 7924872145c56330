// Color maps. They are straight lines and arcs in Oklab, where equal steps look equal: the lightness of the sequential
// map grows evenly, so that it also works in gray and for red-green color blindness.

const mapSize = 256;
export const paletteSize = 24;

/** A color of Oklch (lightness 0 to 1, chroma, hue in degrees) as bytes of sRGB. */
export function oklch(lightness, chroma, hue) {
  const angle = (hue * Math.PI) / 180;
  return oklab(lightness, chroma * Math.cos(angle), chroma * Math.sin(angle));
}

function oklab(lightness, a, b) {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map(gammaByte);
}

function gammaByte(linear) {
  const value = Math.min(1, Math.max(0, linear));
  return Math.round(255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055));
}

function table(count, colorAt) {
  const bytes = new Uint8Array(4 * count);
  for (let i = 0; i < count; i++) bytes.set([...colorAt(count > 1 ? i / (count - 1) : 0, i), 255], 4 * i);
  return bytes;
}

/** From dark violet over blue and green to bright yellow. */
export function sequentialMap() {
  return table(mapSize, (t) => {
    // As much chroma as sRGB has for these lightnesses and hues, smoothly: least at the greens.
    const away = t - 0.45;
    return oklch(0.33 + 0.58 * t, 0.098 + 0.22 * away ** 2 + 0.14 * away ** 3, 305 - 197 * t);
  });
}

/** Blue below the middle, red above it, light gray between. */
export function divergingMap() {
  return table(mapSize, (t) => {
    const away = Math.abs(2 * t - 1);
    return oklch(0.86 - 0.36 * away, 0.17 * away ** 0.9, t < 0.5 ? 255 : 27);
  });
}

/** Colors of categories: neighbors in the list differ much in hue, and in lightness. */
export function categoricalPalette() {
  return table(paletteSize, (_, i) => oklch([0.68, 0.78, 0.58][i % 3], 0.13, 250 + i * 137.508));
}

/** The color of bodies when colors mean nothing. */
export const plainColor = oklch(0.7, 0.075, 235);

/** The map and range of a column: symmetric about zero for both signs, from zero if it begins near it. */
export function colorScale(column, low, high) {
  if (!column) return { kind: "plain", low: 0, high: 1 };
  if (column.categorical) return { kind: "categorical", low: 0, high: paletteSize };
  if (low < 0 && high > 0) {
    const reach = Math.max(-low, high);
    return { kind: "diverging", low: -reach, high: reach };
  }
  const first = low > 0 && low < 0.15 * high ? 0 : low;
  if (high > first) return { kind: "sequential", low: first, high };
  // A constant is in the middle of the scale.
  const reach = Math.abs(low) / 2 || 1;
  return { kind: "sequential", low: low - reach, high: low + reach };
}

/** The bytes of a scale's color table. */
export function scaleTable(kind) {
  if (kind === "categorical") return categoricalPalette();
  return kind === "diverging" ? divergingMap() : sequentialMap();
}
