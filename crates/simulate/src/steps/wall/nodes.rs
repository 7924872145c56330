//! Where a body bounded by triangles touches the triangles of a wall: with its corners that have gone
//! through, as seen from just below its surface.

use super::surface::MeshSurface;
use super::tiles::OnTiles;
use super::touch::WallPair;
use crate::steps::meeting::{Placed, Pressed};
use carom_detect::inside::Solid;

/// A corner may have gone through by this part of the body's size; one that is deeper is not held back.
const DEEPEST: f64 = 0.2;

/// The contact of a body, in the frame of the wall at time zero, with triangles that may touch it.
pub(super) fn on_nodes(
    body: &Placed,
    solid: &Solid,
    mesh: &MeshSurface,
    group: &[WallPair],
) -> Option<OnTiles> {
    let width = body.roundness();
    let reach = DEEPEST * width;
    let mut pressed = Pressed::default();
    let (mut deepest, mut leader) = (0.0, None);
    for ((place, area), outward) in solid.nodes().zip(solid.outward()) {
        let place = body.pose.apply(&place);
        let nearest = mesh.nearest(&place);
        let below = place - body.pose.rotation * outward * reach;
        let goes_through = |pair: &WallPair| mesh.crosses(pair.part, &below, &place);
        if nearest.distance >= reach {
            continue;
        }
        if let Some(pair) = group.iter().position(goes_through) {
            if nearest.distance > deepest {
                (deepest, leader) = (nearest.distance, Some(pair));
            }
            let away = (nearest.place - place) / (nearest.distance + f64::MIN_POSITIVE);
            pressed.add(&place, nearest.distance, area, &away);
        }
    }
    let meeting = pressed.meeting(pressed.sum() / (width * width), body)?;
    // Where it is deepest is remembered best.
    let pairs = leader.into_iter().chain(0..group.len()).collect();
    Some(OnTiles { meeting, pairs })
}
