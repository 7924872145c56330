// Decodes frames and overlays (gzip): the length of the header as u32, a JSON header, then arrays of numbers. Nothing
// here depends on the page or on drawing. `src/container.rs` writes the format.

const containerTypes = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, i16: Int16Array, f32: Float32Array };

/** The arrays of a container by name; throws an error if the bytes are not a container. */
export function decodeContainer(buffer) {
  const header = containerHeader(buffer);
  const start = 4 + new DataView(buffer).getUint32(0, true);
  const arrays = new Map();
  for (const entry of header.arrays) arrays.set(entry.name, containerArray(buffer, start, entry));
  return { time: header.time, bodies: header.bodies, arrays, bytes: buffer.byteLength };
}

function containerHeader(buffer) {
  const length = buffer.byteLength < 4 ? 0 : new DataView(buffer).getUint32(0, true);
  if (length === 0 || 4 + length > buffer.byteLength) throw new Error("the data is cut short: its header is not whole");
  const text = new TextDecoder().decode(new Uint8Array(buffer, 4, length));
  let header;
  try {
    header = JSON.parse(text);
  } catch {
    throw new Error("the data has a header that is not JSON");
  }
  if (!header || !Array.isArray(header.arrays)) throw new Error("the data has a header without arrays");
  return header;
}

function containerArray(buffer, start, entry) {
  const Type = containerTypes[entry.type];
  if (!Type) throw new Error(`the array ${entry.name} has numbers of an unknown type, ${entry.type}`);
  const length = entry.count * entry.components;
  const first = start + entry.offset;
  if (!(first % 8 === 0 && first + length * Type.BYTES_PER_ELEMENT <= buffer.byteLength))
    throw new Error(`the data is cut short: the array ${entry.name} is not whole`);
  return {
    type: entry.type,
    components: entry.components,
    count: entry.count,
    values: new Type(buffer, first, length),
    low: entry.low ?? new Array(entry.components).fill(0),
    step: entry.step ?? new Array(entry.components).fill(1),
  };
}

/** One value of an array, in the units of the run. */
export function arrayNumber(array, index, component = 0) {
  return array.low[component] + array.step[component] * array.values[index * array.components + component];
}

/** The bytes that a gzip stream contains; other bytes are returned unchanged. */
export async function gunzip(bytes) {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes.slice().buffer;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  try {
    return await new Response(stream).arrayBuffer();
  } catch {
    throw new Error("the compressed data is cut short or damaged");
  }
}

/** The bytes of a text in base64; white space is ignored. */
export function bytesOfBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
}
