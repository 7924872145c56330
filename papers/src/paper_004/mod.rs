//! Paper 004: S. R. Koti, "Simulation of deformation of colliding objects using particle systems", thesis, Montana
//! State University, 1989.
//!
//! Circles of particles and springs collide; duration and force of the impact are prescribed. The thesis shows two
//! pictures, gives a rule for the number of intervals and an outlook into space. Its way is kept in
//! [`koti1989`], with its faults, and set beside [`carom::simulate::bonded::Simulation`].
//!
//! | experiment | of the thesis | function |
//! |---|---|---|
//! | two discs head-on and at an angle, in the old way and in the right way | figures 2 and 3 | [`disc_collision::measure`] |
//! | how wide the disturbed part of a disc is at which depth | the conical pattern | [`cone::disturbance_slices`] |
//! | energy gained over the number of intervals | "General observations" of chapter 5 | [`intervals::measure`] |
//! | two balls of lattices with 6 and with 18 neighbors | chapter 4 | [`balls::measure`] |
//! | duration and force of impacts | equations 2.1 and 2.4 | [`hertz::measure`] |
//! | particles of the boundary that the scan misses, crossings that are not seen | chapter 3 | [`faults::measure`] |
//!
//! The page is `papers/pages/004.md`, the rules of its verdicts are in `papers/pages/004.csv`. The values of the thesis's own data files are not known; `papers/data` has two in its format that fit its figures.

pub mod balls;
pub mod bonded_method;
pub mod cone;
pub mod disc_collision;
pub mod faults;
pub mod hertz;
pub mod intervals;
pub mod koti1989;
pub mod koti1989_method;
mod panels;
mod quantities;
mod report;
pub mod snapshot;

use crate::records::Records;
use crate::{PaperProgress, PaperReport, Settings};
use disc_collision::DiscCollision;
use koti1989::{Koti1989Error, Koti1989Scene, parse_koti1989};

const FIGURE_2: &str = include_str!("../../data/koti1989_figure_2.dat");
const FIGURE_3: &str = include_str!("../../data/koti1989_figure_3.dat");

/// All that was measured.
#[derive(Clone, Debug)]
pub struct DeformationResults {
    /// Figures 2 and 3.
    pub collisions: [DiscCollision; 2],
    /// Energy gained over the number of intervals.
    pub intervals: Records,
    /// Balls in space.
    pub balls: Records,
    /// Duration and force of impacts.
    pub hertz: Records,
    /// Further faults of the method.
    pub faults: faults::ThesisFaults,
}

/// The head-on collision of figure 2.
pub fn figure_2() -> Koti1989Scene {
    parse_koti1989(FIGURE_2.as_bytes(), "koti1989_figure_2.dat").expect("our own file is valid")
}

/// The collision at an angle of figure 3.
pub fn figure_3() -> Koti1989Scene {
    parse_koti1989(FIGURE_3.as_bytes(), "koti1989_figure_3.dat").expect("our own file is valid")
}

/// Measures everything and reports it.
pub fn run(settings: &Settings, on_progress: &mut dyn FnMut(&str, f64)) -> PaperReport {
    report::write(&measure(settings, on_progress), settings)
}

fn measure(settings: &Settings, on_progress: &mut dyn FnMut(&str, f64)) -> DeformationResults {
    let [grids, radii] = [intervals::grids(settings).len(), balls::radii(settings).len()];
    let mut progress = PaperProgress::new(2 + grids + 2 * radii + 1, on_progress);
    let scenes = [("figure 2", figure_2()), ("figure 3", figure_3())];
    let encounters = scenes.map(|(name, mut scene)| {
        progress.step(name);
        if settings.quick {
            coarsen(&mut scene, 20);
        }
        disc_collision::measure(&scene).expect("discs of our own files collide")
    });
    let intervals = intervals::measure(settings, &mut progress);
    let balls = balls::measure(settings, &mut progress);
    progress.step("duration and force of impacts");
    let (hertz, faults) = (hertz::measure(), faults::measure());
    progress.finish();
    DeformationResults { collisions: encounters, intervals, balls, hertz, faults }
}

/// Gives all objects a grid, and impacts ten times as many intervals, as the thesis advises.
fn coarsen(scene: &mut Koti1989Scene, grid: u32) {
    scene.objects.iter_mut().for_each(|object| object.grid = grid);
    scene.intervals = 10 * grid;
}

/// Runs the first collision of a user's data file in the old way and in the right way; refused if there is none.
pub fn run_data(
    scene: &Koti1989Scene,
    on_progress: &mut dyn FnMut(&str, f64),
) -> Result<PaperReport, Koti1989Error> {
    let mut progress = PaperProgress::new(1, on_progress);
    progress.step("the old way and the right way");
    let encounter = disc_collision::measure(scene)?;
    progress.finish();
    Ok(report::write_data(&encounter))
}

#[cfg(test)]
mod tests;
