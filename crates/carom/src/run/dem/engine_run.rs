//! The DEM engine behind the interface by which a run advances any engine.

use super::contact_history::contact_history;
use super::outlet::OutletState;
use super::pour::PourState;
use super::scene_law::SceneLaw;
use super::setup;
use crate::run::engine_run::{EngineRun, NextOutput, StageStart, frame_ids, observables};
use crate::run::own_force::OwnForce;
use crate::run::wall_names::wall_column_names;
use crate::run::{Ending, Error, Estimate};
use carom_geometry::Vector;
use carom_io::{AxisExtent, Checkpoint, Frame, FrameContact, FrameShapes, FrameWalls};
use carom_scene::Scene;
use carom_scene::scene::{BoundaryCondition, ColorQuantity, ForceExpression, Limits, Region};
use carom_simulate::dem::{Body, BodyContacts, ContactLaw, INFINITE_FORCE, Simulation, Warning};
use carom_simulate::observe::{ContactPressure, Observable, WallLoads};
use carom_simulate::{Engine, Values, Wall, WallSurface};
use serde_json::{Map, Value, json};
use std::time::Duration;

/// A time-stepped (DEM) simulation in a run of a scene.
pub(in crate::run) struct DemRun<const D: usize, L: ContactLaw> {
    pub(super) simulation: Simulation<D, L>,
    pub(super) scene_law: SceneLaw<L>,
    pub(super) region: Region<D>,
    until: f64,
    /// Whether the scene has several materials.
    mixed: bool,
    /// Quantity that colors pictures.
    color: ColorQuantity,
    /// Whether frames have contacts.
    writes_contacts: bool,
    /// Whether frames have the loads on walls.
    writes_wall_loads: bool,
    pub(super) pour_state: PourState<D>,
    pub(super) outlet_state: OutletState<D>,
    /// Forces of the scene, to name the one that is not finite.
    forces: Vec<ForceExpression<D>>,
    /// Number of time steps when this process started or resumed the run.
    steps_at_resume: u64,
    /// Number of neighbor searches at that time.
    searches_at_resume: u64,
    /// Names of the walls in messages.
    wall_names: Vec<String>,
    /// Names of the walls in columns, which stay the same in all stages.
    wall_keys: Vec<String>,
    /// Kinds of warnings that were reported.
    reported_warnings: Vec<&'static str>,
}

/// Numbers of bodies inserted and removed; part of a checkpoint.
pub(super) struct BodyFlowCounts {
    /// Bodies of each pour that have been inserted.
    pub poured: Vec<u64>,
    /// Bodies that have left at each outlet.
    pub left: Vec<u64>,
}

/// Times that differ by less than this fraction of a time step are equal but for rounding.
const ROUNDING: f64 = 1e-6;

/// Body steps between two polls of signals and clocks: some tens of milliseconds.
const BODY_STEPS_PER_POLL: u64 = 300_000;

impl<const D: usize, L: ContactLaw> DemRun<D, L> {
    pub(in crate::run) fn new(scene: &Scene<D>, scene_law: SceneLaw<L>) -> Result<Self, Error> {
        let history = contact_history(scene, scene_law.history_names)?;
        let settings = setup::staged_settings(scene, &[], &scene_law)?;
        let bodies = setup::bodies(scene);
        let mut simulation = Simulation::with_history(&bodies, settings, &history)
            .map_err(|error| with_wall_name(scene, error))?;
        setup::forces(scene).for_each(|force| simulation.add_force(force));
        check_length(scene, simulation.time_step())?;
        let counts = BodyFlowCounts {
            poured: vec![0; scene.pours.len()],
            left: vec![0; scene.outlets.len()],
        };
        Ok(DemRun::of(scene, scene_law, simulation, counts, scene.limits))
    }

    pub(super) fn of(
        scene: &Scene<D>,
        scene_law: SceneLaw<L>,
        simulation: Simulation<D, L>,
        counts: BodyFlowCounts,
        limits: Limits,
    ) -> Self {
        DemRun {
            steps_at_resume: simulation.steps(),
            searches_at_resume: simulation.searches(),
            simulation,
            scene_law,
            region: scene.region,
            until: limits.until.unwrap_or(0.0),
            mixed: scene.materials.len() > 1,
            color: scene.output.color,
            writes_contacts: scene.output.contacts,
            writes_wall_loads: scene.observe.wall_loads,
            forces: scene.forces.clone(),
            pour_state: PourState::new(scene, counts.poured),
            outlet_state: OutletState::new(scene, counts.left),
            wall_names: setup::wall_names(scene),
            wall_keys: wall_column_names(scene),
            reported_warnings: Vec::new(),
        }
    }

    /// Shapes and orientations of bodies, if the scene has shapes.
    fn frame_shapes(&self, bodies: &[Body<D>]) -> Option<FrameShapes> {
        let orientation = |body: &Body<D>| {
            let [x, y, z, w] = body.orientation.coords.into();
            [w, x, y, z]
        };
        let shapes = &self.simulation.settings().shapes;
        (!shapes.is_empty()).then(|| FrameShapes {
            list: shapes.clone(),
            shape_of_body: bodies.iter().map(|body| body.shape).collect(),
            orientations: bodies.iter().map(orientation).collect(),
        })
    }

    /// The contacts of a frame, in the frame of their first bodies.
    fn frame_contacts(&self) -> Vec<FrameContact<D>> {
        let simulation = &self.simulation;
        let (state, boundary) = (simulation.state(), &simulation.settings().boundary);
        let contacts = simulation.contacts();
        contacts.iter().filter_map(|contact| FrameContact::of(contact, &state, boundary)).collect()
    }

    /// The walls that are meshes, with the loads on their triangles.
    fn frame_walls(&self) -> Option<FrameWalls> {
        let walls = &self.simulation.settings().walls;
        let is_mesh = |wall: &Wall| matches!(wall.surface, WallSurface::Mesh(_));
        if !self.writes_wall_loads || !walls.iter().any(is_mesh) {
            return None;
        }
        let mut surfaces = FrameWalls::default();
        let loads = self.simulation.triangle_loads();
        for (number, (wall, loads)) in walls.iter().zip(loads).enumerate() {
            let WallSurface::Mesh(surface) = &wall.surface else { continue };
            let pose = wall.motion.pose(self.simulation.now());
            let mesh = surface.mesh();
            let place = |corner: u32| pose.transform_point(&mesh.vertices()[corner as usize]);
            surfaces.corners.extend(mesh.triangles().iter().map(|corners| corners.map(place)));
            surfaces.walls.extend(vec![number as u32; loads.len()]);
            surfaces.loads.extend(loads);
        }
        Some(surfaces)
    }

    /// A position as it is written: on periodic axes inside the box, from where other runs may start.
    fn wrapped_into_box(&self, place: &Vector<D>) -> Vector<D> {
        let wrapped = self.simulation.settings().boundary.wrap(*place);
        Vector::from_fn(|axis, _| match self.region.boundary_conditions[axis] {
            // A coordinate just below zero may be rounded up to the whole size.
            BoundaryCondition::Periodic if wrapped[axis] >= self.region.size[axis] => 0.0,
            BoundaryCondition::Periodic => wrapped[axis],
            _ => place[axis],
        })
    }

    /// The first time step at or after a time.
    fn step_at(&self, time: f64) -> u64 {
        (time / self.simulation.time_step() - ROUNDING).ceil().max(0.0) as u64
    }
}

/// The error with the name that the wall has in the scene.
fn with_wall_name<const D: usize>(scene: &Scene<D>, error: carom_simulate::Error) -> Error {
    match error {
        carom_simulate::Error::WallOverlap { body, wall, overlap } => {
            let wall = setup::wall_names(scene).swap_remove(wall);
            Error::InWall { body, wall, overlap }
        }
        error => error.into(),
    }
}

/// Returns an error if a run is shorter than one time step but not empty.
fn check_length<const D: usize>(scene: &Scene<D>, step: f64) -> Result<(), Error> {
    match scene.limits.until {
        Some(until) if until > 0.0 && step > until * (1.0 + ROUNDING) => {
            let value = format!("{until:?}, but a step takes {step:?}");
            let rule = "it must be at least as long: give a later end or a shorter step";
            Err(carom_simulate::Error::Setting { what: "until", value, rule }.into())
        }
        _ => Ok(()),
    }
}

impl<const D: usize, L: ContactLaw> EngineRun<D> for DemRun<D, L> {
    fn engine(&self) -> &dyn Engine<D> {
        &self.simulation
    }

    fn engine_mut(&mut self) -> &mut dyn Engine<D> {
        &mut self.simulation
    }

    fn counted(&self) -> (&'static str, u64) {
        ("steps", self.simulation.steps())
    }

    fn time_step(&self) -> Option<f64> {
        Some(self.simulation.time_step())
    }

    fn has_reached(&self, time: f64) -> bool {
        self.simulation.steps() >= self.step_at(time)
    }

    fn advance(&mut self, due: &NextOutput) -> Result<(), Error> {
        self.outlet_state.release(&mut self.simulation)?;
        self.pour_state.pour(&mut self.simulation)?;
        let now = self.simulation.steps();
        let slice = BODY_STEPS_PER_POLL
            / (self.simulation.body_count() as u64).clamp(1, BODY_STEPS_PER_POLL);
        let poured = self.pour_state.next(now, self.simulation.time_step());
        let moved = poured.min(self.outlet_state.next(now));
        let next = self.step_at(due.time).min(due.count).min(self.step_at(self.until)).min(moved);
        let steps = next.saturating_sub(now).min(slice);
        self.simulation.advance(steps).map_err(|error| match error {
            carom_simulate::Error::Body { what: INFINITE_FORCE, .. } => {
                let found = setup::infinite_force(&self.forces, &self.simulation.state());
                found.unwrap_or(error.into())
            }
            other => other.into(),
        })
    }

    fn set_limits(&mut self, limits: Limits) {
        self.until = limits.until.unwrap_or(f64::INFINITY);
    }

    fn ending(&mut self) -> Option<Ending> {
        (self.simulation.steps() >= self.step_at(self.until)).then_some(Ending::Time)
    }

    fn part(&self) -> f64 {
        (self.simulation.now() / self.until).min(1.0)
    }

    fn observables(&self, scene: &Scene<D>) -> Vec<Box<dyn Observable<D>>> {
        let mut all: Vec<Box<dyn Observable<D>>> =
            vec![Box::new(ContactPressure::new(scene.region.volume()))];
        all.extend(observables(scene));
        if scene.observe.wall_loads {
            all.push(Box::new(WallLoads::new(wall_column_names(scene))));
        }
        all
    }

    fn wall_names(&self) -> Vec<String> {
        self.wall_keys.clone()
    }

    fn scene_counts(&self) -> Values {
        let mut values = Values::default();
        for (name, count) in self.outlet_state.named_counts() {
            values.push(format!("outlet_{name}"), count);
        }
        values
    }

    fn frame(&self) -> Frame<D> {
        let bodies: Vec<_> =
            (0..self.simulation.body_count()).map(|number| self.simulation.body(number)).collect();
        let BodyContacts { pressures, contacts, clusters } = self.simulation.body_contacts();
        let angular_velocity =
            |axis: usize| bodies.iter().map(|body| body.angular_velocity[axis]).collect();
        let whole = |numbers: Vec<u32>| numbers.into_iter().map(f64::from).collect();
        let mut columns = match D {
            2 => vec![("angular_velocity", angular_velocity(2))],
            _ => vec![
                ("angular_velocity_x", angular_velocity(0)),
                ("angular_velocity_y", angular_velocity(1)),
                ("angular_velocity_z", angular_velocity(2)),
            ],
        };
        columns.extend([
            ("pressure", pressures),
            ("contacts", whole(contacts)),
            ("cluster", whole(clusters)),
        ]);
        Frame {
            time: self.simulation.now(),
            step: self.simulation.steps(),
            number: 0,
            region: AxisExtent::of_region(&self.region),
            positions: bodies.iter().map(|body| self.wrapped_into_box(&body.position)).collect(),
            velocities: bodies.iter().map(|body| body.velocity).collect(),
            radii: bodies.iter().map(|body| body.radius).collect(),
            masses: Some(bodies.iter().map(|body| body.mass).collect()),
            materials: self.mixed.then(|| bodies.iter().map(|body| body.material).collect()),
            shapes: self.frame_shapes(&bodies),
            springs: None,
            contacts: self.writes_contacts.then(|| self.frame_contacts()),
            walls: self.frame_walls(),
            ids: match self.outlet_state.left.is_empty() {
                true => frame_ids(self.simulation.ids()),
                // In every frame, also before the first has left.
                false => Some(self.simulation.ids()),
            },
            color_by: self.color.column(),
            columns: (columns.into_iter())
                .map(|(name, values)| (name.to_owned(), values))
                .collect(),
        }
    }

    fn summarize(&self, _: Ending, running: Duration, summary: &mut Map<String, Value>) {
        let simulation = &self.simulation;
        let bodies = simulation.body_count();
        let steps = simulation.steps() - self.steps_at_resume;
        let contacts = simulation.step_totals().contacts as f64;
        let per_second = (steps * bodies as u64) as f64 / running.as_secs_f64();
        summary.insert("bodies".into(), bodies.into());
        summary.insert("step".into(), simulation.time_step().into());
        summary.insert("coordination".into(), (2.0 * contacts / bodies.max(1) as f64).into());
        summary.insert("total_energy".into(), simulation.energy().total().into());
        summary.insert("poured".into(), self.pour_state.poured.clone().into());
        let work = json!({
            "steps": steps,
            "searches": simulation.searches() - self.searches_at_resume,
            "body_steps_per_second": per_second,
            "pairs": simulation.neighbor_pair_count(),
        });
        summary.insert("work".into(), work);
        summary.insert("memory".into(), json!({ "total": simulation.bytes() }));
    }

    fn estimate(&self, scene: &Scene<D>, estimate: &mut Estimate) {
        super::estimate::estimate(scene, &self.simulation, estimate);
    }

    fn save(&self, checkpoint: &mut Checkpoint) {
        self.put_into(checkpoint);
    }

    fn add_force(&mut self, force: &OwnForce<D>) -> Result<(), Error> {
        match force {
            OwnForce::OfBodies(force) => {
                let force = force.clone();
                self.simulation.add_force_of_bodies(move |bodies, sum| force(bodies, sum));
            }
            OwnForce::OfPairs { cutoff, force } => {
                let force = force.clone();
                self.simulation.add_pair_force(*cutoff, move |state, pair| force(state, pair))?;
            }
        }
        Ok(())
    }

    fn enter_stage(&mut self, scene: &Scene<D>, starts: &[StageStart]) -> Result<(), Error> {
        let keys = wall_column_names(scene);
        let number = |key: &String| keys.iter().position(|other| other == key);
        let numbers: Vec<Option<u32>> =
            self.wall_keys.iter().map(|key| number(key).map(|number| number as u32)).collect();
        let settings = setup::staged_settings(scene, starts, &self.scene_law)?;
        self.simulation.change_settings(settings, &numbers)?;
        setup::forces(scene).for_each(|force| self.simulation.add_force(force));
        (self.wall_names, self.wall_keys) = (setup::wall_names(scene), keys);
        let limits = StageStart::limits_of_last(starts, scene);
        self.until = limits.until.unwrap_or(0.0);
        self.writes_wall_loads = scene.observe.wall_loads;
        self.forces.clone_from(&scene.forces);
        Ok(())
    }

    /// The warnings of pours, outlets and engine, each kind once.
    fn warnings(&mut self) -> Vec<String> {
        let mut warnings = self.pour_state.warnings();
        warnings.append(&mut self.outlet_state.warnings);
        for warning in self.simulation.warnings() {
            let kind = match warning {
                Warning::Deep { .. } => "deep",
                _ => "fast",
            };
            if !self.reported_warnings.contains(&kind) {
                self.reported_warnings.push(kind);
                warnings.push(warning.describe(|wall| self.wall_names[wall as usize].clone()));
            }
        }
        warnings
    }

    fn allow_energy_gain(&mut self) {
        self.simulation.allow_energy_gain(true);
    }
}
