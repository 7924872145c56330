//! What a clump of spheres weighs: of spheres that overlap, what they share counts once.

use crate::generate::{RefinedSphere, ball_volume};
use carom_geometry::mesh::PolygonMesh;
use carom_geometry::shape::MassProperties;
use carom_geometry::{Aabb, Sphere, Vector};
use nalgebra::Matrix3;
use std::f64::consts::TAU;

/// More would take long to weigh.
pub(crate) const MOST_SPHERES: usize = 1000;

/// Lines through the clump, in all.
const LINES: usize = 1 << 16;

/// Volume, centre and inertia of spheres, or of discs of height one in the plane.
///
/// Exact if no two overlap. Else the clump is cut by 65536 parallel lines: along each the part
/// inside is exact, and the lines stand for what lies between them, which is true to about 1e-4 in space
/// and to 1e-6 in the plane.
pub(super) fn mass<const D: usize>(spheres: &[Sphere<3>]) -> MassProperties {
    let mut sum = Moments::default();
    if overlap(spheres) {
        add_lines::<D>(spheres, &mut sum);
    } else {
        spheres.iter().for_each(|sphere| sum.add_ball::<D>(sphere));
    }
    sum.mass()
}

/// Each sphere as a polyhedron, or each disc as a polygon.
pub(super) fn surface<const D: usize>(spheres: &[Sphere<3>]) -> PolygonMesh {
    let round = if D == 2 { circle() } else { ball() };
    let mut all = PolygonMesh::default();
    for sphere in spheres {
        let first = all.vertices.len() as u32;
        let corner = |at: &Vector<3>| sphere.center + at * sphere.radius;
        all.vertices.extend(round.vertices.iter().map(corner));
        let numbered = |face: &Vec<u32>| face.iter().map(|&corner| first + corner).collect();
        all.faces.extend(round.faces.iter().map(numbered));
    }
    all
}

fn ball() -> PolygonMesh {
    let sphere = RefinedSphere { refinements: 2, radius: 1.0 }.make();
    sphere.expect("two refinements can be made").to_polygons()
}

fn circle() -> PolygonMesh {
    const CORNERS: u32 = 32;
    let corner = |k: u32| {
        let (sine, cosine) = (TAU * f64::from(k) / f64::from(CORNERS)).sin_cos();
        Vector::from([cosine, sine, 0.0])
    };
    PolygonMesh {
        vertices: (0..CORNERS).map(corner).collect(),
        faces: vec![(0..CORNERS).collect()],
    }
}

fn overlap(spheres: &[Sphere<3>]) -> bool {
    let meet = |a: &Sphere<3>, b: &Sphere<3>| (a.center - b.center).norm() < a.radius + b.radius;
    (1..spheres.len()).any(|k| spheres[..k].iter().any(|other| meet(other, &spheres[k])))
}

/// Sums of one, of places and of products of places over a volume.
#[derive(Default)]
struct Moments {
    volume: f64,
    first: Vector<3>,
    second: Matrix3<f64>,
}

impl Moments {
    fn add_ball<const D: usize>(&mut self, ball: &Sphere<3>) {
        let volume = ball_volume::<D>(2.0 * ball.radius);
        let square = ball.radius * ball.radius / (D + 2) as f64;
        let own = if D == 2 { [square, square, 1.0 / 12.0] } else { [square; 3] };
        let at = ball.center;
        self.volume += volume;
        self.first += at * volume;
        self.second += (at * at.transpose() + Matrix3::from_diagonal(&Vector::from(own))) * volume;
    }

    /// A piece of a line along an axis, of a cross section.
    fn add_piece(&mut self, at: &Vector<3>, axis: usize, [low, high]: [f64; 2], section: f64) {
        let volume = (high - low) * section;
        let mut middle = *at;
        middle[axis] = 0.5 * (low + high);
        self.volume += volume;
        self.first += middle * volume;
        self.second += middle * middle.transpose() * volume;
        self.second[(axis, axis)] += volume * (high - low) * (high - low) / 12.0;
    }

    fn mass(&self) -> MassProperties {
        let centre = self.first / self.volume;
        let central = self.second - centre * centre.transpose() * self.volume;
        let inertia = Matrix3::identity() * central.trace() - central;
        MassProperties { volume: self.volume, centre, inertia }
    }
}

/// Adds lines along the last axis, evenly spread over the box around the clump.
fn add_lines<const D: usize>(spheres: &[Sphere<3>], sum: &mut Moments) {
    let bounds = spheres.iter().fold(Aabb::empty(), |bounds, sphere| {
        let reach = Vector::repeat(sphere.radius);
        bounds.including(&(sphere.center - reach)).including(&(sphere.center + reach))
    });
    let across = if D == 2 { LINES } else { LINES.isqrt() };
    let axis = D - 1;
    let step = bounds.size() / across as f64;
    let section = (0..axis).map(|axis| step[axis]).product();
    let mut pieces = Vec::new();
    for line in 0..LINES {
        let places = [line % across, line / across];
        let mut at = Vector::zeros();
        for axis in 0..axis {
            at[axis] = bounds.low[axis] + (places[axis] as f64 + 0.5) * step[axis];
        }
        pieces.clear();
        pieces.extend(spheres.iter().filter_map(|sphere| piece(sphere, &at, axis)));
        visit_union(&mut pieces, |piece| sum.add_piece(&at, axis, piece, section));
    }
    if D == 2 {
        // Of height one.
        sum.second[(2, 2)] += sum.volume / 12.0;
    }
}

/// The part of a line in a sphere.
fn piece(sphere: &Sphere<3>, at: &Vector<3>, axis: usize) -> Option<[f64; 2]> {
    let mut way = sphere.center - at;
    way[axis] = 0.0;
    let square = sphere.radius * sphere.radius - way.norm_squared();
    (square > 0.0).then(|| {
        let half = square.sqrt();
        [sphere.center[axis] - half, sphere.center[axis] + half]
    })
}

/// Joins pieces that overlap.
fn visit_union(pieces: &mut [[f64; 2]], mut visit: impl FnMut([f64; 2])) {
    pieces.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let Some((&first, rest)) = pieces.split_first() else { return };
    let mut joined = first;
    for &[low, high] in rest {
        if low <= joined[1] {
            joined[1] = joined[1].max(high);
        } else {
            visit(joined);
            joined = [low, high];
        }
    }
    visit(joined);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    fn close(found: f64, exact: f64, part: f64) {
        assert!((found / exact - 1.0).abs() < part, "{found} is not {exact}");
    }

    #[test]
    fn spheres_apart_are_summed_exactly() {
        let pair = [Sphere::new([1.0, 0.0, 0.0], 1.0), Sphere::new([-1.0, 0.0, 0.0], 1.0)];
        let mass = mass::<3>(&pair);
        close(mass.volume, 8.0 * PI / 3.0, 1e-15);
        close(mass.inertia[(0, 0)], 0.4 * mass.volume, 1e-15);
        close(mass.inertia[(1, 1)], 1.4 * mass.volume, 1e-15);
        assert_eq!(mass.centre, Vector::<3>::zeros());
    }

    #[test]
    fn what_spheres_share_counts_once() {
        // Two caps of height 1/2 and volume pi h^2 (3 - h) / 3 are counted twice by a sum.
        let pair = [Sphere::new([0.5, 0.0, 0.0], 1.0), Sphere::new([-0.5, 0.0, 0.0], 1.0)];
        let found = mass::<3>(&pair);
        close(found.volume, 8.0 * PI / 3.0 - 2.0 * PI * 0.25 * 2.5 / 3.0, 1e-4);
        assert!(found.centre.norm() < 1e-12, "{}", found.centre);
        // A sphere within a sphere adds nothing.
        let inner = [Sphere::new([1.0, 2.0, 3.0], 1.0), Sphere::new([1.1, 2.0, 3.0], 0.5)];
        let found = mass::<3>(&inner);
        close(found.volume, 4.0 * PI / 3.0, 1e-4);
        close(found.inertia[(2, 2)], 0.4 * found.volume, 1e-4);
        assert!((found.centre - Vector::from([1.0, 2.0, 3.0])).norm() < 1e-4);
    }

    #[test]
    fn discs_have_areas() {
        let inner = [Sphere::new([1.0, 2.0, 0.0], 1.0), Sphere::new([1.1, 2.0, 0.0], 0.5)];
        let found = mass::<2>(&inner);
        close(found.volume, PI, 1e-6);
        close(found.inertia[(2, 2)], 0.5 * PI, 1e-6);
        let apart = mass::<2>(&inner[..1]);
        close(apart.inertia[(2, 2)], 0.5 * PI, 1e-14);
        close(apart.inertia[(0, 0)], PI * (0.25 + 1.0 / 12.0), 1e-14);
    }
}
