// Says what is in the run.
import { readManifest } from "./source.js";

export async function start() {
  const run = await readManifest();
  document.getElementById("facts").textContent = `${run.title}: ${run.frames.length} frames`;
  document.documentElement.dataset.done = "1";
}

start();
