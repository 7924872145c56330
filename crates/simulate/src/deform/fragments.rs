//! What a body has fallen into: particles that springs join.

use super::body::Body;
use super::particles::PAD;
use carom_geometry::{Vector, in_space};

/// A piece of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Fragment<const D: usize> {
    /// The number of its first particle.
    pub first: usize,
    /// How many particles it has.
    pub count: usize,
    /// Its mass.
    pub mass: f64,
    /// Its centre of mass.
    pub center: Vector<D>,
    /// The velocity of that.
    pub velocity: Vector<D>,
    /// How fast it turns about it, in radians per time about each axis of space; about the last in the plane.
    pub spin: Vector<3>,
}

/// Which fragment each particle belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct Fragments<const D: usize> {
    /// By the number of the particle; of places without one it means nothing.
    pub of_particle: Vec<u32>,
    /// From the largest to the smallest; of equal ones the first comes first.
    pub list: Vec<Fragment<D>>,
}

/// A particle by itself has no spin, and a straight row none about itself: below this part of the largest moment of
/// inertia an axis does not count.
const THIN: f64 = 1e-9;

impl<const D: usize> Body<D> {
    /// What it has fallen into.
    pub fn fragments(&self) -> Fragments<D> {
        let mut parents: Vec<u32> = (0..self.grid.room() as u32).collect();
        let jumps = 2 * self.links.len();
        for (row, numbers) in self.grid.rows().iter().map(super::grid::Row::numbers).enumerate() {
            for number in numbers {
                // Half of the springs of each particle are all there are.
                for bit in (0..self.links.len()).filter(|&bit| self.holds(number, bit)) {
                    let there =
                        (number + PAD).strict_add_signed(self.jumps[row * jumps + bit]) - PAD;
                    let roots = [number, there].map(|number| root(&mut parents, number as u32));
                    // The smaller number stands for both.
                    parents[roots[0].max(roots[1]) as usize] = roots[0].min(roots[1]);
                }
            }
        }
        let mut counts = vec![0_usize; parents.len()];
        for number in self.grid.particles() {
            counts[root(&mut parents, number as u32) as usize] += 1;
        }
        let mut firsts: Vec<usize> = (0..counts.len()).filter(|&first| counts[first] > 0).collect();
        firsts.sort_by_key(|&first| (usize::MAX - counts[first], first));
        let mut names = vec![0; parents.len()];
        (0..).zip(&firsts).for_each(|(name, &first)| names[first] = name);
        let of_particle: Vec<u32> = (0..parents.len())
            .map(|number| names[root(&mut parents, number as u32) as usize])
            .collect();
        let list = self.weigh(&of_particle, &firsts, &counts);
        Fragments { of_particle, list }
    }

    fn weigh(&self, of_particle: &[u32], firsts: &[usize], counts: &[usize]) -> Vec<Fragment<D>> {
        let mut list: Vec<Fragment<D>> = (firsts.iter())
            .map(|&first| Fragment {
                first,
                count: counts[first],
                mass: self.mass * counts[first] as f64,
                center: Vector::zeros(),
                velocity: Vector::zeros(),
                spin: Vector::zeros(),
            })
            .collect();
        for number in self.grid.particles() {
            let fragment = &mut list[of_particle[number] as usize];
            let part = 1.0 / fragment.count as f64;
            fragment.center += self.position(number) * part;
            fragment.velocity += self.velocity(number) * part;
        }
        let mut turning =
            vec![(nalgebra::Matrix3::<f64>::zeros(), Vector::<3>::zeros()); list.len()];
        for number in self.grid.particles() {
            let name = of_particle[number] as usize;
            let way = in_space(&(self.position(number) - list[name].center));
            let speed = in_space(&(self.velocity(number) - list[name].velocity));
            turning[name].0 +=
                nalgebra::Matrix3::identity() * way.norm_squared() - way * way.transpose();
            turning[name].1 += way.cross(&speed);
        }
        for (fragment, (inertia, momentum)) in list.iter_mut().zip(turning) {
            fragment.spin = inertia.pseudo_inverse(THIN * inertia.trace()).map_or_else(
                |_| Vector::zeros(),
                |inverse| if inertia.trace() > 0.0 { inverse * momentum } else { Vector::zeros() },
            );
        }
        list
    }
}

/// The particle that stands for all that are joined to one.
fn root(parents: &mut [u32], number: u32) -> u32 {
    let mut at = number;
    while parents[at as usize] != at {
        // Half of the way is forgotten, so that it is short the next time.
        parents[at as usize] = parents[parents[at as usize] as usize];
        at = parents[at as usize];
    }
    at
}
