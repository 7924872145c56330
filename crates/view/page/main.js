// Starts the page, and exposes it to scripts as `window.carom`.
import { openSource } from "./source.js";
import { joinControls } from "./controls.js";
import { pageErrors, reportError, watchErrors } from "./messages.js";
import { Viewer } from "./viewer.js";

async function start() {
  watchErrors();
  window.carom = { errors: pageErrors };
  const query = new URLSearchParams(location.search);
  try {
    const source = openSource();
    // In this order: the first request may detect that the run was replaced.
    const run = await source.run();
    const viewer = new Viewer(source, { ...run, shapes: await source.shapes() });
    joinControls(viewer);
    window.carom = viewer.hooks;
    await viewer.open(Number(query.get("frame") ?? 0) || 0);
    if (query.get("still") === "1") await viewer.hooks.show(viewer.hooks.state().frame);
  } catch (fault) {
    reportError(fault.message);
  }
  document.documentElement.dataset.done = "1";
}

start();
