//! How many intervals an impact needs: "the number of steps should be at least an order of magnitude greater than the
//! grid size".
//!
//! In the head-on collision of figure 2 with other grids and intervals, the energy at the end of the impact is compared
//! with that at its start and the work of the prescribed force: the rest came from the unstable update.

use super::figure_2;
use super::koti1989::{Koti1989Constants, Koti1989Event, Koti1989Impact, Object, Run};
use crate::{PaperProgress, Settings};

/// One impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntervalTrial {
    /// Spacings along a diameter.
    pub grid: u32,
    /// Intervals of the impact.
    pub intervals: u32,
    /// How many spacings a wave goes in an interval; above one, no explicit update can follow it.
    pub courant: f64,
    /// The energy gained, in parts of the work of the prescribed force; infinite if particles left the scene.
    pub gained: f64,
}

impl IntervalTrial {
    /// Intervals in grids.
    pub fn ratio(&self) -> f64 {
        f64::from(self.intervals) / f64::from(self.grid)
    }

    /// Times by which the energy of the fastest swing of the grid grows in the impact, as a power of ten. Its frequency
    /// ω is twice the speed of waves over the spacing, and each interval t multiplies its energy by 1 + (ωt)²/2 at the
    /// least.
    pub fn decades(&self) -> f64 {
        f64::from(self.intervals) * (1.0 + 2.0 * self.courant.powi(2)).log10()
    }
}

/// Intervals in grids.
const RATIOS: [f64; 9] = [0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0];

/// All trials, grid by grid, with ascending numbers of intervals.
pub fn measure(
    settings: &Settings,
    progress: &mut PaperProgress<'_>,
    cost: f64,
) -> Vec<IntervalTrial> {
    let grids: &[u32] = if settings.quick { &[10, 20] } else { &[10, 20, 40, 80] };
    let ratios = if settings.quick { &RATIOS[..7] } else { &RATIOS[..] };
    let weight = |grid: u32| f64::from(grid).powi(3);
    let whole: f64 = grids.iter().map(|&grid| weight(grid)).sum();
    let mut trials = Vec::new();
    for &grid in grids {
        progress.step(&format!("intervals of a grid of {grid}"), cost * weight(grid) / whole);
        trials.extend(ratios.iter().map(|ratio| trial(grid, (ratio * f64::from(grid)) as u32)));
    }
    trials
}

/// The impact of figure 2 with a grid and this many intervals.
pub fn trial(grid: u32, intervals: u32) -> IntervalTrial {
    let mut scene = figure_2();
    scene.objects.iter_mut().for_each(|object| object.grid = grid);
    scene.intervals = intervals;
    let mut run = Run::new(&scene, Koti1989Constants::default()).expect("figure 2 can be run");
    let energy = |run: &Run| run.objects().iter().flat_map(Object::energy).sum::<f64>();
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
    IntervalTrial { grid, intervals, courant, gained }
}

/// The fewest intervals of a grid from which on every trial gains less than a part of the energy.
pub fn fewest(trials: &[IntervalTrial], grid: u32, part: f64) -> Option<u32> {
    let of_grid = || trials.iter().filter(move |trial| trial.grid == grid);
    let bad = of_grid().rev().find(|trial| trial.gained.is_nan() || trial.gained.abs() >= part);
    let above = bad.map_or(0, |trial| trial.intervals);
    of_grid().map(|trial| trial.intervals).find(|&intervals| intervals > above)
}

/// The grids of trials, ascending.
pub fn grids(trials: &[IntervalTrial]) -> Vec<u32> {
    let mut grids: Vec<u32> = trials.iter().map(|trial| trial.grid).collect();
    grids.dedup();
    grids
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_intervals_gain_much_energy_and_many_little() {
        let trials = [trial(10, 10), trial(10, 2000)];
        assert!(trials[0].gained > 10.0 * trials[1].gained.abs(), "{trials:?}");
        assert!(trials[1].gained.abs() < 0.05, "{trials:?}");
        assert_eq!(fewest(&trials, 10, 0.05), Some(2000));
        assert_eq!((fewest(&trials, 10, 1e-9), grids(&trials)), (None, vec![10]));
    }
}
