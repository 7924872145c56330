//! Sums of solid harmonics at four points: local expansions (equation 20) and multipole moments evaluated far away.
//!
//! A harmonic is a power of `x + i y` times a real number that follows from those of the two degrees below of the
//! same order, so the outer loop runs over orders and the inner one over degrees.

use super::solid_harmonics::coefficient_index;
use crate::inside::lanes::{FusableF64x4, HarmonicScalar, LANES, has_avx2_and_fma};

/// Four points by axis.
pub type HarmonicPoints = [[f64; LANES]; 3];

/// The recurrences of all harmonics up to a degree.
#[derive(Clone, Debug)]
pub struct HarmonicSeries {
    degree: usize,
    regular: HarmonicRecurrence,
    singular: HarmonicRecurrence,
    wide: bool,
}

/// The factors of a recurrence.
#[derive(Clone, Debug)]
struct HarmonicRecurrence {
    /// The factor from the order below, by order.
    diagonal: Vec<f64>,
    /// The factors of the harmonics one and two degrees below, by order and degree.
    steps: Vec<[f64; 2]>,
}

impl HarmonicSeries {
    pub fn new(degree: usize) -> Self {
        let inverse = |n: usize, m: usize| 1.0 / (n * n - m * m) as f64;
        // The terms of an order and of its negative are conjugate, so orders from one on count twice.
        let twice = |m: usize| if m == 1 { 2.0 } else { 1.0 };
        let of = |diagonal: &dyn Fn(usize) -> f64, step: &dyn Fn(usize, usize) -> [f64; 2]| {
            let above = (0..=degree).flat_map(|m| (m + 1..=degree).map(move |n| (n, m)));
            HarmonicRecurrence {
                diagonal: (1..=degree).map(|m| twice(m) * diagonal(m)).collect(),
                steps: above.map(|(n, m)| step(n, m)).collect(),
            }
        };
        let regular =
            of(&|m| 0.5 / m as f64, &|n, m| [(2 * n - 1) as f64 * inverse(n, m), -inverse(n, m)]);
        let singular = of(&|m| (2 * m - 1) as f64, &|n, m| {
            [(2 * n - 1) as f64, m.pow(2) as f64 - (n - 1).pow(2) as f64]
        });
        HarmonicSeries { degree, regular, singular, wide: has_avx2_and_fma() }
    }

    /// Returns the values of a local expansion at points relative to its center.
    #[inline]
    pub fn evaluate_local(&self, local: &[f64], points: &HarmonicPoints) -> [f64; LANES] {
        #[cfg(target_arch = "x86_64")]
        if self.wide {
            #[allow(unsafe_code)]
            // SAFETY: `wide` is set only where the processor has these instructions.
            return unsafe { evaluate_local_fused(self, local, points) };
        }
        evaluate_local_lanes::<false>(self, local, points)
    }

    /// Returns the values of multipole moments at far points relative to their center.
    #[inline]
    pub fn evaluate_moments(&self, moments: &[f64], points: &HarmonicPoints) -> [f64; LANES] {
        #[cfg(target_arch = "x86_64")]
        if self.wide {
            #[allow(unsafe_code)]
            // SAFETY: `wide` is set only where the processor has these instructions.
            return unsafe { evaluate_moments_fused(self, moments, points) };
        }
        evaluate_moments_lanes::<false>(self, moments, points)
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn evaluate_local_fused(
    series: &HarmonicSeries,
    local: &[f64],
    points: &HarmonicPoints,
) -> [f64; LANES] {
    evaluate_local_lanes::<true>(series, local, points)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn evaluate_moments_fused(
    series: &HarmonicSeries,
    moments: &[f64],
    points: &HarmonicPoints,
) -> [f64; LANES] {
    evaluate_moments_lanes::<true>(series, moments, points)
}

#[inline(always)]
fn evaluate_local_lanes<const FUSED: bool>(
    series: &HarmonicSeries,
    local: &[f64],
    points: &HarmonicPoints,
) -> [f64; LANES] {
    let [x, y, z] = points.map(FusableF64x4::<FUSED>);
    let square = x.times_plus(x, y.times_plus(y, z.times(z)));
    // Equation 20 has harmonics times coefficients, not times their conjugates.
    let factors = HarmonicFactors {
        azimuthal: [x, y.negative()],
        one_degree_below: z,
        two_degrees_below: square,
    };
    sum_harmonics(series.degree, &series.regular, local, FusableF64x4::splat(1.0), &factors).0
}

#[inline(always)]
fn evaluate_moments_lanes<const FUSED: bool>(
    series: &HarmonicSeries,
    moments: &[f64],
    points: &HarmonicPoints,
) -> [f64; LANES] {
    let [x, y, z] = points.map(FusableF64x4::<FUSED>);
    let square = x.times_plus(x, y.times_plus(y, z.times(z)));
    // Inversion in the unit sphere turns singular harmonics into regular ones, so that both share a recurrence.
    let inverse = square.reciprocal();
    let factors = HarmonicFactors {
        azimuthal: [x.times(inverse), y.times(inverse)],
        one_degree_below: z.times(inverse),
        two_degrees_below: inverse,
    };
    sum_harmonics(series.degree, &series.singular, moments, inverse.sqrt(), &factors).0
}

/// The point-dependent factors of a recurrence.
struct HarmonicFactors<const FUSED: bool> {
    /// The factor to the next order.
    azimuthal: [FusableF64x4<FUSED>; 2],
    /// The factors of the harmonics one and two degrees below.
    one_degree_below: FusableF64x4<FUSED>,
    two_degrees_below: FusableF64x4<FUSED>,
}

#[inline(always)]
fn sum_harmonics<const FUSED: bool>(
    degree: usize,
    recurrence: &HarmonicRecurrence,
    coefficients: &[f64],
    first: FusableF64x4<FUSED>,
    factors: &HarmonicFactors<FUSED>,
) -> FusableF64x4<FUSED> {
    let [x, y] = factors.azimuthal;
    // The recurrence runs over degrees for each order; powers of the azimuthal factor go from order to order.
    let mut power = [first, FusableF64x4::splat(0.0)];
    let mut value = FusableF64x4::splat(0.0);
    let mut steps = recurrence.steps.iter();
    for m in 0..=degree {
        if m > 0 {
            let by = FusableF64x4::splat(recurrence.diagonal[m - 1]);
            let [real, imaginary] = power;
            power = [
                real.times(x).minus(imaginary.times(y)).times(by),
                real.times_plus(y, imaginary.times(x)).times(by),
            ];
        }
        // Order zero has no imaginary part; what is stored there is multiplied by zero.
        let at = |n: usize| {
            [coefficients[coefficient_index(n, m)], coefficients[coefficient_index(n, m) + 1]]
        };
        let (mut before, mut last) = (FusableF64x4::splat(0.0), FusableF64x4::splat(1.0));
        let [mut real, mut imaginary] = at(m).map(FusableF64x4::splat);
        for n in m + 1..=degree {
            let Some(step) = steps.next() else { break };
            let back = factors.two_degrees_below.times(FusableF64x4::splat(step[1])).times(before);
            (before, last) = (
                last,
                factors.one_degree_below.times(FusableF64x4::splat(step[0])).times_plus(last, back),
            );
            let [a, b] = at(n).map(FusableF64x4::splat);
            real = last.times_plus(a, real);
            imaginary = last.times_plus(b, imaginary);
        }
        value = power[0].times_plus(real, power[1].times_plus(imaginary, value));
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inside::multipole::solid_harmonics::{
        coefficient_count, complex_coefficient, regular_harmonics, singular_harmonics,
    };

    #[test]
    fn sums_are_those_of_the_harmonics() {
        for degree in 1..=16 {
            let series = HarmonicSeries::new(degree);
            let coefficients: Vec<f64> =
                (0..coefficient_count(degree) + 1).map(|k| ((k * 7) % 11) as f64 - 5.0).collect();
            let points = [[0.3, -0.7, 0.2, 1.0], [0.4, 0.1, -0.6, 0.0], [-0.2, 0.5, 0.9, 0.1]];
            let near = series.evaluate_local(&coefficients, &points);
            let afar = series.evaluate_moments(&coefficients, &points);
            for lane in 0..LANES {
                let point = points.map(|axis| axis[lane]);
                let mut inner = vec![0.0; coefficient_count(degree)];
                regular_harmonics(degree, point, &mut inner);
                let outer = singular_harmonics(degree, point);
                let all = (0..=degree as isize).flat_map(|n| (-n..=n).map(move |m| (n, m)));
                let (mut by_inner, mut by_outer) = (0.0, 0.0);
                for (n, m) in all {
                    let [a, b] = complex_coefficient(&coefficients, n, m);
                    let ([c, d], [e, f]) =
                        (complex_coefficient(&inner, n, m), complex_coefficient(&outer, n, m));
                    by_inner += a * c - b * d;
                    by_outer += a * e + b * f;
                }
                assert!((near[lane] - by_inner).abs() < 1e-13 * by_inner.abs().max(10.0));
                assert!((afar[lane] - by_outer).abs() < 1e-12 * by_outer.abs().max(10.0));
            }
        }
    }
}
