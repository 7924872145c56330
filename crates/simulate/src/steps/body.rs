//! Bodies as they are given and told, and as they lie in memory.

use super::row::Row;
use super::shape::Shape;
use super::turn::Turn;
use carom_geometry::Vector;
use nalgebra::UnitQuaternion;

/// A sphere, or a disc in the plane, whose third coordinate is zero; or a body with a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Where its centre of mass is.
    pub position: Vector<3>,
    /// How fast it moves.
    pub velocity: Vector<3>,
    /// How fast it turns, in radians per time about each axis.
    pub spin: Vector<3>,
    /// Its radius; of a body with a shape that of the sphere around it.
    pub radius: f64,
    /// Its mass.
    pub mass: f64,
    /// The number of its material.
    pub material: u32,
    /// The number of its shape; none of a sphere or disc.
    pub shape: Option<u32>,
    /// How its shape is turned.
    pub orientation: UnitQuaternion<f64>,
}

impl Body {
    /// At rest, of the first material.
    pub fn at_rest(position: impl Into<Vector<3>>, radius: f64, mass: f64) -> Self {
        let zero = Vector::zeros();
        let (position, velocity, spin) = (position.into(), zero, zero);
        let orientation = UnitQuaternion::identity();
        Body { position, velocity, spin, radius, mass, material: 0, shape: None, orientation }
    }

    /// At rest, with the shape of a number, of the first material.
    pub fn shaped(position: impl Into<Vector<3>>, number: u32, shape: &Shape, mass: f64) -> Self {
        Body { shape: Some(number), ..Body::at_rest(position, shape.radius(), mass) }
    }
}

/// How a body moves: two lines of cache.
///
/// While forces are found, positions are those of now and velocities those of half a step ago, as
/// velocity Verlet has it. Damping and friction need velocities of now: those of half a step ago and
/// the change that all forces of the step before make in half a step (R. Groot and P. Warren, Journal
/// of Chemical Physics 107, 1997, with lambda = 1). For a body at rest under load these forces
/// balance, so that it is seen to be at rest; with the force of one contact alone, each of its
/// contacts would seem to approach and to slip.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(super) struct Motion {
    /// The velocity, and one over the mass.
    pub velocity: Row,
    /// How fast it turns, and one over the moment of inertia.
    pub spin: Row,
    /// The change of velocity from half a step ago to now; zero while the velocity is that of now.
    pub velocity_change: Row,
    /// The same of how fast it turns.
    pub spin_change: Row,
}

impl Motion {
    /// One over the mass.
    #[inline(always)]
    pub(super) fn lightness(&self) -> f64 {
        self.velocity.fourth
    }

    /// One over the moment of inertia.
    #[inline(always)]
    pub(super) fn agility(&self) -> f64 {
        self.spin.fourth
    }

    /// How fast it turns now.
    #[inline(always)]
    pub(super) fn spin_now(&self) -> Vector<3> {
        self.spin.vector + self.spin_change.vector
    }
}

/// What acts on a body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(16))]
pub(super) struct Load {
    pub force: Vector<3>,
    pub torque: Vector<3>,
}

impl Load {
    pub(super) fn none() -> Self {
        Load { force: Vector::zeros(), torque: Vector::zeros() }
    }
}

/// All bodies in space order.
#[derive(Clone, Debug, Default)]
pub(super) struct Bodies {
    /// Where they are: the centre and the radius, all that is needed to tell that bodies do not touch.
    pub places: Vec<Row>,
    pub motions: Vec<Motion>,
    pub loads: Vec<Load>,
    pub masses: Vec<f64>,
    pub materials: Vec<u32>,
    /// How each is turned; empty if all are spheres.
    pub turns: Vec<Turn>,
    /// The number by which each was given.
    pub ids: Vec<u32>,
}

impl Bodies {
    /// In the order given; `flat` ones are discs.
    pub(super) fn new(bodies: &[Body], flat: bool, shapes: &[Shape]) -> Self {
        let round = if flat { 0.5 } else { 0.4 };
        let inertia = |body: &Body| match body.shape {
            Some(number) => shapes[number as usize].inertia().mean(),
            None => round * body.radius * body.radius,
        };
        let turn = |body: &Body| match body.shape {
            Some(number) => {
                let shape = &shapes[number as usize];
                Turn::new(number, shape, body.mass, &body.orientation, &body.spin)
            }
            None => Turn::sphere(),
        };
        Bodies {
            places: bodies.iter().map(|body| Row::new(body.position, body.radius)).collect(),
            motions: bodies
                .iter()
                .map(|body| Motion {
                    velocity: Row::new(body.velocity, 1.0 / body.mass),
                    spin: Row::new(body.spin, 1.0 / (inertia(body) * body.mass)),
                    velocity_change: Row::new(Vector::zeros(), 0.0),
                    spin_change: Row::new(Vector::zeros(), 0.0),
                })
                .collect(),
            loads: vec![Load::none(); bodies.len()],
            masses: bodies.iter().map(|body| body.mass).collect(),
            materials: bodies.iter().map(|body| body.material).collect(),
            turns: if shapes.is_empty() { Vec::new() } else { bodies.iter().map(turn).collect() },
            ids: (0..bodies.len() as u32).collect(),
        }
    }

    /// The shape of a body; none of a sphere.
    #[inline(always)]
    pub(super) fn shape<'a>(&self, index: usize, shapes: &'a [Shape]) -> Option<&'a Shape> {
        Some(&shapes[self.turns.get(index)?.shape()?])
    }

    /// Adds bodies behind the others, with the numbers that follow.
    pub(super) fn append(&mut self, bodies: &[Body], flat: bool, shapes: &[Shape]) {
        let first = self.len() as u32;
        let Bodies { places, motions, loads, masses, materials, turns, ids } =
            Bodies::new(bodies, flat, shapes);
        self.places.extend(places);
        self.motions.extend(motions);
        self.loads.extend(loads);
        self.masses.extend(masses);
        self.materials.extend(materials);
        self.turns.extend(turns);
        self.ids.extend(ids.iter().map(|id| first + id));
    }

    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// The body at a place in memory.
    pub(super) fn body(&self, index: usize, shapes: &[Shape]) -> Body {
        let (place, motion) = (&self.places[index], &self.motions[index]);
        let number = self.turns.get(index).and_then(Turn::shape);
        let turned = |number: usize| self.turns[index].orientation(&shapes[number]);
        Body {
            position: place.vector,
            velocity: motion.velocity.vector,
            spin: motion.spin.vector,
            radius: place.fourth,
            mass: self.masses[index],
            material: self.materials[index],
            shape: number.map(|number| number as u32),
            orientation: number.map_or_else(UnitQuaternion::identity, turned),
        }
    }

    /// Puts them into another order: each entry is what was where before.
    pub(super) fn reorder(&mut self, order: &[u32]) {
        fn taken<T: Copy>(all: &mut Vec<T>, order: &[u32]) {
            *all = order.iter().map(|&index| all[index as usize]).collect();
        }
        taken(&mut self.places, order);
        taken(&mut self.motions, order);
        taken(&mut self.loads, order);
        taken(&mut self.masses, order);
        taken(&mut self.materials, order);
        taken(&mut self.ids, order);
        if !self.turns.is_empty() {
            taken(&mut self.turns, order);
        }
    }
}
