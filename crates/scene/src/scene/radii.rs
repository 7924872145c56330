//! Distributions of the radii of generated bodies.

use super::body::RADIUS;
use super::bounds::{NotNegative, Positive};
use super::problem::ValidationResult;
use super::values::{LocatedValue, NumberOr};
use crate::generate::{SplitMix64, ball_volume};
use schemars::JsonSchema;
use serde::Deserialize;

/// Radii uniformly distributed between two bounds (min and max), or a few values in given shares (values and weights).
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Radii")]
pub(super) struct WrittenRadii {
    /// Smallest radius, in length.
    #[schemars(with = "Option<Positive>")]
    min: Option<LocatedValue<f64>>,
    /// Largest radius, in length.
    #[schemars(with = "Option<Positive>")]
    max: Option<LocatedValue<f64>>,
    /// Values of the radius, in length.
    #[schemars(with = "Option<Vec<Positive>>")]
    values: Option<LocatedValue<Vec<f64>>>,
    /// Share of each value; equal if left out.
    #[schemars(with = "Option<Vec<NotNegative>>")]
    weights: Option<LocatedValue<Vec<f64>>>,
    /// Whether weights are shares of the number of bodies or of their volume; number if left out.
    by: Option<LocatedValue<WeightBasis>>,
}

/// Quantity that a weight is a share of.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum WeightBasis {
    /// Share of the number of bodies.
    Number,
    /// Share of the volume of the bodies (2D: of their area).
    Volume,
}

const SHAPE: &str = "it must be a number, { min, max } or { values, weights }";
const WEIGHTS: &str = "there must be one weight per value, none negative and not all zero";

impl WrittenRadii {
    /// Draws `count` radii in random order; shares of values are met as exactly as whole numbers can.
    pub(super) fn draw<const D: usize>(
        written: &LocatedValue<NumberOr<Self>>,
        count: usize,
        random: &mut SplitMix64,
    ) -> ValidationResult<Vec<f64>> {
        let table = match &written.value {
            NumberOr::Number(value) => {
                let radius = LocatedValue { value: *value, span: written.span.clone() };
                return Ok(vec![radius.positive(RADIUS)?; count]);
            }
            NumberOr::Table(table) => table,
        };
        match (&table.min, &table.max, &table.values) {
            (Some(min), Some(max), None) => {
                table.refuse_shares()?;
                uniform(min, max, count, random)
            }
            (None, None, Some(values)) => {
                let mut radii = table.shares::<D>(values, count)?;
                shuffle(&mut radii, random);
                Ok(radii)
            }
            _ => Err(written.refuse(SHAPE)),
        }
    }

    fn refuse_shares(&self) -> ValidationResult<()> {
        let rule = "only { values, weights } has it";
        if let Some(weights) = &self.weights {
            return Err(weights.refuse(rule));
        }
        self.by.as_ref().map_or(Ok(()), |by| Err(by.refuse(rule)))
    }

    fn shares<const D: usize>(
        &self,
        values: &LocatedValue<Vec<f64>>,
        count: usize,
    ) -> ValidationResult<Vec<f64>> {
        if values.value.is_empty() {
            return Err(values.refuse("there must be at least one value"));
        }
        for &value in &values.value {
            LocatedValue { value, span: values.span.clone() }.positive(RADIUS)?;
        }
        let numbers = apportion(&self.weights::<D>(values)?, count);
        let repeated = numbers.iter().zip(&values.value);
        Ok(repeated.flat_map(|(&number, &value)| std::iter::repeat_n(value, number)).collect())
    }

    /// Returns the share of each value in the number of bodies; the shares add up to one.
    fn weights<const D: usize>(
        &self,
        values: &LocatedValue<Vec<f64>>,
    ) -> ValidationResult<Vec<f64>> {
        let radii = &values.value;
        let given = self.weights.as_ref().map(|weights| weights.value.clone());
        let mut weights = given.unwrap_or_else(|| vec![1.0; radii.len()]);
        let refuse = || match &self.weights {
            Some(weights) => weights.refuse(WEIGHTS),
            None => values.refuse("their volumes are too unequal to share"),
        };
        if weights.len() != radii.len() || !weights.iter().all(|&weight| weight >= 0.0) {
            return Err(refuse());
        }
        if self.by.as_ref().is_some_and(|by| by.value == WeightBasis::Volume) {
            // In units of the largest, so that no volume overflows.
            let largest = radii.iter().copied().fold(0.0, f64::max);
            for (weight, radius) in weights.iter_mut().zip(radii) {
                *weight /= ball_volume::<D>(radius / largest);
            }
        }
        let total: f64 = weights.iter().sum();
        if !(total > 0.0 && total.is_finite()) {
            return Err(refuse());
        }
        Ok(weights.into_iter().map(|weight| weight / total).collect())
    }
}

fn uniform(
    min: &LocatedValue<f64>,
    max: &LocatedValue<f64>,
    count: usize,
    random: &mut SplitMix64,
) -> ValidationResult<Vec<f64>> {
    let (low, high) = (min.positive(RADIUS)?, max.positive(RADIUS)?);
    if low > high {
        return Err(max.refuse("it must not be below min"));
    }
    Ok((0..count).map(|_| low + (high - low) * random.uniform()).collect())
}

/// Returns whole numbers that add up to `count`, nearest to the shares: largest remainders are rounded up.
fn apportion(shares: &[f64], count: usize) -> Vec<usize> {
    let exact: Vec<f64> = shares.iter().map(|share| share * count as f64).collect();
    let mut numbers: Vec<usize> = exact.iter().map(|&number| number as usize).collect();
    let mut order: Vec<usize> = (0..shares.len()).collect();
    order.sort_by(|&a, &b| exact[b].fract().total_cmp(&exact[a].fract()).then(a.cmp(&b)));
    let missing = count.saturating_sub(numbers.iter().sum());
    order.iter().cycle().take(missing).for_each(|&index| numbers[index] += 1);
    // Rounding of huge counts may have given one too many.
    let mut excess = numbers.iter().sum::<usize>().saturating_sub(count);
    for number in &mut numbers {
        let taken = excess.min(*number);
        *number -= taken;
        excess -= taken;
    }
    numbers
}

/// Shuffles by Fisher and Yates.
fn shuffle(radii: &mut [f64], random: &mut SplitMix64) {
    for index in (1..radii.len()).rev() {
        radii.swap(index, (random.uniform() * (index + 1) as f64) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_met_as_exactly_as_whole_numbers_can() {
        assert_eq!(apportion(&[0.5, 0.5], 7), [4, 3]);
        assert_eq!(apportion(&[0.1, 0.2, 0.7], 10), [1, 2, 7]);
        assert_eq!(apportion(&[1.0 / 3.0; 3], 100), [34, 33, 33]);
        assert_eq!(apportion(&[0.0, 1.0], 5), [0, 5]);
    }
}
