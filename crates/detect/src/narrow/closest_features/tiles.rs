//! Where a convex body presses on a surface of many flat tiles.
//!
//! As of two bodies (see [`Closest::pressure`](super::Closest::pressure)), but the depth is summed over all
//! tiles below the faces of the body that look at them. Areas add up: how a flat surface is cut into
//! tiles makes no difference, and a body does not notice seams.

use super::Corners;
use super::caps::{Cap, STEEP, View};
use super::mean_depth::{Mean, Sums};
use super::patch::Pressure;
use super::polygon::{CUT, Polygon, bounds};
use carom_geometry::{Pose, Vector, shape::ConvexPolyhedron};

/// A flat part of a surface.
#[derive(Clone, Copy, Debug)]
pub struct Tile<'a> {
    /// The corners of a convex polygon, in order.
    pub corners: &'a [Vector<3>],
    /// From the body to it, of length one: it pushes against this.
    pub direction: Vector<3>,
}

/// Where a body that is less than `reach` away from tiles presses on them, and the direction in which it
/// does, from the body to the tiles; `normal` is about that, and `deepest` about how much nearer than the
/// reach they are. None if no tile is below a face that looks in this direction, or all are steep.
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
    let mut faces = Vec::new();
    view.caps(body, pose, &at, deepest, &mut faces);
    let (mut sums, mut direction) = (Sums::new(deepest), Vector::zeros());
    let mut rooms = [Polygon::default(), Polygon::default()];
    let mut weight = 0.0;
    for tile in tiles {
        let Some(above) = seen(&view, tile) else { continue };
        for below in faces.iter().filter(|below| below.may_meet(&above)) {
            add(&mut sums, below, &above, reach, &mut rooms);
        }
        let before = std::mem::replace(&mut weight, sums.weight());
        direction += tile.direction * (weight - before);
    }
    let Mean { middle: [x, y, height], squares, depth, rate } = sums.mean()?;
    let pressure = Pressure {
        middle: view.place([x, y], height),
        spread: view.spread(squares),
        depth,
        // Pushes in different directions are partly lost.
        rate: rate * direction.norm() / weight,
    };
    Some((direction.try_normalize(0.0)?, pressure))
}

/// Adds where a face lies under a tile and is nearer than the reach.
fn add(sums: &mut Sums, below: &Cap, above: &Cap, reach: f64, [polygon, cut]: &mut [Polygon; 2]) {
    let [depth, height] = below.height.under(&above.height, reach);
    polygon.cut_from(below.polygon.corners(), CUT, |point| depth.at(point));
    for side in above.polygon.sides() {
        cut.cut_from(polygon.corners(), CUT, |point| side.left_of(point));
        std::mem::swap(polygon, cut);
    }
    sums.add(polygon.corners(), &depth, &height);
}

/// A tile as seen by a view; none if it is steep.
fn seen(view: &View, tile: &Tile) -> Option<Cap> {
    let mut polygon = Polygon::default();
    for corner in tile.corners {
        let way = corner - view.middle;
        polygon.push([way.dot(&view.right), way.dot(&view.up)]);
    }
    polygon.turn_left();
    let [a, b, c] = [0, 1, 2].map(|corner| tile.corners[corner]);
    let normal = (b - a).cross(&(c - a)).try_normalize(0.0)?;
    if normal.dot(&view.normal).abs() < STEEP {
        return None;
    }
    let height = view.plane(&normal, &(a - view.middle));
    let [low, high] = bounds(polygon.corners())?;
    Some(Cap { polygon, height, low, high })
}
