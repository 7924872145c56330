//! The contact patch of a convex body on a surface of many flat tiles.
//!
//! It is that of two bodies (see [`ClosestPoints::contact_patch`](super::ClosestPoints::contact_patch)), except that
//! the depth is integrated over all tiles below the faces of the body that face them. Areas add up: how a flat
//! surface is cut into tiles makes no difference, and a body does not feel seams.

use super::FeatureVertices;
use super::clip_polygon::{CUT_EDGE, ClipPolygon, bounds};
use super::contact_patch::ContactPatch;
use super::face_caps::{FaceCap, MIN_FACE_COSINE, TangentPlaneFrame};
use super::mean_depth::{DepthIntegrals, MeanDepth};
use carom_geometry::{Pose, Vector, shape::ConvexPolyhedron};

/// A flat part of a surface.
#[derive(Clone, Copy, Debug)]
pub struct Tile<'a> {
    /// The corners of a convex polygon, in order.
    pub corners: &'a [Vector<3>],
    /// The unit normal from the body to the tile; the tile pushes against it.
    pub direction: Vector<3>,
}

/// Returns the direction in which a body presses on tiles, from the body to the tiles, and its contact patch on
/// those less than `reach` away. `normal` is an approximate direction, `deepest` the largest depth by which they are
/// nearer than the reach. Returns `None` if no tile is below a face with this direction, or all are steep.
///
/// ```
/// use carom_detect::narrow::{Tile, contact_patch_on_tiles};
/// use carom_geometry::{Pose, Vector, shape::ConvexPolyhedron};
/// let corners: Vec<Vector<3>> =
///     (0..8).map(|k| Vector::from([k & 1, k >> 1 & 1, k >> 2].map(f64::from))).collect();
/// let cube = ConvexPolyhedron::hull(&corners)?;
/// let floor = [[-5., -5., -0.01], [5., -5., -0.01], [5., 5., -0.01], [-5., 5., -0.01]];
/// let floor = floor.map(Vector::from);
/// let direction = -Vector::z();
/// let tiles = [[0, 1, 2], [0, 2, 3]].map(|tile| tile.map(|corner| floor[corner]));
/// let tiles = tiles.each_ref().map(|corners| Tile { corners, direction });
/// let (normal, patch) =
///     contact_patch_on_tiles(&cube, &Pose::identity(), &direction, &tiles, 0.02, 0.01).unwrap();
/// assert!((normal - direction).norm() < 1e-12 && (patch.depth - 0.01).abs() < 1e-12);
/// assert!((patch.center - Vector::from([0.5, 0.5, -0.005])).norm() < 1e-12);
/// # Ok::<(), carom_geometry::mesh::HullError>(())
/// ```
pub fn contact_patch_on_tiles(
    body: &ConvexPolyhedron,
    pose: &Pose,
    normal: &Vector<3>,
    tiles: &[Tile],
    reach: f64,
    deepest: f64,
) -> Option<(Vector<3>, ContactPatch)> {
    let nearest = body.support(&pose.rotation.tr_mul(normal));
    let view = TangentPlaneFrame::from_normal(
        normal,
        pose.transform_point(&body.vertices()[nearest as usize]),
    );
    let at = FeatureVertices { vertices: [nearest, 0, 0], count: 1 };
    let mut faces = Vec::new();
    view.collect_face_caps(body, pose, &at, deepest, &mut faces);
    let (mut sums, mut direction) = (DepthIntegrals::new(deepest), Vector::zeros());
    let mut rooms = [ClipPolygon::default(), ClipPolygon::default()];
    let mut weight = 0.0;
    for tile in tiles {
        let Some(above) = project_tile(&view, tile) else { continue };
        for below in faces.iter().filter(|below| below.bounds_overlap(&above)) {
            add_overlap(&mut sums, below, &above, reach, &mut rooms);
        }
        let before = std::mem::replace(&mut weight, sums.total_weight());
        direction += tile.direction * (weight - before);
    }
    let MeanDepth { center: [x, y, height], second_moments: squares, depth, depth_rate: rate } =
        sums.mean()?;
    let pressure = ContactPatch {
        center: view.to_world([x, y], height),
        second_moment: view.second_moment(squares),
        depth,
        // Forces in different directions partly cancel.
        depth_rate: rate * direction.norm() / weight,
    };
    Some((direction.try_normalize(0.0)?, pressure))
}

/// Adds the region in which a face lies under a tile and is nearer than the reach.
fn add_overlap(
    sums: &mut DepthIntegrals,
    below: &FaceCap,
    above: &FaceCap,
    reach: f64,
    [polygon, cut]: &mut [ClipPolygon; 2],
) {
    let [depth, height] = below.height.depth_and_mid_height(&above.height, reach);
    polygon.clip_from(below.polygon.corners(), CUT_EDGE, |point| depth.evaluate(point));
    for side in above.polygon.edges() {
        cut.clip_from(polygon.corners(), CUT_EDGE, |point| side.orientation(point));
        std::mem::swap(polygon, cut);
    }
    sums.add(polygon.corners(), &depth, &height);
}

/// Projects a tile onto the tangent plane; `None` if it is steep.
fn project_tile(view: &TangentPlaneFrame, tile: &Tile) -> Option<FaceCap> {
    let mut polygon = ClipPolygon::default();
    for corner in tile.corners {
        let offset = corner - view.origin;
        polygon.push([offset.dot(&view.tangent), offset.dot(&view.bitangent)]);
    }
    polygon.make_counterclockwise();
    let [a, b, c] = [0, 1, 2].map(|corner| tile.corners[corner]);
    let normal = (b - a).cross(&(c - a)).try_normalize(0.0)?;
    if normal.dot(&view.normal).abs() < MIN_FACE_COSINE {
        return None;
    }
    let height = view.plane_height(&normal, &(a - view.origin));
    let [low, high] = bounds(polygon.corners())?;
    Some(FaceCap { polygon, height, low, high })
}
