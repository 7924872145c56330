//! Simulations that begin where another one of the same solids ended.

use super::body::DissipatedEnergy;
use super::saved::SavedState;
use super::simulation::Simulation;
use crate::{Error, Wall};
use carom_geometry::embed_in_3d;

impl<const D: usize> Simulation<D> {
    /// Begins at time zero with the solids as another simulation of them had been saved, which had these walls:
    /// positions, velocities, what is held, broken springs, plastic strains, contacts. The ledger starts again, and forces
    /// from outside end. Materials, gravity, walls and time step are those of this simulation, which must be at its
    /// start.
    ///
    /// With the same materials, gravity, walls and time step it continues to the same bits.
    ///
    /// Errors if bodies, particles or springs differ, if springs have yielded that cannot yield any more, or if a
    /// particle is behind a new wall.
    ///
    /// ```
    /// use carom_simulate::bonded::{Body, LatticeGrid, Material, Simulation, SpringLattice};
    /// let start = |gravity: [f64; 2]| {
    ///     let grid = LatticeGrid::fill(SpringLattice::Square8, [[0, 0], [9, 9]], |_| true)?;
    ///     let body = Body::new(grid, &Material::elastic(1.0, 1.0), 1.0, |place| *place)?;
    ///     let mut simulation = Simulation::new(vec![body])?;
    ///     simulation.set_gravity(gravity.into())?;
    ///     Ok::<_, carom_simulate::Error>(simulation)
    /// };
    /// let (mut falling, mut floating) = (start([0.0, -0.01])?, start([0.0, 0.0])?);
    /// falling.advance(20)?;
    /// floating.continue_from(falling.saved_state(), &[])?;
    /// floating.advance(20)?;
    /// let [before, after] = [&falling, &floating].map(|it| it.bodies()[0].momentum());
    /// assert!(before.y < 0.0 && (after - before).norm() < 1e-12 && floating.steps() == 20);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn continue_from(&mut self, mut saved: SavedState<D>, walls: &[Wall]) -> Result<(), Error> {
        for (solid, (body, saved)) in self.bodies.iter().zip(&mut saved.bodies).enumerate() {
            saved.dissipated = DissipatedEnergy::default();
            let sets = body.inelastic.as_ref().map_or(0, |more| more.plastic_strains.len());
            if saved.plastic_strains.is_empty() {
                saved.plastic_strains = vec![vec![0.0; body.grid.slot_count()]; sets];
            } else if sets == 0 {
                return Err(Error::Setting {
                    what: "the yield stretch of springs",
                    value: format!("not given of solid {solid}"),
                    rule: "its springs have yielded or could: give a yield stretch or stress",
                });
            }
        }
        let has_same_walls = walls == self.walls;
        if !has_same_walls {
            saved.contacts.wall_pairs.clear();
        }
        self.restore_state(SavedState {
            time_step: self.time_step,
            shortest_time_step: f64::INFINITY,
            time: 0.0,
            steps: 0,
            friction_loss: 0.0,
            constraint_loss: 0.0,
            external_forces: Vec::new(),
            external_work: 0.0,
            ..saved
        })?;
        if !has_same_walls {
            self.check_before_walls()?;
            // Pairs with other walls are not those of the checkpoint.
            self.contacts.invalidate();
            self.contacts.update(&self.bodies, &self.surfaces, &self.walls, self.time_step)?;
        }
        Ok(())
    }

    /// Errors if a particle is behind a wall, which would throw it through its solid.
    fn check_before_walls(&self) -> Result<(), Error> {
        for (solid, body) in self.bodies.iter().enumerate() {
            for number in body.grid.particles() {
                let place = embed_in_3d(&body.position(number));
                let is_behind = |wall: &Wall| {
                    wall.surface.closest_point(&place).is_some_and(|it| it.distance <= 0.0)
                };
                if let Some(wall) = self.walls.iter().position(is_behind) {
                    let place: Vec<f64> = body.position(number).iter().copied().collect();
                    return Err(Error::Setting {
                        what: "a particle behind a wall",
                        value: format!("at {place:?}, of solid {solid} and wall {wall}"),
                        rule: "solids must start before all walls: make the box larger",
                    });
                }
            }
        }
        Ok(())
    }
}
