//! The Minkowski difference of two bodies: all points of the first minus all points of the second. Its distance
//! from the origin is the distance of the bodies, and its depth around the origin their penetration depth.

use super::simplex::{GjkSimplex, VertexPair};
use carom_geometry::{Pose, Vector, shape::ConvexPolyhedron};

/// A convex body with a support function.
pub trait SupportMap {
    fn vertex(&self, number: u32) -> Vector<3>;
    /// Returns the vertex farthest in a direction.
    fn support(&self, direction: &Vector<3>) -> u32;
    /// Returns a point inside.
    fn center(&self) -> Vector<3>;
    fn vertex_count(&self) -> usize;
}

impl SupportMap for ConvexPolyhedron {
    #[inline(always)]
    fn vertex(&self, number: u32) -> Vector<3> {
        self.vertices()[number as usize]
    }
    #[inline(always)]
    fn support(&self, direction: &Vector<3>) -> u32 {
        ConvexPolyhedron::support(self, direction)
    }
    fn center(&self) -> Vector<3> {
        self.mass_properties().center_of_mass
    }
    fn vertex_count(&self) -> usize {
        self.vertices().len()
    }
}

/// A single point at its own origin.
pub struct PointShape;

impl SupportMap for PointShape {
    #[inline(always)]
    fn vertex(&self, _: u32) -> Vector<3> {
        Vector::zeros()
    }
    #[inline(always)]
    fn support(&self, _: &Vector<3>) -> u32 {
        0
    }
    fn center(&self) -> Vector<3> {
        Vector::zeros()
    }
    fn vertex_count(&self) -> usize {
        1
    }
}

/// The Minkowski difference of two bodies in the frame of the first.
#[derive(Clone, Copy)]
pub struct MinkowskiDifference<'a, B> {
    pub a: &'a ConvexPolyhedron,
    pub b: &'a B,
    /// The pose of `b` relative to `a`.
    pub pose: Pose,
}

impl<B: SupportMap> MinkowskiDifference<'_, B> {
    /// Returns the point of the difference that belongs to a vertex pair.
    #[inline(always)]
    pub fn point(&self, pair: VertexPair) -> Vector<3> {
        self.a.vertex(pair.a) - self.pose.transform_point(&self.b.vertex(pair.b))
    }

    /// Returns the vertex pair of the support point in the opposite of a direction.
    #[inline(always)]
    pub fn support_against(&self, direction: &Vector<3>) -> VertexPair {
        // The support point of a difference is that of the first body less that of the second the other way.
        let in_b = self.pose.rotation.tr_mul(direction);
        VertexPair { a: self.a.support(&-direction), b: self.b.support(&in_b) }
    }

    /// Loads the points of vertex pairs, at their present positions, into a simplex. Returns false if there are
    /// no pairs, or if their indices do not fit the bodies.
    #[inline(always)]
    pub fn load_simplex(&self, known: &[VertexPair], simplex: &mut GjkSimplex) -> bool {
        let fits = |pair: &VertexPair| {
            (pair.a as usize) < self.a.vertex_count() && (pair.b as usize) < self.b.vertex_count()
        };
        simplex.count = 0;
        if known.is_empty() || !known.iter().all(fits) {
            return false;
        }
        for &pair in known {
            simplex.push(pair, self.point(pair));
        }
        true
    }

    /// Starts a simplex with the support point on the line of centers.
    #[inline(always)]
    pub fn start_from_centers(&self, simplex: &mut GjkSimplex) {
        let line = self.a.center() - self.pose.transform_point(&self.b.center());
        let pair = self.support_against(&line);
        simplex.count = 0;
        simplex.push(pair, self.point(pair));
    }

    /// Returns the points of both bodies, each in its own frame, that the weights of a simplex give.
    #[inline(always)]
    pub fn witness_points(
        &self,
        simplex: &GjkSimplex,
        weights: &[f64; 3],
    ) -> (Vector<3>, Vector<3>) {
        let (mut on_a, mut on_b) = (Vector::zeros(), Vector::zeros());
        for k in 0..simplex.count.min(3) {
            let VertexPair { a, b } = simplex.pairs[k];
            on_a += self.a.vertex(a) * weights[k];
            on_b += self.b.vertex(b) * weights[k];
        }
        (on_a, on_b)
    }
}
