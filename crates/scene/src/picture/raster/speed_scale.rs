use crate::Frame;
use crate::picture::colour::Colour;
use rayon::prelude::*;

/// Colours of the scale; more than the eye can tell apart.
pub(super) const SHADES: usize = 256;

/// Bodies that in all the time so far would move by no more than this part of a radius are at rest.
const RESTING: f64 = 1e-3;

/// Colours for speeds from zero to about the largest: slow bodies dark blue, fast ones yellow, in
/// equal steps of lightness.
pub(super) struct SpeedScale {
    /// The speed that has the lightest colour.
    pub top: f64,
    /// Whether some bodies are still faster; they share that colour.
    pub open_ended: bool,
    speeds: Vec<f64>,
}

impl SpeedScale {
    /// A scale up to the given speed, or on which a few fast bodies do not make all others dark: it
    /// ends where all but a hundredth of the bodies lie. Where all are nearly at rest, what they still tremble by is
    /// dark too.
    pub(super) fn of<const D: usize>(frame: &Frame<D>, top: Option<f64>) -> Self {
        let speeds: Vec<f64> =
            (0..frame.len()).into_par_iter().map(|body| frame.speed(body)).collect();
        let mut finite: Vec<f64> =
            speeds.iter().copied().filter(|speed| speed.is_finite()).collect();
        let largest = finite.iter().copied().fold(0.0, f64::max);
        let place = (finite.len() * 99 / 100).min(finite.len().saturating_sub(1));
        let most = match finite.is_empty() {
            true => 0.0,
            false => *finite.select_nth_unstable_by(place, f64::total_cmp).1,
        };
        let own = if most > 0.0 { most } else { largest };
        let own = if own > 0.0 { own.max(resting(frame)) } else { own };
        let top = top.filter(|top| top.is_finite() && *top > 0.0).unwrap_or(own);
        let top = if top > 0.0 { top } else { 1.0 };
        SpeedScale { top, open_ended: largest > top, speeds }
    }

    /// The shade of a body.
    pub(super) fn shade(&self, body: usize) -> usize {
        let share = (self.speeds[body] / self.top).clamp(0.0, 1.0);
        (share * (SHADES - 1) as f64).round() as usize
    }

    /// The colours of all shades.
    pub(super) fn colours() -> Vec<Colour> {
        (0..SHADES).map(|shade| colour(shade as f64 / (SHADES - 1) as f64)).collect()
    }
}

/// The speed of a body of the largest radius that is as good as at rest; zero at the start.
fn resting<const D: usize>(frame: &Frame<D>) -> f64 {
    let radius = frame.radii.iter().copied().filter(|it| it.is_finite()).fold(0.0, f64::max);
    if frame.time > 0.0 { RESTING * radius / frame.time } else { 0.0 }
}

fn colour(share: f64) -> Colour {
    let lightness = 0.37 + 0.52 * share;
    let chroma = 0.13 + 0.26 * share * (1.0 - share) + 0.03 * share;
    Colour::oklch(lightness, chroma, 278.0 + 178.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::tests::example;
    use carom_geometry::Vector;

    fn frame(speeds: &[f64]) -> Frame<2> {
        let mut frame = example::<2>(speeds.len());
        frame.velocities = speeds.iter().map(|&speed| Vector::from([0.0, -speed])).collect();
        frame
    }

    #[test]
    fn one_bullet_does_not_make_the_others_dark() {
        let mut speeds = vec![1.0; 1000];
        speeds[3] = 500.0;
        let scale = SpeedScale::of(&frame(&speeds), None);
        assert_eq!((scale.top, scale.open_ended), (1.0, true));
        assert_eq!(scale.shade(3), SHADES - 1);
    }

    #[test]
    fn bodies_that_only_tremble_are_dark() {
        let mut still = frame(&[1e-9, 3e-9, 0.0]);
        still.time = 10.0;
        let scale = SpeedScale::of(&still, None);
        assert_eq!([0, 1, 2].map(|body| scale.shade(body)), [0; 3]);
    }

    #[test]
    fn the_scale_of_a_series_can_be_fixed() {
        let scale = SpeedScale::of(&frame(&[0.0, 1.0]), Some(2.0));
        assert_eq!((scale.top, scale.open_ended), (2.0, false));
        assert_eq!((scale.shade(0), scale.shade(1)), (0, SHADES / 2));
    }

    #[test]
    fn bodies_at_rest_or_none_at_all_have_a_scale() {
        for speeds in [&[][..], &[0.0, 0.0], &[f64::NAN]] {
            assert_eq!(SpeedScale::of(&frame(speeds), None).top, 1.0);
        }
    }
}
