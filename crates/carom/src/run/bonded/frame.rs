//! Frames of a bonded run for viewers: particles, and the springs between them.

use super::BondedRun;
use carom_geometry::{Boundary, Vector};
use carom_io::{AxisExtent, Frame, FrameContact, FrameSprings};
use carom_simulate::bonded::Body;

pub(super) fn of<const D: usize>(run: &BondedRun<D>) -> Frame<D> {
    let mut particles = Particles::default();
    for (number, body) in run.simulation.bodies().iter().enumerate() {
        let material = run.materials.as_ref().map_or(0, |materials| materials[number]);
        particles.add(number, material, body);
    }
    let Particles { positions, velocities, radii, masses, materials, columns, springs } = particles;
    let contacts = run.writes_contacts.then(|| {
        let boundary = Boundary::open();
        let (state, contacts) = (run.simulation.state(), run.simulation.contacts());
        contacts.iter().filter_map(|contact| FrameContact::of(contact, &state, &boundary)).collect()
    });
    Frame {
        time: run.simulation.now(),
        step: run.simulation.steps(),
        number: 0,
        region: AxisExtent::of_region(&run.region),
        positions,
        velocities,
        radii,
        masses: Some(masses),
        materials: run.materials.is_some().then_some(materials),
        shapes: None,
        springs: Some(springs),
        contacts,
        walls: None,
        ids: None,
        color_by: run.color.column(),
        columns: columns.named(),
    }
}

/// Numbers of particles beside their motion, a number per particle in each.
#[derive(Default)]
struct ParticleColumns {
    /// Number of the solid.
    solid: Vec<f64>,
    /// Mean strain of the intact springs.
    strain: Vec<f64>,
    /// Fraction of broken springs.
    damage: Vec<f64>,
    /// Number of the fragment within its solid.
    fragment: Vec<f64>,
    /// Mean pressure, positive in compression.
    pressure: Vec<f64>,
}

impl ParticleColumns {
    /// Returns the columns with the names they have in frames.
    fn named(self) -> Vec<(String, Vec<f64>)> {
        let columns = [
            ("solid", self.solid),
            ("strain", self.strain),
            ("damage", self.damage),
            ("fragment", self.fragment),
            ("pressure", self.pressure),
        ];
        columns.map(|(name, numbers)| (name.to_owned(), numbers)).into()
    }
}

/// All particles of a frame, solid by solid.
struct Particles<const D: usize> {
    positions: Vec<Vector<D>>,
    velocities: Vec<Vector<D>>,
    radii: Vec<f64>,
    masses: Vec<f64>,
    materials: Vec<u32>,
    columns: ParticleColumns,
    springs: FrameSprings,
}

impl<const D: usize> Default for Particles<D> {
    fn default() -> Self {
        Particles {
            positions: Vec::new(),
            velocities: Vec::new(),
            radii: Vec::new(),
            masses: Vec::new(),
            materials: Vec::new(),
            columns: ParticleColumns::default(),
            springs: FrameSprings::default(),
        }
    }
}

impl<const D: usize> Particles<D> {
    fn add(&mut self, solid: usize, material: u32, body: &Body<D>) {
        let fragments = body.fragments();
        // Index in the frame of each particle of the body.
        let mut places = vec![u32::MAX; body.grid().slot_count()];
        for number in body.grid().particles() {
            places[number] = self.positions.len() as u32;
            self.positions.push(body.position(number));
            self.velocities.push(body.velocity(number));
            self.radii.push(0.5 * body.spacing());
            self.masses.push(body.particle_mass());
            self.materials.push(material);
            self.columns.solid.push(solid as f64);
            self.columns.fragment.push(f64::from(fragments.of_particle[number]));
        }
        self.columns.pressure.extend(body.pressures());
        let first = self.columns.strain.len();
        let count = self.positions.len() - first;
        let (mut sums, mut holding, mut whole) =
            (vec![0.0; count], vec![0.0; count], vec![0.0; count]);
        for spring in body.springs() {
            let ends = spring.ends.map(|end| places[end]);
            self.springs.ends.push(ends);
            self.springs.strains.push(spring.stretch);
            self.springs.are_broken.push(spring.is_broken);
            for end in ends.map(|end| end as usize - first) {
                whole[end] += 1.0;
                if !spring.is_broken {
                    sums[end] += spring.stretch;
                    holding[end] += 1.0;
                }
            }
        }
        for particle in 0..count {
            let mean = |sum: f64, count: f64| if count > 0.0 { sum / count } else { 0.0 };
            self.columns.strain.push(mean(sums[particle], holding[particle]));
            self.columns.damage.push(mean(whole[particle] - holding[particle], whole[particle]));
        }
    }
}
