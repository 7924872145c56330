use super::body::{Bodies, Body, Load};
use super::checks;
use super::energy_guard::EnergyGuard;
use super::figures;
use super::forces::{self, Laws, Tally};
use super::gravity::Gravity;
use super::history::History;
use super::law::ContactLaw;
use super::neighbours::{Memories, Neighbours};
use super::row::Row;
use super::shape::Shape;
use super::step_size;
use super::wall::{self, Wall};
use super::warnings::Obstacle;
use crate::Error;
use carom_geometry::{Boundary, Vector};
use rayon::prelude::*;

/// What does not change in a run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Whether bodies are discs in the plane, whose third coordinates stay zero.
    pub flat: bool,
    /// Periods for distances between bodies.
    pub boundary: Boundary<3>,
    /// Planes, cylinders and meshes, at rest or driven.
    pub walls: Vec<Wall>,
    /// The same acceleration everywhere, which may turn.
    pub gravity: Gravity,
    /// How many materials there are.
    pub materials: usize,
    /// How each of them touches each, by the first, then by the second.
    pub laws: Vec<ContactLaw>,
    /// The shapes of bodies that are no spheres.
    pub shapes: Vec<Shape>,
    /// The length of a step; without it, what the stiffest contact allows.
    pub step: Option<f64>,
    /// Bodies are searched for contacts as if so much wider, and again once one has moved half of it;
    /// without it, a part of the smallest diameter.
    pub skin: Option<f64>,
}

impl Settings {
    /// One material, open space, no walls, no gravity.
    pub fn of(law: ContactLaw) -> Self {
        Settings {
            flat: false,
            boundary: Boundary::open(),
            walls: Vec::new(),
            gravity: Gravity::none(),
            materials: 1,
            laws: vec![law],
            shapes: Vec::new(),
            step: None,
            skin: None,
        }
    }
}

/// Many bodies that overlap a little and repel each other, in steps of time.
///
/// ```
/// use carom_simulate::steps::{Body, ContactLaw, Damping, Settings, Simulation};
/// let law = ContactLaw { damping: Damping::restitution(0.5), ..ContactLaw::spring(1e4) };
/// let bodies = [
///     Body { velocity: [1., 0., 0.].into(), ..Body::at_rest([0., 0., 0.], 0.5, 1.0) },
///     Body::at_rest([1.01, 0., 0.], 0.5, 1.0),
/// ];
/// let mut simulation = Simulation::new(&bodies, Settings::of(law))?;
/// while simulation.now() < 0.1 {
///     simulation.advance(10)?;
/// }
/// let [first, second] = [simulation.body(0), simulation.body(1)];
/// assert!((second.velocity.x - first.velocity.x - 0.5).abs() < 1e-3);
/// # Ok::<(), carom_simulate::Error>(())
/// ```
pub struct Simulation {
    pub(super) settings: Settings,
    pub(super) laws: Laws,
    pub(super) step: f64,
    pub(super) skin: f64,
    pub(super) bodies: Bodies,
    pub(super) neighbours: Neighbours,
    /// Where each body lies in memory, by its number.
    pub(super) index: Vec<u32>,
    /// What blocks put down for each other.
    pub(super) put_down: Vec<Load>,
    /// Whether what was put down is yet to be taken up.
    pub(super) is_put_down: bool,
    /// No body and wall have come nearer to each other since the last search.
    pub(super) moved: f64,
    /// No wall comes nearer faster.
    pub(super) wall_speed: f64,
    /// The step of the last search.
    pub(super) searched: u64,
    pub(super) steps: u64,
    pub(super) searches: u64,
    pub(super) tally: Tally,
    pub(super) lost: [f64; 2],
    /// Energy given from outside.
    pub(super) driven: f64,
    /// The integral of the virial over time.
    pub(super) virial: f64,
    pub(super) guard: EnergyGuard,
}

/// The part of the smallest diameter by which bodies are searched as if wider.
pub const SKIN: f64 = 0.15;

impl Simulation {
    /// At the start; numbers must be finite, radii and masses greater than zero.
    pub fn new(bodies: &[Body], settings: Settings) -> Result<Self, Error> {
        Simulation::with_history(bodies, settings, &History::default())
    }

    /// As [`new`](Self::new), with contacts that have begun in another simulation, so that what holds bodies there goes
    /// on holding them.
    pub fn with_history(
        bodies: &[Body],
        settings: Settings,
        history: &History,
    ) -> Result<Self, Error> {
        checks::check(bodies, &settings)?;
        let memories = history.memories(bodies.len(), settings.walls.len())?;
        checks::check_start(bodies, &settings, &wall::placed(&settings.walls, 0.0))?;
        let mut simulation = Simulation::prepared(bodies, settings);
        checks::check_periods(0, bodies, &simulation.settings.boundary, simulation.skin)?;
        simulation.search(&memories)?;
        simulation.refuse_deep_shapes()?;
        let kept = (memories != Memories::default()).then(|| simulation.neighbours.kept());
        simulation.find_forces();
        simulation.take_up();
        // No time has passed, so contacts that go on remember what they did.
        kept.iter().for_each(|kept| simulation.neighbours.put_back(kept));
        // What is lost in a step is counted at its end.
        (simulation.lost, simulation.driven, simulation.virial) = ([0.0; 2], 0.0, 0.0);
        simulation.guard = EnergyGuard::start(&simulation);
        Ok(simulation)
    }

    /// With bodies in memory as they are given, before a search.
    pub(super) fn prepared(bodies: &[Body], mut settings: Settings) -> Self {
        if settings.shapes.iter().any(Shape::is_mesh) {
            settings.shapes.iter_mut().for_each(Shape::get_ready_for_meshes);
        }
        let laws = Laws { materials: settings.materials, all: settings.laws.clone() };
        let smallest = bodies.iter().map(|body| body.radius).fold(f64::INFINITY, f64::min);
        let skin = settings.skin.unwrap_or(SKIN * 2.0 * smallest);
        let step = match settings.step {
            Some(step) => step,
            None => step_size::choose(bodies, &settings).step,
        };
        Simulation {
            laws,
            step,
            skin,
            bodies: Bodies::new(bodies, settings.flat, &settings.shapes),
            neighbours: Neighbours::new(),
            index: Vec::new(),
            put_down: Vec::new(),
            is_put_down: false,
            moved: 0.0,
            wall_speed: 0.0,
            searched: 0,
            steps: 0,
            searches: 0,
            tally: Tally::default(),
            lost: [0.0; 2],
            driven: 0.0,
            virial: 0.0,
            guard: EnergyGuard::default(),
            settings,
        }
    }

    /// Goes on by so many steps.
    pub fn advance(&mut self, steps: u64) -> Result<(), Error> {
        for number in 0..steps {
            let speeds = self.kick_and_drift(if number == 0 { 1 } else { 2 })?;
            if self.moved > 0.5 * self.skin {
                self.moved = self.farthest_moved() + self.walls_moved();
                if self.moved > 0.5 * self.skin {
                    let memories = self.neighbours.memories(&self.bodies);
                    self.search(&memories)?;
                }
            }
            self.find_forces();
            self.guard_energy(speeds)?;
        }
        if steps > 0 {
            self.last_kick();
        }
        Ok(())
    }

    fn find_forces(&mut self) {
        let walls = wall::placed(&self.settings.walls, self.steps as f64 * self.step);
        self.tally = forces::find(
            &mut self.bodies,
            &mut self.neighbours,
            &mut self.put_down,
            &self.laws,
            &self.settings.shapes,
            &walls,
            self.step,
        );
        self.driven += self.tally.driven;
        self.virial += self.tally.virial * self.step;
        self.is_put_down = true;
        (0..2).for_each(|kind| self.lost[kind] += self.tally.lost[kind]);
    }

    /// How far the body has moved that moved farthest since the last search.
    fn farthest_moved(&self) -> f64 {
        let moved = (self.bodies.places.par_iter().zip(&self.neighbours.searched_at))
            .map(|(place, before)| (place.vector - before).norm_squared());
        moved.reduce(|| 0.0, f64::max).sqrt()
    }

    /// How far any wall has come nearer since the last search, at most.
    fn walls_moved(&self) -> f64 {
        self.wall_speed * self.step * (self.steps - self.searched) as f64
    }

    pub(super) fn search(&mut self, memories: &Memories) -> Result<(), Error> {
        let walls = wall::placed(&self.settings.walls, self.now());
        let Settings { boundary, shapes, .. } = &self.settings;
        let skin = self.skin;
        let falls_round = self.falls_round();
        let before = if falls_round { self.height() } else { 0.0 };
        let found =
            self.neighbours.search(&mut self.bodies, boundary, shapes, &walls, skin, memories);
        // Places that are no places are what a search refuses, and bodies too wide for the box.
        found.map_err(|error| match error {
            carom_detect::Error::LargerThanHalfTheBox { .. } => error.into(),
            _ => self.name_lost(memories),
        })?;
        if falls_round {
            self.driven += self.height() - before;
        }
        self.after_search();
        self.searches += 1;
        Ok(())
    }

    /// Whether bodies that leave on one side and come in on the other change their height.
    fn falls_round(&self) -> bool {
        let gravity = self.settings.gravity.at(self.now());
        (0..3).any(|axis| gravity[axis] != 0.0 && self.settings.boundary.period(axis).is_some())
    }

    pub(super) fn after_search(&mut self) {
        self.index.resize(self.bodies.len(), 0);
        for (index, &id) in (0..).zip(&self.bodies.ids) {
            self.index[id as usize] = index;
        }
        let places = &self.bodies.places;
        let reach = |center: &Vector<3>| {
            let far = |place: &Row| (place.vector - center).norm() + place.fourth + self.skin;
            places.iter().map(far).fold(0.0, f64::max)
        };
        self.wall_speed = wall::fastest(&self.settings.walls, self.now(), reach);
        self.searched = self.steps;
        self.moved = 0.0;
    }

    /// Bodies with shapes that are deep in each other or in walls at the start would fly apart.
    fn refuse_deep_shapes(&self) -> Result<(), Error> {
        if self.bodies.turns.is_empty() {
            return Ok(());
        }
        let walls = wall::placed(&self.settings.walls, self.now());
        let (bodies, shapes) = (&self.bodies, &self.settings.shapes);
        match figures::first_too_deep(bodies, &self.neighbours, &self.laws, shapes, &walls) {
            Some((body, Obstacle::Body(second), overlap)) => {
                Err(Error::Deep { first: body, second, overlap })
            }
            Some((body, Obstacle::Wall(wall), overlap)) => {
                Err(Error::InWall { body: body as usize, wall: wall as usize, overlap })
            }
            None => Ok(()),
        }
    }
}
