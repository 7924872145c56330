// Parses the log of a run, a table of comma-separated values.

/**
 * Columns by name, the number of rows, and how many of these are damaged; a last line without an end is still being
 * written and is ignored.
 */
export function parseLog(text) {
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  const lines = whole.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"));
  if (lines.length === 0) return { names: [], columns: new Map(), rows: 0, damaged: 0 };
  const names = lines[0].split(",").map((name) => name.trim());
  const rows = lines.length - 1;
  const columns = new Map(names.map((name) => [name, new Float64Array(rows)]));
  const inOrder = names.map((name) => columns.get(name));
  let damaged = 0;
  for (let row = 0; row < rows; row++) {
    const fields = lines[row + 1].split(",");
    for (let i = 0; i < inOrder.length; i++) inOrder[i][row] = logNumber(fields[i]);
    if (fields.length !== names.length || fields.some(isNoNumber)) damaged++;
  }
  return { names, columns, rows, damaged };
}

/** Whether a field is neither a number nor empty; NaN and infinities count as numbers. */
function isNoNumber(field) {
  return Number.isNaN(logNumber(field)) && !["", "nan"].includes(field.trim().toLowerCase());
}

/** A number as the program writes it: `inf` where JavaScript has Infinity; NaN if there is none. */
function logNumber(field) {
  const text = field?.trim() ?? "";
  const infinite = /^([+-]?)inf(inity)?$/i.exec(text);
  if (infinite) return infinite[1] === "-" ? -Infinity : Infinity;
  return text === "" ? NaN : Number(text);
}

/** Names of the columns worth plotting: finite values that are not all equal, without time. */
export function tellingColumns(log) {
  return log.names.filter((name) => {
    if (name === "time") return false;
    const finite = log.columns.get(name).filter(Number.isFinite);
    // Differences by rounding alone would plot as noise.
    const noise = 1e-12 * Math.abs(finite[0]);
    return finite.length > 1 && finite.some((value) => Math.abs(value - finite[0]) > noise);
  });
}

/** The last row whose time is not after `time`, or 0. */
export function rowAtTime(times, time) {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}
