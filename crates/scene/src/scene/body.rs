//! Bodies given one by one or by a file.

use super::material::Materials;
use super::problem::{Checked, Refusal, SceneProblem};
use super::region::Size;
use super::start::Start;
use super::values::At;
use crate::files::FileBodies;
use crate::generate::ball_volume;
use crate::{ParticleSet, Particles, excerpt, files};
use carom_geometry::{Sphere, Vector};
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::Path;

/// A sphere (`D = 3`) or a disc (`D = 2`) at the start of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body<const D: usize> {
    /// Centre.
    pub position: Vector<D>,
    /// Velocity of the centre.
    pub velocity: Vector<D>,
    /// Radius, greater than zero.
    pub radius: f64,
    /// Mass, greater than zero.
    pub mass: f64,
    /// Index into the scene's materials.
    pub material: u32,
}

impl<const D: usize> Body<D> {
    /// The shape alone.
    pub fn sphere(&self) -> Sphere<D> {
        Sphere { center: self.position, radius: self.radius }
    }
}

/// One body, or the bodies of a particle file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Body")]
pub(super) struct WrittenBody {
    /// A CSV or extended XYZ file with positions and radii, found from the scene's folder; it may have
    /// velocities too, as columns vx, vy and vz (CSV) or velo (XYZ), and masses as a column mass. The
    /// frames that a run writes as XYZ are such files, and give the box its size if it has none.
    file: Option<At<String>>,
    /// Centre, one number per axis.
    position: Option<At<Vec<f64>>>,
    /// Velocity, one number per axis; at rest if left out.
    velocity: Option<At<Vec<f64>>>,
    /// Radius.
    radius: Option<At<f64>>,
    /// Mass; left out, it comes from the density of the material, and is 1 without one.
    mass: Option<At<f64>>,
    /// The name of a material.
    material: Option<At<String>>,
}

/// What one kind of body weighs.
pub(super) struct Weight {
    pub material: u32,
    mass: Option<f64>,
    density: Option<f64>,
}

pub(super) const RADIUS: &str = "a radius must be finite and greater than zero";
const MASS: &str = "a mass must be finite and greater than zero";

impl Weight {
    pub(super) fn check(
        mass: &Option<At<f64>>,
        material: &Option<At<String>>,
        materials: &Materials,
    ) -> Checked<Self> {
        let material = materials.find(material.as_ref())?;
        let mass = mass.as_ref().map(|mass| mass.positive(MASS)).transpose()?;
        Ok(Weight { material, mass, density: materials.density(material) })
    }

    /// The mass that is said, else that of the density, else one.
    pub(super) fn of<const D: usize>(&self, radius: f64) -> f64 {
        let by_density = || self.density.map(|density| density * ball_volume::<D>(2.0 * radius));
        self.mass.or_else(by_density).unwrap_or(1.0)
    }
}

impl WrittenBody {
    /// Adds the body or the file's bodies to the start.
    pub(super) fn add<const D: usize>(
        body: &At<Self>,
        materials: &Materials,
        folder: &Path,
        start: &mut Start<D>,
    ) -> Checked<()> {
        let written = &body.value;
        let weight = Weight::check(&written.mass, &written.material, materials)?;
        let velocity = written.velocity.as_ref().map(At::vector).transpose()?;
        let Some(file) = &written.file else {
            let Sphere { center: position, radius } = written.sphere(body)?;
            let velocity = velocity.unwrap_or_else(Vector::zeros);
            let (mass, material) = (weight.of::<D>(radius), weight.material);
            start.begin(&body.span, None);
            return start.push(Body { position, velocity, radius, mass, material });
        };
        let (spheres, found) = written.read::<D>(body, file, folder)?;
        start.begin(
            &body.span,
            Some((excerpt::file_name(&folder.join(&file.value)), found.first_line)),
        );
        if let Some(size) = found.size {
            let edges = Vector::from_fn(|axis, _| size[axis]);
            start.size.get_or_insert(Size { edges, span: file.span.clone() });
        }
        let own = |index: usize| -> Option<Vector<D>> {
            let velocity = found.velocities.as_ref()?[index];
            Some(Vector::from_fn(|axis, _| velocity[axis]))
        };
        spheres.into_iter().enumerate().try_for_each(|(index, sphere)| {
            let mass = found.masses.as_ref().map(|masses| masses[index]);
            start.push(Body {
                position: sphere.center,
                velocity: velocity.or_else(|| own(index)).unwrap_or_else(Vector::zeros),
                radius: sphere.radius,
                mass: mass.unwrap_or_else(|| weight.of::<D>(sphere.radius)),
                material: weight.material,
            })
        })
    }

    fn sphere<const D: usize>(&self, body: &At<Self>) -> Checked<Sphere<D>> {
        let missing = |key: &str| {
            let (table, remedy) = ("this body".to_owned(), "add it, or name a file".into());
            Refusal::at(&body.span, SceneProblem::Missing { table, key: key.to_owned(), remedy })
        };
        let center = self.position.as_ref().ok_or_else(|| missing("position"))?.vector()?;
        let radius = self.radius.as_ref().ok_or_else(|| missing("radius"))?.positive(RADIUS)?;
        Ok(Sphere { center, radius })
    }

    fn read<const D: usize>(
        &self,
        body: &At<Self>,
        file: &At<String>,
        folder: &Path,
    ) -> Checked<(Vec<Sphere<D>>, FileBodies)> {
        if self.position.is_some() || self.radius.is_some() {
            let second = if self.position.is_some() { "position" } else { "radius" };
            let (table, remedy) =
                ("this body".to_owned(), "the file gives positions and radii; leave one out");
            let problem = SceneProblem::Conflict { table, first: "file", second, remedy };
            return Err(Refusal::at(&body.span, problem));
        }
        if file.value.is_empty() || file.value == "-" {
            return Err(file.refuse("it must name a CSV or extended XYZ file"));
        }
        let path = folder.join(&file.value);
        let name = excerpt::file_name(&path);
        let found = files::read_bodies(&path)?;
        let twice = [
            (
                found.velocities.is_some() && self.velocity.is_some(),
                "velocity",
                "the file gives velocities too; leave one out",
            ),
            (
                found.masses.is_some() && self.mass.is_some(),
                "mass",
                "the file gives masses too; leave one out",
            ),
        ];
        if let Some(&(_, second, remedy)) = twice.iter().find(|(both, ..)| *both) {
            let table = "this body".to_owned();
            let problem = SceneProblem::Conflict { table, first: "file", second, remedy };
            return Err(Refusal::at(&body.span, problem));
        }
        if found.particles.is_empty() {
            return Err(file.refuse("the file holds no particles"));
        }
        let wrong = |is| SceneProblem::FileDimension { file: name, is, asked: D };
        let is = found.particles.dimension();
        let spheres =
            in_dimension(&found.particles).ok_or_else(|| Refusal::at(&file.span, wrong(is)))?;
        Ok((spheres, found))
    }
}

/// The spheres if they are of this dimension.
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
