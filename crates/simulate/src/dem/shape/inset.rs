//! The core of a convex body: the polyhedron with all faces moved inwards.

use super::shape_error;
use crate::Error;
use carom_geometry::Vector;
use carom_geometry::shape::ConvexPolyhedron;

/// Corners of the core closer than this fraction of its size are merged.
const SAME_CORNER: f64 = 1e-9;

/// Returns a convex body around the origin with its faces moved inwards by `depth`; `nearest` is the distance
/// of the nearest face from the origin.
///
/// Computed by duality: planes are the points `normal / offset` of the dual body, and the faces of their
/// convex hull are the corners in which the moved planes meet. Errors if `depth` is not in `[0, nearest)`.
pub(super) fn inset(
    unrounded: &ConvexPolyhedron,
    nearest: f64,
    depth: f64,
) -> Result<ConvexPolyhedron, Error> {
    if !(depth >= 0.0 && depth < nearest) {
        return Err(Error::Setting {
            what: "the rounding of a shape",
            value: depth.to_string(),
            rule: "it must not be negative, and less than the distance of its nearest face from its \
                   center of mass",
        });
    }
    if depth == 0.0 {
        return Ok(unrounded.clone());
    }
    // Polar duality: faces moved inwards are points of the dual, whose hull drops the faces that vanish.
    let dual: Vec<Vector<3>> =
        unrounded.faces().map(|face| face.normal / (face.offset - depth)).collect();
    let dual = ConvexPolyhedron::hull(&dual).map_err(shape_error)?;
    let mut corners: Vec<Vector<3>> = Vec::with_capacity(dual.face_count());
    let same = SAME_CORNER * unrounded.bounding_radius();
    for face in dual.faces() {
        let corner = face.normal / face.offset;
        if corners.iter().all(|other| (other - corner).norm() > same) {
            corners.push(corner);
        }
    }
    ConvexPolyhedron::hull(&corners).map_err(shape_error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_are_moved_by_as_much_as_asked() {
        let corner =
            |k: u32| Vector::from([k & 1, k >> 1 & 1, k >> 2].map(|bit| f64::from(bit) - 0.5));
        let cube = ConvexPolyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>()).unwrap();
        let core = inset(&cube, 0.5, 0.1).unwrap();
        assert_eq!((core.vertices().len(), core.face_count()), (8, 6));
        assert!(core.faces().all(|face| (face.offset - 0.4).abs() < 1e-14));
        // Four faces meet in every corner.
        let octahedron: Vec<Vector<3>> =
            (0..6).map(|k| Vector::ith(k / 2, if k % 2 == 0 { 1.0 } else { -1.0 })).collect();
        let octahedron = ConvexPolyhedron::hull(&octahedron).unwrap();
        let core = inset(&octahedron, octahedron.face(0).offset, 0.2).unwrap();
        assert_eq!((core.vertices().len(), core.face_count()), (6, 8));
        assert!(inset(&cube, 0.5, 0.5).is_err() && inset(&cube, 0.5, f64::NAN).is_err());
    }
}
