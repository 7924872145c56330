//! Contact times of one body with four others at once (AVX2): the innermost loop of a run.
//!
//! The scalar [`time_of_contact`] and the vector [`first_of_four`] do the same operations in the same
//! order, so their results agree to the bit. Fused multiply-add is not used, because it rounds differently.
//!
//! This kernel has intrinsics of its own instead of the lanes of [`carom_geometry::simd`]: it leaves before the
//! horizontal minimum by one `movmskpd`, which the compiler does not find in plain loops over lanes.

use super::body::Body;
use carom_geometry::simd::F64_LANES;

/// Half a period and a period per axis, for the minimum image convention; infinite and zero on axes
/// without a period, so that no branch is needed.
#[derive(Clone, Copy, Debug)]
pub struct MinimumImage<const D: usize> {
    pub half: [f64; D],
    pub period: [f64; D],
}

impl<const D: usize> MinimumImage<D> {
    /// Returns the period to add to a separation along an axis to make it the minimum image, for two
    /// positions in the box.
    #[inline(always)]
    pub fn shift(&self, axis: usize, separation: f64) -> f64 {
        let back = if separation > self.half[axis] { self.period[axis] } else { 0.0 };
        let on = if separation < -self.half[axis] { self.period[axis] } else { 0.0 };
        on - back
    }
}

/// Compile-time variants of the prediction loop.
pub trait ContactPredictionMode {
    /// Whether the record of the body is at the present time, so that motion is computed from there.
    const SYNCHRONIZED: bool;
    /// Whether some of the others may be nearest through a periodic face.
    const ACROSS_PERIODIC: bool;
}

/// Returns the time at which `me` touches another body on straight paths; infinite if never.
#[inline(always)]
pub fn time_of_contact<const D: usize, V: ContactPredictionMode>(
    me: &Body<D>,
    other: &Body<D>,
    scale: f64,
    now: f64,
    images: &MinimumImage<D>,
) -> f64 {
    // Motion starts at the later of the two clocks and never at `now`: so the result depends on the two
    // records alone, whenever and from whichever side it is computed.
    let start = if other.clock > me.clock { other.clock } else { me.clock };
    let (mut distance_squared, mut closing, mut speed_squared) = (0.0, 0.0, 0.0);
    for axis in 0..D {
        let ahead = |body: &Body<D>, time: f64| {
            body.position[axis] + body.velocity[axis] * (time - body.clock)
        };
        let mut separation = ahead(other, start) - ahead(me, start);
        if V::ACROSS_PERIODIC {
            // The image is that of now, when the bodies are neighbors; at `start` another one may have been nearer.
            separation += images.shift(axis, ahead(other, now) - ahead(me, now));
        }
        let relative = other.velocity[axis] - me.velocity[axis];
        distance_squared += separation * separation;
        closing -= separation * relative;
        speed_squared += relative * relative;
    }
    let contact_distance = (me.radius + other.radius) * scale;
    let gap = distance_squared - contact_distance * contact_distance;
    let discriminant = closing * closing - speed_squared * gap;
    // The smaller root of the quadratic in the form c / (b + sqrt(b² - a c)), which does not cancel. An
    // overlap by rounding (gap < 0) that is closing collides at once.
    let wait = gap.max(0.0) / (discriminant.max(0.0).sqrt() + closing);
    let meets = (closing > 0.0) & (discriminant >= 0.0);
    if meets { start + wait } else { f64::INFINITY }
}

/// The first of four others that `me` touches, if not after `bound`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FirstOfFour {
    /// None is touched up to `bound`.
    None,
    /// Time and lane of the one that is touched before `bound` and before the others.
    One(f64, usize),
    /// Several are touched at one time, or one exactly at `bound`: the times of all, infinite if never.
    /// The caller decides by body numbers.
    Tied([f64; F64_LANES]),
}

/// Returns the first of four others that `me` touches, if not after `bound`.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[inline]
pub fn first_of_four<const D: usize, V: ContactPredictionMode>(
    me: &Body<D>,
    others: [&Body<D>; F64_LANES],
    scale: f64,
    now: f64,
    images: &MinimumImage<D>,
    bound: f64,
) -> FirstOfFour {
    use std::arch::x86_64::*;
    let [a, b, c, d] = others;
    // The four records are cache lines of their own; lanes are assembled by scalar loads.
    let clock = _mm256_setr_pd(a.clock, b.clock, c.clock, d.clock);
    let radius = _mm256_setr_pd(a.radius, b.radius, c.radius, d.radius);
    let my_clock = _mm256_set1_pd(me.clock);
    let start = if V::SYNCHRONIZED { my_clock } else { _mm256_max_pd(clock, my_clock) };
    let (passed, my_passed) = (_mm256_sub_pd(start, clock), _mm256_sub_pd(start, my_clock));
    let zero = _mm256_setzero_pd();
    let (mut distance_squared, mut closing, mut speed_squared) = (zero, zero, zero);
    for axis in 0..D {
        let position =
            _mm256_setr_pd(a.position[axis], b.position[axis], c.position[axis], d.position[axis]);
        let velocity =
            _mm256_setr_pd(a.velocity[axis], b.velocity[axis], c.velocity[axis], d.velocity[axis]);
        let my_velocity = _mm256_set1_pd(me.velocity[axis]);
        let mut mine = _mm256_set1_pd(me.position[axis]);
        if !V::SYNCHRONIZED {
            mine = _mm256_add_pd(mine, _mm256_mul_pd(my_velocity, my_passed));
        }
        let theirs = _mm256_add_pd(position, _mm256_mul_pd(velocity, passed));
        let mut separation = _mm256_sub_pd(theirs, mine);
        if V::ACROSS_PERIODIC {
            let mut current_separation = separation;
            if !V::SYNCHRONIZED {
                let since = _mm256_sub_pd(_mm256_set1_pd(now), clock);
                let theirs = _mm256_add_pd(position, _mm256_mul_pd(velocity, since));
                let mine = me.position[axis] + me.velocity[axis] * (now - me.clock);
                current_separation = _mm256_sub_pd(theirs, _mm256_set1_pd(mine));
            }
            let (half, period) = (images.half[axis], _mm256_set1_pd(images.period[axis]));
            let beyond = _mm256_cmp_pd::<_CMP_GT_OQ>(current_separation, _mm256_set1_pd(half));
            let before = _mm256_cmp_pd::<_CMP_LT_OQ>(current_separation, _mm256_set1_pd(-half));
            let shift = _mm256_sub_pd(_mm256_and_pd(before, period), _mm256_and_pd(beyond, period));
            separation = _mm256_add_pd(separation, shift);
        }
        let relative = _mm256_sub_pd(velocity, my_velocity);
        distance_squared = _mm256_add_pd(distance_squared, _mm256_mul_pd(separation, separation));
        closing = _mm256_sub_pd(closing, _mm256_mul_pd(separation, relative));
        speed_squared = _mm256_add_pd(speed_squared, _mm256_mul_pd(relative, relative));
    }
    let contact_distance =
        _mm256_mul_pd(_mm256_add_pd(_mm256_set1_pd(me.radius), radius), _mm256_set1_pd(scale));
    let gap = _mm256_sub_pd(distance_squared, _mm256_mul_pd(contact_distance, contact_distance));
    let discriminant =
        _mm256_sub_pd(_mm256_mul_pd(closing, closing), _mm256_mul_pd(speed_squared, gap));
    let meets = _mm256_and_pd(
        _mm256_cmp_pd::<_CMP_GT_OQ>(closing, zero),
        _mm256_cmp_pd::<_CMP_GE_OQ>(discriminant, zero),
    );
    let root = _mm256_sqrt_pd(_mm256_max_pd(discriminant, zero));
    // Lanes that never touch may divide by zero here; they are masked by `meets` below.
    let wait = _mm256_div_pd(_mm256_max_pd(gap, zero), _mm256_add_pd(root, closing));
    let time = _mm256_add_pd(start, wait);
    let early = _mm256_cmp_pd::<_CMP_LE_OQ>(time, _mm256_set1_pd(bound));
    // Nothing in time: leave before the horizontal minimum.
    if _mm256_movemask_pd(_mm256_and_pd(early, meets)) == 0 {
        return FirstOfFour::None;
    }
    let times = _mm256_blendv_pd(_mm256_set1_pd(f64::INFINITY), time, meets);
    // Horizontal minimum, broadcast to every lane.
    let pairs = _mm256_min_pd(times, _mm256_permute_pd::<0b0101>(times));
    let smallest = _mm256_min_pd(pairs, _mm256_permute2f128_pd::<1>(pairs, pairs));
    let where_smallest = _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_EQ_OQ>(times, smallest)) as u32;
    let first = _mm256_cvtsd_f64(smallest);
    // One bit: one lane alone is earliest. Several, or a tie with `bound`, need the body numbers.
    if where_smallest.is_power_of_two() && first < bound {
        return FirstOfFour::One(first, where_smallest.trailing_zeros() as usize);
    }
    let (low, high) = (_mm256_castpd256_pd128(times), _mm256_extractf128_pd::<1>(times));
    FirstOfFour::Tied([
        _mm_cvtsd_f64(low),
        _mm_cvtsd_f64(_mm_unpackhi_pd(low, low)),
        _mm_cvtsd_f64(high),
        _mm_cvtsd_f64(_mm_unpackhi_pd(high, high)),
    ])
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use carom_geometry::Vector;
    use carom_geometry::random::SplitMix64;
    use carom_geometry::simd::Avx2Fma;

    struct TestPredictionMode<const FRESH: bool, const SEAM: bool>;

    impl<const FRESH: bool, const SEAM: bool> ContactPredictionMode
        for TestPredictionMode<FRESH, SEAM>
    {
        const SYNCHRONIZED: bool = FRESH;
        const ACROSS_PERIODIC: bool = SEAM;
    }

    /// A body on a coarse lattice of positions, velocities and clocks, so that ties and grazing contacts are
    /// common.
    fn body(random: &mut SplitMix64, clock: f64) -> Body<3> {
        let mut coarse = |steps: u64| (random.bits() % steps) as f64;
        Body {
            position: Vector::from([coarse(5), coarse(5), coarse(2)]),
            velocity: Vector::from([coarse(5) - 2.0, coarse(5) - 2.0, coarse(3) - 1.0]),
            clock: clock - 0.25 * coarse(3),
            radius: 0.25 + 0.25 * coarse(2),
        }
    }

    fn assert_same_bits<const FRESH: bool, const SEAM: bool>() {
        let images = MinimumImage { half: [4.0; 3], period: [8.0; 3] };
        let mut random = SplitMix64::new(5);
        let (mut none, mut tied) = (0, 0);
        // An interpreter such as Miri is far slower.
        let tries = if cfg!(miri) { 400 } else { 40_000 };
        for _ in 0..tries {
            let now = 3.0;
            let mut me = body(&mut random, now);
            me.clock = if FRESH { now } else { me.clock };
            let others: [Body<3>; F64_LANES] = std::array::from_fn(|_| body(&mut random, now));
            let bound = if random.bits().is_multiple_of(2) { f64::INFINITY } else { 4.0 };
            let alone = others.each_ref().map(|other| {
                time_of_contact::<3, TestPredictionMode<FRESH, SEAM>>(&me, other, 1.0, now, &images)
            });
            #[allow(unsafe_code)]
            // SAFETY: the caller has seen that the processor has these instructions.
            let together = unsafe {
                first_of_four::<3, TestPredictionMode<FRESH, SEAM>>(
                    &me,
                    others.each_ref(),
                    1.0,
                    now,
                    &images,
                    bound,
                )
            };
            let first = alone.iter().copied().fold(f64::INFINITY, f64::min);
            match together {
                FirstOfFour::None => {
                    none += 1;
                    assert!(first > bound || first == f64::INFINITY);
                }
                FirstOfFour::One(time, k) => {
                    assert_eq!((time.to_bits(), k), (alone[k].to_bits(), k));
                    assert!(time == first && time < bound);
                    assert_eq!(alone.iter().filter(|&&other| other == first).count(), 1);
                }
                FirstOfFour::Tied(times) => {
                    tied += 1;
                    assert_eq!(times.map(f64::to_bits), alone.map(f64::to_bits));
                }
            }
        }
        assert!(none > tries / 40 && tied > tries / 4000, "{none} without, {tied} tied");
    }

    #[test]
    fn four_at_once_are_the_same_bits_as_one_by_one() {
        if Avx2Fma::detect().is_none() {
            return;
        }
        assert_same_bits::<true, true>();
        assert_same_bits::<true, false>();
        assert_same_bits::<false, true>();
        assert_same_bits::<false, false>();
    }
}
