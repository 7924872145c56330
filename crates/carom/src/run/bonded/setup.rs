//! Translates a scene into bodies and walls of the bonded engine.

use super::surface_distance;
use carom_geometry::{Aabb, Vector, embed_in_3d, math};
use carom_scene::Scene;
use carom_scene::scene::{PointContainmentTest, Region, Solid, SolidShape};
use carom_simulate::bonded::{Body, LatticeGrid, Simulation, SpringLattice};
use carom_simulate::{Error, Wall};
use nalgebra::Rotation3;
use std::cell::OnceCell;

/// The simulation of a scene, at its start.
pub(super) fn simulation<const D: usize>(scene: &Scene<D>) -> Result<Simulation<D>, Error> {
    let mut simulation = Simulation::new(bodies(scene)?)?;
    simulation.set_gravity(scene.gravity)?;
    simulation.set_walls(walls(&scene.region))?;
    if let Some(step) = scene.step {
        simulation.set_time_step(step)?;
    }
    simulation.check_positions()?;
    check_overlaps(scene, simulation.bodies())?;
    Ok(simulation)
}

/// The sides of a box that are walls.
pub(super) fn walls<const D: usize>(region: &Region<D>) -> Vec<Wall> {
    (0..D).filter_map(|axis| region.walls(axis)).flatten().collect()
}

/// The solids of a scene as bodies of the engine.
pub fn bodies<const D: usize>(scene: &Scene<D>) -> Result<Vec<Body<D>>, Error> {
    let named = |(solid, written): (usize, &Solid<D>)| {
        body(scene, written).map_err(|error| Error::Solid { solid, error: Box::new(error) })
    };
    scene.solids.iter().enumerate().map(named).collect()
}

fn body<const D: usize>(scene: &Scene<D>, solid: &Solid<D>) -> Result<Body<D>, Error> {
    let material = &scene.materials[solid.material as usize];
    let setting = LatticePlacement::of(solid);
    let grid = setting.fill(solid)?;
    let mut body = Body::new(grid, material, solid.spacing, |place| setting.to_scene(place))?;
    body.set_outline(surface_distance::surface_distance(solid))?;
    body.set_velocity(solid.velocity)?;
    for crack in &solid.cracks {
        body.cut_springs(|one, two| crosses_crack(crack, one, two));
    }
    let numbers: Vec<usize> = body.grid().particles().collect();
    if solid.angular_velocity != Vector::<3>::zeros() {
        let places = numbers.iter().map(|&number| body.position(number));
        let center = places.sum::<Vector<D>>() / numbers.len() as f64;
        for &number in &numbers {
            let displacement = embed_in_3d(&(body.position(number) - center));
            let turned = solid.angular_velocity.cross(&displacement);
            let velocity = Vector::from_fn(|axis, _| solid.velocity[axis] + turned[axis]);
            body.set_particle_velocity(number, &velocity)?;
        }
    }
    for &number in &numbers {
        let place = body.position(number);
        let held = solid.velocity_constraints.iter().find(|hold| hold.block.contains(&place));
        if let Some(hold) = held {
            body.set_particle_velocity(number, &hold.velocity)?;
        }
        if held.is_some() || solid.fixed {
            body.hold(number)?;
        }
    }
    Ok(body)
}

/// Placement of a lattice in the scene.
struct LatticePlacement<const D: usize> {
    lattice: SpringLattice,
    spacing: f64,
    rotation: Rotation3<f64>,
    /// Position of the origin of the lattice.
    origin: Vector<D>,
}

impl<const D: usize> LatticePlacement<D> {
    /// Places the lattice of a solid: a ball has a particle at its center, an unrotated block has whole cells.
    fn of(solid: &Solid<D>) -> Self {
        let lattice = solid.lattice;
        let rotation =
            math::rotation_from_scaled_axis(&solid.lattice_rotation).to_rotation_matrix();
        let Aabb { low, high } = solid.shape.bounds();
        let half = 0.5 * solid.spacing;
        let origin = match solid.shape {
            SolidShape::Block { .. } if solid.lattice_rotation == Vector::<3>::zeros() => {
                let flat = if lattice == SpringLattice::Triangular { 0.75_f64.sqrt() } else { 1.0 };
                low + Vector::from_fn(|axis, _| if axis == 1 { half * flat } else { half })
            }
            _ => (low + high) * 0.5,
        };
        LatticePlacement { lattice, spacing: solid.spacing, rotation, origin }
    }

    /// Position in the scene of a lattice position with unit spacing.
    fn to_scene(&self, place: &Vector<D>) -> Vector<D> {
        let turned = self.rotation * (embed_in_3d(place) * self.spacing);
        Vector::from_fn(|axis, _| self.origin[axis] + turned[axis])
    }

    /// Lattice coordinates of a position, which need not be integers.
    fn to_lattice(&self, place: &Vector<D>) -> Vector<D> {
        let back = self.rotation.inverse() * (embed_in_3d(&(place - self.origin)) / self.spacing);
        let mut steps = Vector::from_fn(|axis, _| back[axis]);
        if self.lattice == SpringLattice::Triangular {
            steps[1] /= 0.75_f64.sqrt();
            steps[0] -= 0.5 * steps[1];
        }
        steps
    }

    fn fill(&self, solid: &Solid<D>) -> Result<LatticeGrid<D>, Error> {
        let bounds = solid.shape.bounds();
        let corners = (0..1 << D).map(|corner| self.to_lattice(&bounds.corner(corner)));
        let mut range = [[i32::MAX; D], [i32::MIN; D]];
        for corner in corners {
            for axis in 0..D {
                range[0][axis] = range[0][axis].min(corner[axis].floor() as i32);
                range[1][axis] = range[1][axis].max(corner[axis].ceil() as i32);
            }
        }
        let is_inside = solid.inside_test();
        LatticeGrid::fill(self.lattice, range, |steps| {
            is_inside(&self.to_scene(&self.lattice.position(steps)))
        })
    }
}

/// Refuses solids that overlap.
fn check_overlaps<const D: usize>(scene: &Scene<D>, bodies: &[Body<D>]) -> Result<(), Error> {
    let boxes: Vec<Aabb<D>> = scene.solids.iter().map(|solid| solid.shape.bounds()).collect();
    let tests: Vec<OnceCell<PointContainmentTest<D>>> =
        scene.solids.iter().map(|_| OnceCell::new()).collect();
    for second in 0..bodies.len() {
        for first in 0..second {
            for (inner, outer) in [(first, second), (second, first)] {
                let [one, two] = [&boxes[inner], &boxes[outer]];
                if (0..D)
                    .any(|axis| one.low[axis] > two.high[axis] || two.low[axis] > one.high[axis])
                {
                    continue;
                }
                let is_inside = tests[outer].get_or_init(|| scene.solids[outer].inside_test());
                let place = bodies[inner].grid().particles();
                let mut places = place.map(|number| bodies[inner].position(number));
                if let Some(place) =
                    places.find(|place| boxes[outer].contains(place) && is_inside(place))
                {
                    let place: Vec<f64> = place.iter().copied().collect();
                    return Err(Error::Setting {
                        what: "a particle of one solid in another",
                        value: format!("at {place:?}, of solids {first} and {second}"),
                        rule: "solids must not overlap at the start: move them apart",
                    });
                }
            }
        }
    }
    Ok(())
}

/// Whether a spring crosses a crack: a line in the plane, a parallelogram in space.
fn crosses_crack<const D: usize>(crack: &[Vector<D>; D], one: &Vector<D>, two: &Vector<D>) -> bool {
    let displacement = embed_in_3d(&(two - one));
    let corner = embed_in_3d(&crack[0]);
    let first = embed_in_3d(&crack[1]) - corner;
    // In the plane the crack extends perpendicularly out of it.
    let second =
        if D == 2 { Vector::from([0.0, 0.0, 1.0]) } else { embed_in_3d(&crack[D - 1]) - corner };
    let normal = first.cross(&second);
    let (before, along) = (normal.dot(&(embed_in_3d(one) - corner)), normal.dot(&displacement));
    let part = -before / along;
    if along == 0.0 || !(0.0..=1.0).contains(&part) {
        return false;
    }
    let met = embed_in_3d(one) + displacement * part - corner;
    let square = normal.norm_squared();
    let shares = [met.cross(&second).dot(&normal), first.cross(&met).dot(&normal)];
    let [a, b] = shares.map(|share| share / square);
    (0.0..=1.0).contains(&a) && (D == 2 || (0.0..=1.0).contains(&b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn springs_across_cracks_are_distinguished_from_those_beside() {
        let line = [Vector::from([0.0, 0.0]), Vector::from([2.0, 2.0])];
        let cut = |from: [f64; 2], to: [f64; 2]| crosses_crack(&line, &from.into(), &to.into());
        assert!(cut([0.0, 1.0], [1.0, 0.0]) && cut([1.0, 1.2], [1.2, 1.0]));
        assert!(!cut([2.0, 3.0], [3.0, 2.0]) && !cut([0.0, 1.0], [0.4, 0.5]));
        let sheet = [[0.0, 0.0, 1.0], [2.0, 0.0, 1.0], [0.0, 2.0, 1.0]].map(Vector::from);
        let cut = |x: f64, y: f64| {
            crosses_crack(&sheet, &Vector::from([x, y, 0.5]), &Vector::from([x, y, 1.5]))
        };
        assert!(cut(1.9, 1.9) && cut(0.1, 0.1) && !cut(2.1, 1.0) && !cut(1.0, -0.1));
    }
}
