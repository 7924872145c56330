// Connects buttons, keys and gestures to actions.
import { startGestures } from "./gestures.js";
import { startKeyboard } from "./keyboard.js";

const turnPerKey = 0.12;
const zoomPerKey = 1.25;
const narrowWindow = 820;
/** Size of bodies when springs or, in space, an overlay are shown, which full-size bodies would hide. */
const sizeUnderLines = 0.4;

/** Joins buttons, keys and gestures to a viewer. */
export function joinControls(viewer) {
  const { timeline, coloring, cut } = viewer;
  const actions = {
    " ": () => timeline.toggle(),
    ArrowLeft: (far) => timeline.step(far ? -10 : -1),
    ArrowRight: (far) => timeline.step(far ? 10 : 1),
    Home: () => timeline.seek(0),
    End: () => timeline.seek(timeline.last),
    "[": () => timeline.faster(-1),
    "]": () => timeline.faster(1),
    Escape: () => viewer.pick(null),
    c: () => coloring.chooseNext(),
    x: () => cut.chooseNext(),
    ...cameraKeys(viewer),
    ...joinButtons(viewer),
  };
  startKeyboard(actions);
  startGestures(document.getElementById("canvas"), viewer.planar, {
    orbit: (right, up) => viewer.move((camera) => camera.orbit(right, up)),
    pan: (right, up) => viewer.move((camera) => camera.pan(right, up)),
    zoom: (factor, right, up) => viewer.move((camera) => camera.zoom(factor, right, up)),
    // The numbers of the picked body are in the panel.
    pick: (x, y) => viewer.pickAt(x, y) !== null && openPanel(true),
    lookAt: (x, y) => viewer.lookAt(x, y),
  });
  joinOverlay(viewer);
  openPanel(innerWidth > narrowWindow);
}

function cameraKeys(viewer) {
  const zoom = (factor) => () => viewer.move((camera) => camera.zoom(factor));
  const turn = (right, up) => () =>
    viewer.move((camera) => (camera.planar ? camera.pan(-right, -up) : camera.orbit(right, up)));
  return {
    0: () => viewer.look("oblique"),
    1: (other) => viewer.look(other ? "-x" : "x"),
    2: (other) => viewer.look(other ? "-y" : "y"),
    3: (other) => viewer.look(other ? "-z" : "z"),
    "+": zoom(zoomPerKey),
    "=": zoom(zoomPerKey),
    "-": zoom(1 / zoomPerKey),
    w: turn(0, -turnPerKey),
    s: turn(0, turnPerKey),
    a: turn(turnPerKey, 0),
    d: turn(-turnPerKey, 0),
  };
}

/** Connects buttons that also have a key; returns the keys. */
function joinButtons(viewer) {
  document.getElementById("views").hidden = viewer.planar;
  for (const button of document.querySelectorAll("#views [data-view]"))
    button.addEventListener("click", () => viewer.look(button.dataset.view));
  document.getElementById("unpick").addEventListener("click", () => viewer.pick(null));
  const keys = {};
  const join = (id, key, action) => {
    document.getElementById(id).addEventListener("click", () => action());
    keys[key] = () => action();
  };
  join("fit", "f", () => viewer.fit());
  join("projection", "p", () => viewer.switchProjection());
  join("picture", "i", () => viewer.savePicture());
  join("theme", "t", () => viewer.switchTheme());
  join("ask", "h", () => viewer.help());
  join("follow", "o", () => viewer.switchFollowing());
  join("open-panel", "l", () => openPanel(document.getElementById("panel").hidden));
  join("open-plots", "g", () => viewer.openPlots(document.getElementById("plots").hidden));
  return { ...keys, "?": () => viewer.help() };
}

function openPanel(open) {
  document.getElementById("panel").hidden = !open;
  document.getElementById("open-panel").setAttribute("aria-expanded", String(open));
}

function joinOverlay(viewer) {
  const overlay = document.getElementById("overlay");
  const size = document.getElementById("size");
  const resize = (value) => {
    size.value = value;
    document.getElementById("size-value").textContent = `${Math.round(100 * value)} %`;
    viewer.resizeBodies(Number(value));
  };
  size.addEventListener("input", () => resize(size.value));
  const makeRoom = (shown) => {
    if (shown && Number(size.value) === 1) resize(sizeUnderLines);
    if (!shown && Number(size.value) === sizeUnderLines) resize(1);
  };
  viewer.layers.onSprings(makeRoom);
  overlay.addEventListener("change", () => {
    if (!viewer.planar) makeRoom(overlay.value !== "");
    viewer.chooseOverlay(overlay.value);
  });
}
