// A ring around the picked body, visible also when others are in front of it.
import { arrayNumber } from "./container.js";
import { bodyPosition } from "./frame.js";

const ringGap = 5;

/** Places the ring at body `index` of a frame on the canvas; -1 hides it. */
export function placeRing(canvas, camera, frame, index) {
  const ring = document.getElementById("ring");
  const place = index < 0 ? null : camera.project(bodyPosition(frame, index));
  ring.hidden = place === null;
  if (!place) return;
  const half = canvas.clientHeight / 2;
  const radii = frame.arrays.get("radius");
  const reach = (radii ? arrayNumber(radii, index) * place.unit * half : 0) + ringGap;
  ring.style.width = ring.style.height = `${2 * reach}px`;
  ring.style.left = `${canvas.clientWidth / 2 + place.right * half - reach}px`;
  ring.style.top = `${half - place.up * half - reach}px`;
}

/** The point of the page at a position of the run, or null. */
export function pointOnPage(canvas, camera, place) {
  const point = camera.project(place);
  const { left, top, width, height } = canvas.getBoundingClientRect();
  return point && [left + width / 2 + (point.right * height) / 2, top + height / 2 - (point.up * height) / 2];
}
