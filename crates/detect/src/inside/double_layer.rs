//! The winding number as the double layer potential of the surface (Muth, Of, Eberhard and Steinbach, "Collision
//! detection for complicated polyhedra using the fast multipole method or ray crossing", 2006, equations 6 to 9),
//! summed directly over all triangles.

use super::panels::{Panels, WindingSample};
use super::{Containment, FillRule, InsideTest};
use carom_geometry::Vector;
use carom_geometry::mesh::TriangleMesh;
use rayon::prelude::*;

/// The number of points in one task of a thread.
const POINTS_PER_TASK: usize = 256;

/// The generalized winding number as the direct sum of solid angles.
///
/// Every triangle counts with the fraction of the full solid angle that it subtends at the point, positive if its
/// outside is turned away. For a closed surface the sum is an integer; for an open one it varies smoothly from one
/// to zero through the holes, so the rule [`FillRule::Winding`] closes them.
///
/// The sum is right to about 1e-12, or to 1e-16 of the length of an edge over the distance from that edge where this
/// is more. So, unlike methods that count crossings, this one **is not exact within rounding of the surface**: a
/// point within 8 roundings of the largest coordinate is reported as on it ([`Containment::Surface`]), and one not
/// much farther off may be put on the wrong side.
///
/// Costs about 3 nanoseconds per triangle and point; nothing is prepared. For a closed surface, take a method that
/// counts crossings; for many points and more than some thousand triangles, take [`Multipole`](super::Multipole).
///
/// ```
/// use carom_detect::inside::{Containment, DoubleLayer, FillRule, InsideTest};
/// use carom_geometry::{Vector, mesh::{TriangleMesh, convex_hull}};
/// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(Vector::from);
/// let body = TriangleMesh::from_polygons(&convex_hull(&corners)?)?;
/// let surface = DoubleLayer::new(&body, FillRule::EvenOdd);
/// assert_eq!(surface.classify(&Vector::from([0.1, 0.1, 0.1])), Containment::Inside);
/// assert_eq!(surface.classify(&Vector::from([0.5, 0.5, 0.0])), Containment::Surface);
/// assert!(surface.winding_number(&Vector::from([2.0, 0.0, 0.0])).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct DoubleLayer {
    panels: Panels,
    rule: FillRule,
}

impl DoubleLayer {
    /// Prepares a surface.
    pub fn new(mesh: &TriangleMesh, rule: FillRule) -> Self {
        let all: Vec<u32> = (0..mesh.triangles().len() as u32).collect();
        DoubleLayer { panels: Panels::new(mesh, std::iter::once(&all[..])), rule }
    }

    /// Returns the winding number, which need not be an integer if the surface is open or the point is on it; zero
    /// if a coordinate is not finite.
    ///
    /// ```
    /// use carom_detect::inside::{DoubleLayer, FillRule};
    /// use carom_geometry::{Vector, mesh::{TriangleMesh, octahedron_sphere}};
    /// // Each of the eight faces subtends an eighth of the full solid angle at the center.
    /// let whole = octahedron_sphere(0);
    /// let open = TriangleMesh::new(whole.vertices().to_vec(), whole.triangles()[1..].to_vec())?;
    /// let surface = DoubleLayer::new(&open, FillRule::Winding);
    /// assert!((surface.winding_number(&Vector::zeros()) - 7.0 / 8.0).abs() < 1e-12);
    /// # Ok::<(), carom_geometry::mesh::TriangleMeshError>(())
    /// ```
    pub fn winding_number(&self, point: &Vector<3>) -> f64 {
        let Some(point) = self.panels.scaled_point(point) else { return 0.0 };
        self.panels.winding_number(&[self.panels.all_blocks()], &point)
    }
}

impl InsideTest for DoubleLayer {
    fn classify(&self, point: &Vector<3>) -> Containment {
        // Too far away for its coordinates to be scaled, and so outside.
        let Some(point) = self.panels.scaled_point(point) else { return Containment::Outside };
        containment_of(self.rule, &self.panels.sample(&[self.panels.all_blocks()], &point))
    }

    fn classify_all(&self, points: &[Vector<3>]) -> Vec<Containment> {
        let mut sides = vec![Containment::Outside; points.len()];
        let work = sides.par_chunks_mut(POINTS_PER_TASK).zip(points.par_chunks(POINTS_PER_TASK));
        work.for_each(|(sides, points)| {
            let seeing = (0..)
                .zip(points)
                .filter_map(|(k, point)| Some((k, self.panels.scaled_point(point)?)));
            let (places, seeing): (Vec<usize>, Vec<_>) = seeing.unzip();
            self.panels
                .sample_all(&seeing, |k, look| sides[places[k]] = containment_of(self.rule, &look));
        });
        sides
    }

    fn bytes(&self) -> usize {
        self.panels.bytes()
    }
}

/// Returns the containment of a point with this winding number.
pub(super) fn containment_of(rule: FillRule, look: &WindingSample) -> Containment {
    if look.on_surface {
        return Containment::Surface;
    }
    match rule {
        FillRule::Winding if look.winding >= 0.5 => Containment::Inside,
        FillRule::Winding => Containment::Outside,
        // These rules are for closed meshes, whose winding number is a whole number but for rounding.
        FillRule::EvenOdd | FillRule::Nonzero => rule.containment(look.winding.round() as i32),
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{cube, points_in_box};
    use super::*;
    use carom_geometry::mesh::octahedron_sphere as sphere;

    #[test]
    fn every_face_of_a_cube_fills_a_sixth_of_the_view_from_its_center() {
        let cube = cube();
        for face in cube.triangles().chunks(2) {
            let face = TriangleMesh::new(cube.vertices().to_vec(), face.to_vec()).unwrap();
            let surface = DoubleLayer::new(&face, FillRule::Winding);
            let part = surface.winding_number(&Vector::repeat(0.5));
            assert!((part - 1.0 / 6.0).abs() < 1e-15, "{part}");
        }
    }

    #[test]
    fn a_face_seen_from_outside_counts_by_its_side() {
        // The face at x = 1 of the unit cube, seen along its axis from inside and outside: a unit square subtends
        // asin(1 / (1 + (2 d)^2)) / pi of the full solid angle at the distance d.
        let cube = cube();
        let at_one = |triangle: &&[u32; 3]| {
            triangle.iter().all(|&corner| cube.vertices()[corner as usize][0] == 1.0)
        };
        let face: Vec<_> = cube.triangles().iter().filter(at_one).copied().collect();
        assert_eq!(face.len(), 2);
        let face = TriangleMesh::new(cube.vertices().to_vec(), face).unwrap();
        let surface = DoubleLayer::new(&face, FillRule::Winding);
        for distance in [0.5, 1.0, 3.0, 1e4] {
            let expected =
                f64::asin(1.0 / (1.0 + 4.0 * distance * distance)) / std::f64::consts::PI;
            let before = surface.winding_number(&Vector::from([1.0 - distance, 0.5, 0.5]));
            let behind = surface.winding_number(&Vector::from([1.0 + distance, 0.5, 0.5]));
            assert!((before - expected).abs() < 1e-15, "{distance}: {before}, not {expected}");
            assert!((behind + expected).abs() < 1e-15, "{distance}: {behind}, not {expected}");
        }
    }

    #[test]
    fn closed_surfaces_have_whole_values() {
        let mesh = sphere(4);
        let surface = DoubleLayer::new(&mesh, FillRule::EvenOdd);
        let inscribed = (1.0 - 3.0 / 256.0_f64).sqrt() * 0.99;
        for point in points_in_box(2.0, 500) {
            if (inscribed..1.0).contains(&point.norm()) {
                continue;
            }
            let inside = if point.norm() < 1.0 { 1.0 } else { 0.0 };
            let value = surface.winding_number(&point);
            assert!((value - inside).abs() < 1e-12, "{point:?}: {value}");
        }
    }

    #[test]
    fn the_size_of_a_surface_does_not_matter() {
        let unit = sphere(2);
        for size in [1e-300, 1e-100, 1e-7, 1e9, 1e60] {
            let vertices = unit.vertices().iter().map(|vertex| vertex * size).collect();
            let mesh = TriangleMesh::new(vertices, unit.triangles().to_vec()).unwrap();
            let surface = DoubleLayer::new(&mesh, FillRule::EvenOdd);
            let value =
                |x: f64| surface.winding_number(&Vector::from([x * size, 0.1 * size, 0.2 * size]));
            assert!((value(0.3) - 1.0).abs() < 1e-12, "{size}");
            assert!(value(1.3).abs() < 1e-12, "{size}");
            assert_eq!(surface.classify(&mesh.vertices()[7]), Containment::Surface, "{size}");
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
        let surface = DoubleLayer::new(&mesh, FillRule::Winding);
        // The rim is a polygon, so the solid angle of the opening is known from its corners; a disc would do to
        // 1e-3.
        let sides = 128.0_f64;
        for height in [0.5, 0.1, -0.1, -0.7_f64] {
            let corner = std::f64::consts::PI / sides;
            // A right-angled triangle at the foot of the height, twice for each side.
            let slant = height.hypot(corner.cos());
            let angle = corner - (height.abs() * corner.sin() / slant).asin();
            let through = 2.0 * sides * angle / (4.0 * std::f64::consts::PI);
            let expected = if height > 0.0 { 1.0 - through } else { through };
            let value = surface.winding_number(&Vector::from([0.0, 0.0, height]));
            assert!((value - expected).abs() < 1e-12, "{height}: {value}, not {expected}");
            let side = surface.classify(&Vector::from([0.0, 0.0, height]));
            assert_eq!(side, if height > 0.0 { Containment::Inside } else { Containment::Outside });
        }
    }

    #[test]
    fn points_on_faces_edges_and_corners_are_on_the_surface() {
        let mesh = sphere(2);
        for rule in [FillRule::EvenOdd, FillRule::Winding, FillRule::Nonzero] {
            let surface = DoubleLayer::new(&mesh, rule);
            for triangle in 0..mesh.triangles().len() {
                let [a, b, c] = mesh.corners(triangle);
                for point in [*a, (a + b) / 2.0, (a + b + c) / 3.0, a * 0.2 + b * 0.3 + c * 0.5] {
                    assert_eq!(surface.classify(&point), Containment::Surface, "{point:?}");
                    assert_eq!(
                        surface.classify(&(point * (1.0 - 1e-13))),
                        Containment::Inside,
                        "{point:?}"
                    );
                    assert_eq!(
                        surface.classify(&(point * (1.0 + 1e-13))),
                        Containment::Outside,
                        "{point:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn many_points_get_the_answers_of_one() {
        let surface = DoubleLayer::new(&sphere(3), FillRule::EvenOdd);
        let mut points = points_in_box(1.5, 1000);
        points[5][1] = f64::NAN;
        points[600][0] = f64::INFINITY;
        let one_by_one: Vec<Containment> =
            points.iter().map(|point| surface.classify(point)).collect();
        assert_eq!(surface.classify_all(&points), one_by_one);
        assert_eq!(one_by_one[5], Containment::Outside);
        assert_eq!(one_by_one[600], Containment::Outside);
        assert!(one_by_one.contains(&Containment::Inside));
    }

    #[test]
    fn rules_differ_where_a_surface_goes_round_twice() {
        let once = sphere(2);
        let twice = [once.triangles(), once.triangles()].concat();
        let mesh = TriangleMesh::new(once.vertices().to_vec(), twice).unwrap();
        let center = Vector::from([0.1, 0.2, 0.3]);
        assert_eq!(
            DoubleLayer::new(&mesh, FillRule::EvenOdd).classify(&center),
            Containment::Outside
        );
        assert_eq!(
            DoubleLayer::new(&mesh, FillRule::Nonzero).classify(&center),
            Containment::Inside
        );
        assert_eq!(
            DoubleLayer::new(&mesh, FillRule::Winding).classify(&center),
            Containment::Inside
        );
    }
}
