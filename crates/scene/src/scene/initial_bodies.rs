//! All bodies at the start, and what must hold of them together.

use super::body::Body;
use super::problem::{ParticleFileLine, SceneProblem, SceneValidationError, ValidationResult};
use super::region::{AXES, BoxSize};
use super::run_source::RunSource;
use super::{BoundaryCondition, Region};
use crate::generate::ball_volume;
use carom_detect::{BroadPhaseMethod, Contact, ContactSearch, LARGEST_NUMBER};
use carom_geometry::{Pose, Sphere, Vector};
use carom_io::excerpt;
use carom_simulate::shape::Shape;
use std::ops::Range;

/// Overlap with a body or a wall, in (smaller) radii, that is attributed to rounding, here as in the engine.
pub(super) const ROUNDING: f64 = 1e-9;

/// Overlap in radii that counts as a contact in DEM; the repulsion of a deeper one would throw bodies apart.
pub(super) const SOFT: f64 = 0.2;

const HARD_RULE: &str = "an event-driven run needs a start without overlap";
const SOFT_RULE: &str = "more than a fifth of the smaller radius would throw them apart";

/// Bodies and the tables that they came from.
pub(super) struct InitialBodies<const D: usize> {
    pub bodies: Vec<Body<D>>,
    /// Number of bodies that were given, before any were generated.
    pub given: usize,
    /// Size of the box that a particle file gives.
    pub size: Option<BoxSize<D>>,
    /// Other runs that some of the bodies come from.
    pub run_sources: Vec<RunSource>,
    origins: Vec<BodyTableOrigin>,
}

/// A table that bodies came from.
struct BodyTableOrigin {
    /// Index of the first body of the table.
    first: usize,
    /// Position of the table in the text.
    span: Range<usize>,
    /// The particle file that it names, and the line of its first particle.
    file: Option<(String, usize)>,
}

impl<const D: usize> InitialBodies<D> {
    pub(super) fn new() -> Self {
        InitialBodies {
            bodies: Vec::new(),
            given: 0,
            size: None,
            run_sources: Vec::new(),
            origins: Vec::new(),
        }
    }

    /// Begins the bodies of the table at this place, or of the file that it names, from a line on.
    pub(super) fn begin(&mut self, span: &Range<usize>, file: Option<(String, usize)>) {
        self.origins.push(BodyTableOrigin { first: self.bodies.len(), span: span.clone(), file });
    }

    /// Adds a body; its radius and mass must lie within bounds.
    pub(super) fn push(&mut self, body: Body<D>) -> ValidationResult<()> {
        let usable = |number: f64| (1.0 / LARGEST_NUMBER..=LARGEST_NUMBER).contains(&number);
        let index = self.bodies.len();
        if index >= u32::MAX as usize {
            return Err(self.refuse(index, "the scene has more than 4294967295 bodies"));
        }
        self.bodies.push(body);
        if !usable(body.radius) {
            let rule = "a radius must lie between 1e-100 and 1e100";
            return Err(self.unusable(index, "radius", body.radius, rule));
        }
        if !usable(body.mass) {
            let rule = "a mass must lie between 1e-100 and 1e100, so give one or another density";
            return Err(self.unusable(index, "mass", body.mass, rule));
        }
        Ok(())
    }

    fn unusable(
        &self,
        body: usize,
        what: &'static str,
        value: f64,
        rule: &'static str,
    ) -> SceneValidationError {
        let particle = self.particle(body);
        let problem = SceneProblem::Size { body, what, value, rule, particle };
        SceneValidationError::at(&self.origin(body).span, problem)
    }

    /// Returns the line of a body in its file, if it comes from one.
    fn particle(&self, body: usize) -> Option<ParticleFileLine> {
        let BodyTableOrigin { first, file, .. } = self.origin(body);
        let (file, line) = file.as_ref()?;
        Some(ParticleFileLine { file: file.clone(), line: line + (body - first) })
    }

    /// Removes the angular velocities of bodies of another run, since hard bodies have none, with a warning.
    pub(super) fn stop_turning(&mut self) {
        for source in &mut self.run_sources {
            let bodies = &mut self.bodies[source.first..source.first + source.count];
            if bodies.iter().any(|body| body.angular_velocity != Vector::<3>::zeros()) {
                bodies.iter_mut().for_each(|body| body.angular_velocity = Vector::zeros());
                source.warnings.push(format!(
                    "angular velocities of the bodies of {} are left out: hard bodies do not turn",
                    excerpt::file_name(&source.folder)
                ));
            }
        }
    }

    /// Refuses shapes and angular velocities from particle files, which hard discs and spheres do not have.
    pub(super) fn check_event_driven(&self) -> ValidationResult<()> {
        let soft =
            |body: &Body<D>| body.shape.is_some() || body.angular_velocity != Vector::<3>::zeros();
        let rule = "its particle file has bodies with shapes or angular velocities, and those of \
                    engine = \"event-driven\" are hard balls that do not turn: take engine = \"dem\"";
        self.bodies.iter().position(soft).map_or(Ok(()), |body| Err(self.refuse(body, rule)))
    }

    fn refuse(&self, body: usize, rule: &'static str) -> SceneValidationError {
        SceneValidationError::at(&self.origin(body).span, SceneProblem::Whole { rule })
    }

    fn origin(&self, body: usize) -> &BodyTableOrigin {
        let after = self.origins.partition_point(|origin| origin.first <= body);
        &self.origins[after - 1]
    }

    pub(super) fn spheres(&self) -> Vec<Sphere<D>> {
        self.bodies.iter().map(Body::sphere).collect()
    }

    pub(super) fn largest_radius(&self) -> f64 {
        self.bodies.iter().map(|body| body.radius).fold(0.0, f64::max)
    }

    /// Returns the total volume (3D) or area (2D) of all bodies, which are discs or spheres.
    pub(super) fn volume(&self) -> f64 {
        self.bodies.iter().map(|body| ball_volume::<D>(2.0 * body.radius)).sum()
    }

    /// Refuses bodies outside the box, and those that overlap a wall by more than a fraction of the radius.
    pub(super) fn check_inside(
        &self,
        region: &Region<D>,
        overlap: f64,
        shapes: &[Shape],
    ) -> ValidationResult<()> {
        for (index, body) in self.bodies.iter().enumerate() {
            let reach = extents(body, shapes);
            // Across an open side, bodies of another run may have left the box.
            let is_free = |axis: usize| {
                region.boundary_conditions[axis] == BoundaryCondition::Open
                    && self.run_sources.iter().any(|source| source.has(index))
            };
            for axis in (0..D).filter(|&axis| !is_free(axis)) {
                let broken =
                    broken_bounds(body, [reach[0][axis], reach[1][axis]], region, axis, overlap);
                let Some((rule, low, high)) = broken else {
                    continue;
                };
                return Err(SceneValidationError::at(
                    &self.origin(index).span,
                    SceneProblem::Outside {
                        body: index,
                        particle: self.particle(index),
                        axis: AXES[axis],
                        position: body.position[axis],
                        rule,
                        low,
                        high,
                    },
                ));
            }
        }
        Ok(())
    }

    /// Refuses discs and spheres that overlap by more than a fraction of the smaller radius. The engine checks the
    /// penetration depth of bodies with shapes.
    pub(super) fn check_overlaps(&self, region: &Region<D>, allowed: f64) -> ValidationResult<()> {
        let spheres = self.spheres();
        let (mut first, mut pairs) = (None, 0);
        let visit = |contact: Contact| {
            let [a, b] = [contact.pair.first(), contact.pair.second()];
            let smaller = spheres[a as usize].radius.min(spheres[b as usize].radius);
            let round = [a, b].iter().all(|&body| self.bodies[body as usize].shape.is_none());
            if round && contact.overlap > allowed * smaller {
                pairs += 1;
                first.get_or_insert(contact);
            }
        };
        let boundary = region.boundary().expect("the region was checked");
        let mut search = ContactSearch::new(BroadPhaseMethod::Auto);
        search.visit(&spheres, &boundary, visit).expect("numbers and periods were checked");
        let Some(contact) = first else { return Ok(()) };
        let (first, second) = (contact.pair.first(), contact.pair.second());
        let overlap = contact.overlap;
        let particles = [first, second].map(|body| self.particle(body as usize));
        let most = if allowed == SOFT { SOFT_RULE } else { HARD_RULE };
        let problem = SceneProblem::Overlap { first, second, particles, overlap, pairs, most };
        Err(SceneValidationError::at(&self.origin(second as usize).span, problem))
    }
}

/// Returns how far a body extends from its center, down and up each axis.
fn extents<const D: usize>(body: &Body<D>, shapes: &[Shape]) -> [Vector<3>; 2] {
    let Some(shape) = body.shape else { return [Vector::repeat(body.radius); 2] };
    let pose = Pose::new(Vector::zeros(), body.orientation);
    let bounds = shapes[shape as usize].bounds(&pose.expect("orientations are of length one"));
    [-bounds.low, bounds.high]
}

/// Returns the rule that a body breaks on an axis, and the bounds that it must keep.
fn broken_bounds<const D: usize>(
    body: &Body<D>,
    [down, up]: [f64; 2],
    region: &Region<D>,
    axis: usize,
    overlap: f64,
) -> Option<(&'static str, f64, f64)> {
    let (position, size) = (body.position[axis], region.size[axis]);
    let wall = matches!(region.boundary_conditions[axis], BoundaryCondition::Wall { .. });
    let (low, high) = if wall { (down, size - up) } else { (0.0, size) };
    // A body that touches the wall may be rounded, or pressed, into it.
    let margin = if wall { overlap * body.radius } else { 0.0 };
    let below_high = if wall { position <= high + margin } else { position < high };
    if position >= low - margin && below_high {
        return None;
    }
    let rule = if wall {
        "to be completely between the walls it must lie between"
    } else {
        "its center must be in the box, between"
    };
    Some((rule, low, high))
}
