//! Quantizes numbers to integers between their minimum and maximum.

use crate::container::{ContainerTypedArray, QuantizationScale};

/// Largest integer of most arrays, which have 16 bits.
const STEPS: f64 = 65_535.0;
/// Largest integer of fine arrays: a graphics card represents integers exactly in 32-bit floats up to 2^24.
const FINE_STEPS: f64 = 16_777_215.0;
/// Largest allowed step in smallest radii; a larger shift of bodies would be seen on a close look.
const COARSEST: f64 = 1.0 / 32.0;

/// Minimum and maximum of some numbers; `None` if there are none, or one is not finite.
pub fn extent(values: impl IntoIterator<Item = f64>) -> Option<[f64; 2]> {
    let mut extent = [f64::INFINITY, f64::NEG_INFINITY];
    for value in values {
        if !value.is_finite() {
            return None;
        }
        extent = [extent[0].min(value), extent[1].max(value)];
    }
    (extent[0] <= extent[1]).then_some(extent)
}

/// Quantizes numbers to 65535 steps, each within half a step; none if one is not finite.
pub fn scalars(values: &[f64]) -> Option<(ContainerTypedArray, QuantizationScale)> {
    let extent = if values.is_empty() { [0.0; 2] } else { extent(values.iter().copied())? };
    let axis = QuantizationAxis::new(extent, STEPS);
    let numbers = values.iter().map(|&value| axis.number(value) as u16).collect();
    Some((
        ContainerTypedArray::U16(numbers),
        QuantizationScale { low: vec![axis.low], step: vec![axis.step] },
    ))
}

/// Quantizes radii to 65535 steps, or finer if the smallest would be wrong; none if one is not finite.
pub fn radii(values: &[f64]) -> Option<(ContainerTypedArray, QuantizationScale)> {
    let [low, high] = if values.is_empty() { [0.0; 2] } else { extent(values.iter().copied())? };
    if (high - low) / STEPS <= COARSEST * low {
        return scalars(values);
    }
    let axis = QuantizationAxis::new([low, high], FINE_STEPS);
    let numbers = values.iter().map(|&value| axis.number(value) as u32).collect();
    Some((
        ContainerTypedArray::U32(numbers),
        QuantizationScale { low: vec![axis.low], step: vec![axis.step] },
    ))
}

/// Quantizes positions to 65535 steps along every axis, or finer if bodies are small and far apart.
pub fn positions(
    places: &[[f64; 3]],
    least_radius: f64,
) -> (ContainerTypedArray, QuantizationScale) {
    let along = |axis: usize| extent(places.iter().map(|place| place[axis])).unwrap_or([0.0; 2]);
    let extents = [0, 1, 2].map(along);
    let coarsest = extents.iter().map(|[low, high]| (high - low) / STEPS).fold(0.0, f64::max);
    let is_fine = coarsest <= COARSEST * least_radius || least_radius == 0.0;
    let axes = extents
        .map(|extent| QuantizationAxis::new(extent, if is_fine { STEPS } else { FINE_STEPS }));
    let scale = QuantizationScale {
        low: axes.iter().map(|axis| axis.low).collect(),
        step: axes.iter().map(|axis| axis.step).collect(),
    };
    let numbers =
        places.iter().flat_map(|place| [0, 1, 2].map(|axis: usize| axes[axis].number(place[axis])));
    let numbers = if is_fine {
        ContainerTypedArray::U16(numbers.map(|number| number as u16).collect())
    } else {
        ContainerTypedArray::U32(numbers.map(|number| number as u32).collect())
    };
    (numbers, scale)
}

/// Non-negative integers as they are; none if a value is negative, too large or not an integer.
pub fn whole_numbers(values: &[f64]) -> Option<ContainerTypedArray> {
    let fits = |value: f64| value >= 0.0 && value <= f64::from(u32::MAX) && value.fract() == 0.0;
    let number = |&value: &f64| fits(value).then_some(value as u32);
    values.iter().map(number).collect::<Option<_>>().map(ContainerTypedArray::U32)
}

struct QuantizationAxis {
    low: f64,
    step: f64,
    steps: f64,
}

impl QuantizationAxis {
    fn new([low, high]: [f64; 2], steps: f64) -> Self {
        // Halves, because the difference of two finite numbers may overflow.
        QuantizationAxis { low, step: (0.5 * high - 0.5 * low) / steps * 2.0, steps }
    }

    fn number(&self, value: f64) -> f64 {
        match self.step > 0.0 {
            true => {
                ((0.5 * value - 0.5 * self.low) / (0.5 * self.step)).round().clamp(0.0, self.steps)
            }
            false => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(numbers: &ContainerTypedArray, scale: &QuantizationScale) -> Vec<f64> {
        let numbers: Vec<f64> = match numbers {
            ContainerTypedArray::U16(numbers) => numbers.iter().map(|&it| f64::from(it)).collect(),
            ContainerTypedArray::U32(numbers) => numbers.iter().map(|&it| f64::from(it)).collect(),
            _ => panic!("quantized"),
        };
        let parts = scale.low.len();
        let value =
            |(k, number): (usize, f64)| scale.low[k % parts] + scale.step[k % parts] * number;
        numbers.into_iter().enumerate().map(value).collect()
    }

    #[test]
    fn numbers_come_back_within_half_a_step() {
        for (low, high) in [(0.0, 1.0), (-3.0, 5e-3), (1e9, 1e9 + 1.0), (-1e300, 1e300), (2.0, 2.0)]
        {
            let given: Vec<f64> =
                (0..=1000).map(|k| low + (high / 1e3 - low / 1e3) * k as f64).collect();
            let (numbers, scale) = scalars(&given).unwrap();
            let most = 0.5 * scale.step[0] * (1.0 + 1e-9) + 1e-15 * f64::max(low.abs(), high.abs());
            for (given, found) in given.iter().zip(values(&numbers, &scale)) {
                assert!((given - found).abs() <= most, "{given} {found} {}", scale.step[0]);
            }
        }
        assert_eq!(scalars(&[1.0, f64::NAN]), None);
        assert_eq!(scalars(&[]).unwrap().0, ContainerTypedArray::U16(vec![]));
    }

    #[test]
    fn small_bodies_far_apart_are_where_they_are() {
        let given = [[0.0, 0.0, 0.0], [1e5, 1.0, 0.0], [3.25, 0.5, 0.0]];
        let (numbers, scale) = positions(&given, 10.0 * 1e5 / STEPS * 32.0);
        assert!(matches!(numbers, ContainerTypedArray::U16(_)));
        assert_eq!(scale.step[2], 0.0);
        let (numbers, scale) = positions(&given, 0.5);
        assert!(matches!(numbers, ContainerTypedArray::U32(_)));
        for (given, found) in given.as_flattened().iter().zip(values(&numbers, &scale)) {
            assert!((given - found).abs() <= 0.51 * 1e5 / FINE_STEPS, "{given} {found}");
        }
    }

    #[test]
    fn small_radii_among_large_ones_are_what_they_are() {
        assert!(matches!(radii(&[0.5, 1.0]).unwrap().0, ContainerTypedArray::U16(_)));
        let given = [1e-5, 3e-5, 0.2, 1.0];
        let (numbers, scale) = radii(&given).unwrap();
        assert!(matches!(numbers, ContainerTypedArray::U32(_)));
        for (given, found) in given.iter().zip(values(&numbers, &scale)) {
            assert!((found / given - 1.0).abs() < 1e-2, "{given} {found}");
        }
        assert_eq!(radii(&[]).unwrap().0, ContainerTypedArray::U16(vec![]));
        assert_eq!(radii(&[f64::NAN]), None);
    }

    #[test]
    fn only_whole_numbers_stay_as_they_are() {
        assert_eq!(
            whole_numbers(&[0.0, 7.0, 4294967295.0]),
            Some(ContainerTypedArray::U32(vec![0, 7, u32::MAX]))
        );
        for odd in [-1.0, 0.5, 4294967296.0, f64::NAN, f64::INFINITY] {
            assert_eq!(whole_numbers(&[odd]), None);
        }
    }
}
