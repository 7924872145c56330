//! Stages of a run: which is the present one, and how the next one begins.

use super::{OutputOrigin, ROUNDING, Run};
use crate::run::engine_run::StageStart;
use crate::run::summary::StageSummary;
use crate::run::{Error, OutputSchedule};
use carom_scene::Scene;
use carom_simulate::observe::Sample;

impl<const D: usize> Run<D> {
    pub(in crate::run) fn has_next_stage(&self) -> bool {
        self.staged.as_ref().is_some_and(|scene| self.stage() + 1 < scene.stages.len())
    }

    /// Begins the next stage at the present moment.
    pub(in crate::run) fn enter_next_stage(&mut self) -> Result<(), Error> {
        let Some(scene) = self.staged.take() else { return Ok(()) };
        let now = StageStart { time: self.engine().time(), count: self.engine.counted().1 };
        self.stage_starts.push(now);
        let in_stage = scene.in_stage(self.stage());
        self.staged = Some(scene);
        self.engine.enter_stage(&in_stage, &self.stage_starts)?;
        self.add_own_forces_again()?;
        let packing_fraction = self.engine().quantities().number("packing_fraction");
        let step = self.engine.time_step();
        self.schedule = OutputSchedule::for_steps_of(&in_stage, step, packing_fraction)?;
        let is_framed =
            self.frame_times.last().is_some_and(|&time| now.time - time <= ROUNDING * now.time);
        self.origin = OutputOrigin {
            time: now.time,
            collisions: now.count,
            // There is a row, and may be a frame, of the present moment.
            row: self.rows.saturating_sub(1),
            frame: self.frame_times.len() as u64 - u64::from(is_framed),
        };
        self.ended_stages.push(std::mem::take(&mut self.means));
        let mut before = std::mem::take(&mut self.observables);
        let of_scene = self.engine.observables(&in_stage);
        let all_names = self.scene_observable_names();
        let stages = self.staged.as_ref().map_or(&[][..], |scene| scene.stages.as_slice());
        let [earlier, now_observed] = [self.stage() - 1, self.stage()]
            .map(|number| stages.get(number).map(|stage| &stage.scene.observe));
        let start = Sample::at_start(self.engine.engine());
        for mut new in of_scene {
            let both = earlier.zip(now_observed);
            let is_alike = both.is_none_or(|(one, two)| one.has_same_settings(two, new.name()));
            let same = before.iter().position(|old| {
                is_alike && old.name() == new.name() && old.columns() == new.columns()
            });
            if same.is_none() {
                // It begins here, and its first row is the next one.
                new.sample(&start);
            }
            self.observables.push(same.map_or(new, |place| before.remove(place)));
        }
        // Those that the program has added stay.
        self.observables
            .extend(before.into_iter().filter(|it| !all_names.contains(&it.name().to_owned())));
        Ok(())
    }

    /// Names of the observables that any stage of the scene has.
    pub(super) fn scene_observable_names(&self) -> Vec<String> {
        let stages = self.staged.iter().flat_map(|scene| &scene.stages);
        let all = stages.flat_map(|stage| self.engine.observables(&stage.scene));
        all.map(|observable| observable.name().to_owned()).collect()
    }

    /// The fraction of a run in stages that is done; where it is not known how long stages last, as if all took the same
    /// time.
    pub(super) fn part_of_stages(&self, scene: &Scene<D>, time: f64, count: u64) -> f64 {
        if let Some(duration) = scene.duration() {
            return (time / duration).min(1.0);
        }
        let (number, start) = (self.stage(), self.stage_starts.last().copied().unwrap_or_default());
        let limits = scene.stages.get(number).map(|stage| stage.scene.limits).unwrap_or_default();
        let by_time = limits.until.map(|duration| (time - start.time) / duration);
        let by_count =
            limits.collisions.map(|most| (count - start.count.min(count)) as f64 / most as f64);
        let part = by_time.into_iter().chain(by_count).fold(0.0, f64::max).min(1.0);
        let of_all = (number as f64 + part) / scene.stages.len() as f64;
        scene.latest_end.map_or(of_all, |end| of_all.max(time / end)).min(1.0)
    }

    /// The stages that have begun, with their means.
    pub(super) fn stage_summaries<'a>(&'a self, scene: &'a Scene<D>) -> Vec<StageSummary<'a>> {
        let ends = self.stage_starts.iter().skip(1).map(|start| start.time);
        let ends = ends.chain([self.engine().time()]);
        let means = self.ended_stages.iter().chain([&self.means]);
        let stages = scene.stages.iter().zip(&self.stage_starts).zip(ends).zip(means);
        stages
            .map(|(((stage, start), end), means)| StageSummary {
                name: &stage.name,
                begin: start.time,
                end,
                means,
            })
            .collect()
    }

    /// Whether a run in stages has reached the time at which it ends at the latest.
    pub(in crate::run) fn is_at_latest_end(&self) -> bool {
        let end = self.staged.as_ref().and_then(|scene| scene.latest_end);
        end.is_some_and(|end| self.engine.has_reached(end))
    }
}
