use carom_geometry::Vector;
use rayon::prelude::*;

/// Where a point is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Containment {
    /// Outside of the body.
    #[default]
    Outside,
    /// Inside of the body.
    Inside,
    /// On a face, an edge or a vertex: exactly there by methods that are exact, by the others within
    /// rounding.
    Surface,
}

/// Which points are inside, by how often the surface goes round them: the winding number, 1 inside
/// of a plain closed surface and 0 outside.
///
/// | surface | rule |
/// |---|---|
/// | closed | all give the same |
/// | some triangles, or all, have their inside out | [`Rule::Parity`] |
/// | closed parts that overlap, and all of them count | [`Rule::Nonzero`] or [`Rule::Winding`] |
/// | shells within shells that are hollow in turn, each with its outside out | [`Rule::Parity`] |
/// | open: holes, missing triangles | [`Rule::Winding`] |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FillRule {
    /// The winding number is odd: a ray to infinity crosses the surface an odd number of times.
    #[default]
    EvenOdd,
    /// The winding number is at least one half; it need not be whole.
    Winding,
    /// The winding number is not zero.
    Nonzero,
}

/// The least number above zero.
const SMALLEST_POSITIVE: f64 = f64::from_bits(1);

impl Containment {
    /// As files have it.
    pub fn name(self) -> &'static str {
        match self {
            Containment::Inside => "inside",
            Containment::Outside => "outside",
            Containment::Surface => "surface",
        }
    }

    /// The distance of a point from the surface with a sign: positive outside, **negative inside**,
    /// zero on it. A point off the surface is never given zero, however close it is.
    ///
    /// ```
    /// use carom_detect::inside::Side;
    /// assert_eq!(Side::Inside.signed(0.5), -0.5);
    /// assert_eq!(Side::Surface.signed(1e-17), 0.0);
    /// assert!(Side::Outside.signed(0.0) > 0.0);
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

    /// As the command line has it.
    pub fn name(self) -> &'static str {
        match self {
            FillRule::EvenOdd => "even-odd",
            FillRule::Winding => "winding",
            FillRule::Nonzero => "nonzero",
        }
    }

    /// The rule of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.name() == name)
    }

    /// Whether a point with this whole winding number is inside.
    #[inline]
    pub fn is_inside(self, winding: i32) -> bool {
        match self {
            FillRule::EvenOdd => winding & 1 == 1,
            FillRule::Winding => winding > 0,
            FillRule::Nonzero => winding != 0,
        }
    }

    /// The side of a point off the surface.
    #[inline]
    pub fn containment(self, winding: i32) -> Containment {
        if self.is_inside(winding) { Containment::Inside } else { Containment::Outside }
    }
}

/// So many points are handed to a thread at once.
const POINTS_PER_TASK: usize = 1 << 14;

/// A surface prepared to tell on which side points are.
pub trait InsideTest: Sync {
    /// Where one point is. A point with a coordinate that is not finite is outside.
    fn classify(&self, point: &Vector<3>) -> Containment;

    /// Where many points are, in their order: the same answers as [`InsideTest::side`], by all
    /// threads, faster per point.
    fn classify_all(&self, points: &[Vector<3>]) -> Vec<Containment> {
        classify_in_parallel(points, |points, sides| {
            for (side, point) in sides.iter_mut().zip(points) {
                *side = self.classify(point);
            }
        })
    }

    /// Bytes held beside the vertices and triangles of the mesh it was made from.
    fn bytes(&self) -> usize;
}

/// Has all threads tell the sides of some points each.
pub(super) fn classify_in_parallel(
    points: &[Vector<3>],
    some: impl Fn(&[Vector<3>], &mut [Containment]) + Sync,
) -> Vec<Containment> {
    let mut sides = vec![Containment::Outside; points.len()];
    let work = sides.par_chunks_mut(POINTS_PER_TASK).zip(points.par_chunks(POINTS_PER_TASK));
    // Each by itself, so that no thread waits long for the last one.
    work.with_max_len(1).for_each(|(sides, points)| some(points, sides));
    sides
}
