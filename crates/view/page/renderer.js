// Draws the shown frame, in this order: bodies, lines, walls.
import { openContext, rendererOf } from "./gl.js";
import { divergingMap } from "./color.js";
import { Bodies } from "./bodies.js";
import { Spheres } from "./spheres.js";
import { Shapes } from "./shapes.js";
import { BodyLines, PointLines, boxEdges, thinned } from "./lines.js";
import { Walls } from "./walls.js";
import { Surface } from "./surface.js";
import { PickBuffer } from "./picking.js";

const largestPicture = 16e6;
const uncut = [0, 0, 0, 1];

export class Renderer {
  /** Visible layers by name; set from outside. */
  layers = { walls: true, box: true, springs: false, broken: false, rotation: false, shading: true };
  /** Drawn size of bodies over their actual size. */
  bodySize = 1;
  /** The clipping plane: `axis`, `at`, and whether the other side is kept; or null. */
  clip = null;
  theme = null;
  #canvas;
  #gl;
  #run;
  #parts;
  #frame = null;
  #bounds = null;

  constructor(canvas, run) {
    this.#canvas = canvas;
    this.#run = run;
    this.#gl = openContext(canvas);
    const { name, software } = rendererOf(this.#gl);
    this.name = name;
    this.software = software;
    this.rebuild();
  }

  /** Creates all resources of the GPU; again after a lost context. */
  rebuild() {
    const gl = this.#gl;
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    const bodies = new Bodies(gl);
    this.#parts = {
      bodies,
      spheres: new Spheres(gl, bodies),
      shapes: new Shapes(gl, this.#run.shapes),
      springs: new BodyLines(gl),
      edges: new BodyLines(gl),
      cells: new PointLines(gl),
      outlines: new PointLines(gl),
      box: new PointLines(gl),
      walls: new Walls(gl),
      surface: new Surface(gl),
      picks: new PickBuffer(gl),
      tones: this.#toneTexture(),
    };
    if (this.#run.box) this.#parts.box.show(boxEdges(this.#run.box, this.#run.dimension));
  }

  #toneTexture() {
    const gl = this.#gl;
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 256, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, divergingMap());
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    return texture;
  }

  /** Uploads a frame (or none); `bounds` enclose everything that is drawn. */
  show(frame, bounds) {
    const { bodies, shapes, springs, outlines, walls } = this.#parts;
    this.#frame = frame;
    this.#bounds = bounds;
    bodies.show(frame);
    shapes.show(frame ? frame.groups : []);
    const array = (name) => frame?.arrays.get(name) ?? null;
    springs.show(array("spring"), array("spring.strain"), array("spring.broken"));
    outlines.show(array("line")?.values ?? new Float32Array(0));
    walls.show(array("wall")?.values ?? new Float32Array(0));
    this.showOverlay(null);
  }

  showOverlay(container) {
    this.#parts.edges.show(container?.arrays.get("edge") ?? null);
    this.#parts.cells.show(container?.arrays.get("segment")?.values ?? new Float32Array(0));
  }

  get bodyCount() {
    return this.#parts.bodies.count;
  }

  colorBy(name, scale) {
    this.#parts.bodies.colorBy(name, scale);
  }

  pick(index) {
    this.#parts.bodies.picked = index < 0 ? 0xffffffff : index;
  }

  /**
   * Draws at `scale` pixels per pixel of the canvas, and only one of `every` n spheres; with ambient occlusion if
   * `fine`.
   */
  draw(camera, { scale, every, fine }) {
    const gl = this.#gl;
    const { surface } = this.#parts;
    const [width, height] = this.#pictureSize(scale);
    const eye = this.#eye(camera, width, height);
    surface.begin(width, height, this.theme);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    if (this.#frame) this.#drawBodies(camera, eye, [], every);
    // Blended lines and transparent walls come after the opaque bodies that shine through them.
    this.#drawLines(camera, eye);
    this.#drawWalls(camera, eye);
    surface.present(this.#canvas, fine && this.layers.shading && !camera.planar ? this.#shading(eye, camera) : null);
  }

  finish() {
    this.#parts.surface.finish();
  }

  #pictureSize(scale) {
    const { width, height } = this.#canvas;
    const most = Math.min(scale, Math.sqrt(largestPicture / (width * height)));
    return [width, height].map((size) => Math.max(1, Math.round(size * most)));
  }

  #eye(camera, width, height) {
    const { target } = camera;
    const view = camera.uniforms(this.#bounds ?? { low: target, high: target });
    return {
      ...view,
      eyeDistance: camera.distance,
      perspective: camera.perspective ? 1 : 0,
      // Length of a pixel at distance 1, or at any distance in parallel projection.
      pixel: (2 * camera.halfHeight()) / height / (camera.perspective ? camera.distance : 1),
      clip: this.#clipPlane(target),
      viewport: [width, height],
      // Picture pixels per CSS pixel.
      density: height / (this.#canvas.clientHeight || 1),
      bodySize: this.bodySize,
      accent: this.theme.accent,
      rimTone: this.theme.rim,
      target,
    };
  }

  #clipPlane(target) {
    if (!this.clip) return uncut;
    const { axis, at, flipped } = this.clip;
    const sign = flipped ? -1 : 1;
    const plane = [0, 0, 0, sign * (at - target[axis])];
    plane[axis] = sign;
    return plane;
  }

  #drawBodies(camera, eye, look, every) {
    const { bodies, spheres, shapes } = this.#parts;
    if (bodies.count === 0) return;
    const uniforms = bodies.uniforms(camera.target);
    const flat = camera.planar ? [this.#fillsGaps() ? "FILL" : "FLAT"] : [];
    const cut = this.clip ? ["CUT"] : [];
    const marks = this.layers.rotation && bodies.hasRotation && look.length === 0 ? ["MARKS"] : [];
    spheres.draw([...flat, ...cut, ...marks, ...look], every, eye, uniforms);
    shapes.draw([...flat, ...cut, ...look], eye, uniforms);
  }

  /** Particles of a solid in the plane are drawn without gaps, unless they are shrunk to show springs. */
  #fillsGaps() {
    return this.#run.engine === "bonded" && this.bodySize === 1;
  }

  #drawLines(camera, eye) {
    const gl = this.#gl;
    const { density } = eye;
    const { bodies, edges, cells, outlines, box } = this.#parts;
    const { line, faint, overlay } = this.theme;
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    // Thin lines leave the depth buffer as it is, so that they cast no occlusion; springs are drawn before them.
    if (bodies.count > 0 && this.layers.springs) this.#drawSprings(camera, eye);
    gl.depthMask(false);
    if (this.layers.box) box.draw(eye, { clip: uncut, ink: faint, width: 1.25 * density });
    if (this.layers.walls) outlines.draw(eye, { ink: line, width: 1.75 * density });
    cells.draw(eye, { ink: thinned(overlay, cells.count, camera.planar), width: 1.25 * density });
    if (bodies.count > 0) {
      const own = { ink: thinned(overlay, edges.count, camera.planar), width: 1.25 * density, period: this.#period() };
      edges.draw({}, eye, bodies.uniforms(camera.target), own);
    }
    gl.depthMask(true);
  }

  #drawSprings(camera, eye) {
    const gl = this.#gl;
    const { bodies, springs, tones } = this.#parts;
    const uniforms = bodies.uniforms(camera.target);
    gl.activeTexture(gl.TEXTURE5);
    gl.bindTexture(gl.TEXTURE_2D, tones);
    gl.activeTexture(gl.TEXTURE0);
    const own = { ink: this.theme.line, width: eye.density, period: [0, 0, 0] };
    springs.draw({ broken: !this.layers.broken }, eye, uniforms, own);
  }

  #period() {
    const { box } = this.#run;
    return [0, 1, 2].map((axis) => (box?.periodic?.[axis] ? box.high[axis] - box.low[axis] : 0));
  }

  #drawWalls(camera, eye) {
    if (!this.layers.walls) return;
    const gl = this.#gl;
    gl.depthMask(false);
    this.#parts.walls.draw(eye, { ink: this.theme.wall });
    gl.depthMask(true);
  }

  #shading({ near, far, pixel, viewport }, camera) {
    const thickness = this.#frame?.typicalRadius || camera.halfHeight() / 50;
    const onScreen = thickness / (pixel * (camera.perspective ? camera.distance : 1));
    const reach = Math.min(Math.max(0.7 * onScreen, 2), 0.03 * viewport[1]);
    return {
      nearFar: [near, far],
      reach: [reach / viewport[0], reach / viewport[1]],
      thickness,
      perspective: camera.perspective ? 1 : 0,
    };
  }

  /** The index of the body at a point of the canvas, in its own pixels, or -1. */
  bodyAt(camera, x, y) {
    if (!this.#frame) return -1;
    const { width, height } = this.#canvas;
    const eye = this.#eye(camera, width, height);
    return this.#parts.picks.find(x, y, width, height, () => this.#drawBodies(camera, eye, ["PICK"], 1));
  }
}
