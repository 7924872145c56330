//! The loads that contacts of solids put on walls.

use super::simulation::Simulation;
use super::surface_contact::{NodeContact, NodeContactPartner};
use crate::WallLoad;
use carom_geometry::{Vector, embed_in_3d};

impl<const D: usize> Simulation<D> {
    /// Returns the load on each wall now, by the forces that act in the next time step. Walls are at rest, so that their
    /// power is zero. Costs about as much as the contacts of a time step.
    ///
    /// ```
    /// use carom_simulate::Wall;
    /// use carom_simulate::bonded::{Body, LatticeGrid, Material, Simulation, SpringLattice};
    /// // A row of three particles, whose outlines are a sixteenth deep in the floor.
    /// let grid = LatticeGrid::fill(SpringLattice::Square8, [[0, 0], [2, 0]], |_| true)?;
    /// let body = Body::new(grid, &Material::elastic(1.0, 1.0), 1.0, |place| *place)?;
    /// let mut simulation = Simulation::new(vec![body])?;
    /// simulation.set_walls(vec![Wall::plane([0.0, 1.0, 0.0], -0.4375)])?;
    /// let load = simulation.wall_loads()[0];
    /// assert_eq!(load.contacts, 3);
    /// assert!(load.force.x == 0.0 && load.force.y < 0.0);
    /// // The middle of the row is at x = 1.
    /// assert!((load.torque.z - load.force.y).abs() < 1e-12);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn wall_loads(&self) -> Vec<WallLoad> {
        let mut loads = vec![WallLoad::default(); self.walls.len()];
        self.visit_contacts(&mut |contact: NodeContact<D>| {
            let NodeContactPartner::Wall(wall) = contact.partner else { return };
            let place = self.bodies[contact.node.body].position(contact.node.number as usize);
            let on_wall = embed_in_3d(&(place - contact.normal * contact.distance));
            let force = -embed_in_3d(&contact.force);
            let center: Vector<3> = self.walls[wall as usize].motion.center;
            loads[wall as usize].add(&WallLoad {
                contacts: 1,
                force,
                torque: (on_wall - center).cross(&force),
                power: 0.0,
            });
        });
        loads
    }
}
