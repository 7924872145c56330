//! Transcendental functions with the same bits on every processor.
//!
//! The methods of `f64` (`x.sin()`, `x.powf(y)`) call the C library, which runs different code on different
//! processors (with and without FMA, for example) and rounds differently from version to version. All
//! numbers that enter the state of a simulation use this module instead: the crate `libm`, Rust code made
//! of additions, multiplications and square roots, which IEEE 754 defines to the bit. `libm` tests for FMA
//! at run time in one place, `cbrt`, where the instruction and its emulation round alike.
//!
//! `clippy.toml` disallows the methods of `f64`, so that they are not used by mistake. Errors are below one
//! unit in the last place.
//!
//! ```
//! use carom_geometry::math;
//! assert_eq!(math::sin(1.0).to_bits(), 0x3fea_ed54_8f09_0cee);
//! assert_eq!(math::cbrt(27.0), 3.0);
//! ```

use crate::Vector;
use nalgebra::{Quaternion, UnitQuaternion};

/// Returns the sine of an angle in radians.
pub fn sin(angle: f64) -> f64 {
    libm::sin(angle)
}

/// Returns the cosine of an angle in radians.
pub fn cos(angle: f64) -> f64 {
    libm::cos(angle)
}

/// Returns sine and cosine of an angle in radians.
pub fn sin_cos(angle: f64) -> (f64, f64) {
    libm::sincos(angle)
}

/// Returns the angle in [-π/2, π/2] whose sine is given.
pub fn asin(sine: f64) -> f64 {
    libm::asin(sine)
}

/// Returns the angle in [0, π] whose cosine is given.
pub fn acos(cosine: f64) -> f64 {
    libm::acos(cosine)
}

/// Returns the polar angle of the point (x, y), in (-π, π].
pub fn atan2(y: f64, x: f64) -> f64 {
    libm::atan2(y, x)
}

/// Returns e to the power `x`.
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// Returns 2 to the power `x`; exact for integers.
pub fn exp2(x: f64) -> f64 {
    libm::exp2(x)
}

/// Returns e to the power `x`, minus one, accurate for small `x` too.
pub fn exp_m1(x: f64) -> f64 {
    libm::expm1(x)
}

/// Returns the natural logarithm.
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// Returns the logarithm to base two; exact for powers of two.
pub fn log2(x: f64) -> f64 {
    libm::log2(x)
}

/// Returns the logarithm to base ten.
pub fn log10(x: f64) -> f64 {
    libm::log10(x)
}

/// Returns `base` to the power `exponent`.
pub fn powf(base: f64, exponent: f64) -> f64 {
    libm::pow(base, exponent)
}

/// Returns the cube root.
pub fn cbrt(x: f64) -> f64 {
    libm::cbrt(x)
}

/// Returns √(x² + y²) without intermediate overflow.
pub fn hypot(x: f64, y: f64) -> f64 {
    libm::hypot(x, y)
}

/// Returns the rotation about the direction of a vector by its length in radians; the identity for the zero
/// vector.
///
/// ```
/// use carom_geometry::{Vector, math};
/// let quarter = math::rotation_from_scaled_axis(&Vector::from([0.0, 0.0, std::f64::consts::FRAC_PI_2]));
/// assert!((quarter * Vector::x() - Vector::y()).norm() < 1e-15);
/// ```
pub fn rotation_from_scaled_axis(scaled_axis: &Vector<3>) -> UnitQuaternion<f64> {
    let angle = scaled_axis.norm();
    if angle == 0.0 {
        return UnitQuaternion::identity();
    }
    let (sine, cosine) = sin_cos(0.5 * angle);
    let [x, y, z] = (scaled_axis * (sine / angle)).into();
    UnitQuaternion::new_normalize(Quaternion::new(cosine, x, y, z))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_points::GeometrySampleRandom;

    /// The bits that every build on every machine must give; a change of them changes what every seed
    /// generates.
    #[test]
    fn bits_are_those_of_every_machine() {
        let mut random = GeometrySampleRandom::new(1);
        let mut sum = 0xcbf2_9ce4_8422_2325_u64;
        let mut put = |number: f64| sum = (sum ^ number.to_bits()).wrapping_mul(0x0100_0000_01b3);
        for _ in 0..20_000 {
            let (x, y) = (random.centered() * 40.0, random.centered());
            let positive = x.abs() + f64::MIN_POSITIVE;
            [sin(x), cos(x), sin_cos(x).0, asin(y), acos(y), atan2(x, y)]
                .into_iter()
                .for_each(&mut put);
            [exp(x), exp2(x), exp_m1(y), cbrt(x), hypot(x, y)].into_iter().for_each(&mut put);
            [ln(positive), log2(positive), log10(positive), powf(positive, y)]
                .into_iter()
                .for_each(&mut put);
            rotation_from_scaled_axis(&random.in_ball()).coords.iter().copied().for_each(&mut put);
        }
        assert_eq!(sum, 0x1179_2a94_447c_e4b9, "{sum:#018x}");
    }

    #[test]
    fn agrees_with_the_c_library_but_for_the_last_digit() {
        let mut random = GeometrySampleRandom::new(2);
        let near = |ours: f64, theirs: f64| {
            assert!((ours - theirs).abs() <= 4e-16 * theirs.abs(), "{ours} {theirs}");
        };
        for _ in 0..20_000 {
            let (x, y) = (random.centered() * 40.0, random.centered());
            [(sin(x), x.sin()), (cos(x), x.cos()), (exp(x), x.exp()), (cbrt(x), x.cbrt())]
                .into_iter()
                .for_each(|(ours, theirs)| near(ours, theirs));
            near(asin(y), y.asin());
            near(acos(y), y.acos());
            near(atan2(x, y), x.atan2(y));
            near(hypot(x, y), x.hypot(y));
            near(exp_m1(y), y.exp_m1());
            near(powf(x.abs(), y), x.abs().powf(y));
            near(ln(x.abs()), x.abs().ln());
        }
    }

    #[test]
    fn powers_of_two_are_exact() {
        for exponent in -1022..=1023 {
            let power = f64::from_bits(((exponent + 1023) as u64) << 52);
            assert_eq!(exp2(f64::from(exponent)), power);
            assert_eq!(log2(power), f64::from(exponent));
        }
    }

    #[test]
    fn a_rotation_is_that_of_nalgebra() {
        let mut random = GeometrySampleRandom::new(3);
        for _ in 0..1000 {
            let axis = random.in_ball() * 10.0;
            let turned = rotation_from_scaled_axis(&axis) * Vector::<3>::x();
            let expected = UnitQuaternion::from_scaled_axis(axis) * Vector::<3>::x();
            assert!((turned - expected).norm() < 4e-15);
        }
        assert_eq!(rotation_from_scaled_axis(&Vector::zeros()), UnitQuaternion::identity());
    }
}
