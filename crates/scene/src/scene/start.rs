//! All bodies at the start, and what must hold of them together.

use super::body::Body;
use super::problem::{Checked, Refusal, SceneProblem};
use super::region::{AXES, Region, Side};
use crate::generate::ball_volume;
use carom_detect::{Contact, ContactSearch, LARGEST_NUMBER, Method};
use carom_geometry::Sphere;
use std::ops::Range;

/// Bodies and the tables that they came from.
pub(super) struct Start<const D: usize> {
    pub bodies: Vec<Body<D>>,
    /// The first body of each table and the table's place.
    origins: Vec<(usize, Range<usize>)>,
}

impl<const D: usize> Start<D> {
    pub(super) fn new() -> Self {
        Start { bodies: Vec::new(), origins: Vec::new() }
    }

    /// The bodies that follow come from the table at this place.
    pub(super) fn begin(&mut self, span: &Range<usize>) {
        self.origins.push((self.bodies.len(), span.clone()));
    }

    /// Adds a body whose sizes are usable.
    pub(super) fn push(&mut self, body: Body<D>) -> Checked<()> {
        let usable = |number: f64| (1.0 / LARGEST_NUMBER..=LARGEST_NUMBER).contains(&number);
        let index = self.bodies.len();
        if index >= u32::MAX as usize {
            return Err(self.refuse(index, "the scene has more than 4294967295 bodies"));
        }
        self.bodies.push(body);
        if !usable(body.radius) {
            return Err(self.refuse(index, "every radius must lie between 1e-100 and 1e100"));
        }
        if !usable(body.mass) {
            let rule = "the mass by its density is not between 1e-100 and 1e100; give a mass";
            return Err(self.refuse(index, rule));
        }
        Ok(())
    }

    fn refuse(&self, body: usize, rule: &'static str) -> Refusal {
        Refusal::at(&self.origin(body), SceneProblem::Whole { rule })
    }

    fn origin(&self, body: usize) -> Range<usize> {
        let after = self.origins.partition_point(|(first, _)| *first <= body);
        self.origins[after - 1].1.clone()
    }

    pub(super) fn spheres(&self) -> Vec<Sphere<D>> {
        self.bodies.iter().map(Body::sphere).collect()
    }

    pub(super) fn largest_radius(&self) -> f64 {
        self.bodies.iter().map(|body| body.radius).fold(0.0, f64::max)
    }

    /// Volume, or area in the plane, of all bodies.
    pub(super) fn volume(&self) -> f64 {
        self.bodies.iter().map(|body| ball_volume::<D>(2.0 * body.radius)).sum()
    }

    /// Refuses bodies outside the box, and such as stick into a wall.
    pub(super) fn check_inside(&self, region: &Region<D>) -> Checked<()> {
        for (index, body) in self.bodies.iter().enumerate() {
            for axis in 0..D {
                check_axis(body, index, region, axis)
                    .map_err(|problem| Refusal::at(&self.origin(index), problem))?;
            }
        }
        Ok(())
    }

    /// Refuses bodies that overlap by more than rounding.
    pub(super) fn check_apart(&self, region: &Region<D>) -> Checked<()> {
        let spheres = self.spheres();
        let (mut first, mut pairs) = (None, 0);
        let rounding = 4.0 * f64::EPSILON * region.size.max();
        let visit = |contact: Contact| {
            let [a, b] = [contact.pair.first(), contact.pair.second()];
            let reach = spheres[a as usize].radius + spheres[b as usize].radius;
            if contact.overlap > 1e-12 * reach + rounding {
                pairs += 1;
                first.get_or_insert(contact);
            }
        };
        let mut search = ContactSearch::new(Method::Auto);
        search
            .visit(&spheres, &region.boundary(), visit)
            .expect("numbers and periods were checked");
        let Some(contact) = first else { return Ok(()) };
        let (first, second) = (contact.pair.first(), contact.pair.second());
        let overlap = contact.overlap;
        let problem = SceneProblem::Overlap { first, second, overlap, pairs };
        Err(Refusal::at(&self.origin(second as usize), problem))
    }
}

fn check_axis<const D: usize>(
    body: &Body<D>,
    index: usize,
    region: &Region<D>,
    axis: usize,
) -> Result<(), SceneProblem> {
    let (position, size) = (body.position[axis], region.size[axis]);
    let wall = matches!(region.sides[axis], Side::Wall { .. });
    let (low, high) = if wall { (body.radius, size - body.radius) } else { (0.0, size) };
    // A body that touches the wall may have been rounded into it.
    let margin = if wall { 1e-12 * size } else { 0.0 };
    let below_high = if wall { position <= high + margin } else { position < high };
    if position >= low - margin && below_high {
        return Ok(());
    }
    let rule = if wall {
        "to be wholly between the walls it must lie between"
    } else {
        "its centre must be in the box, between"
    };
    Err(SceneProblem::Outside { body: index, axis: AXES[axis], position, rule, low, high })
}
