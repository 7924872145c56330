//! Fragments of a body: sets of particles that intact springs join, by union-find.

use super::body::Body;
use super::particles::PAD;
use carom_geometry::union_find::{ComponentsBySize, UnionFind};
use carom_geometry::{Vector, embed_in_3d};

/// A fragment of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Fragment<const D: usize> {
    /// Smallest number of its particles.
    pub first: usize,
    /// Number of particles.
    pub count: usize,
    /// Mass.
    pub mass: f64,
    /// Center of mass.
    pub center: Vector<D>,
    /// Velocity of the center of mass.
    pub velocity: Vector<D>,
    /// Angular velocity about the center of mass, in radians per time; in the plane only the last component counts.
    pub angular_velocity: Vector<3>,
}

/// The fragments of a body, and the fragment of each particle.
///
/// ```
/// use carom_simulate::bonded::{Body, LatticeGrid, Material, SpringLattice};
/// let grid = LatticeGrid::fill(SpringLattice::Square4, [[0, 0], [9, 9]], |_| true)?;
/// let mut body = Body::new(grid, &Material::elastic(1.0, 1.0), 1.0, |place| *place)?;
/// body.cut_springs(|one, other| (one.x - 2.5) * (other.x - 2.5) < 0.0);
/// let fragments = body.fragments();
/// // Particle 0 is in the smaller part, columns 0 to 2.
/// let part = &fragments.list[fragments.of_particle[0] as usize];
/// assert_eq!((part.first, part.mass), (0, 30.0));
/// assert!((part.center.x - 1.0).abs() < 1e-12 && (part.center.y - 4.5).abs() < 1e-12);
/// # Ok::<(), carom_simulate::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Fragments<const D: usize> {
    /// Index of the fragment of each particle, by its number; meaningless for holes.
    pub of_particle: Vec<u32>,
    /// Fragments from the largest to the smallest; equal ones by their first particle.
    pub list: Vec<Fragment<D>>,
}

/// Motion and pieces of a solid.
#[derive(Clone, Debug, PartialEq)]
pub struct SolidMotion<const D: usize> {
    /// Velocity of the center of mass.
    pub velocity: Vector<D>,
    /// Center of mass.
    pub center: Vector<D>,
    /// Mass.
    pub mass: f64,
    /// Number of fragments.
    pub fragments: u64,
    /// Mass of the largest fragment over the mass of the solid.
    pub largest_fragment: f64,
    /// Number of broken springs.
    pub broken_springs: u64,
}

impl<const D: usize> SolidMotion<D> {
    /// Computes them from the fragments of a solid.
    pub fn of(solid: &Body<D>) -> Self {
        let list = &solid.fragments().list;
        let mass: f64 = list.iter().map(|fragment| fragment.mass).sum();
        let mean = |of: &dyn Fn(&Fragment<D>) -> Vector<D>| {
            list.iter().map(|fragment| of(fragment) * (fragment.mass / mass)).sum::<Vector<D>>()
        };
        SolidMotion {
            velocity: mean(&|fragment| fragment.velocity),
            center: mean(&|fragment| fragment.center),
            mass,
            fragments: list.len() as u64,
            largest_fragment: list.first().map_or(0.0, |largest| largest.mass / mass),
            broken_springs: solid.broken_springs(),
        }
    }
}

/// A single particle has no angular velocity, and a straight row none about its own axis: below this fraction of the
/// inertia tensor's trace a principal axis does not count.
const THIN_AXIS_INERTIA: f64 = 1e-9;

impl<const D: usize> Body<D> {
    /// Finds the fragments of the body.
    pub fn fragments(&self) -> Fragments<D> {
        let mut groups = UnionFind::new(self.grid.slot_count());
        let offset_count = 2 * self.links.len();
        for (row, numbers) in
            self.grid.rows().iter().map(super::lattice_grid::LatticeRow::numbers).enumerate()
        {
            for number in numbers {
                // Half of the links of all particles cover every spring.
                for bit in (0..self.links.len()).filter(|&bit| self.spring_holds(number, bit)) {
                    let there = (number + PAD)
                        .strict_add_signed(self.neighbor_offsets[row * offset_count + bit])
                        - PAD;
                    groups.unite([number, there]);
                }
            }
        }
        let ComponentsBySize { component_of: of_particle, representatives, sizes } =
            groups.components_by_size(self.grid.particles());
        let list = self.fragment_motions(&of_particle, &representatives, &sizes);
        Fragments { of_particle, list }
    }

    fn fragment_motions(
        &self,
        of_particle: &[u32],
        firsts: &[usize],
        counts: &[usize],
    ) -> Vec<Fragment<D>> {
        let mut list: Vec<Fragment<D>> = (firsts.iter().zip(counts))
            .map(|(&first, &count)| Fragment {
                first,
                count,
                mass: self.particle_mass * count as f64,
                center: Vector::zeros(),
                velocity: Vector::zeros(),
                angular_velocity: Vector::zeros(),
            })
            .collect();
        for number in self.grid.particles() {
            let fragment = &mut list[of_particle[number] as usize];
            let part = 1.0 / fragment.count as f64;
            fragment.center += self.position(number) * part;
            fragment.velocity += self.velocity(number) * part;
        }
        let mut inertia_momenta =
            vec![(nalgebra::Matrix3::<f64>::zeros(), Vector::<3>::zeros()); list.len()];
        for number in self.grid.particles() {
            let name = of_particle[number] as usize;
            let offset = embed_in_3d(&(self.position(number) - list[name].center));
            let speed = embed_in_3d(&(self.velocity(number) - list[name].velocity));
            // Unit masses: they cancel in the angular velocity.
            inertia_momenta[name].0 +=
                nalgebra::Matrix3::identity() * offset.norm_squared() - offset * offset.transpose();
            inertia_momenta[name].1 += offset.cross(&speed);
        }
        for (fragment, (inertia, momentum)) in list.iter_mut().zip(inertia_momenta) {
            fragment.angular_velocity =
                // A row of particles has no inertia about itself, and no angular velocity about that axis.
                inertia.pseudo_inverse(THIN_AXIS_INERTIA * inertia.trace()).map_or_else(
                    |_| Vector::zeros(),
                    |inverse| {
                        if inertia.trace() > 0.0 { inverse * momentum } else { Vector::zeros() }
                    },
                );
        }
        list
    }
}
