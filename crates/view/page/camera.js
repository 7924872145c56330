// The camera: a target, a distance and two angles about the vertical axis z. Lengths are those of the run; points of
// the canvas are measured from its center in half heights.

const fieldOfView = (32 * Math.PI) / 180;
const halfTangent = Math.tan(fieldOfView / 2);

/** Azimuth and elevation of the named views. */
const namedViews = {
  oblique: [-Math.PI / 3, 0.42],
  x: [0, 0],
  y: [-Math.PI / 2, 0],
  z: [-Math.PI / 2, Math.PI / 2],
  "-x": [Math.PI, 0],
  "-y": [Math.PI / 2, 0],
  "-z": [-Math.PI / 2, -Math.PI / 2],
};

export class Camera {
  target = [0, 0, 0];
  distance = 10;
  azimuth = 0;
  elevation = 0;
  aspect = 1;
  /** Name of the view, or "free". */
  view = "free";

  constructor(dimension) {
    this.planar = dimension === 2;
    this.perspective = !this.planar;
    this.look(this.planar ? "z" : "oblique");
  }

  /** Turns to a named view; views along an axis have parallel projection. */
  look(view) {
    [this.azimuth, this.elevation] = namedViews[view];
    this.view = view;
    this.perspective = view === "oblique" && !this.planar;
  }

  /** Unit vectors to the right, up, and backwards to the eye. */
  axes() {
    const [ca, sa] = [Math.cos(this.azimuth), Math.sin(this.azimuth)];
    const [ce, se] = [Math.cos(this.elevation), Math.sin(this.elevation)];
    return { right: [-sa, ca, 0], up: [-se * ca, -se * sa, ce], back: [ce * ca, ce * sa, se] };
  }

  /** Half of the visible height at the target. */
  halfHeight() {
    return this.distance * halfTangent;
  }

  orbit(right, up) {
    if (this.planar) return;
    this.azimuth -= right;
    this.elevation = Math.min(Math.PI / 2, Math.max(-Math.PI / 2, this.elevation - up));
    this.view = "free";
  }

  /** Moves the target so that what was at the target is then (right, up) from the center. */
  pan(right, up) {
    const axes = this.axes();
    const unit = this.halfHeight();
    this.target = this.target.map((value, i) => value - unit * (right * axes.right[i] + up * axes.up[i]));
  }

  /** Zooms by a factor; the point at (right, up) stays where it is. */
  zoom(factor, right = 0, up = 0) {
    const bounded = Math.min(Math.max(this.distance / factor, 1e-9), 1e12);
    const truly = this.distance / bounded;
    this.pan(right * (1 / truly - 1), up * (1 / truly - 1));
    this.distance = bounded;
  }

  /** Moves target and distance so that a box fills the canvas but for a margin. */
  fit({ low, high }, margin = 0.9) {
    this.target = low.map((value, i) => (value + high[i]) / 2);
    const half = low.map((value, i) => (high[i] - value) / 2);
    const { right, up, back } = this.axes();
    let distance = 0;
    for (let corner = 0; corner < 8; corner++) {
      const point = half.map((value, i) => ((corner >> i) & 1 ? value : -value));
      const across = Math.abs(dot3(point, right)) / this.aspect;
      const needed = Math.max(across, Math.abs(dot3(point, up))) / (halfTangent * margin);
      distance = Math.max(distance, needed + (this.perspective ? dot3(point, back) : 0));
    }
    this.distance = distance > 0 ? distance : 10;
  }

  /** Projects a point: offsets from the center in half heights, and the size of a unit there; null behind the eye. */
  project(point) {
    const { right, up, back } = this.axes();
    const offset = point.map((value, i) => value - this.target[i]);
    const depth = this.perspective ? this.distance - dot3(offset, back) : this.distance;
    if (depth <= 0) return null;
    const unit = 1 / (depth * halfTangent);
    return { right: dot3(offset, right) * unit, up: dot3(offset, up) * unit, unit };
  }

  /** Uniforms of a draw: positions are relative to the target, which keeps 32-bit floats precise enough. */
  uniforms(bounds) {
    const { right, up, back } = this.axes();
    const center = bounds.low.map((value, i) => (value + bounds.high[i]) / 2);
    const reach = distance3(center, this.target) + 0.55 * distance3(bounds.low, bounds.high) + 1e-6 * this.distance;
    const far = this.distance + reach;
    const near = this.perspective ? Math.max(this.distance - reach, 2e-3 * this.distance) : this.distance - reach;
    return {
      rotation: [right[0], up[0], back[0], right[1], up[1], back[1], right[2], up[2], back[2]],
      projection: this.perspective ? this.#perspective(near, far) : this.#parallel(near, far),
      near,
      far,
    };
  }

  #perspective(near, far) {
    const scale = 1 / halfTangent;
    const depth = 1 / (near - far);
    return [
      scale / this.aspect,
      0,
      0,
      0,
      0,
      scale,
      0,
      0,
      0,
      0,
      (near + far) * depth,
      -1,
      0,
      0,
      2 * near * far * depth,
      0,
    ];
  }

  #parallel(near, far) {
    const scale = 1 / this.halfHeight();
    const depth = 1 / (near - far);
    return [scale / this.aspect, 0, 0, 0, 0, scale, 0, 0, 0, 0, 2 * depth, 0, 0, 0, (near + far) * depth, 1];
  }
}

export function dot3(a, b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function distance3(a, b) {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
