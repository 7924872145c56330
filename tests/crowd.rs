//! Initial states of the event-driven tests, and measurements of a run.

use carom::geometry::{Vector, unit_ball_volume};
use carom::scene::generate::SplitMix64;
use carom::simulate::event_driven::{BodyStart, Region, Settings, Simulation};
use std::f64::consts::PI;

/// Bodies of mass one at temperature one without total momentum, in a periodic box.
#[derive(Clone)]
pub struct PeriodicHardSpheres<const D: usize> {
    /// Diameters are one unless stated otherwise.
    pub bodies: Vec<BodyStart<D>>,
    /// A square or a cube unless stated otherwise.
    pub region: Region<D>,
}

impl PeriodicHardSpheres<3> {
    /// `4 side^3` spheres on a face-centered cubic lattice.
    pub fn fcc(side: usize, fraction: f64, seed: u64) -> Self {
        let sites = [[0.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.5, 0.0, 0.5], [0.0, 0.5, 0.5]];
        let count = 4 * side * side * side;
        let length = (count as f64 * PI / 6.0 / fraction).cbrt();
        let edge = length / side as f64;
        let positions = (0..count).map(|index| {
            let (site, cell) = (sites[index % 4], index / 4);
            let corner = [cell % side, cell / side % side, cell / side / side];
            Vector::from_fn(|axis, _| edge * (corner[axis] as f64 + site[axis] + 0.25))
        });
        PeriodicHardSpheres::of(positions, [length; 3].into(), seed)
    }
}

impl PeriodicHardSpheres<2> {
    /// `side^2` discs, `side` even: a square lattice with every other row shifted by half.
    pub fn rows(side: usize, fraction: f64, seed: u64) -> Self {
        let length = side as f64 * (PI / 4.0 / fraction).sqrt();
        Self::in_rows(side, [length; 2], seed)
    }

    /// `side^2` discs, `side` even, on a triangular lattice; the box is lower than wide.
    pub fn triangular(side: usize, fraction: f64, seed: u64) -> Self {
        let flat = 0.75f64.sqrt();
        let width = side as f64 * (PI / 4.0 / fraction / flat).sqrt();
        Self::in_rows(side, [width, width * flat], seed)
    }

    fn in_rows(side: usize, size: [f64; 2], seed: u64) -> Self {
        let [across, up] = size.map(|length| length / side as f64);
        let positions = (0..side * side).map(|index| {
            let (column, row) = (index % side, index / side);
            let shift = 0.25 + 0.5 * (row % 2) as f64;
            Vector::from([across * (column as f64 + shift), up * (row as f64 + 0.5)])
        });
        PeriodicHardSpheres::of(positions, size.into(), seed)
    }
}

impl<const D: usize> PeriodicHardSpheres<D> {
    fn of(positions: impl Iterator<Item = Vector<D>>, size: Vector<D>, seed: u64) -> Self {
        let bodies = positions.map(|position| BodyStart::new(position, [0.0; D], 0.5)).collect();
        PeriodicHardSpheres { bodies, region: Region::periodic(size) }.at_temperature_one(seed)
    }

    /// Random sequential insertion in the order of the radii given; large ones should come first.
    pub fn inserted(radii: &[f64], fraction: f64, seed: u64) -> Self {
        let length = (volume::<D>(radii.iter().copied()) / fraction).powf(1.0 / D as f64);
        let mut random = SplitMix64::new(seed);
        let mut bodies: Vec<BodyStart<D>> = Vec::new();
        while bodies.len() < radii.len() {
            let position = Vector::from_fn(|_, _| length * random.uniform());
            let radius = radii[bodies.len()];
            let free = bodies.iter().all(|body| {
                let step = (body.position - position).map(|x| x - length * (x / length).round());
                step.norm_squared() > (body.radius + radius) * (body.radius + radius)
            });
            if free {
                bodies.push(BodyStart::new(position, [0.0; D], radius));
            }
        }
        PeriodicHardSpheres { bodies, region: Region::periodic([length; D]) }
            .at_temperature_one(seed)
    }

    /// Draws Maxwell velocities, subtracts their mean and scales them to temperature one.
    fn at_temperature_one(mut self, seed: u64) -> Self {
        let mut random = SplitMix64::new(seed ^ 0x5eed);
        let count = self.bodies.len() as f64;
        for body in &mut self.bodies {
            body.velocity = Vector::from_fn(|_, _| random.normal());
        }
        let mean = self.bodies.iter().map(|body| body.velocity).sum::<Vector<D>>() / count;
        self.bodies.iter_mut().for_each(|body| body.velocity -= mean);
        let squares = self.bodies.iter().map(|body| body.velocity.norm_squared()).sum::<f64>();
        let factor = (D as f64 * count / squares).sqrt();
        self.bodies.iter_mut().for_each(|body| body.velocity *= factor);
        self
    }

    /// Returns a run with these settings; the region of `settings` is replaced.
    pub fn run(&self, change: impl FnOnce(&mut Settings<D>)) -> Simulation<D> {
        let mut settings = Settings::new(self.region);
        change(&mut settings);
        Simulation::new(&self.bodies, settings).expect("a crowd is a sensible start")
    }
}

/// Returns the volume of balls of these radii.
fn volume<const D: usize>(radii: impl Iterator<Item = f64>) -> f64 {
    unit_ball_volume(D) * radii.map(|radius| radius.powi(D as i32)).sum::<f64>()
}

/// Returns the packing fraction.
pub fn packing_fraction<const D: usize>(simulation: &Simulation<D>) -> f64 {
    let radii = (0..simulation.count()).map(|body| simulation.radius(body));
    volume::<D>(radii) / simulation.settings().region.volume()
}

/// Returns the kinetic energy of all bodies.
pub fn kinetic_energy<const D: usize>(simulation: &Simulation<D>) -> f64 {
    let energy = |body| 0.5 * simulation.mass(body) * simulation.velocity(body).norm_squared();
    (0..simulation.count()).map(energy).sum()
}

/// Returns twice the kinetic energy in the center-of-mass frame, per remaining degree of freedom.
pub fn temperature<const D: usize>(simulation: &Simulation<D>) -> f64 {
    let mass: f64 = (0..simulation.count()).map(|body| simulation.mass(body)).sum();
    let whole = momentum(simulation).norm_squared() / mass;
    (2.0 * kinetic_energy(simulation) - whole) / (D * (simulation.count() - 1)) as f64
}

/// Returns the momentum of all bodies.
pub fn momentum<const D: usize>(simulation: &Simulation<D>) -> Vector<D> {
    let momentum = |body| simulation.velocity(body) * simulation.mass(body);
    (0..simulation.count()).map(momentum).sum()
}

/// Returns the smallest gap between any two bodies now, in units of the smaller radius; by plain loops.
pub fn smallest_gap<const D: usize>(simulation: &Simulation<D>) -> f64 {
    let boundary =
        simulation.settings().region.boundary().expect("the region of a simulation has sides");
    let bodies: Vec<(Vector<D>, f64)> = (0..simulation.count())
        .map(|body| (simulation.position(body), simulation.radius(body)))
        .collect();
    let mut smallest = f64::INFINITY;
    for (i, &(a, radius)) in bodies.iter().enumerate() {
        for &(b, other) in &bodies[i + 1..] {
            let gap = boundary.minimum_image(a, b).norm() - radius - other;
            smallest = smallest.min(gap / radius.min(other));
        }
    }
    smallest
}

/// `|sum exp(i k x)|^2 / N`: about one or less in a fluid, `N` at a wave vector of a crystal.
pub fn structure_factor<const D: usize>(simulation: &Simulation<D>, wave: Vector<D>) -> f64 {
    let phases = (0..simulation.count()).map(|body| simulation.position(body).dot(&wave));
    let (cosine, sine) = phases
        .fold((0.0, 0.0), |sum: (f64, f64), phase| (sum.0 + phase.cos(), sum.1 + phase.sin()));
    (cosine * cosine + sine * sine) / simulation.count() as f64
}
