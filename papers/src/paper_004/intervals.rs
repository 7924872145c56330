//! How many intervals an impact needs: "the number of steps should be at least an order of magnitude greater than the
//! grid size".
//!
//! In the head-on collision of figure 2 with other grids and intervals, the energy at the end of the impact is compared
//! with that at its start and the work of the prescribed force: the rest came from the unstable update.

use super::figure_2;
use super::koti1989::{Koti1989Constants, Koti1989Event, Koti1989Impact, Run};
use crate::records::{Record, Records, record};
use crate::{PaperProgress, Settings};

/// Intervals in grids.
const RATIOS: [f64; 9] = [0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0];

/// The grids that are tried.
pub(super) fn grids(settings: &Settings) -> &'static [u32] {
    settings.either(&[10, 20], &[10, 20, 40, 80])
}

/// All trials, grid by grid, with ascending numbers of intervals.
pub fn measure(settings: &Settings, progress: &mut PaperProgress<'_>) -> Records {
    let ratios = settings.either(&RATIOS[..7], &RATIOS[..]);
    let mut trials = Records::default();
    for &grid in grids(settings) {
        progress.step(&format!("intervals of a grid of {grid}"));
        trials.extend(ratios.iter().map(|ratio| trial(grid, (ratio * f64::from(grid)) as u32)));
    }
    trials
}

/// The impact of figure 2 with a grid and this many intervals.
///
/// Beyond a spacing that a wave goes in an interval no explicit update can follow it. The frequency ω of the fastest
/// swing of the grid is twice the speed of waves over the spacing, and each interval t multiplies its energy by
/// 1 + (ωt)²/2 at the least. The energy gained is in parts of the work of the prescribed force, and infinite if particles
/// left the scene.
fn trial(grid: u32, intervals: u32) -> Record {
    let mut scene = figure_2();
    scene.objects.iter_mut().for_each(|object| object.grid = grid);
    scene.intervals = intervals;
    let mut run = Run::new(&scene, Koti1989Constants::default()).expect("figure 2 can be run");
    let energy =
        |run: &Run| run.objects().iter().map(|object| object.energy().total()).sum::<f64>();
    let before = energy(&run);
    let (spacing, mass) = (run.objects()[0].spacing, run.objects()[0].particle_mass);
    let speed = spacing * (scene.objects[0].stiffness_compressed / mass).sqrt();
    let lasts = Koti1989Impact::of(&scene.objects[0], &scene.objects[1]).duration();
    let courant = speed * lasts / (f64::from(intervals) * spacing);
    let gained = loop {
        match run.advance(|_, _| ()) {
            Koti1989Event::Moved(_) => {}
            Koti1989Event::Collided(collision) => {
                break (energy(&run) - before - collision.work) / collision.work;
            }
            Koti1989Event::LeftScene { .. } | Koti1989Event::Stationary => break f64::INFINITY,
        }
    };
    let growth = f64::from(intervals) * (1.0 + 2.0 * courant.powi(2)).log10();
    record! {
        "grid": grid, "intervals": intervals,
        "intervals per grid": f64::from(intervals) / f64::from(grid),
        "spacings of a wave per interval": courant,
        "growth of fastest swing in powers of ten": growth, "energy gained": gained,
    }
}

/// The fewest intervals per grid from which on every trial of a grid gains less than a part of the energy.
pub fn fewest(trials: &Records, part: f64) -> Option<&Record> {
    let is_good = |trial: &Record| trial.number("energy gained").abs() < part;
    let bad = trials.iter().rposition(|trial| !is_good(trial)).map_or(0, |bad| bad + 1);
    trials.get(bad)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_intervals_gain_much_energy_and_many_little() {
        let trials: Records = [trial(10, 10), trial(10, 2000)].into_iter().collect();
        let [few, many] = [0, 1].map(|number| trials[number].number("energy gained").abs());
        assert!(few > 10.0 * many && many < 0.05, "{trials:?}");
        assert_eq!(fewest(&trials, 0.05), Some(&trials[1]));
        assert_eq!(fewest(&trials, 1e-9), None);
    }
}
