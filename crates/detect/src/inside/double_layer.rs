//! The winding number as the part of the view that the surface fills: the double layer potential of
//! Muth, Of, Eberhard and Steinbach ("Collision detection for complicated polyhedra using the fast
//! multipole method or ray crossing", 2006), equations 6 to 9, summed over all triangles.

use super::panels::{Look, Panels};
use super::{InsideTest, Rule, Side};
use carom_geometry::Vector;
use carom_geometry::mesh::TriangleMesh;
use rayon::prelude::*;

/// So many points are handed to a thread at once.
const POINTS_AT_ONCE: usize = 256;

/// The generalised winding number by looking at every triangle.
///
/// A triangle counts with the part of the view from the point that it fills, positive if its outside is
/// turned away. For a closed surface the sum is whole; for an open one it goes smoothly from one to zero
/// through the holes, so that the rule [`Rule::Winding`] closes them.
///
/// The sum is right to about 1e-12, or to 1e-16 of the length of an edge over the distance from that edge
/// where this is more. So, unlike methods that count crossings, this one **is not exact within rounding of
/// the surface**: a point within 8 roundings of the largest coordinate is said to be on it
/// ([`Side::Surface`]), and one not much farther off may be told on the wrong side.
///
/// Costs about 3 nanoseconds for each triangle and point; nothing is prepared. For a closed surface, take
/// a method that counts crossings; for many points and more than some thousand triangles, take
/// [`Multipole`](super::Multipole).
///
/// ```
/// use carom_detect::inside::{DoubleLayer, InsideTest, Rule, Side};
/// use carom_geometry::{Vector, mesh::{TriangleMesh, convex_hull}};
/// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(Vector::from);
/// let body = TriangleMesh::from_polygons(&convex_hull(&corners)?)?;
/// let surface = DoubleLayer::new(&body, Rule::Parity);
/// assert_eq!(surface.side(&Vector::from([0.1, 0.1, 0.1])), Side::Inside);
/// assert_eq!(surface.side(&Vector::from([0.5, 0.5, 0.0])), Side::Surface);
/// assert!(surface.value(&Vector::from([2.0, 0.0, 0.0])).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct DoubleLayer {
    panels: Panels,
    rule: Rule,
}

impl DoubleLayer {
    /// Prepares a surface.
    pub fn new(mesh: &TriangleMesh, rule: Rule) -> Self {
        let all: Vec<u32> = (0..mesh.triangles().len() as u32).collect();
        DoubleLayer { panels: Panels::new(mesh, std::iter::once(&all[..])), rule }
    }

    /// The winding number, which need not be whole if the surface is open or the point is on it; zero
    /// if a coordinate is not finite.
    pub fn value(&self, point: &Vector<3>) -> f64 {
        let Some(point) = self.panels.scaled(point) else { return 0.0 };
        self.panels.part(&[self.panels.all()], &point)
    }
}

impl InsideTest for DoubleLayer {
    fn side(&self, point: &Vector<3>) -> Side {
        let Some(point) = self.panels.scaled(point) else { return Side::Outside };
        side_of(self.rule, &self.panels.look(&[self.panels.all()], &point))
    }

    fn sides(&self, points: &[Vector<3>]) -> Vec<Side> {
        let mut sides = vec![Side::Outside; points.len()];
        let work = sides.par_chunks_mut(POINTS_AT_ONCE).zip(points.par_chunks(POINTS_AT_ONCE));
        work.for_each(|(sides, points)| {
            let seeing =
                (0..).zip(points).filter_map(|(k, point)| Some((k, self.panels.scaled(point)?)));
            let (places, seeing): (Vec<usize>, Vec<_>) = seeing.unzip();
            self.panels
                .look_from_all(&seeing, |k, look| sides[places[k]] = side_of(self.rule, &look));
        });
        sides
    }

    fn bytes(&self) -> usize {
        self.panels.bytes()
    }
}

/// The side of a point with this view.
pub(super) fn side_of(rule: Rule, look: &Look) -> Side {
    if look.on_surface {
        return Side::Surface;
    }
    match rule {
        Rule::Winding if look.part >= 0.5 => Side::Inside,
        Rule::Winding => Side::Outside,
        Rule::Parity | Rule::Nonzero => rule.side(look.part.round() as i32),
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{cube, points_in_box};
    use super::*;
    use carom_geometry::mesh::octahedron_sphere as sphere;

    #[test]
    fn every_face_of_a_cube_fills_a_sixth_of_the_view_from_its_centre() {
        let cube = cube();
        for face in cube.triangles().chunks(2) {
            let face = TriangleMesh::new(cube.vertices().to_vec(), face.to_vec()).unwrap();
            let surface = DoubleLayer::new(&face, Rule::Winding);
            let part = surface.value(&Vector::repeat(0.5));
            assert!((part - 1.0 / 6.0).abs() < 1e-15, "{part}");
        }
    }

    #[test]
    fn a_face_seen_from_outside_counts_by_its_side() {
        // The face at x = 1 of the unit cube, from one half before it and behind it on its axis: a
        // square fills asin(1 / (1 + (2 d)^2)) / pi of the view from the distance d.
        let cube = cube();
        let at_one = |triangle: &&[u32; 3]| {
            triangle.iter().all(|&corner| cube.vertices()[corner as usize][0] == 1.0)
        };
        let face: Vec<_> = cube.triangles().iter().filter(at_one).copied().collect();
        assert_eq!(face.len(), 2);
        let face = TriangleMesh::new(cube.vertices().to_vec(), face).unwrap();
        let surface = DoubleLayer::new(&face, Rule::Winding);
        for distance in [0.5, 1.0, 3.0, 1e4] {
            let expected =
                f64::asin(1.0 / (1.0 + 4.0 * distance * distance)) / std::f64::consts::PI;
            let before = surface.value(&Vector::from([1.0 - distance, 0.5, 0.5]));
            let behind = surface.value(&Vector::from([1.0 + distance, 0.5, 0.5]));
            assert!((before - expected).abs() < 1e-15, "{distance}: {before}, not {expected}");
            assert!((behind + expected).abs() < 1e-15, "{distance}: {behind}, not {expected}");
        }
    }

    #[test]
    fn closed_surfaces_have_whole_values() {
        let mesh = sphere(4);
        let surface = DoubleLayer::new(&mesh, Rule::Parity);
        let inscribed = (1.0 - 3.0 / 256.0_f64).sqrt() * 0.99;
        for point in points_in_box(2.0, 500) {
            if (inscribed..1.0).contains(&point.norm()) {
                continue;
            }
            let inside = if point.norm() < 1.0 { 1.0 } else { 0.0 };
            let value = surface.value(&point);
            assert!((value - inside).abs() < 1e-12, "{point:?}: {value}");
        }
    }

    #[test]
    fn the_size_of_a_surface_does_not_matter() {
        let unit = sphere(2);
        for size in [1e-300, 1e-100, 1e-7, 1e9, 1e60] {
            let vertices = unit.vertices().iter().map(|vertex| vertex * size).collect();
            let mesh = TriangleMesh::new(vertices, unit.triangles().to_vec()).unwrap();
            let surface = DoubleLayer::new(&mesh, Rule::Parity);
            let value = |x: f64| surface.value(&Vector::from([x * size, 0.1 * size, 0.2 * size]));
            assert!((value(0.3) - 1.0).abs() < 1e-12, "{size}");
            assert!(value(1.3).abs() < 1e-12, "{size}");
            assert_eq!(surface.side(&mesh.vertices()[7]), Side::Surface, "{size}");
        }
    }

    #[test]
    fn an_open_hemisphere_fills_half_the_view_less_what_is_seen_through_its_rim() {
        let whole = sphere(5);
        let above = |triangle: &&[u32; 3]| {
            triangle.iter().all(|&corner| whole.vertices()[corner as usize][2] >= -1e-12)
        };
        let upper: Vec<_> = whole.triangles().iter().filter(above).copied().collect();
        assert_eq!(upper.len() * 2, whole.triangles().len());
        let mesh = TriangleMesh::new(whole.vertices().to_vec(), upper).unwrap();
        let surface = DoubleLayer::new(&mesh, Rule::Winding);
        // The rim is a polygon, so the view through it is known from its corners; a disc would do to 1e-3.
        let sides = 128.0_f64;
        for height in [0.5, 0.1, -0.1, -0.7_f64] {
            let corner = std::f64::consts::PI / sides;
            // A right-angled triangle at the foot of the height, twice for each side.
            let slant = height.hypot(corner.cos());
            let angle = corner - (height.abs() * corner.sin() / slant).asin();
            let through = 2.0 * sides * angle / (4.0 * std::f64::consts::PI);
            let expected = if height > 0.0 { 1.0 - through } else { through };
            let value = surface.value(&Vector::from([0.0, 0.0, height]));
            assert!((value - expected).abs() < 1e-12, "{height}: {value}, not {expected}");
            let side = surface.side(&Vector::from([0.0, 0.0, height]));
            assert_eq!(side, if height > 0.0 { Side::Inside } else { Side::Outside });
        }
    }

    #[test]
    fn points_on_faces_edges_and_corners_are_on_the_surface() {
        let mesh = sphere(2);
        for rule in [Rule::Parity, Rule::Winding, Rule::Nonzero] {
            let surface = DoubleLayer::new(&mesh, rule);
            for triangle in 0..mesh.triangles().len() {
                let [a, b, c] = mesh.corners(triangle);
                for point in [*a, (a + b) / 2.0, (a + b + c) / 3.0, a * 0.2 + b * 0.3 + c * 0.5] {
                    assert_eq!(surface.side(&point), Side::Surface, "{point:?}");
                    assert_eq!(surface.side(&(point * (1.0 - 1e-13))), Side::Inside, "{point:?}");
                    assert_eq!(surface.side(&(point * (1.0 + 1e-13))), Side::Outside, "{point:?}");
                }
            }
        }
    }

    #[test]
    fn many_points_get_the_answers_of_one() {
        let surface = DoubleLayer::new(&sphere(3), Rule::Parity);
        let mut points = points_in_box(1.5, 1000);
        points[5][1] = f64::NAN;
        points[600][0] = f64::INFINITY;
        let one_by_one: Vec<Side> = points.iter().map(|point| surface.side(point)).collect();
        assert_eq!(surface.sides(&points), one_by_one);
        assert_eq!(one_by_one[5], Side::Outside);
        assert_eq!(one_by_one[600], Side::Outside);
        assert!(one_by_one.contains(&Side::Inside));
    }

    #[test]
    fn rules_differ_where_a_surface_goes_round_twice() {
        let once = sphere(2);
        let twice = [once.triangles(), once.triangles()].concat();
        let mesh = TriangleMesh::new(once.vertices().to_vec(), twice).unwrap();
        let centre = Vector::from([0.1, 0.2, 0.3]);
        assert_eq!(DoubleLayer::new(&mesh, Rule::Parity).side(&centre), Side::Outside);
        assert_eq!(DoubleLayer::new(&mesh, Rule::Nonzero).side(&centre), Side::Inside);
        assert_eq!(DoubleLayer::new(&mesh, Rule::Winding).side(&centre), Side::Inside);
    }
}
