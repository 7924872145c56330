//! How far places are from the surface of a solid as it was drawn, which lattices only come near to.

use carom_detect::inside::SurfaceTree;
use carom_geometry::{Vector, in_space};
use carom_scene::scene::{Solid, SolidShape};

type Distance<'a, const D: usize> = Box<dyn Fn(&Vector<D>) -> f64 + 'a>;

/// What tells how far places within are from the nearest surface of a solid, its holes included.
pub(super) fn distance<const D: usize>(solid: &Solid<D>) -> Distance<'_, D> {
    let all: Vec<Distance<D>> =
        std::iter::once(&solid.shape).chain(&solid.holes).map(of_shape).collect();
    Box::new(move |place| all.iter().map(|of| of(place)).fold(f64::INFINITY, f64::min))
}

fn of_shape<const D: usize>(shape: &SolidShape<D>) -> Distance<'_, D> {
    match shape {
        SolidShape::Ball { centre, radius } => {
            Box::new(move |place| ((place - centre).norm() - radius).abs())
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
            ends.map(|(from, to)| to_line(place, from, to)).fold(f64::INFINITY, f64::min)
        }),
        SolidShape::Mesh(mesh) => {
            let tree = SurfaceTree::new(mesh);
            Box::new(move |place| tree.nearest(&in_space(place)).distance)
        }
    }
}

fn to_line<const D: usize>(place: &Vector<D>, from: &Vector<D>, to: &Vector<D>) -> f64 {
    let way = to - from;
    let part = way.dot(&(place - from)) / way.norm_squared().max(f64::MIN_POSITIVE);
    (place - from - way * part.clamp(0.0, 1.0)).norm()
}
