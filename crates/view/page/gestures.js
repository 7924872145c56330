// Gestures of mouse, pen and fingers on the canvas.

const clickReach = 5;
const turnPerHeight = 3.2;

/** `actions`: orbit, pan, zoom (in half heights of the canvas from its center), pick, lookAt. */
export function startGestures(canvas, planar, actions) {
  const pointers = new Map();
  let press = null;

  const unit = () => 2 / canvas.clientHeight;
  const fromMiddle = (x, y) => {
    const box = canvas.getBoundingClientRect();
    return [(x - box.left - box.width / 2) * unit(), (box.top + box.height / 2 - y) * unit()];
  };

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
    press = pointers.size === 1 ? { x: event.clientX, y: event.clientY, button: event.button, still: true } : null;
  });

  canvas.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = [event.clientX, event.clientY];
    if (pointers.size === 2) movePair(event.pointerId, before, now);
    else moveOne(event, before, now);
    pointers.set(event.pointerId, now);
  });

  function moveOne(event, before, now) {
    if (press?.still && Math.hypot(now[0] - press.x, now[1] - press.y) < clickReach) return;
    if (press) press.still = false;
    const [right, up] = [(now[0] - before[0]) * unit(), (before[1] - now[1]) * unit()];
    const moves = planar || event.shiftKey || event.ctrlKey || (event.buttons & 6) !== 0;
    if (moves) actions.pan(right, up);
    else actions.orbit((right * turnPerHeight) / 2, (up * turnPerHeight) / 2);
  }

  function movePair(id, before, now) {
    const other = [...pointers].find(([key]) => key !== id)[1];
    const spread = (point) => Math.hypot(point[0] - other[0], point[1] - other[1]);
    const middle = fromMiddle((now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
    actions.pan(((now[0] - before[0]) / 2) * unit(), ((before[1] - now[1]) / 2) * unit());
    if (spread(before) > 0 && spread(now) > 0) actions.zoom(spread(now) / spread(before), ...middle);
  }

  const lift = (event) => {
    pointers.delete(event.pointerId);
    if (event.type === "pointerup" && press?.still && press.button === 0) actions.pick(event.clientX, event.clientY);
    press = null;
  };
  canvas.addEventListener("pointerup", lift);
  canvas.addEventListener("pointercancel", lift);
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("dblclick", (event) => actions.lookAt(event.clientX, event.clientY));
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const lines = event.deltaMode === 1 ? 16 : 1;
      const amount = Math.max(-240, Math.min(240, event.deltaY * lines));
      actions.zoom(Math.exp(-amount * 0.0016), ...fromMiddle(event.clientX, event.clientY));
    },
    { passive: false },
  );
}
