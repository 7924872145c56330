//! A circle filled with particles on a grid.

use super::data_file::Koti1989Object;
use super::update::update;
use carom::geometry::Vector;

/// State of a particle during an impact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The impact has not reached it: it moves with its object.
    Unaffected,
    /// It is near enough to follow its springs.
    Affected,
    /// It is also pushed by the impact itself.
    Colliding,
}

/// A particle of an object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Koti1989Particle {
    /// Row and column of the grid.
    pub id: [u32; 2],
    /// Position.
    pub position: Vector<3>,
    /// Velocity; that of the object while unaffected.
    pub velocity: Vector<3>,
    /// Acceleration by springs and impact.
    pub acceleration: Vector<3>,
    /// Whether it is the first or last of its row.
    pub is_peripheral: bool,
    /// State during the impact.
    pub status: Status,
    /// Part of the acceleration that the impact gives.
    impact_acceleration: Vector<3>,
    /// Right, left, upper and lower neighbors.
    neighbors: [Option<u32>; 4],
}

/// An object: the entry of the data file and its particles.
#[derive(Clone, Debug)]
pub struct Object {
    /// Entry of the data file; its velocity changes with impacts.
    pub data: Koti1989Object,
    /// Particles, row by row from the top.
    pub particles: Vec<Koti1989Particle>,
    /// Distance between neighbors.
    pub spacing: f64,
    /// Mass of each particle.
    pub particle_mass: f64,
    /// Spacings along a diameter, rounded up to an even number.
    pub grid: u32,
}

/// Energy of an object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Koti1989Energy {
    /// Kinetic energy of the particles, ½ Σ m v².
    pub kinetic_energy: f64,
    /// Elastic energy of the springs.
    pub elastic_energy: f64,
}

impl Koti1989Energy {
    /// Kinetic and elastic energy together.
    pub fn total(&self) -> f64 {
        self.kinetic_energy + self.elastic_energy
    }
}

/// Tolerance within which a grid point counts as on the circle, in squared radii.
const EPSILON: f64 = 1e-9;

impl Object {
    /// Fills the circle with particles.
    pub fn new(data: &Koti1989Object) -> Self {
        let grid = data.grid + data.grid % 2;
        let spacing = 2.0 * data.radius / f64::from(grid);
        let mut particles: Vec<Koti1989Particle> = Vec::new();
        let mut rows: Vec<Vec<Option<u32>>> = Vec::new();
        for row in 0..=grid {
            let start = particles.len();
            let mut numbers = vec![None; grid as usize + 1];
            for column in 0..=grid {
                let from_center = [column, row].map(|step| f64::from(step) - 0.5 * f64::from(grid));
                let [x, y] = [from_center[0] * spacing, -from_center[1] * spacing];
                if x * x + y * y - data.radius.powi(2) < EPSILON * data.radius.powi(2) {
                    numbers[column as usize] = Some(particles.len() as u32);
                    particles.push(particle(data, [row, column], Vector::from([x, y, 0.0])));
                }
            }
            if let [first, .., last] = &mut particles[start..] {
                (first.is_peripheral, last.is_peripheral) = (true, true);
            } else if let Some(only) = particles.get_mut(start) {
                only.is_peripheral = true;
            }
            rows.push(numbers);
        }
        link_neighbors(&mut particles, &rows);
        let particle_mass = data.mass / particles.len() as f64;
        Object { data: data.clone(), particles, spacing, particle_mass, grid }
    }

    /// Velocity of the object as a whole.
    pub fn velocity(&self) -> Vector<3> {
        Vector::from(self.data.velocity)
    }

    /// Mean velocity of its particles.
    pub fn mean_velocity(&self) -> Vector<3> {
        let sum: Vector<3> = self.particles.iter().map(|particle| particle.velocity).sum();
        sum / self.particles.len() as f64
    }

    /// Energy of its particles and springs.
    pub fn energy(&self) -> Koti1989Energy {
        let (mut kinetic_energy, mut elastic_energy) = (0.0, 0.0);
        for particle in &self.particles {
            kinetic_energy += 0.5 * self.particle_mass * particle.velocity.norm_squared();
            for other in particle.neighbors.iter().flatten() {
                let separation = self.particles[*other as usize].position - particle.position;
                let change = separation.norm() - self.spacing;
                // Each spring is visited from both ends.
                elastic_energy += 0.25 * self.stiffness(change) * change * change;
            }
        }
        Koti1989Energy { kinetic_energy, elastic_energy }
    }

    /// Number of neighbors of a particle.
    pub fn neighbor_count(&self, number: usize) -> usize {
        self.particles[number].neighbors.iter().flatten().count()
    }

    /// Moves the whole object rigidly.
    pub(super) fn shift(&mut self, displacement: &Vector<3>) {
        self.particles.iter_mut().for_each(|particle| particle.position += displacement);
    }

    /// Moves all particles for an interval: affected ones by their own velocity, the others with the object.
    pub(super) fn update(&mut self, time: f64) {
        let displacement = self.velocity() * time;
        for particle in &mut self.particles {
            if particle.status == Status::Unaffected {
                particle.position += displacement;
            } else {
                let Koti1989Particle { position, velocity, acceleration, .. } = particle;
                (*position, *velocity) = update(position, velocity, acceleration, time);
            }
        }
    }

    /// Marks the neighbors of affected particles as affected.
    pub(super) fn spread_front(&mut self) {
        let mut reached = Vec::new();
        for particle in self.particles.iter().filter(|one| one.status != Status::Unaffected) {
            reached.extend(particle.neighbors.iter().flatten().copied());
        }
        for number in reached {
            let status = &mut self.particles[number as usize].status;
            if *status == Status::Unaffected {
                *status = Status::Affected;
            }
        }
    }

    /// Sets the acceleration that the impact gives a particle.
    pub(super) fn set_impact_acceleration(&mut self, number: usize, acceleration: Vector<3>) {
        let particle = &mut self.particles[number];
        particle.status = Status::Colliding;
        (particle.impact_acceleration, particle.acceleration) = (acceleration, acceleration);
    }

    /// The acceleration that the impact gives a particle.
    pub(super) fn impact_acceleration(&self, number: usize) -> Vector<3> {
        self.particles[number].impact_acceleration
    }

    /// Sets the accelerations of affected particles to those by springs; for colliding ones these are added to that of
    /// the impact.
    pub(super) fn update_accelerations(&mut self) {
        for number in 0..self.particles.len() {
            let internal = self.internal_acceleration(number);
            let particle = &mut self.particles[number];
            match particle.status {
                Status::Unaffected => {}
                Status::Affected => particle.acceleration = internal,
                Status::Colliding => particle.acceleration += internal,
            }
        }
    }

    fn internal_acceleration(&self, number: usize) -> Vector<3> {
        let particle = &self.particles[number];
        let mut sum = Vector::zeros();
        if particle.status == Status::Unaffected {
            return sum;
        }
        for other in particle.neighbors.iter().flatten() {
            let separation = self.particles[*other as usize].position - particle.position;
            let change = separation.norm() - self.spacing;
            // Where particles coincide a spring has no direction.
            if let Some(direction) = separation.try_normalize(0.0) {
                sum += direction * (self.stiffness(change) * change / self.particle_mass);
            }
        }
        sum
    }

    fn stiffness(&self, change: f64) -> f64 {
        let data = &self.data;
        if change < 0.0 { data.stiffness_compressed } else { data.stiffness_extended }
    }
}

fn particle(data: &Koti1989Object, id: [u32; 2], from_center: Vector<3>) -> Koti1989Particle {
    Koti1989Particle {
        id,
        position: Vector::from(data.center) + from_center,
        velocity: Vector::from(data.velocity),
        acceleration: Vector::zeros(),
        is_peripheral: false,
        status: Status::Unaffected,
        impact_acceleration: Vector::zeros(),
        neighbors: [None; 4],
    }
}

fn link_neighbors(particles: &mut [Koti1989Particle], rows: &[Vec<Option<u32>>]) {
    let at =
        |row: Option<u32>, column: Option<u32>| *rows.get(row? as usize)?.get(column? as usize)?;
    for particle in particles {
        let [row, column] = particle.id;
        particle.neighbors = [
            at(Some(row), column.checked_add(1)),
            at(Some(row), column.checked_sub(1)),
            at(row.checked_sub(1), Some(column)),
            at(row.checked_add(1), Some(column)),
        ];
    }
}
