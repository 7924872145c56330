//! Triangles four by four, and how much of the view they fill.
//!
//! A triangle with the corners `a`, `b`, `c`, as seen from a point, fills the solid angle
//! `2 arg(|a||b||c| + (a.b)|c| + (b.c)|a| + (c.a)|b| + i a.(b x c))` (van Oosterom and Strackee, 1983),
//! positive if its outside is turned away. Numbers are multiplied instead of angles added, so that there
//! is one arc tangent for all triangles and not one for each.

use super::lanes::{Angles, Four, LANES, Number, dot, is_wide};
use super::on_triangle::closest;
use carom_geometry::mesh::TriangleMesh;
use carom_geometry::{Vector, math};
use std::array::from_fn;
use std::ops::Range;

/// Coordinates of a point beyond which no surface of extent one is seen: less than 1e-50 of the view.
const OUT_OF_SIGHT: f64 = 1e30;

/// A point this many roundings of the largest coordinate from a triangle is taken to be on it.
const ROUNDINGS_ON_SURFACE: f64 = 8.0;

/// So many points look at a block while it is at hand.
const POINTS_TOGETHER: usize = 8;
/// So many blocks are at hand together.
const BLOCKS_TOGETHER: usize = 64;

/// Four triangles. Missing ones are points, which fill nothing.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Block {
    /// By corner, axis and lane.
    corners: [[[f64; LANES]; 3]; 3],
    /// Twice the area long, by axis and lane.
    normals: [[f64; LANES]; 3],
}

/// Triangles prepared to be looked at, in blocks of four; scaled by a power of two so that the surface
/// is one to two long, or, below 1e-301, by the largest that is used.
#[derive(Clone, Debug)]
pub(super) struct Panels {
    blocks: Vec<Block>,
    /// How many triangles each block has.
    counts: Vec<u8>,
    scale: f64,
    /// Within this distance a point is on a triangle.
    tolerance: f64,
    /// What [`View::closeness`] is at most for a point on a triangle.
    close: f64,
    wide: bool,
}

/// A point and what the blocks swept over so far add up to.
#[derive(Clone, Copy, Debug)]
struct View {
    point: [f64; 3],
    /// The part of the view that is filled, unless a product failed.
    turns: Option<f64>,
    /// Small if the point is on a triangle.
    closeness: f64,
}

impl View {
    fn new(point: &[f64; 3]) -> Self {
        View { point: *point, turns: None, closeness: f64::INFINITY }
    }
}

/// What is seen from a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Look {
    /// The part of the view that is filled, with sign: one for a closed surface around the point.
    pub part: f64,
    /// Whether the point is on a triangle, as far as rounding lets it be told.
    pub on_surface: bool,
}

impl Panels {
    /// Prepares groups of triangles; each begins a new block.
    pub fn new<'a>(mesh: &TriangleMesh, groups: impl Iterator<Item = &'a [u32]>) -> Self {
        let scale = scale_of(mesh);
        let mut blocks = Vec::with_capacity(mesh.triangles().len().div_ceil(LANES));
        let mut counts = Vec::with_capacity(blocks.capacity());
        for group in groups {
            blocks.extend(group.chunks(LANES).map(|four| Block::new(mesh, four, scale)));
            counts.extend(group.chunks(LANES).map(|four| four.len() as u8));
        }
        let (mut coordinate, mut edge) = (0.0, 0.0);
        for block in &blocks {
            let corners = block.corners.as_flattened().as_flattened();
            coordinate = corners.iter().fold(coordinate, |largest: f64, x| largest.max(x.abs()));
            edge = (0..LANES).fold(edge, |longest: f64, lane| longest.max(block.edge(lane)));
        }
        let rounding = f64::EPSILON * coordinate;
        let tolerance = ROUNDINGS_ON_SURFACE * rounding;
        // Both parts of the number whose angle is taken change by less than 13 squares of the longest
        // edge for each unit of distance.
        let close = 16.0 * edge * edge * (tolerance + 4.0 * rounding);
        Panels { blocks, counts, scale, tolerance, close, wide: is_wide() }
    }

    /// The point as the blocks have it; none if nothing is seen from there.
    pub fn scaled(&self, point: &Vector<3>) -> Option<[f64; 3]> {
        let point = point * self.scale;
        let in_sight = point.iter().all(|x| x.abs() <= OUT_OF_SIGHT);
        in_sight.then(|| [point[0], point[1], point[2]])
    }

    /// The corners of the triangles of a block, by corner, axis and lane; and their normals, twice the
    /// area long.
    pub fn block(&self, block: usize) -> (&[[[f64; LANES]; 3]; 3], &[[f64; LANES]; 3]) {
        (&self.blocks[block].corners, &self.blocks[block].normals)
    }

    /// All blocks.
    pub fn all(&self) -> Range<u32> {
        0..self.blocks.len() as u32
    }

    /// The part of the view from a point that some blocks fill.
    pub fn part(&self, ranges: &[Range<u32>], point: &[f64; 3]) -> f64 {
        let mut view = [View::new(point)];
        self.sweep::<false>(ranges, &mut view);
        view[0].turns.unwrap_or_else(|| self.part_one_by_one(ranges, point))
    }

    /// The same, and whether the point is on one of their triangles.
    pub fn look(&self, ranges: &[Range<u32>], point: &[f64; 3]) -> Look {
        let mut view = [View::new(point)];
        self.sweep::<true>(ranges, &mut view);
        self.looked(ranges, &view[0])
    }

    /// What is seen of all blocks from many points: the same as from one after the other, but blocks
    /// are fetched once for several points.
    pub fn look_from_all(&self, points: &[[f64; 3]], mut found: impl FnMut(usize, Look)) {
        let all = [self.all()];
        for (group, points) in points.chunks(POINTS_TOGETHER).enumerate() {
            let mut views = [View::new(&points[0]); POINTS_TOGETHER];
            let views = &mut views[..points.len()];
            views.iter_mut().zip(points).for_each(|(view, point)| *view = View::new(point));
            self.sweep::<true>(&all, views);
            for (k, view) in views.iter().enumerate() {
                found(group * POINTS_TOGETHER + k, self.looked(&all, view));
            }
        }
    }

    fn looked(&self, ranges: &[Range<u32>], view: &View) -> Look {
        let part = view.turns.unwrap_or_else(|| self.part_one_by_one(ranges, &view.point));
        let is_close = view.closeness <= self.close;
        Look { part, on_surface: is_close && self.is_on(ranges, &view.point) }
    }

    /// The same as [`Panels::look`] from four points, for which triangles are taken one by one: quicker
    /// where groups are small.
    pub fn look_from_four(
        &self,
        ranges: &[Range<u32>],
        points: &[[f64; 3]; LANES],
    ) -> [Look; LANES] {
        let mut views = points.each_ref().map(View::new);
        self.sweep_four(ranges, &mut views);
        views.map(|view| self.looked(ranges, &view))
    }

    pub fn bytes(&self) -> usize {
        size_of::<Block>() * self.blocks.capacity() + self.counts.capacity()
    }

    fn sweep_four(&self, ranges: &[Range<u32>], views: &mut [View; LANES]) {
        #[cfg(target_arch = "x86_64")]
        if self.wide {
            #[allow(unsafe_code)]
            // SAFETY: `wide` is set only where the processor has these instructions.
            return unsafe { sweep_four_fused(self, ranges, views) };
        }
        sweep_four::<false>(self, ranges, views);
    }

    fn sweep<const NEAR: bool>(&self, ranges: &[Range<u32>], views: &mut [View]) {
        #[cfg(target_arch = "x86_64")]
        if self.wide {
            #[allow(unsafe_code)]
            // SAFETY: `wide` is set only where the processor has these instructions.
            return unsafe { sweep_fused::<NEAR>(&self.blocks, ranges, views) };
        }
        sweep::<NEAR, false>(&self.blocks, ranges, views);
    }

    fn each(&self, ranges: &[Range<u32>]) -> impl Iterator<Item = [Vector<3>; 3]> {
        let blocks = ranges.iter().flat_map(|range| &self.blocks[of_usize(range)]);
        blocks.flat_map(|block| (0..LANES).map(|lane| block.triangle(lane)))
    }

    /// Slow, but no angle is too small.
    fn part_one_by_one(&self, ranges: &[Range<u32>], point: &[f64; 3]) -> f64 {
        let point = Vector::from(*point);
        let turns = self.each(ranges).map(|triangle| {
            let seen = triangle.map(|corner| corner - point);
            let longest = seen.iter().fold(0.0, |longest: f64, corner| longest.max(corner.norm()));
            let [a, b, c] = seen.map(|corner| corner / longest.max(f64::MIN_POSITIVE));
            let [p, q, r] = [a.norm(), b.norm(), c.norm()];
            let real = p * q * r + a.dot(&b) * r + b.dot(&c) * p + c.dot(&a) * q;
            math::atan2(a.dot(&(b - a).cross(&(c - a))), real) / std::f64::consts::TAU
        });
        turns.sum()
    }

    fn is_on(&self, ranges: &[Range<u32>], point: &[f64; 3]) -> bool {
        let point = Vector::from(*point);
        let limit = self.tolerance * self.tolerance;
        self.each(ranges)
            .any(|triangle| (closest(&point, triangle.each_ref()) - point).norm_squared() <= limit)
    }
}

impl Block {
    fn new(mesh: &TriangleMesh, four: &[u32], scale: f64) -> Self {
        let triangle = |lane: usize| match four.get(lane) {
            Some(&triangle) => mesh.corners(triangle as usize).map(|corner| corner * scale),
            None => [mesh.corners(four[0] as usize)[0] * scale; 3],
        };
        let triangles: [[Vector<3>; 3]; LANES] = from_fn(triangle);
        let normals = triangles.map(|[a, b, c]| (b - a).cross(&(c - a)));
        Block {
            corners: from_fn(|corner| {
                from_fn(|axis| from_fn(|lane| triangles[lane][corner][axis]))
            }),
            normals: from_fn(|axis| from_fn(|lane| normals[lane][axis])),
        }
    }

    fn triangle(&self, lane: usize) -> [Vector<3>; 3] {
        from_fn(|corner| Vector::from_fn(|axis, _| self.corners[corner][axis][lane]))
    }

    /// The longest edge of a triangle.
    fn edge(&self, lane: usize) -> f64 {
        let [a, b, c] = self.triangle(lane);
        [a - b, b - c, c - a].iter().fold(0.0, |longest: f64, edge| longest.max(edge.norm()))
    }
}

fn of_usize(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

/// The power of two that makes the surface one to two long; at most 2^1000.
pub(super) fn scale_of(mesh: &TriangleMesh) -> f64 {
    let bounds = mesh.bounds();
    let (extent, largest) = (bounds.size().max(), bounds.low.amax().max(bounds.high.amax()));
    let length = if extent > 0.0 { extent } else { largest };
    if length > 0.0 {
        math::exp2((-math::log2(length).floor()).clamp(-1000.0, 1000.0))
    } else {
        1.0
    }
}

/// With wide registers and fused operations.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn sweep_fused<const NEAR: bool>(blocks: &[Block], ranges: &[Range<u32>], views: &mut [View]) {
    sweep::<NEAR, true>(blocks, ranges, views);
}

/// The same from four points.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn sweep_four_fused(panels: &Panels, ranges: &[Range<u32>], views: &mut [View; LANES]) {
    sweep_four::<true>(panels, ranges, views);
}

#[inline(always)]
fn sweep_four<const FUSED: bool>(
    panels: &Panels,
    ranges: &[Range<u32>],
    views: &mut [View; LANES],
) {
    let point: [Four<FUSED>; 3] = from_fn(|axis| Four(from_fn(|lane| views[lane].point[axis])));
    let (mut angles, mut closest) = (Angles::zero(), Four::of(f64::INFINITY));
    for range in ranges.iter().map(of_usize) {
        for (block, &count) in panels.blocks[range.clone()].iter().zip(&panels.counts[range]) {
            for lane in 0..usize::from(count).min(LANES) {
                let corners = block.corners.map(|corner| corner.map(|x| Four::of(x[lane])));
                let normal = block.normals.map(|part| Four::of(part[lane]));
                let (real, imaginary) = seen(&corners, &normal, &point);
                angles.add(real, imaginary);
                closest = closest.min(real.max(Four::of(0.0)).plus(imaginary.size()));
            }
        }
    }
    let turns = angles.turns_of_each();
    for (lane, view) in views.iter_mut().enumerate() {
        (view.turns, view.closeness) = (turns[lane], closest.0[lane]);
    }
}

#[inline(always)]
fn sweep<const NEAR: bool, const FUSED: bool>(
    blocks: &[Block],
    ranges: &[Range<u32>],
    views: &mut [View],
) {
    let mut sums = [(Angles::<FUSED>::zero(), Four::of(f64::INFINITY)); POINTS_TOGETHER];
    for range in ranges {
        for blocks in blocks[of_usize(range)].chunks(BLOCKS_TOGETHER) {
            for (view, (angles, closest)) in views.iter().zip(&mut sums) {
                add_all::<NEAR, FUSED>(blocks, &view.point, angles, closest);
            }
        }
    }
    for (view, (angles, closest)) in views.iter_mut().zip(&sums) {
        view.turns = angles.turns();
        view.closeness = closest.0.iter().fold(f64::INFINITY, |least, &one| least.min(one));
    }
}

#[inline(always)]
fn add_all<const NEAR: bool, const FUSED: bool>(
    blocks: &[Block],
    point: &[f64; 3],
    angles: &mut Angles<FUSED>,
    closest: &mut Four<FUSED>,
) {
    let point = point.map(Four::of);
    let (mut sum, mut least) = (*angles, *closest);
    for block in blocks {
        let (real, imaginary) = block.seen_from(&point);
        sum.add(real, imaginary);
        if NEAR {
            least = least.min(real.max(Four::of(0.0)).plus(imaginary.size()));
        }
    }
    (*angles, *closest) = (sum, least);
}

impl Block {
    #[inline(always)]
    fn seen_from<const FUSED: bool>(&self, point: &[Four<FUSED>; 3]) -> (Four<FUSED>, Four<FUSED>) {
        seen(&self.corners.map(|corner| corner.map(Four)), &self.normals.map(Four), point)
    }
}

/// Numbers whose angles are half the solid angles.
#[inline(always)]
fn seen<const FUSED: bool>(
    corners: &[[Four<FUSED>; 3]; 3],
    normal: &[Four<FUSED>; 3],
    point: &[Four<FUSED>; 3],
) -> (Four<FUSED>, Four<FUSED>) {
    let [a, b, c] = corners.map(|corner| from_fn(|axis| corner[axis].minus(point[axis])));
    let [p, q, r] = [dot(&a, &a).root(), dot(&b, &b).root(), dot(&c, &c).root()];
    let real = p.times_plus(q, dot(&a, &b)).times(r);
    let real = dot(&b, &c).times_plus(p, dot(&c, &a).times_plus(q, real));
    (real, dot(&a, normal))
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_geometry::mesh::octahedron_sphere;

    #[test]
    fn wide_registers_see_what_others_see_of_every_number_of_triangles() {
        let mesh = octahedron_sphere(1);
        let points = [[0.1, 0.2, 0.3], [2.0, 0.1, -0.4], [1e-3, 0.0, 0.0], [-0.5, 0.9, 0.7]];
        for count in 1..mesh.triangles().len() as u32 {
            let all: Vec<u32> = (0..count).collect();
            let widest = Panels::new(&mesh, std::iter::once(&all[..]));
            let plain = Panels { wide: false, ..widest.clone() };
            let whole = [plain.all()];
            let (four, others) =
                (widest.look_from_four(&whole, &points), plain.look_from_four(&whole, &points));
            for (lane, point) in points.iter().enumerate() {
                let expected = plain.look(&whole, point).part;
                let seen = [widest.look(&whole, point), four[lane], others[lane]];
                for look in seen {
                    assert!((look.part - expected).abs() < 1e-13, "{count} {point:?} {look:?}");
                }
            }
        }
    }
}
