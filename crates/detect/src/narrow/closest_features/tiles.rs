//! Where a convex body presses on a surface of many flat tiles.
//!
//! As of two bodies (see [`Closest::pressure`](super::Closest::pressure)), but the depth is summed over all
//! tiles below the face of the body that looks at them. Areas add up: how a flat surface is cut into
//! tiles makes no difference, and a body does not notice seams.

use super::Corners;
use super::patch::{Mean, Polygon, Pressure, STEEP, Sums, View};
use carom_geometry::{Pose, Vector, shape::ConvexPolyhedron};

/// A flat part of a surface.
#[derive(Clone, Copy, Debug)]
pub struct Tile<'a> {
    /// The corners of a convex polygon, in order.
    pub corners: &'a [Vector<3>],
    /// From the body to it, of length one: along this the distance is measured.
    pub direction: Vector<3>,
}

/// Where a body that is less than `reach` away from tiles presses on them, and the direction in which it
/// does, from the body to the tiles; `normal` is about that, and `deepest` about how much nearer than the
/// reach they are. None if no tile is below the face that looks in this direction, or all are steep.
///
/// ```
/// use carom_detect::narrow::{Tile, pressure_on_tiles};
/// use carom_geometry::{Pose, Vector, shape::ConvexPolyhedron};
/// let corners: Vec<Vector<3>> =
///     (0..8).map(|k| Vector::from([k & 1, k >> 1 & 1, k >> 2].map(f64::from))).collect();
/// let cube = ConvexPolyhedron::hull(&corners)?;
/// let floor = [[-5., -5., -0.01], [5., -5., -0.01], [5., 5., -0.01], [-5., 5., -0.01]];
/// let floor = floor.map(Vector::from);
/// let direction = -Vector::z();
/// let tiles = [[0, 1, 2], [0, 2, 3]].map(|tile| tile.map(|corner| floor[corner]));
/// let tiles = tiles.each_ref().map(|corners| Tile { corners, direction });
/// let (normal, pressure) =
///     pressure_on_tiles(&cube, &Pose::identity(), &direction, &tiles, 0.02, 0.01).unwrap();
/// assert!((normal - direction).norm() < 1e-12 && (pressure.depth - 0.01).abs() < 1e-12);
/// assert!((pressure.middle - Vector::from([0.5, 0.5, -0.005])).norm() < 1e-12);
/// # Ok::<(), carom_geometry::mesh::HullError>(())
/// ```
pub fn pressure_on_tiles(
    body: &ConvexPolyhedron,
    pose: &Pose,
    normal: &Vector<3>,
    tiles: &[Tile],
    reach: f64,
    deepest: f64,
) -> Option<(Vector<3>, Pressure)> {
    let nearest = body.support(&pose.rotation.tr_mul(normal));
    let view = View::along(normal, pose.apply(&body.vertices()[nearest as usize]));
    let at = Corners { vertices: [nearest, 0, 0], count: 1 };
    let (face, height) = view.face(body, pose, &at, normal)?;
    let (mut sums, mut direction, mut pressed) = (Sums::default(), Vector::zeros(), Vec::new());
    for tile in tiles {
        let Some((outline, plane)) = outline(&view, tile) else { continue };
        let depth = |point: [f64; 2]| {
            let way = tile.corners[0] - view.place(point, height.at(point));
            reach - plane.dot(&way)
        };
        let mut shared = face.clone();
        outline.sides(|side| shared.clip(|point| side.left_of(point)));
        shared.clip(depth);
        let more = shared.sums(deepest, depth);
        sums.sum += more.sum;
        sums.slope += more.slope;
        (0..2).for_each(|axis| sums.moment[axis] += more.moment[axis]);
        direction += tile.direction * more.slope;
        pressed.push(shared);
    }
    let mean = sums.mean(face.area(), deepest, |middle| squares(&pressed, middle))?;
    let Mean { middle, depth, rate, .. } = mean;
    let pressure = Pressure {
        middle: view.place(middle, height.at(middle) + 0.5 * (reach - depth)),
        spread: view.spread(mean.squares),
        depth,
        // Pushes in different directions are partly lost.
        rate: rate * direction.norm() / sums.slope,
    };
    Some((direction.try_normalize(0.0)?, pressure))
}

/// A tile as seen by a view, to the left, and its normal for a distance of one along its direction; none
/// if it is steep.
fn outline(view: &View, tile: &Tile) -> Option<(Polygon, Vector<3>)> {
    let mut outline = Polygon::empty();
    for corner in tile.corners {
        let way = corner - view.middle;
        outline.push([way.dot(&view.right), way.dot(&view.up)]);
    }
    if outline.area() < 0.0 {
        outline.turn_round();
    }
    let [a, b, c] = [0, 1, 2].map(|corner| tile.corners[corner]);
    let normal = (b - a).cross(&(c - a)).try_normalize(0.0)?;
    let rise = normal.dot(&tile.direction);
    (rise.abs() >= STEEP).then(|| (outline, normal / rise))
}

/// The mean squares of the way from a point over several polygons.
fn squares(all: &[Polygon], middle: [f64; 2]) -> [f64; 3] {
    let whole: f64 = all.iter().map(Polygon::area).sum();
    let mut squares = [0.0; 3];
    for polygon in all.iter().filter(|polygon| polygon.area() > 0.0) {
        let own = polygon.squares(middle);
        (0..3).for_each(|part| squares[part] += own[part] * polygon.area() / whole);
    }
    squares
}
