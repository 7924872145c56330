//! Containment of a point by big integers: shares no predicate with carom.
//!
//! Coordinates become integers on one grid fine enough for all of them. A segment to a far point of random direction is
//! tested against every triangle, and drawn again if it meets an edge.

use carom::geometry::Vector;
use carom::geometry::mesh::TriangleMesh;
use carom::geometry::random::SplitMix64;
use num_bigint::BigInt;
use std::cmp::Ordering;

/// A point in integers.
type BigIntPoint = [BigInt; 3];

/// A mesh in integers.
pub struct ExactMesh {
    vertices: Vec<BigIntPoint>,
    triangles: Vec<[u32; 3]>,
    boxes: Vec<[[f64; 2]; 3]>,
    far: f64,
}

/// Exponent of two of the grid spacing, for numbers above 1e-60: coarser grids make shorter integers.
const EXPONENT: i32 = -260;

impl ExactMesh {
    /// Creates the mesh; all coordinates must be zero or above 1e-60.
    pub fn new(mesh: &TriangleMesh) -> Self {
        let coordinates = mesh.vertices().iter().flat_map(|vertex| vertex.iter());
        let far = coordinates.fold(1.0, |far: f64, x| far.max(x.abs())) * 16.0;
        ExactMesh {
            vertices: mesh.vertices().iter().map(place).collect(),
            triangles: mesh.triangles().to_vec(),
            boxes: (0..mesh.triangles().len())
                .map(|k| {
                    let [a, b, c] = mesh.corners(k);
                    let (low, high) = (a.inf(b).inf(c), a.sup(b).sup(c));
                    [0, 1, 2].map(|axis| [low[axis], high[axis]])
                })
                .collect(),
            far,
        }
    }

    /// Returns the winding number at a point; `None` on the surface.
    pub fn winding(&self, point: &Vector<3>, seed: u64) -> Option<i32> {
        let start = place(point);
        let mut random = SplitMix64::new(seed);
        loop {
            let far = self.far;
            let mut across = || far * (random.uniform() - 0.5);
            let end = Vector::from([far, across(), across()]);
            match self.count(point, &start, &end) {
                RayCrossingCount::Winding(winding) => return Some(winding),
                RayCrossingCount::Surface => return None,
                RayCrossingCount::Degenerate => {}
            }
        }
    }

    fn count(&self, point: &Vector<3>, start: &BigIntPoint, end: &Vector<3>) -> RayCrossingCount {
        let target = place(end);
        let mut sum = 0;
        for (triangle, bounds) in self.triangles.iter().zip(&self.boxes) {
            let meets = (0..3).all(|axis| {
                let (low, high) = (point[axis].min(end[axis]), point[axis].max(end[axis]));
                low <= bounds[axis][1] && bounds[axis][0] <= high
            });
            if !meets {
                continue;
            }
            let [a, b, c] = triangle.map(|corner| &self.vertices[corner as usize]);
            let side = volume(a, b, c, start);
            if side == Ordering::Equal {
                if on_triangle(start, [a, b, c]) {
                    return RayCrossingCount::Surface;
                }
                continue;
            }
            let other = volume(a, b, c, &target);
            let turns = [
                volume(start, &target, a, b),
                volume(start, &target, b, c),
                volume(start, &target, c, a),
            ];
            if other == side
                || (turns.contains(&Ordering::Less) && turns.contains(&Ordering::Greater))
            {
                continue;
            }
            if other == Ordering::Equal || turns.contains(&Ordering::Equal) {
                return RayCrossingCount::Degenerate;
            }
            sum += if side == Ordering::Less { 1 } else { -1 };
        }
        RayCrossingCount::Winding(sum)
    }
}

enum RayCrossingCount {
    Winding(i32),
    Surface,
    Degenerate,
}

fn place(point: &Vector<3>) -> BigIntPoint {
    std::array::from_fn(|axis| whole(point[axis]))
}

/// Returns `x` in units of the grid.
fn whole(x: f64) -> BigInt {
    let bits = x.to_bits();
    if x == 0.0 {
        return BigInt::ZERO;
    }
    let power = (bits >> 52 & 0x7ff) as i32 - 1075;
    let mantissa = bits & ((1 << 52) - 1) | 1 << 52;
    let value = BigInt::from(mantissa) << (power - EXPONENT);
    if x < 0.0 { -value } else { value }
}

fn minus(a: &BigIntPoint, b: &BigIntPoint) -> BigIntPoint {
    std::array::from_fn(|axis| &a[axis] - &b[axis])
}

fn cross(a: &BigIntPoint, b: &BigIntPoint) -> BigIntPoint {
    std::array::from_fn(|axis| {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        &a[u] * &b[v] - &a[v] * &b[u]
    })
}

fn dot(a: &BigIntPoint, b: &BigIntPoint) -> BigInt {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn volume(a: &BigIntPoint, b: &BigIntPoint, c: &BigIntPoint, d: &BigIntPoint) -> Ordering {
    dot(&cross(&minus(b, a), &minus(c, a)), &minus(d, a)).cmp(&BigInt::ZERO)
}

/// Whether a point in the plane of a triangle is on it.
fn on_triangle(point: &BigIntPoint, [a, b, c]: [&BigIntPoint; 3]) -> bool {
    let normal = cross(&minus(b, a), &minus(c, a));
    let between = |from: &BigIntPoint, to: &BigIntPoint| {
        let (along, way) = (minus(to, from), minus(point, from));
        let on_line = cross(&along, &way).iter().all(|part| *part == BigInt::ZERO);
        let reach = dot(&along, &way);
        // An edge without length is a point, so the separation from it must be zero.
        on_line && reach >= BigInt::ZERO && reach.max(dot(&way, &way)) <= dot(&along, &along)
    };
    if normal.iter().all(|part| *part == BigInt::ZERO) {
        return between(a, b) || between(b, c) || between(c, a);
    }
    [(a, b), (b, c), (c, a)].iter().all(|(from, to)| {
        dot(&cross(&minus(to, from), &minus(point, from)), &normal) >= BigInt::ZERO
    })
}
