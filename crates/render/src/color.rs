//! Perceptually uniform colors.
//!
//! The scale runs through the color space Oklab (Ottosson 2020) in equal steps of lightness, from pale sand over green
//! and blue to deep indigo.

use carom_geometry::math;

/// Largest number of classes whose neighbors can be distinguished.
const MOST_CLASSES: u32 = 16;

/// A color in linear light, each component in `[0, 1]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LinearRgb([f64; 3]);

impl LinearRgb {
    pub(super) const WHITE: LinearRgb = LinearRgb([1.0; 3]);
    pub(super) const BLACK: LinearRgb = LinearRgb([0.0; 3]);

    /// Creates a color from lightness, chroma and hue in degrees, clipped to what a screen can show.
    pub(super) fn oklch(lightness: f64, chroma: f64, hue: f64) -> Self {
        let (sine, cosine) = math::sin_cos(hue.to_radians());
        let (a, b) = (chroma * cosine, chroma * sine);
        let long = (lightness + 0.3963377774 * a + 0.2158037573 * b).powi(3);
        let middle = (lightness - 0.1055613458 * a - 0.0638541728 * b).powi(3);
        let short = (lightness - 0.0894841775 * a - 1.291485548 * b).powi(3);
        let parts = [
            4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
            -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
            -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
        ];
        LinearRgb(parts.map(|part| part.clamp(0.0, 1.0)))
    }

    /// Mixes this color with a share of another.
    pub(super) fn mix(self, other: LinearRgb, share: f64) -> Self {
        LinearRgb(std::array::from_fn(|part| {
            let (own, foreign) = (math::cbrt(self.0[part]), math::cbrt(other.0[part]));
            (own + (foreign - own) * share).powi(3)
        }))
    }

    /// Returns red, green and blue in linear light.
    pub(super) fn linear(self) -> [f32; 3] {
        self.0.map(|part| part as f32)
    }

    /// Formats as `#rrggbb`.
    pub(super) fn hexadecimal(self) -> String {
        let [red, green, blue] = self.0.map(srgb_byte);
        format!("#{red:02x}{green:02x}{blue:02x}")
    }
}

/// Encodes a component in linear light as an sRGB byte.
pub(super) fn srgb_byte(part: f64) -> u8 {
    let encoded =
        if part <= 0.0031308 { 12.92 * part } else { 1.055 * math::powf(part, 1.0 / 2.4) - 0.055 };
    (255.0 * encoded).round() as u8
}

/// Colors for numbers of contacts, from zero to about the largest.
pub(super) struct ContactColorScale {
    /// Number that has the deepest color.
    pub top: u32,
    /// Whether some particles have more contacts; they share the deepest color.
    pub open_ended: bool,
}

impl ContactColorScale {
    /// Creates a scale that ends at the 99th percentile, so that one giant does not make all others pale.
    pub(super) fn of(degrees: &[u32]) -> Self {
        let mut sorted = degrees.to_vec();
        sorted.sort_unstable();
        let largest = sorted.last().copied().unwrap_or(0);
        let most = sorted.get((sorted.len() * 99).div_ceil(100).saturating_sub(1)).copied();
        let top = most.unwrap_or(0).max(largest.min(4)).max(1);
        ContactColorScale { top, open_ended: largest > top }
    }

    /// Returns the number of colors.
    pub(super) fn classes(&self) -> u32 {
        (self.top + 1).min(MOST_CLASSES)
    }

    /// Returns the class of a particle with this number of contacts.
    pub(super) fn class(&self, degree: u32) -> u32 {
        let steps = u64::from(self.classes() - 1);
        let degree = u64::from(degree.min(self.top));
        ((degree * steps + u64::from(self.top) / 2) / u64::from(self.top)) as u32
    }

    /// Returns the smallest number of contacts in a class.
    pub(super) fn least(&self, class: u32) -> u32 {
        let first = u64::from(class) * u64::from(self.top) / u64::from(self.classes() - 1);
        let near = (first as u32).saturating_sub(self.top / (self.classes() - 1) + 1);
        (near..=self.top).find(|&degree| self.class(degree) >= class).unwrap_or(self.top)
    }

    pub(super) fn color(&self, class: u32) -> LinearRgb {
        let share = f64::from(class) / f64::from(self.classes() - 1);
        let lightness = 0.955 - 0.605 * share;
        let chroma = 0.035 + 0.42 * share * (1.0 - 0.72 * share);
        LinearRgb::oklch(lightness, chroma, 95.0 + 180.0 * math::powf(share, 0.85))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_is_white_and_black_is_black() {
        assert_eq!(LinearRgb::WHITE.hexadecimal(), "#ffffff");
        assert_eq!(LinearRgb::BLACK.hexadecimal(), "#000000");
        assert_eq!(LinearRgb::oklch(1.0, 0.0, 0.0).hexadecimal(), "#ffffff");
    }

    #[test]
    fn one_giant_does_not_make_the_others_pale() {
        let mut degrees = vec![2; 1000];
        degrees[500] = 900;
        let scale = ContactColorScale::of(&degrees);
        assert_eq!((scale.top, scale.open_ended), (4, true));
    }

    #[test]
    fn classes_cover_every_number_in_order() {
        for top in [1, 5, 15, 16, 17, 40, 1000] {
            let scale = ContactColorScale { top, open_ended: false };
            assert_eq!(scale.class(0), 0);
            assert_eq!(scale.class(top), scale.classes() - 1);
            for class in 0..scale.classes() {
                let least = scale.least(class);
                assert_eq!(scale.class(least), class);
                assert!(least == 0 || scale.class(least - 1) < class);
            }
        }
    }
}
