//! Pictures of particles, frames, triangulations and measured values.
//!
//! | want | take | of |
//! |---|---|---|
//! | particles and their contacts, for print | [`svg()`] | at most [`MOST_PARTICLES`] discs or spheres |
//! | a frame of a run, in its colors | [`png()`] | any number of bodies, in 2D or 3D |
//! | a triangulation and its Laguerre diagram | [`diagram()`] | discs, or a section through spheres |
//! | measured values over a parameter | [`Plot`] | some lines with error bars |
//!
//! In an SVG of contacts, discs are drawn to scale with a line between the centers of each pair in contact; spheres are
//! seen along an oblique axis, the nearer over the farther, the farther in fog. The color counts the contacts of a
//! particle. A periodic box has dashed sides; discs that cross one are cut there and appear again at the opposite one.
//!
//! Pictures of frames in space are pixels only, as bodies hide each other pixel by pixel and there may be a million of
//! them. Contacts of spheres stay an SVG: a set is small enough, and its circles and text are sharp in print at any size.
//! Spheres that overlap are drawn whole there, the nearer over the farther.

// The same bits on every processor: see `carom_geometry::math`.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod color;
mod diagram;
mod discs;
mod error;
mod legend;
mod oblique;
mod page;
mod plot;
mod raster;
mod spheres;

pub use diagram::diagram;
pub use error::Error;
pub use plot::{Plot, PlotPoint, PlotSeries};
pub use raster::png;

use carom_detect::Contact;
use carom_io::ParticleSet;
use color::ContactColorScale;
use legend::SvgLegend;
use page::SvgPage;

/// Largest number of particles in a picture.
pub const MOST_PARTICLES: usize = 20_000;
/// Largest number of contacts in a picture.
pub const MOST_CONTACTS: usize = 200_000;

/// Draws the particles and their contacts as an SVG document.
///
/// ```
/// use carom_detect::{Contact, BodyPair};
/// use carom_geometry::Sphere;
/// use carom_io::ParticleSet;
/// let set = ParticleSet::open(vec![Sphere::new([0.0, 0.0], 1.0), Sphere::new([1.5, 0.0], 1.0)]);
/// let contacts = [Contact { pair: BodyPair::new(0, 1), overlap: 0.5 }];
/// let document = carom_render::svg(&set, &contacts)?;
/// assert!(document.starts_with("<svg"));
/// # Ok::<(), carom_render::Error>(())
/// ```
pub fn svg<const D: usize>(set: &ParticleSet<D>, contacts: &[Contact]) -> Result<String, Error> {
    let count = set.spheres.len();
    check_particles(count)?;
    if contacts.len() > MOST_CONTACTS {
        let count = contacts.len();
        return Err(Error::TooManyToDraw { what: "contacts", count, most: MOST_CONTACTS });
    }
    let degrees = degrees(count, contacts)?;
    let scale = ContactColorScale::of(&degrees);
    let legend = SvgLegend { particles: count, contacts: contacts.len(), scale: &scale };
    let mut page = SvgPage::default();
    let view = if D == 2 {
        discs::draw(&mut page, set, contacts, &degrees, &scale)
    } else {
        spheres::draw(&mut page, set, &degrees, &scale)
    };
    legend.draw(&mut page, &view);
    Ok(page.finish(view.page_width(), view.page_height()))
}

/// Returns an error if an SVG cannot hold this number of particles; for a check before the search for contacts.
pub fn check_particles(count: usize) -> Result<(), Error> {
    let most = MOST_PARTICLES;
    if count > most { Err(Error::TooManyToDraw { what: "particles", count, most }) } else { Ok(()) }
}

/// Returns the number of contacts of each particle.
fn degrees(count: usize, contacts: &[Contact]) -> Result<Vec<u32>, Error> {
    let mut degrees = vec![0; count];
    for contact in contacts {
        for index in [contact.pair.first(), contact.pair.second()] {
            let degree = degrees.get_mut(index as usize);
            *degree.ok_or(Error::NoSuchParticle { index, count })? += 1;
        }
    }
    Ok(degrees)
}

/// Returns the median radius, as a measure for widths of lines.
fn median_radius<const D: usize>(set: &ParticleSet<D>) -> f64 {
    let mut radii: Vec<f64> = set.spheres.iter().map(|sphere| sphere.radius).collect();
    radii.sort_by(f64::total_cmp);
    radii.get(radii.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
use carom_io::{AxisExtent, Frame, FrameShapes, FrameSprings};
#[cfg(test)]
#[path = "../../io/src/frame/examples.rs"]
mod example_frames;
#[cfg(test)]
mod tests;
