//! Contact of a mesh body with the triangles of a wall, by the nodes of the body that have penetrated them, as
//! seen from just below the surface of the body.

use super::tile_contact::TileContact;
use super::wall_contact::WallPair;
use crate::dem::contact_point::{PenetrationMoments, PosedBody};
use crate::wall::MeshSurface;
use carom_detect::inside::Solid;

/// Largest penetration depth of a node, in units of the equivalent radius; deeper nodes are not held back.
const MAX_NODE_DEPTH: f64 = 0.2;

/// Returns the contact of a body, in the frame of the wall at time zero, with triangles that may touch it.
pub(super) fn node_contact<H>(
    body: &PosedBody,
    solid: &Solid,
    mesh: &MeshSurface,
    group: &[WallPair<H>],
) -> Option<TileContact> {
    let width = body.equivalent_radius();
    let reach = MAX_NODE_DEPTH * width;
    let mut moments = PenetrationMoments::default();
    let (mut deepest, mut leader) = (0.0, None);
    for ((place, area), outward) in solid.nodes().zip(solid.node_normals()) {
        let place = body.pose.transform_point(&place);
        let nearest = mesh.nearest(&place);
        let below = place - body.pose.rotation * outward * reach;
        let goes_through = |pair: &WallPair<H>| mesh.segment_crosses(pair.triangle, &below, &place);
        if nearest.distance >= reach {
            continue;
        }
        if let Some(pair) = group.iter().position(goes_through) {
            if nearest.distance > deepest {
                (deepest, leader) = (nearest.distance, Some(pair));
            }
            let outward_direction =
                (nearest.position - place) / (nearest.distance + f64::MIN_POSITIVE);
            moments.add(&place, nearest.distance, area, &outward_direction);
        }
    }
    let contact_point = moments.contact_point(moments.depth_sum() / (width * width), body)?;
    // The pair of the deepest node comes first and keeps the tangential displacement.
    let pairs = leader.into_iter().chain(0..group.len()).collect();
    Some(TileContact { contact_point, pairs })
}
