//! Bodies given one by one or by a particle file.

use super::bounds::Positive;
use super::initial_bodies::InitialBodies;
use super::material::Materials;
use super::problem::{SceneProblem, SceneValidationError, ValidationResult};
use super::region::BoxSize;
use super::run_source::{self, RunSource};
use super::shape::Shapes;
use super::values::{LocatedValue, OneOrEach};
use crate::generate::ball_volume;
use carom_geometry::{Sphere, Vector, math};
use carom_io::{FileBodies, ParticleSet, Particles, RunFrameSelector, excerpt};
use carom_simulate::shape::Shape;
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::Path;

/// A sphere (`D = 3`), a disc (`D = 2`) or a body with a shape at the start of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body<const D: usize> {
    /// Position of the center of mass at the start.
    pub position: Vector<D>,
    /// Velocity of the center of mass.
    pub velocity: Vector<D>,
    /// Radius, greater than zero; the bounding sphere's if the body has a shape.
    pub radius: f64,
    /// Mass m of the body, greater than zero.
    pub mass: f64,
    /// Index into the scene's materials.
    pub material: u32,
    /// Index into the scene's shapes; discs and spheres have none.
    pub shape: Option<u32>,
    /// Orientation: a unit quaternion `w, x, y, z` that rotates the shape's axes into the scene's.
    pub orientation: [f64; 4],
    /// Angular velocity about the scene's axes, in radians per time; about z alone in 2D.
    pub angular_velocity: Vector<3>,
}

/// The orientation of a body that is not rotated.
pub(super) const IDENTITY_ORIENTATION: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

impl<const D: usize> Body<D> {
    /// Returns the sphere, or the bounding sphere of its shape.
    pub fn sphere(&self) -> Sphere<D> {
        Sphere { center: self.position, radius: self.radius }
    }

    /// Returns the volume (3D) or the area (2D).
    pub fn volume(&self, shapes: &[Shape]) -> f64 {
        match self.shape {
            Some(shape) => shapes[shape as usize].volume,
            None => ball_volume::<D>(2.0 * self.radius),
        }
    }
}

/// One body, or the bodies of a particle file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Body")]
pub(super) struct WrittenBody {
    /// A particle file (CSV, extended XYZ, VTK or LAMMPS dump) with positions and radii, found from the scene's
    /// folder. It may also have velocities, as columns vx, vy and vz (CSV) or velo (XYZ), and masses as a column
    /// mass. Or the results folder of a run, such as fill.run, whose bodies continue from its end with their
    /// materials, shapes, orientations, angular velocities and contact history; fill.run@12 or fill.run@t=0.5 is a
    /// frame of it. Frames give the box its size if it has none.
    file: Option<LocatedValue<String>>,
    /// Center of mass, one coordinate per axis, in length.
    position: Option<LocatedValue<Vec<f64>>>,
    /// Velocity, one component per axis, in length / time; 0 if left out.
    velocity: Option<LocatedValue<Vec<f64>>>,
    /// Radius of a disc or a sphere, in length.
    #[schemars(with = "Option<Positive>")]
    radius: Option<LocatedValue<f64>>,
    /// Name of a shape, instead of a radius (engine dem).
    shape: Option<LocatedValue<String>>,
    /// Orientation of a body with a shape in 3D: a unit quaternion w, x, y, z; the identity if left out.
    orientation: Option<LocatedValue<Vec<f64>>>,
    /// Orientation of a body with a shape in 2D: an angle in degrees, counterclockwise; 0 if left out.
    angle: Option<LocatedValue<f64>>,
    /// Angular velocity, in radians / time: one number in 2D, one per axis in 3D (engine dem); 0 if left out.
    angular_velocity: Option<LocatedValue<OneOrEach<f64>>>,
    /// Mass; if left out, the density of the material times the volume, or 1 without a density.
    #[schemars(with = "Option<Positive>")]
    mass: Option<LocatedValue<f64>>,
    /// Name of a material; default if left out.
    material: Option<LocatedValue<String>>,
}

/// Source of the masses of a table's bodies.
pub(super) struct MassRule {
    pub material: u32,
    mass: Option<f64>,
    density: Option<f64>,
}

pub(super) const RADIUS: &str = "a radius must be finite and greater than zero";
const MASS: &str = "a mass must be finite and greater than zero";

impl MassRule {
    pub(super) fn check(
        mass: &Option<LocatedValue<f64>>,
        material: &Option<LocatedValue<String>>,
        materials: &Materials,
    ) -> ValidationResult<Self> {
        let material = materials.find(material.as_ref())?;
        let mass = mass.as_ref().map(|mass| mass.positive(MASS)).transpose()?;
        Ok(MassRule { material, mass, density: materials.density(material) })
    }

    /// Returns the given mass, else density times volume, else 1.
    pub(super) fn ball_mass<const D: usize>(&self, radius: f64) -> f64 {
        self.mass_of_volume(ball_volume::<D>(2.0 * radius))
    }

    /// As [`ball_mass`](Self::ball_mass), for a body that is not a ball.
    pub(super) fn mass_of_volume(&self, volume: f64) -> f64 {
        let by_density = || self.density.map(|density| density * volume);
        self.mass.or_else(by_density).unwrap_or(1.0)
    }
}

impl WrittenBody {
    /// Adds the body, or the bodies of the file, to the initial bodies.
    pub(super) fn add<const D: usize>(
        body: &LocatedValue<Self>,
        (materials, shapes): (&Materials, &Shapes),
        folder: &Path,
        start: &mut InitialBodies<D>,
    ) -> ValidationResult<()> {
        let written = &body.value;
        let weight = MassRule::check(&written.mass, &written.material, materials)?;
        let velocity = written.velocity.as_ref().map(LocatedValue::vector).transpose()?;
        let angular_velocity = written
            .angular_velocity
            .as_ref()
            .map_or(Ok(Vector::zeros()), LocatedValue::axial_vector::<D>)?;
        let Some(file) = &written.file else {
            let one = written.single_body(body, &weight, shapes)?;
            let velocity = velocity.unwrap_or_else(Vector::zeros);
            start.begin(&body.span, None);
            return start.push(Body { velocity, angular_velocity, ..one });
        };
        let (spheres, found, source) =
            written.read::<D>(body, file, folder, (materials, shapes))?;
        start.run_sources.extend(source.map(|it| RunSource { first: start.bodies.len(), ..it }));
        let name = excerpt::file_name(&folder.join(&file.value));
        start.begin(&body.span, found.first_line.map(|line| (name, line)));
        if let Some(size) = found.size {
            let edges = Vector::from_fn(|axis, _| size[axis]);
            start.size.get_or_insert(BoxSize { edges, span: file.span.clone() });
        }
        let own = |index: usize| -> Option<Vector<D>> {
            let velocity = found.velocities.as_ref()?[index];
            Some(Vector::from_fn(|axis, _| velocity[axis]))
        };
        // A material named in the scene holds for all bodies of the file.
        let kinds = found.materials.as_ref().filter(|_| written.material.is_none());
        spheres.into_iter().enumerate().try_for_each(|(index, sphere)| {
            let (shape, orientation) = (shape_of(&found, index), orientation_of(&found, index));
            let usable = usable_shape::<D>(&sphere, shape, orientation, shapes.list());
            let (volume, orientation) = usable.map_err(|rule| {
                file.refuse(match found.first_line {
                    Some(first) => format!("of the body in line {}: {rule}", first + index),
                    None => format!("of its body {index}: {rule}"),
                })
            })?;
            let mass = found.masses.as_ref().map(|masses| masses[index]);
            let material = kinds.map_or(weight.material, |numbers| numbers[index]);
            let weight =
                MassRule { material, mass: weight.mass, density: materials.density(material) };
            let own_velocity = found
                .angular_velocities
                .as_ref()
                .map(|angular_velocities| Vector::from(angular_velocities[index]));
            start.push(Body {
                position: sphere.center,
                velocity: velocity.or_else(|| own(index)).unwrap_or_else(Vector::zeros),
                radius: sphere.radius,
                mass: mass.unwrap_or_else(|| weight.mass_of_volume(volume)),
                material,
                shape,
                orientation,
                angular_velocity: own_velocity.unwrap_or(angular_velocity),
            })
        })
    }

    /// Returns the body, without its velocity.
    fn single_body<const D: usize>(
        &self,
        body: &LocatedValue<Self>,
        weight: &MassRule,
        shapes: &Shapes,
    ) -> ValidationResult<Body<D>> {
        let missing = |key: &str| {
            let (table, remedy) = ("this body".to_owned(), "add it, or name a file".into());
            SceneValidationError::at(
                &body.span,
                SceneProblem::Missing { table, key: key.to_owned(), remedy },
            )
        };
        let position = self.position.as_ref().ok_or_else(|| missing("position"))?.vector()?;
        let at_rest = |radius: f64, mass: f64, shape: Option<u32>| Body {
            position,
            velocity: Vector::zeros(),
            radius,
            mass,
            material: weight.material,
            shape,
            orientation: IDENTITY_ORIENTATION,
            angular_velocity: Vector::zeros(),
        };
        let Some(name) = &self.shape else {
            self.check_round()?;
            let radius = self.radius.as_ref().ok_or_else(|| missing("radius"))?.positive(RADIUS)?;
            return Ok(at_rest(radius, weight.ball_mass::<D>(radius), None));
        };
        if self.radius.is_some() {
            return Err(conflict(body, "shape", "radius", "the shape has a size; leave one out"));
        }
        let (index, shape) = shapes.find(name)?;
        let body = at_rest(shape.radius, weight.mass_of_volume(shape.volume), Some(index));
        Ok(Body { orientation: self.orientation::<D>()?, ..body })
    }

    /// Refuses keys that only bodies with a shape have.
    fn check_round(&self) -> ValidationResult<()> {
        let rule = "a disc or a sphere has no orientation; give the body a shape";
        if let Some(orientation) = &self.orientation {
            return Err(orientation.refuse(rule));
        }
        self.angle.as_ref().map_or(Ok(()), |angle| Err(angle.refuse(rule)))
    }

    fn orientation<const D: usize>(&self) -> ValidationResult<[f64; 4]> {
        match (D, &self.orientation, &self.angle) {
            (2, Some(orientation), _) => {
                Err(orientation.refuse("in the plane give angle, in degrees"))
            }
            (2, None, Some(angle)) if angle.value.is_finite() => {
                // Whole turns are removed first, since degrees are exact and radians are not.
                Ok(rotation_about_z((angle.value % 360.0).to_radians()))
            }
            (2, None, Some(angle)) => Err(angle.refuse("it must be a finite number")),
            (_, _, Some(angle)) => {
                Err(angle.refuse("in space give orientation, a quaternion w, x, y, z"))
            }
            (_, Some(orientation), None) => checked_quaternion(orientation),
            (_, None, None) => Ok(IDENTITY_ORIENTATION),
        }
    }

    /// Refuses keys that hard discs and spheres do not have.
    pub(super) fn check_event_driven(&self) -> ValidationResult<()> {
        if let Some(shape) = &self.shape {
            return Err(shape.refuse("only engine = \"dem\" has bodies with shapes"));
        }
        let rule = "hard bodies of engine = \"event-driven\" do not turn: take engine = \"dem\"";
        self.angular_velocity
            .as_ref()
            .map_or(Ok(()), |angular_velocity| Err(angular_velocity.refuse(rule)))
    }

    fn read<const D: usize>(
        &self,
        body: &LocatedValue<Self>,
        file: &LocatedValue<String>,
        folder: &Path,
        kinds: (&Materials, &Shapes),
    ) -> ValidationResult<(Vec<Sphere<D>>, FileBodies, Option<RunSource>)> {
        let own = [
            ("position", self.position.is_some()),
            ("radius", self.radius.is_some()),
            ("shape", self.shape.is_some()),
        ];
        if let Some((second, _)) = own.into_iter().find(|(_, given)| *given) {
            let remedy = "the file gives positions and radii; leave one out";
            return Err(conflict(body, "file", second, remedy));
        }
        self.check_round()?;
        if file.value.is_empty() || file.value == "-" {
            return Err(file.refuse("it must name a particle file or the results of a run"));
        }
        let path = folder.join(&file.value);
        let name = excerpt::file_name(&path);
        let (found, source) = match RunFrameSelector::of(&path)
            .map_err(|error| file.refuse_file(error))?
        {
            Some(moment) => {
                let (found, source) =
                    run_source::read(&moment, file, kinds, self.material.is_some())?;
                (found, Some(source))
            }
            None => {
                let found =
                    carom_io::read_bodies(&path).map_err(|error| file.refuse_file(error))?;
                if found.materials.is_some() && self.material.is_none() {
                    return Err(file.refuse(
                        "its bodies have materials by number, which only the scene of their run names; give the \
                         run and the frame, such as fill.run@12, or one material for all by material",
                    ));
                }
                (FileBodies { materials: None, ..found }, None)
            }
        };
        let twice = [
            (
                found.velocities.is_some() && self.velocity.is_some(),
                "velocity",
                "the file gives velocities too; leave one out",
            ),
            (
                found.angular_velocities.is_some() && self.angular_velocity.is_some(),
                "angular_velocity",
                "the file gives angular velocities too; leave one out",
            ),
            (
                found.masses.is_some() && self.mass.is_some(),
                "mass",
                "the file gives masses too; leave one out",
            ),
        ];
        if let Some(&(_, second, remedy)) = twice.iter().find(|(both, ..)| *both) {
            return Err(conflict(body, "file", second, remedy));
        }
        if found.particles.is_empty() {
            return Err(file.refuse("the file holds no particles"));
        }
        let wrong = |is| SceneProblem::FileDimension { file: name, is, asked: D };
        let is = found.particles.dimension();
        let spheres = in_dimension(&found.particles)
            .ok_or_else(|| SceneValidationError::at(&file.span, wrong(is)))?;
        Ok((spheres, found, source))
    }
}

fn conflict(
    body: &LocatedValue<WrittenBody>,
    first: &'static str,
    second: &'static str,
    remedy: &'static str,
) -> SceneValidationError {
    let problem = SceneProblem::Conflict { table: "this body".to_owned(), first, second, remedy };
    SceneValidationError::at(&body.span, problem)
}

/// Returns the rotation about z by an angle in radians.
pub(super) fn rotation_about_z(angle: f64) -> [f64; 4] {
    let (sine, cosine) = math::sin_cos(0.5 * angle);
    [cosine, 0.0, 0.0, sine]
}

/// Normalizes a quaternion whose length is nearly one, and refuses others.
fn checked_quaternion(written: &LocatedValue<Vec<f64>>) -> ValidationResult<[f64; 4]> {
    let four: Result<[f64; 4], _> = written.value.as_slice().try_into();
    let four = four.map_err(|_| written.refuse("it must hold four numbers, w, x, y and z"))?;
    let length = four.iter().map(|part| part * part).sum::<f64>().sqrt();
    if length.is_nan() || (length - 1.0).abs() > 1e-6 {
        let rule = format!("it must be of length one, but is {length:?} long");
        return Err(written.refuse(rule));
    }
    Ok(normalized(four, length))
}

/// Scales a quaternion to length one; one that already has it to the last bit keeps its bits.
fn normalized(four: [f64; 4], length: f64) -> [f64; 4] {
    let exact = (length - 1.0).abs() <= 4.0 * f64::EPSILON;
    if exact { four } else { four.map(|part| part / length) }
}

fn shape_of(found: &FileBodies, body: usize) -> Option<u32> {
    found.shapes.as_ref().and_then(|shapes| shapes[body])
}

fn orientation_of(found: &FileBodies, body: usize) -> [f64; 4] {
    found.orientations.as_ref().map_or(IDENTITY_ORIENTATION, |orientations| orientations[body])
}

/// Largest relative difference between the radius in a file and that of the shape it names.
const SAME_RADIUS: f64 = 1e-6;

/// Returns the volume and the orientation of a body of a file, or the rule that it breaks.
fn usable_shape<const D: usize>(
    sphere: &Sphere<D>,
    shape: Option<u32>,
    orientation: [f64; 4],
    shapes: &[Shape],
) -> Result<(f64, [f64; 4]), String> {
    let Some(number) = shape else {
        return Ok((ball_volume::<D>(2.0 * sphere.radius), IDENTITY_ORIENTATION));
    };
    let Some(shape) = shapes.get(number as usize) else {
        return Err(format!(
            "it has shape {number}, but the scene has {} shapes, numbered from 0 in the order of \
             their names",
            shapes.len()
        ));
    };
    if (sphere.radius / shape.radius - 1.0).abs() > SAME_RADIUS {
        return Err(format!(
            "its radius is {:?}, but that of shape {number}, {}, is {:?}",
            sphere.radius,
            excerpt::escape_control_characters(&shape.name),
            shape.radius
        ));
    }
    let length = orientation.iter().map(|part| part * part).sum::<f64>().sqrt();
    if length.is_nan() || (length - 1.0).abs() > 1e-6 {
        return Err(format!("its orientation must be of length one, but is {length:?} long"));
    }
    if D == 2 && orientation[1..3] != [0.0; 2] {
        return Err("in the plane it must be turned about z alone".to_owned());
    }
    Ok((shape.volume, normalized(orientation, length)))
}

/// Returns the spheres if they are of this dimension.
fn in_dimension<const D: usize>(particles: &Particles) -> Option<Vec<Sphere<D>>> {
    fn copied<const A: usize, const B: usize>(set: &ParticleSet<A>) -> Vec<Sphere<B>> {
        let same = |sphere: &Sphere<A>| Sphere {
            center: Vector::from_fn(|axis, _| sphere.center[axis]),
            radius: sphere.radius,
        };
        set.spheres.iter().map(same).collect()
    }
    match particles {
        Particles::Discs(set) if D == 2 => Some(copied(set)),
        Particles::Spheres(set) if D == 3 => Some(copied(set)),
        _ => None,
    }
}
