//! The pattern in a disc that was hit along its rows: how wide the disturbed part is at which depth.

use super::snapshot::DiscSnapshot;
use crate::records::{Records, record};

/// Particles count as disturbed from this part of the largest disturbance on.
pub const VISIBLE: f64 = 0.02;

/// How many particles of the first disc, which was hit from the right, are disturbed at each depth in spacings behind the
/// foremost, across the way of the other disc; and how many there are.
pub fn disturbance_slices(snapshot: &DiscSnapshot) -> Records {
    let least = VISIBLE * snapshot.most_disturbed();
    let first = || snapshot.particles.iter().filter(|spot| spot.object == 0);
    let tip = first().map(|spot| spot.site[0]).max().unwrap_or(0);
    let slice = |depth: i32| {
        let here = || first().filter(|spot| tip - spot.site[0] == depth);
        let disturbed = here().filter(|spot| spot.velocity_disturbance >= least).count();
        record! { "depth": depth, "disturbed": disturbed, "all": here().count() }
    };
    (0..=2 * tip).map(slice).collect()
}

/// The mean width of the disturbed slices in the half of them near the surface, over that in the deeper half.
pub fn outer_over_inner_width(slices: &Records) -> f64 {
    let widths: Vec<f64> = slices.numbers("disturbed").collect();
    let depth = widths.iter().rposition(|&width| width > 0.0).map_or(0, |deepest| deepest + 1);
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len().max(1) as f64;
    let (outer, inner) = widths[..depth].split_at(depth.div_ceil(2));
    mean(outer) / mean(inner)
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
        let widths: Vec<f64> = slices.numbers("disturbed").collect();
        assert_eq!((widths[0], widths[9], widths[10]), (19.0, 1.0, 0.0));
        assert_eq!(outer_over_inner_width(&slices), 15.0 / 5.0);
    }
}
