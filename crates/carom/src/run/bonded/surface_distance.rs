//! Distance from the surface of a solid as the scene draws it, which a lattice only approximates.

use carom_detect::inside::TriangleBvh;
use carom_geometry::{Vector, embed_in_3d};
use carom_scene::scene::{Solid, SolidShape};

type SurfaceDistanceFn<'a, const D: usize> = Box<dyn Fn(&Vector<D>) -> f64 + 'a>;

/// A function for the distance of inner positions from the nearest surface of a solid, holes included.
pub(super) fn surface_distance<const D: usize>(solid: &Solid<D>) -> SurfaceDistanceFn<'_, D> {
    let all: Vec<SurfaceDistanceFn<D>> =
        std::iter::once(&solid.shape).chain(&solid.holes).map(shape_surface_distance).collect();
    Box::new(move |place| all.iter().map(|of| of(place)).fold(f64::INFINITY, f64::min))
}

fn shape_surface_distance<const D: usize>(shape: &SolidShape<D>) -> SurfaceDistanceFn<'_, D> {
    match shape {
        SolidShape::Ball { center, radius } => {
            Box::new(move |place| ((place - center).norm() - radius).abs())
        }
        SolidShape::Block { low, high } => Box::new(move |place| {
            let beyond = place.inf(high).sup(low) - place;
            match beyond.norm() {
                0.0 => (place - low).inf(&(high - place)).min(),
                outside => outside,
            }
        }),
        SolidShape::Polygon(corners) => Box::new(move |place| {
            let ends = corners.iter().zip(corners.iter().cycle().skip(1));
            ends.map(|(from, to)| distance_to_segment(place, from, to))
                .fold(f64::INFINITY, f64::min)
        }),
        SolidShape::Mesh(mesh) => {
            let tree = TriangleBvh::new(mesh);
            Box::new(move |place| tree.closest_point(&embed_in_3d(place)).distance)
        }
    }
}

fn distance_to_segment<const D: usize>(place: &Vector<D>, from: &Vector<D>, to: &Vector<D>) -> f64 {
    let edge = to - from;
    let part = edge.dot(&(place - from)) / edge.norm_squared().max(f64::MIN_POSITIVE);
    (place - from - edge * part.clamp(0.0, 1.0)).norm()
}
