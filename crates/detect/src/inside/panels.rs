//! Panels: triangles in blocks of four, and the solid angles they subtend at a point.
//!
//! A triangle with the corners `a`, `b`, `c`, relative to a point, subtends the solid angle `2 arg(|a||b||c| +
//! (a.b)|c| + (b.c)|a| + (c.a)|b| + i a.(b x c))` (van Oosterom and Strackee, 1983), positive if its outside is
//! turned away. Complex numbers are multiplied instead of angles added, which takes one arc tangent for all
//! triangles instead of one for each.

use super::closest_point_on_triangle::closest_point_on_triangle;
use super::lanes::{AngleSum, FusableF64x4, HarmonicScalar, LANES, dot, has_avx2_and_fma};
use carom_geometry::mesh::TriangleMesh;
use carom_geometry::{Vector, math};
use std::array::from_fn;
use std::ops::Range;

/// Scaled coordinates of a point beyond which a surface of extent one subtends nothing: less than 1e-50 of the full
/// solid angle.
const MAX_SCALED_COORDINATE: f64 = 1e30;

/// A point within this many roundings of the largest coordinate from a triangle is taken to be on it.
const ROUNDINGS_ON_SURFACE: f64 = 8.0;

/// The number of points that share one pass over a tile of blocks.
const POINTS_PER_SWEEP: usize = 8;
/// The number of blocks in a tile; 64 of 384 bytes stay in the L1 cache.
const BLOCKS_PER_SWEEP: usize = 64;

/// Four triangles. Missing ones are single points, which subtend nothing.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct PanelBlock {
    /// The corners, by corner, axis and lane.
    corners: [[[f64; LANES]; 3]; 3],
    /// The normals, twice the area long, by axis and lane.
    normals: [[f64; LANES]; 3],
}

/// The triangles in blocks of four, scaled by a power of two so that the extent of the surface is one to two
/// (surfaces smaller than 1e-301 by the largest scale that is used).
#[derive(Clone, Debug)]
pub(super) struct Panels {
    blocks: Vec<PanelBlock>,
    /// The number of triangles in each block.
    counts: Vec<u8>,
    scale: f64,
    /// The distance within which a point is on a triangle.
    tolerance: f64,
    /// The largest [`SolidAngleSum::closeness`] of a point on a triangle.
    closeness_limit: f64,
    wide: bool,
}

/// A point and the sum over the blocks swept so far.
#[derive(Clone, Copy, Debug)]
struct SolidAngleSum {
    point: [f64; 3],
    /// The solid angle as a fraction of the full one; `None` if a product over- or underflowed.
    turns: Option<f64>,
    /// Small if the point is on a triangle.
    closeness: f64,
}

impl SolidAngleSum {
    fn new(point: &[f64; 3]) -> Self {
        SolidAngleSum { point: *point, turns: None, closeness: f64::INFINITY }
    }
}

/// The winding number at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WindingSample {
    /// The signed solid angle as a fraction of the full one: one for a closed surface around the point.
    pub winding: f64,
    /// Whether the point is on a triangle, within rounding.
    pub on_surface: bool,
}

impl Panels {
    /// Prepares groups of triangles; each begins a new block.
    pub fn new<'a>(mesh: &TriangleMesh, groups: impl Iterator<Item = &'a [u32]>) -> Self {
        // Exact, and it keeps products of three coordinates within the range of numbers.
        let scale = power_of_two_scale(mesh);
        let mut blocks = Vec::with_capacity(mesh.triangles().len().div_ceil(LANES));
        let mut counts = Vec::with_capacity(blocks.capacity());
        for group in groups {
            blocks.extend(group.chunks(LANES).map(|four| PanelBlock::new(mesh, four, scale)));
            counts.extend(group.chunks(LANES).map(|four| four.len() as u8));
        }
        let (mut coordinate, mut edge) = (0.0, 0.0);
        for block in &blocks {
            let corners = block.corners.as_flattened().as_flattened();
            coordinate = corners.iter().fold(coordinate, |largest: f64, x| largest.max(x.abs()));
            edge =
                (0..LANES).fold(edge, |longest: f64, lane| longest.max(block.longest_edge(lane)));
        }
        let rounding = f64::EPSILON * coordinate;
        let tolerance = ROUNDINGS_ON_SURFACE * rounding;
        // Both parts of the complex number change by less than 13 squares of the longest edge per unit of distance.
        let closeness_limit = 16.0 * edge * edge * (tolerance + 4.0 * rounding);
        Panels { blocks, counts, scale, tolerance, closeness_limit, wide: has_avx2_and_fma() }
    }

    /// Returns the point in the scale of the blocks; `None` if the surface subtends nothing there.
    pub fn scaled_point(&self, point: &Vector<3>) -> Option<[f64; 3]> {
        let point = point * self.scale;
        let in_sight = point.iter().all(|x| x.abs() <= MAX_SCALED_COORDINATE);
        in_sight.then(|| [point[0], point[1], point[2]])
    }

    /// Returns the corners of the triangles of a block, by corner, axis and lane, and their normals, twice the area
    /// long.
    pub fn block(&self, block: usize) -> (&[[[f64; LANES]; 3]; 3], &[[f64; LANES]; 3]) {
        (&self.blocks[block].corners, &self.blocks[block].normals)
    }

    /// Returns the range of all blocks.
    pub fn all_blocks(&self) -> Range<u32> {
        0..self.blocks.len() as u32
    }

    /// Returns the winding number at a point due to some blocks.
    pub fn winding_number(&self, ranges: &[Range<u32>], point: &[f64; 3]) -> f64 {
        let mut view = [SolidAngleSum::new(point)];
        self.sweep::<false>(ranges, &mut view);
        view[0].turns.unwrap_or_else(|| self.winding_one_by_one(ranges, point))
    }

    /// Returns the same, and whether the point is on one of their triangles.
    pub fn sample(&self, ranges: &[Range<u32>], point: &[f64; 3]) -> WindingSample {
        let mut view = [SolidAngleSum::new(point)];
        self.sweep::<true>(ranges, &mut view);
        self.to_sample(ranges, &view[0])
    }

    /// Samples the winding number of all blocks at many points: the same as one after the other, but blocks are
    /// fetched once for several points.
    pub fn sample_all(&self, points: &[[f64; 3]], mut found: impl FnMut(usize, WindingSample)) {
        let all = [self.all_blocks()];
        for (group, points) in points.chunks(POINTS_PER_SWEEP).enumerate() {
            // Several points per sweep, so that each block of triangles is loaded once for all of them.
            let mut views = [SolidAngleSum::new(&points[0]); POINTS_PER_SWEEP];
            let views = &mut views[..points.len()];
            views
                .iter_mut()
                .zip(points)
                .for_each(|(view, point)| *view = SolidAngleSum::new(point));
            self.sweep::<true>(&all, views);
            for (k, view) in views.iter().enumerate() {
                found(group * POINTS_PER_SWEEP + k, self.to_sample(&all, view));
            }
        }
    }

    fn to_sample(&self, ranges: &[Range<u32>], view: &SolidAngleSum) -> WindingSample {
        let part = view.turns.unwrap_or_else(|| self.winding_one_by_one(ranges, &view.point));
        let is_close = view.closeness <= self.closeness_limit;
        WindingSample {
            winding: part,
            on_surface: is_close && self.is_on_triangle(ranges, &view.point),
        }
    }

    /// Returns the same as [`Panels::sample`] at four points, one point per lane and triangle by triangle: faster
    /// where groups are small.
    pub fn sample_four(
        &self,
        ranges: &[Range<u32>],
        points: &[[f64; 3]; LANES],
    ) -> [WindingSample; LANES] {
        let mut views = points.each_ref().map(SolidAngleSum::new);
        self.sweep_four(ranges, &mut views);
        views.map(|view| self.to_sample(ranges, &view))
    }

    pub fn bytes(&self) -> usize {
        size_of::<PanelBlock>() * self.blocks.capacity() + self.counts.capacity()
    }

    fn sweep_four(&self, ranges: &[Range<u32>], views: &mut [SolidAngleSum; LANES]) {
        #[cfg(target_arch = "x86_64")]
        if self.wide {
            #[allow(unsafe_code)]
            // SAFETY: `wide` is set only where the processor has these instructions.
            return unsafe { sweep_four_fused(self, ranges, views) };
        }
        sweep_four::<false>(self, ranges, views);
    }

    fn sweep<const NEAR: bool>(&self, ranges: &[Range<u32>], views: &mut [SolidAngleSum]) {
        #[cfg(target_arch = "x86_64")]
        if self.wide {
            #[allow(unsafe_code)]
            // SAFETY: `wide` is set only where the processor has these instructions.
            return unsafe { sweep_fused::<NEAR>(&self.blocks, ranges, views) };
        }
        sweep::<NEAR, false>(&self.blocks, ranges, views);
    }

    fn each_triangle(&self, ranges: &[Range<u32>]) -> impl Iterator<Item = [Vector<3>; 3]> {
        let blocks = ranges.iter().flat_map(|range| &self.blocks[to_usize_range(range)]);
        blocks.flat_map(|block| (0..LANES).map(|lane| block.triangle(lane)))
    }

    /// Sums one arc tangent per triangle: slow, but no angle is too small.
    fn winding_one_by_one(&self, ranges: &[Range<u32>], point: &[f64; 3]) -> f64 {
        let point = Vector::from(*point);
        let turns = self.each_triangle(ranges).map(|triangle| {
            let seen = triangle.map(|corner| corner - point);
            let longest = seen.iter().fold(0.0, |longest: f64, corner| longest.max(corner.norm()));
            let [a, b, c] = seen.map(|corner| corner / longest.max(f64::MIN_POSITIVE));
            let [p, q, r] = [a.norm(), b.norm(), c.norm()];
            let real = p * q * r + a.dot(&b) * r + b.dot(&c) * p + c.dot(&a) * q;
            math::atan2(a.dot(&(b - a).cross(&(c - a))), real) / std::f64::consts::TAU
        });
        turns.sum()
    }

    fn is_on_triangle(&self, ranges: &[Range<u32>], point: &[f64; 3]) -> bool {
        let point = Vector::from(*point);
        let limit = self.tolerance * self.tolerance;
        self.each_triangle(ranges).any(|triangle| {
            (closest_point_on_triangle(&point, triangle.each_ref()) - point).norm_squared() <= limit
        })
    }
}

impl PanelBlock {
    fn new(mesh: &TriangleMesh, four: &[u32], scale: f64) -> Self {
        let triangle = |lane: usize| match four.get(lane) {
            Some(&triangle) => mesh.corners(triangle as usize).map(|corner| corner * scale),
            None => [mesh.corners(four[0] as usize)[0] * scale; 3],
        };
        let triangles: [[Vector<3>; 3]; LANES] = from_fn(triangle);
        let normals = triangles.map(|[a, b, c]| (b - a).cross(&(c - a)));
        PanelBlock {
            corners: from_fn(|corner| {
                from_fn(|axis| from_fn(|lane| triangles[lane][corner][axis]))
            }),
            normals: from_fn(|axis| from_fn(|lane| normals[lane][axis])),
        }
    }

    fn triangle(&self, lane: usize) -> [Vector<3>; 3] {
        from_fn(|corner| Vector::from_fn(|axis, _| self.corners[corner][axis][lane]))
    }

    /// Returns the longest edge of a triangle.
    fn longest_edge(&self, lane: usize) -> f64 {
        let [a, b, c] = self.triangle(lane);
        [a - b, b - c, c - a].iter().fold(0.0, |longest: f64, edge| longest.max(edge.norm()))
    }
}

fn to_usize_range(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

/// Returns the power of two that scales the extent of the surface to between one and two; at most 2^1000.
pub(super) fn power_of_two_scale(mesh: &TriangleMesh) -> f64 {
    let bounds = mesh.bounds();
    let (extent, largest) = (bounds.size().max(), bounds.low.amax().max(bounds.high.amax()));
    let length = if extent > 0.0 { extent } else { largest };
    if length > 0.0 {
        math::exp2((-math::log2(length).floor()).clamp(-1000.0, 1000.0))
    } else {
        1.0
    }
}

/// `sweep` with AVX2 and fused multiply-add.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn sweep_fused<const NEAR: bool>(
    blocks: &[PanelBlock],
    ranges: &[Range<u32>],
    views: &mut [SolidAngleSum],
) {
    sweep::<NEAR, true>(blocks, ranges, views);
}

/// `sweep_four` with AVX2 and fused multiply-add.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn sweep_four_fused(panels: &Panels, ranges: &[Range<u32>], views: &mut [SolidAngleSum; LANES]) {
    sweep_four::<true>(panels, ranges, views);
}

#[inline(always)]
fn sweep_four<const FUSED: bool>(
    panels: &Panels,
    ranges: &[Range<u32>],
    views: &mut [SolidAngleSum; LANES],
) {
    let point: [FusableF64x4<FUSED>; 3] =
        from_fn(|axis| FusableF64x4(from_fn(|lane| views[lane].point[axis])));
    let (mut angles, mut closest) = (AngleSum::zero(), FusableF64x4::splat(f64::INFINITY));
    for range in ranges.iter().map(to_usize_range) {
        for (block, &count) in panels.blocks[range.clone()].iter().zip(&panels.counts[range]) {
            for lane in 0..usize::from(count).min(LANES) {
                let corners =
                    block.corners.map(|corner| corner.map(|x| FusableF64x4::splat(x[lane])));
                let normal = block.normals.map(|part| FusableF64x4::splat(part[lane]));
                let (real, imaginary) = half_solid_angle(&corners, &normal, &point);
                angles.add(real, imaginary);
                // On a triangle the half angle is ±pi: the imaginary part vanishes and the real one is not positive.
                closest = closest.min(real.max(FusableF64x4::splat(0.0)).plus(imaginary.abs()));
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
    blocks: &[PanelBlock],
    ranges: &[Range<u32>],
    views: &mut [SolidAngleSum],
) {
    let mut sums =
        [(AngleSum::<FUSED>::zero(), FusableF64x4::splat(f64::INFINITY)); POINTS_PER_SWEEP];
    for range in ranges {
        for blocks in blocks[to_usize_range(range)].chunks(BLOCKS_PER_SWEEP) {
            for (view, (angles, closest)) in views.iter().zip(&mut sums) {
                accumulate_blocks::<NEAR, FUSED>(blocks, &view.point, angles, closest);
            }
        }
    }
    for (view, (angles, closest)) in views.iter_mut().zip(&sums) {
        view.turns = angles.turns();
        view.closeness = closest.0.iter().fold(f64::INFINITY, |least, &one| least.min(one));
    }
}

#[inline(always)]
fn accumulate_blocks<const NEAR: bool, const FUSED: bool>(
    blocks: &[PanelBlock],
    point: &[f64; 3],
    angles: &mut AngleSum<FUSED>,
    closest: &mut FusableF64x4<FUSED>,
) {
    let point = point.map(FusableF64x4::splat);
    let (mut sum, mut least) = (*angles, *closest);
    for block in blocks {
        let (real, imaginary) = block.half_solid_angles(&point);
        sum.add(real, imaginary);
        if NEAR {
            least = least.min(real.max(FusableF64x4::splat(0.0)).plus(imaginary.abs()));
        }
    }
    (*angles, *closest) = (sum, least);
}

impl PanelBlock {
    #[inline(always)]
    fn half_solid_angles<const FUSED: bool>(
        &self,
        point: &[FusableF64x4<FUSED>; 3],
    ) -> (FusableF64x4<FUSED>, FusableF64x4<FUSED>) {
        half_solid_angle(
            &self.corners.map(|corner| corner.map(FusableF64x4)),
            &self.normals.map(FusableF64x4),
            point,
        )
    }
}

/// Returns complex numbers whose arguments are half the solid angles.
#[inline(always)]
fn half_solid_angle<const FUSED: bool>(
    corners: &[[FusableF64x4<FUSED>; 3]; 3],
    normal: &[FusableF64x4<FUSED>; 3],
    point: &[FusableF64x4<FUSED>; 3],
) -> (FusableF64x4<FUSED>, FusableF64x4<FUSED>) {
    let [a, b, c] = corners.map(|corner| from_fn(|axis| corner[axis].minus(point[axis])));
    let [p, q, r] = [dot(&a, &a).sqrt(), dot(&b, &b).sqrt(), dot(&c, &c).sqrt()];
    let real = p.times_plus(q, dot(&a, &b)).times(r);
    let real = dot(&b, &c).times_plus(p, dot(&c, &a).times_plus(q, real));
    // `a . normal` equals `a . (b x c)`, with a precomputed normal and less cancellation far from the triangle.
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
            let whole = [plain.all_blocks()];
            let (four, others) =
                (widest.sample_four(&whole, &points), plain.sample_four(&whole, &points));
            for (lane, point) in points.iter().enumerate() {
                let expected = plain.sample(&whole, point).winding;
                let seen = [widest.sample(&whole, point), four[lane], others[lane]];
                for look in seen {
                    assert!((look.winding - expected).abs() < 1e-13, "{count} {point:?} {look:?}");
                }
            }
        }
    }
}
