//! A scene in the words of the engine.

use super::outline;
use carom_geometry::{Aabb, Vector, in_space, math};
use carom_scene::SceneOf;
use carom_scene::scene::{
    self, Breaking, IsInside, Side, Solid, SolidLattice, SolidShape, Springs,
};
use carom_simulate::Error;
use carom_simulate::deform::{Body, Grid, Lattice, Material, Simulation, Wall};
use nalgebra::Rotation3;
use std::cell::OnceCell;

/// The simulation that a scene asks for, at its start.
pub(super) fn simulation<const D: usize>(scene: &SceneOf<D>) -> Result<Simulation<D>, Error> {
    let mut simulation = Simulation::new(bodies(scene)?)?;
    simulation.set_gravity(scene.gravity);
    simulation.set_walls(walls(scene));
    if let Some(step) = scene.step {
        simulation.set_step(step)?;
    }
    simulation.check()?;
    check_apart(scene, simulation.bodies())?;
    Ok(simulation)
}

/// The solids of a scene as bodies of the engine.
pub fn bodies<const D: usize>(scene: &SceneOf<D>) -> Result<Vec<Body<D>>, Error> {
    let named = |(solid, written): (usize, &Solid<D>)| {
        body(scene, written).map_err(|error| Error::Solid { solid, error: Box::new(error) })
    };
    scene.solids.iter().enumerate().map(named).collect()
}

fn body<const D: usize>(scene: &SceneOf<D>, solid: &Solid<D>) -> Result<Body<D>, Error> {
    let lattice = lattice(solid.lattice);
    let material = material(&scene.materials[solid.material as usize], lattice, solid.spacing);
    let setting = Placing::of(solid, lattice);
    let grid = setting.fill(solid)?;
    let mut body = Body::new(grid, material, solid.spacing, |place| setting.place(place))?;
    body.set_outline(outline::distance(solid));
    body.set_velocity(solid.velocity);
    for crack in &solid.cracks {
        body.cut(|one, two| crosses(crack, one, two));
    }
    let numbers: Vec<usize> = body.grid().particles().collect();
    if solid.spin != Vector::<3>::zeros() {
        let places = numbers.iter().map(|&number| body.position(number));
        let center = places.sum::<Vector<D>>() / numbers.len() as f64;
        for &number in &numbers {
            let way = in_space(&(body.position(number) - center));
            let turned = solid.spin.cross(&way);
            let velocity = Vector::from_fn(|axis, _| solid.velocity[axis] + turned[axis]);
            body.set_particle_velocity(number, &velocity);
        }
    }
    for &number in &numbers {
        let place = body.position(number);
        let held = solid.holds.iter().find(|hold| hold.block.contains(&place));
        if let Some(hold) = held {
            body.set_particle_velocity(number, &hold.velocity);
        }
        if held.is_some() || solid.fixed {
            body.hold(number);
        }
    }
    Ok(body)
}

fn lattice(lattice: SolidLattice) -> Lattice {
    match lattice {
        SolidLattice::Square4 => Lattice::Square4,
        SolidLattice::Square8 => Lattice::Square8,
        SolidLattice::Triangular => Lattice::Triangular,
        SolidLattice::Cubic6 => Lattice::Cubic6,
        SolidLattice::Cubic18 => Lattice::Cubic18,
        SolidLattice::Cubic26 => Lattice::Cubic26,
    }
}

/// Poisson's ratios that differ by less are the same.
const SAME: f64 = 1e-9;

fn material(written: &scene::Material, lattice: Lattice, spacing: f64) -> Material {
    let springs = written.springs.unwrap_or_default();
    let density = written.density.unwrap_or(1.0);
    let given = springs.stiffness.map(|k| Material::young_of_springs(lattice, spacing, k));
    let young = written.youngs_modulus().or(given).unwrap_or(0.0);
    let own = lattice.solid().poisson;
    let elastic = Material {
        poisson: written.poissons_ratio.filter(|poisson| (poisson - own).abs() > SAME),
        pushed: springs.pushed,
        friction: written.touch.friction.unwrap_or(0.0),
        damping: springs.damping,
        yields_at: springs.yield_stretch,
        ..Material::elastic(young, density)
    };
    let breaks_at = springs.breaking.map(|breaking| match breaking {
        Breaking::Stretch(stretch) => stretch,
        Breaking::Force(force) => elastic.stretch_at_force(lattice, spacing, force),
        Breaking::Energy(energy) => elastic.breaking_stretch(lattice, spacing, energy),
    });
    let material = Material { breaks_at, ..elastic };
    if springs.egg_shell { rigid(material, &springs, lattice, spacing) } else { material }
}

/// The same, as good as rigid until the force at which it would break.
fn rigid(material: Material, springs: &Springs, lattice: Lattice, spacing: f64) -> Material {
    let force = match springs.breaking {
        Some(Breaking::Force(force)) => force,
        _ => material.breaks_at.unwrap_or(0.0) / material.stretch_at_force(lattice, spacing, 1.0),
    };
    let shell = Material::egg_shell(lattice, spacing, material.density, force);
    Material { breaks_at: shell.breaks_at, young: shell.young, ..material }
}

/// So many places of a lattice are looked at for one solid.
const MOST_PLACES: f64 = 1e9;

/// How a lattice lies in the scene.
struct Placing<const D: usize> {
    lattice: Lattice,
    spacing: f64,
    turn: Rotation3<f64>,
    /// Where the origin of the lattice is.
    origin: Vector<D>,
}

impl<const D: usize> Placing<D> {
    /// A ball has a particle at its centre; a block that is not turned has whole cells.
    fn of(solid: &Solid<D>, lattice: Lattice) -> Self {
        let turn = math::rotation(&solid.turn).to_rotation_matrix();
        let Aabb { low, high } = solid.shape.bounds();
        let half = 0.5 * solid.spacing;
        let origin = match solid.shape {
            SolidShape::Block { .. } if solid.turn == Vector::<3>::zeros() => {
                let flat = if lattice == Lattice::Triangular { 0.75_f64.sqrt() } else { 1.0 };
                low + Vector::from_fn(|axis, _| if axis == 1 { half * flat } else { half })
            }
            _ => (low + high) * 0.5,
        };
        Placing { lattice, spacing: solid.spacing, turn, origin }
    }

    /// Where a place of the lattice with a spacing of one is.
    fn place(&self, place: &Vector<D>) -> Vector<D> {
        let turned = self.turn * (in_space(place) * self.spacing);
        Vector::from_fn(|axis, _| self.origin[axis] + turned[axis])
    }

    /// The steps of the lattice to a place, which need not be whole.
    fn steps(&self, place: &Vector<D>) -> Vector<D> {
        let back = self.turn.inverse() * (in_space(&(place - self.origin)) / self.spacing);
        let mut steps = Vector::from_fn(|axis, _| back[axis]);
        if self.lattice == Lattice::Triangular {
            steps[1] /= 0.75_f64.sqrt();
            steps[0] -= 0.5 * steps[1];
        }
        steps
    }

    fn fill(&self, solid: &Solid<D>) -> Result<Grid<D>, Error> {
        let bounds = solid.shape.bounds();
        let corners = (0..1 << D).map(|corner| self.steps(&bounds.corner(corner)));
        let mut range = [[i32::MAX; D], [i32::MIN; D]];
        for corner in corners {
            for axis in 0..D {
                range[0][axis] = range[0][axis].min(corner[axis].floor() as i32);
                range[1][axis] = range[1][axis].max(corner[axis].ceil() as i32);
            }
        }
        let edges = (0..D).map(|axis| f64::from(range[1][axis]) - f64::from(range[0][axis]));
        let places: f64 = edges.product();
        if places > MOST_PLACES {
            let (what, value) =
                ("the number of places of a lattice around a solid", format!("{places:.1e}"));
            let rule = "at most 1e9 are looked at: turn the lattice along the solid, or take a longer spacing";
            return Err(Error::Setting { what, value, rule });
        }
        let is_inside = solid.inside_test();
        let grid = Grid::fill(self.lattice, range, |steps| {
            is_inside(&self.place(&self.lattice.place(steps)))
        });
        Ok(grid)
    }
}

fn walls<const D: usize>(scene: &SceneOf<D>) -> Vec<Wall> {
    let walled = (0..D).filter(|&axis| matches!(scene.region.sides[axis], Side::Wall { .. }));
    let both = |axis: usize| {
        let high = scene.region.size[axis];
        [Wall { axis, at: 0.0, is_low: true }, Wall { axis, at: high, is_low: false }]
    };
    walled.flat_map(both).collect()
}

/// Refuses solids that are in each other.
fn check_apart<const D: usize>(scene: &SceneOf<D>, bodies: &[Body<D>]) -> Result<(), Error> {
    let boxes: Vec<Aabb<D>> = scene.solids.iter().map(|solid| solid.shape.bounds()).collect();
    let tests: Vec<OnceCell<IsInside<D>>> = scene.solids.iter().map(|_| OnceCell::new()).collect();
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
fn crosses<const D: usize>(crack: &[Vector<D>; D], one: &Vector<D>, two: &Vector<D>) -> bool {
    let way = in_space(&(two - one));
    let corner = in_space(&crack[0]);
    let first = in_space(&crack[1]) - corner;
    // In the plane the crack goes on out of it.
    let second =
        if D == 2 { Vector::from([0.0, 0.0, 1.0]) } else { in_space(&crack[D - 1]) - corner };
    let normal = first.cross(&second);
    let (before, along) = (normal.dot(&(in_space(one) - corner)), normal.dot(&way));
    let part = -before / along;
    if along == 0.0 || !(0.0..=1.0).contains(&part) {
        return false;
    }
    let met = in_space(one) + way * part - corner;
    let square = normal.norm_squared();
    let shares = [met.cross(&second).dot(&normal), first.cross(&met).dot(&normal)];
    let [a, b] = shares.map(|share| share / square);
    (0.0..=1.0).contains(&a) && (D == 2 || (0.0..=1.0).contains(&b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn springs_across_cracks_are_told_from_those_beside() {
        let line = [Vector::from([0.0, 0.0]), Vector::from([2.0, 2.0])];
        let cut = |from: [f64; 2], to: [f64; 2]| crosses(&line, &from.into(), &to.into());
        assert!(cut([0.0, 1.0], [1.0, 0.0]) && cut([1.0, 1.2], [1.2, 1.0]));
        assert!(!cut([2.0, 3.0], [3.0, 2.0]) && !cut([0.0, 1.0], [0.4, 0.5]));
        let sheet = [[0.0, 0.0, 1.0], [2.0, 0.0, 1.0], [0.0, 2.0, 1.0]].map(Vector::from);
        let cut = |x: f64, y: f64| {
            crosses(&sheet, &Vector::from([x, y, 0.5]), &Vector::from([x, y, 1.5]))
        };
        assert!(cut(1.9, 1.9) && cut(0.1, 0.1) && !cut(2.1, 1.0) && !cut(1.0, -0.1));
    }
}
