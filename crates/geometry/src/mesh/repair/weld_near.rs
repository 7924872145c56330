//! Vertices to be welded: each to the first kept one that is near.

use super::RepairError;
use crate::mesh::first_equal_vertices;
use crate::{Aabb, Vector};
use std::collections::HashMap;

/// Returns for each vertex the one that it becomes, itself if it is kept. A vertex goes to the kept one with the
/// smallest index within the distance, so that chains of near vertices do not collapse into one.
pub(super) fn kept_vertices(
    vertices: &[Vector<3>],
    distance: f64,
) -> Result<Vec<u32>, RepairError> {
    let bounds = vertices.iter().fold(Aabb::empty(), Aabb::including);
    let extent = bounds.size().max();
    if distance == 0.0 {
        return Ok(first_equal_vertices(vertices));
    }
    if !(distance > 0.0 && distance < extent) {
        return Err(RepairError::WeldDistance { distance, extent });
    }
    // Cells so small that they could not be numbered have equal vertices only.
    let width = distance.max(extent * 1e-15);
    let cell = |at: &Vector<3>| (at - bounds.low).map(|x| (x / width).floor() as i64);
    let mut kept: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
    let mut firsts = Vec::with_capacity(vertices.len());
    for (number, at) in (0..).zip(vertices) {
        let own: [i64; 3] = cell(at).into();
        let around = (0..27).filter_map(|code| {
            let shift = |k: i64| code / k % 3 - 1;
            kept.get(&[own[0] + shift(1), own[1] + shift(3), own[2] + shift(9)])
        });
        let is_near = |other: &&u32| (vertices[**other as usize] - at).norm() <= distance;
        let first = around.flatten().filter(is_near).min().copied();
        if first.is_none() {
            kept.entry(own).or_default().push(number);
        }
        firsts.push(first.unwrap_or(number));
    }
    Ok(firsts)
}
