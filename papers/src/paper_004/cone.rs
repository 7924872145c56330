//! The pattern in a disc that was hit along its rows: how wide the disturbed part is at which depth.

use super::snapshot::DiscSnapshot;

/// Particles count as disturbed from this part of the largest disturbance on.
pub const VISIBLE: f64 = 0.02;

/// How many particles are disturbed at a depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DisturbanceSlice {
    /// Spacings behind the foremost particle.
    pub depth: i32,
    /// Disturbed particles across the way of the other disc.
    pub width: usize,
    /// All particles there.
    pub all: usize,
}

/// The slices of the first disc, which was hit from the right.
pub fn disturbance_slices(snapshot: &DiscSnapshot) -> Vec<DisturbanceSlice> {
    let least = VISIBLE * snapshot.most_disturbed();
    let first = || snapshot.particles.iter().filter(|spot| spot.object == 0);
    let tip = first().map(|spot| spot.site[0]).max().unwrap_or(0);
    let slice = |depth: i32| {
        let here = || first().filter(|spot| tip - spot.site[0] == depth);
        DisturbanceSlice {
            depth,
            width: here().filter(|spot| spot.velocity_disturbance >= least).count(),
            all: here().count(),
        }
    };
    (0..=2 * tip).map(slice).collect()
}

/// The depth of the deepest disturbed slice, and the mean width of those in the upper and the lower half of it.
pub fn halves(slices: &[DisturbanceSlice]) -> (i32, [f64; 2]) {
    let deepest = slices.iter().rev().find(|slice| slice.width > 0).map_or(0, |slice| slice.depth);
    let mean = |from: i32, to: i32| {
        let within = slices.iter().filter(|slice| (from..to).contains(&slice.depth));
        let widths: Vec<f64> = within.map(|slice| slice.width as f64).collect();
        widths.iter().sum::<f64>() / widths.len().max(1) as f64
    };
    let middle = deepest / 2 + 1;
    (deepest, [mean(0, middle), mean(middle, deepest + 1)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper_004::snapshot::SnapshotParticle;

    #[test]
    fn a_cone_with_its_apex_in_the_middle_is_wider_at_the_surface() {
        let spot = |x: i32, y: i32| SnapshotParticle {
            object: 0,
            site: [x, y],
            position: [0.0; 2],
            displacement: 0.0,
            velocity_disturbance: if y.abs() <= x { 1.0 } else { 0.0 },
        };
        let spots = (-9..=9).flat_map(|x| (-9..=9).map(move |y| spot(x, y))).collect();
        let slices = disturbance_slices(&DiscSnapshot {
            crossings: 0.5,
            spacings: [1.0; 2],
            particles: spots,
        });
        assert_eq!((slices[0].width, slices[9].width, slices[10].width), (19, 1, 0));
        assert_eq!(halves(&slices), (9, [15.0, 5.0]));
    }
}
