//! The answers of inside tests, and the rules by which they are meant.

use carom_geometry::Vector;
use rayon::prelude::*;

/// The location of a point relative to a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Containment {
    /// Outside of the body.
    #[default]
    Outside,
    /// Inside of the body.
    Inside,
    /// On a face, an edge or a vertex: exactly there for the exact methods, within rounding for the others.
    Surface,
}

/// The rule that decides which points are inside, by the winding number: how often the surface winds around a point,
/// 1 inside a simple closed surface and 0 outside.
///
/// | surface | rule |
/// |---|---|
/// | closed | all give the same |
/// | some triangles, or all, are reversed | [`FillRule::EvenOdd`] |
/// | closed parts that overlap, and all of them count | [`FillRule::Nonzero`] or [`FillRule::Winding`] |
/// | nested shells that bound hollows in turn, each oriented outwards | [`FillRule::EvenOdd`] |
/// | open: holes, missing triangles | [`FillRule::Winding`] |
///
/// ```
/// use carom_detect::inside::{Containment, FillRule, InsideTest, RayCrossing};
/// use carom_geometry::{Vector, mesh::{TriangleMesh, octahedron_sphere}};
/// // A sphere within a larger one, both oriented outwards.
/// let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
/// for size in [1.0, 2.0] {
///     let (shell, first) = (octahedron_sphere(2), vertices.len() as u32);
///     vertices.extend(shell.vertices().iter().map(|vertex| vertex * size));
///     triangles.extend(shell.triangles().iter().map(|corners| corners.map(|k| first + k)));
/// }
/// let shells = TriangleMesh::new(vertices, triangles)?;
/// let center = |rule| RayCrossing::new(&shells, rule).classify(&Vector::zeros());
/// assert_eq!(center(FillRule::EvenOdd), Containment::Outside);
/// assert_eq!(center(FillRule::Nonzero), Containment::Inside);
/// # Ok::<(), carom_geometry::mesh::TriangleMeshError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FillRule {
    /// The winding number is odd: a ray to infinity crosses the surface an odd number of times.
    #[default]
    EvenOdd,
    /// The winding number is at least one half; it need not be an integer.
    Winding,
    /// The winding number is not zero.
    Nonzero,
}

/// The smallest positive number.
const SMALLEST_POSITIVE: f64 = f64::from_bits(1);

impl Containment {
    /// Returns the name used in files.
    pub fn name(self) -> &'static str {
        match self {
            Containment::Inside => "inside",
            Containment::Outside => "outside",
            Containment::Surface => "surface",
        }
    }

    /// Gives the distance from the surface a sign: positive outside, **negative inside**, zero on it. A point off
    /// the surface never gets zero, however close it is.
    ///
    /// ```
    /// use carom_detect::inside::Containment;
    /// assert_eq!(Containment::Inside.signed_distance(0.5), -0.5);
    /// assert_eq!(Containment::Surface.signed_distance(1e-17), 0.0);
    /// assert!(Containment::Outside.signed_distance(0.0) > 0.0);
    /// ```
    pub fn signed_distance(self, distance: f64) -> f64 {
        let distance = distance.max(SMALLEST_POSITIVE);
        match self {
            Containment::Inside => -distance,
            Containment::Outside => distance,
            Containment::Surface => 0.0,
        }
    }
}

impl FillRule {
    /// All rules.
    pub const ALL: [FillRule; 3] = [FillRule::EvenOdd, FillRule::Winding, FillRule::Nonzero];

    /// Returns the name used on the command line.
    pub fn name(self) -> &'static str {
        match self {
            FillRule::EvenOdd => "even-odd",
            FillRule::Winding => "winding",
            FillRule::Nonzero => "nonzero",
        }
    }

    /// Returns the rule of this name.
    ///
    /// ```
    /// use carom_detect::inside::FillRule;
    /// assert_eq!(FillRule::from_name("nonzero"), Some(FillRule::Nonzero));
    /// assert!(FillRule::ALL.iter().all(|rule| FillRule::from_name(rule.name()) == Some(*rule)));
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.name() == name)
    }

    /// Returns whether a point with this integer winding number is inside.
    ///
    /// ```
    /// use carom_detect::inside::FillRule;
    /// // Where two closed surfaces overlap the winding number is 2, within a reversed one -1.
    /// assert!(!FillRule::EvenOdd.is_inside(2) && FillRule::EvenOdd.is_inside(-1));
    /// assert!(FillRule::Winding.is_inside(2) && !FillRule::Winding.is_inside(-1));
    /// assert!(FillRule::Nonzero.is_inside(2) && FillRule::Nonzero.is_inside(-1));
    /// ```
    #[inline]
    pub fn is_inside(self, winding: i32) -> bool {
        match self {
            FillRule::EvenOdd => winding & 1 == 1,
            FillRule::Winding => winding > 0,
            FillRule::Nonzero => winding != 0,
        }
    }

    /// Returns the containment of a point off the surface.
    #[inline]
    pub fn containment(self, winding: i32) -> Containment {
        if self.is_inside(winding) { Containment::Inside } else { Containment::Outside }
    }
}

/// The number of points in one task of a thread.
const POINTS_PER_TASK: usize = 1 << 14;

/// A surface prepared to classify points as inside, outside or on it.
///
/// ```
/// use carom_detect::inside::{Containment, FillRule, InsideTest, WindingCells};
/// use carom_geometry::{Vector, mesh::octahedron_sphere};
/// // The octahedron |x| + |y| + |z| <= 1, and points on a line through two of its faces.
/// let octahedron = WindingCells::new(octahedron_sphere(0), FillRule::EvenOdd, 1000);
/// let points: Vec<_> = (0..8).map(|k| Vector::from([0.5, 0.25, f64::from(k) / 8.0])).collect();
/// let found = octahedron.classify_all(&points);
/// assert_eq!(found[0..2], [Containment::Inside; 2]);
/// assert_eq!(found[2], Containment::Surface);
/// assert_eq!(found[3..], [Containment::Outside; 5]);
/// ```
pub trait InsideTest: Send + Sync {
    /// Classifies one point. A point with a coordinate that is not finite is outside.
    fn classify(&self, point: &Vector<3>) -> Containment;

    /// Classifies many points, in their order: the same answers as [`InsideTest::classify`], by all threads, faster
    /// per point.
    fn classify_all(&self, points: &[Vector<3>]) -> Vec<Containment> {
        classify_in_parallel(points, |points, sides| {
            for (side, point) in sides.iter_mut().zip(points) {
                *side = self.classify(point);
            }
        })
    }

    /// Returns the bytes held beside the vertices and triangles of the mesh it was built from.
    fn bytes(&self) -> usize;
}

/// Classifies points by all threads, a chunk at a time.
pub(super) fn classify_in_parallel(
    points: &[Vector<3>],
    some: impl Fn(&[Vector<3>], &mut [Containment]) + Sync,
) -> Vec<Containment> {
    let mut sides = vec![Containment::Outside; points.len()];
    let work = sides.par_chunks_mut(POINTS_PER_TASK).zip(points.par_chunks(POINTS_PER_TASK));
    // One chunk per task, so that no thread waits long for the last one.
    work.with_max_len(1).for_each(|(sides, points)| some(points, sides));
    sides
}
