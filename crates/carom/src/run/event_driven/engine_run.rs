//! The event-driven engine behind the interface by which a run advances any engine.

use super::estimate::dilute_gas_collision_rate;
use super::polling_interval::PollingInterval;
use super::stall_detector::StallDetector;
use super::{continued, rest, setup};
use crate::run::engine_run::{EngineRun, NextOutput, StageStart, frame_ids, observables};
use crate::run::wall_names::{box_wall_names, wall_column_names};
use crate::run::{Ending, Error, Estimate};
use carom_io::{AxisExtent, Checkpoint, Frame, six_significant_digits};
use carom_scene::Scene;
use carom_scene::scene::{GrowthTarget, Limits};
use carom_simulate::Engine;
use carom_simulate::event_driven::{Counters, Simulation};
use carom_simulate::observe::{
    CollisionAverages, NeighborStatistics, Observable, ThermodynamicSnapshot, WallLoads,
};
use serde_json::{Map, Value, json};
use std::time::Duration;

/// An event-driven simulation in a run of a scene.
pub(in crate::run) struct EventDrivenRun<const D: usize> {
    pub(super) simulation: Simulation<D>,
    limits: Limits,
    /// Whether the scene has several materials.
    mixed: bool,
    /// Whether nothing will ever happen again; checked only in runs without an end in time.
    at_rest: bool,
    /// Counters when this process started or resumed the run.
    counters_at_resume: Counters,
    polling_interval: PollingInterval,
    stall_detector: StallDetector,
}

/// Times that differ by less than this fraction are equal but for rounding.
const ROUNDING: f64 = 1e-9;

impl<const D: usize> EventDrivenRun<D> {
    pub(in crate::run) fn new(scene: &Scene<D>) -> Result<Self, Error> {
        let simulation = continued::start(scene)?;
        simulation.check_field()?;
        // What a later stage asks for is refused now, as far as it can be known, not when it begins.
        for stage in &scene.stages {
            simulation.check_change(&setup::settings(&stage.scene))?;
        }
        Ok(EventDrivenRun::of(scene, simulation, scene.limits))
    }

    pub(super) fn of(scene: &Scene<D>, simulation: Simulation<D>, limits: Limits) -> Self {
        let dilute_gas_rate = dilute_gas_collision_rate(scene, &simulation);
        EventDrivenRun {
            counters_at_resume: *simulation.counters(),
            polling_interval: PollingInterval::new(&simulation),
            stall_detector: StallDetector::watch(&simulation, dilute_gas_rate),
            simulation,
            limits,
            mixed: scene.materials.len() > 1,
            at_rest: false,
        }
    }

    fn check_at_rest(&mut self) {
        let now = self.simulation.now();
        if self.limits.until.is_none() && rest::is_rest_check_time(now) {
            self.at_rest = now >= rest::LATEST || rest::is_at_rest(&self.simulation);
        }
    }

    /// Replaces a time that differs from the end of growth by rounding only with that end, so that output due then sees
    /// the bodies in their final size.
    fn snap_to_end_of_growth(&self, time: f64) -> f64 {
        let (end, _) = self.simulation.growth_may_end();
        let same = end.is_finite() && (end - time).abs() <= ROUNDING * end;
        if same { end } else { time }
    }

    /// Packing fraction that growth is to reach, if the scene gives one.
    fn wanted_packing_fraction(&self) -> Option<f64> {
        match self.simulation.settings().growth?.until {
            Some(GrowthTarget::PackingFraction(wanted)) => Some(wanted),
            _ => None,
        }
    }

    /// The reason why the run ended, after "ended", with the packing fraction that growth has reached.
    fn reason(&self, ending: Ending) -> String {
        let reason = ending.reason();
        let packing_fraction = ThermodynamicSnapshot::of(&self.simulation).packing_fraction;
        let is = six_significant_digits(packing_fraction);
        match self.wanted_packing_fraction() {
            _ if ending == Ending::Stopped => reason.to_owned(),
            Some(wanted) if packing_fraction < wanted * (1.0 - 1e-9) => {
                let end = if ending == Ending::Growth { "jammed at" } else { "packing fraction" };
                format!("{reason}: {end} {is}, target {}", six_significant_digits(wanted))
            }
            _ if ending == Ending::Growth => format!("{reason}, at packing fraction {is}"),
            _ => reason.to_owned(),
        }
    }
}

impl<const D: usize> EngineRun<D> for EventDrivenRun<D> {
    fn engine(&self) -> &dyn Engine<D> {
        &self.simulation
    }

    fn engine_mut(&mut self) -> &mut dyn Engine<D> {
        &mut self.simulation
    }

    fn counted(&self) -> (&'static str, u64) {
        ("collisions", self.simulation.counters().collisions)
    }

    fn time_step(&self) -> Option<f64> {
        None
    }

    fn has_reached(&self, time: f64) -> bool {
        self.simulation.now() >= self.snap_to_end_of_growth(time)
    }

    fn advance(&mut self, due: &NextOutput) -> Result<(), Error> {
        let (growth_time, growth_collisions) = self.simulation.growth_may_end();
        let (now, done) = (self.simulation.now(), self.simulation.counters().collisions);
        let time = [
            self.limits.until.unwrap_or_else(|| rest::next_rest_check(now)),
            self.snap_to_end_of_growth(due.time),
            growth_time,
            now + self.polling_interval.time,
        ];
        let collisions = [
            self.limits.collisions.unwrap_or(u64::MAX),
            due.count,
            growth_collisions,
            done.saturating_add(PollingInterval::COLLISIONS_PER_POLL),
        ];
        let until = time.into_iter().fold(f64::INFINITY, f64::min);
        let most = collisions.into_iter().fold(u64::MAX, u64::min);
        self.simulation.advance_bounded(until, most.saturating_sub(done));
        self.simulation.check_field()?;
        self.polling_interval.adapt(&self.simulation);
        self.check_at_rest();
        let simulation = &mut self.simulation;
        Ok(self.stall_detector.check(simulation, &self.limits, due.rows, due.log_interval)?)
    }

    fn set_limits(&mut self, limits: Limits) {
        (self.limits, self.at_rest) = (limits, false);
    }

    fn ending(&mut self) -> Option<Ending> {
        self.check_at_rest();
        let simulation = &self.simulation;
        let collisions = simulation.counters().collisions;
        if self.limits.until.is_some_and(|until| simulation.now() >= until) {
            Some(Ending::Time)
        } else if self.limits.collisions.is_some_and(|most| collisions >= most) {
            Some(Ending::Collisions)
        } else if simulation.settings().growth.is_some() && !simulation.is_growing() {
            Some(Ending::Growth)
        } else if self.at_rest {
            Some(Ending::Rest)
        } else {
            None
        }
    }

    fn part(&self) -> f64 {
        let (simulation, collisions) = (&self.simulation, self.counted().1);
        let by_time = self.limits.until.map_or(0.0, |until| simulation.now() / until);
        let by_collisions =
            self.limits.collisions.map_or(0.0, |most| collisions as f64 / most as f64);
        let by_growth = match self.wanted_packing_fraction() {
            Some(_) => simulation.now() / simulation.growth_may_end().0,
            None => 0.0,
        };
        by_time.max(by_collisions).max(by_growth).min(1.0)
    }

    fn observables(&self, scene: &Scene<D>) -> Vec<Box<dyn Observable<D>>> {
        let mut all: Vec<Box<dyn Observable<D>>> = vec![
            Box::new(CollisionAverages::new(&scene.region)),
            Box::new(NeighborStatistics::from_now(&self.simulation)),
        ];
        if scene.observe.wall_loads {
            all.push(Box::new(WallLoads::new(wall_column_names(scene))));
        }
        all.extend(observables(scene));
        all
    }

    fn wall_names(&self) -> Vec<String> {
        box_wall_names(&self.simulation.settings().region)
    }

    fn frame(&self) -> Frame<D> {
        let simulation = &self.simulation;
        let (region, all) = (&simulation.settings().region, 0..simulation.count());
        let masses: Vec<f64> = all.clone().map(|body| simulation.mass(body)).collect();
        let materials =
            self.mixed.then(|| all.clone().map(|body| simulation.material(body).into()).collect());
        Frame {
            time: simulation.now(),
            step: simulation.counters().collisions,
            number: 0,
            region: AxisExtent::of_region(region),
            positions: all.clone().map(|body| simulation.position(body)).collect(),
            velocities: all.clone().map(|body| simulation.velocity(body)).collect(),
            radii: all.map(|body| simulation.radius(body)).collect(),
            masses: Some(masses),
            materials,
            shapes: None,
            springs: None,
            contacts: None,
            walls: None,
            ids: frame_ids(simulation.ids()),
            color_by: None,
            columns: Vec::new(),
        }
    }

    fn summarize(&self, ending: Ending, running: Duration, summary: &mut Map<String, Value>) {
        let (simulation, before) = (&self.simulation, &self.counters_at_resume);
        let counters = simulation.counters();
        let collisions = counters.collisions - before.collisions;
        let (structure, reason) = simulation.structure();
        summary.insert("bodies".into(), simulation.count().into());
        summary.insert("reason".into(), self.reason(ending).into());
        summary.insert("wanted_packing_fraction".into(), self.wanted_packing_fraction().into());
        summary.insert("contact_time".into(), simulation.contact_time().into());
        summary.insert("digest".into(), format!("{:016x}", counters.digest).into());
        let events = json!({
            "collisions": counters.collisions,
            "wall_collisions": counters.wall_collisions,
            "passages": counters.passages,
            "predictions": counters.predictions,
            "collapse_prevented": counters.collapse_prevented,
        });
        summary.insert("events".into(), events);
        let work = json!({
            "collisions": collisions,
            "collisions_per_second": collisions as f64 / running.as_secs_f64(),
            "structure_changes": counters.structure_changes - before.structure_changes,
            "fresh_neighbors": counters.fresh_neighbors - before.fresh_neighbors,
            "stale_events": counters.stale_events - before.stale_events,
            "pair_tests": counters.pair_tests - before.pair_tests,
            "restarts": counters.restarts - before.restarts,
        });
        summary.insert("work".into(), work);
        // Work of the structure's own kind, such as `{"flips": 12, "certificates_bounded": 345}`.
        let own_work = simulation.structure_statistics().into_iter();
        let own_work: Map<String, Value> =
            own_work.map(|(what, count)| (what.replace(' ', "_"), count.into())).collect();
        let neighbors =
            json!({ "structure": structure.name(), "reason": reason, "work": own_work });
        summary.insert("neighbors".into(), neighbors);
        let memory = simulation.memory();
        let memory = json!({
            "bodies": memory.bodies,
            "calendar": memory.calendar,
            "structure": memory.structure,
            "total": memory.total(),
        });
        summary.insert("memory".into(), memory);
    }

    fn estimate(&self, scene: &Scene<D>, estimate: &mut Estimate) {
        super::estimate::estimate(scene, &self.simulation, estimate);
    }

    fn save(&self, checkpoint: &mut Checkpoint) {
        self.put_into(checkpoint);
    }

    fn warnings(&mut self) -> Vec<String> {
        self.stall_detector.warning(&self.simulation).into_iter().collect()
    }

    fn enter_stage(&mut self, scene: &Scene<D>, starts: &[StageStart]) -> Result<(), Error> {
        self.simulation.change_settings(setup::settings(scene))?;
        self.simulation.check_field()?;
        self.limits = StageStart::limits_of_last(starts, scene);
        self.at_rest = false;
        let dilute_gas_rate = dilute_gas_collision_rate(scene, &self.simulation);
        self.stall_detector = StallDetector::watch(&self.simulation, dilute_gas_rate);
        self.polling_interval = PollingInterval::new(&self.simulation);
        Ok(())
    }
}
