//! `carom generate particles`.

use crate::arguments::{Common, Generate};
use crate::failure::{Failure, to_stdout};
use crate::numbers;
use carom::scene::files::{self, Format};
use carom::scene::generate::{Lattice, LatticeKind, PaperCase, RandomParticles, Room, Sizes};
use carom::scene::{ParticleSet, Particles};
use std::path::Path;

const LATTICES: [(&str, LatticeKind); 4] = [
    ("square", LatticeKind::Square),
    ("triangular", LatticeKind::Triangular),
    ("cubic", LatticeKind::Cubic),
    ("fcc", LatticeKind::FaceCentredCubic),
];

pub fn run(options: &Generate, common: &Common) -> Result<(), Failure> {
    let count = numbers::count("--count", &options.count)?;
    let particles = particles(options, count)?;
    match options.out.as_deref().filter(|file| *file != Path::new("-")) {
        Some(file) => {
            let format = files::write_particle_file(file, &particles)?;
            common.tell(format!("{} particles written to {}", particles.len(), file.display()));
            tell_of_a_lost_box(&particles, format, common);
            Ok(())
        }
        None => {
            tell_of_a_lost_box(&particles, Format::Csv, common);
            to_stdout(|out| files::write_particles(out, &particles, Format::Csv))
        }
    }
}

fn tell_of_a_lost_box(particles: &Particles, format: Format, common: &Common) {
    let periods: Vec<String> = match particles {
        Particles::Discs(set) => (0..2)
            .filter_map(|axis| set.boundary.period(axis))
            .map(|period| period.to_string())
            .collect(),
        Particles::Spheres(set) => (0..3)
            .filter_map(|axis| set.boundary.period(axis))
            .map(|period| period.to_string())
            .collect(),
    };
    if format == Format::Csv && !periods.is_empty() {
        common.tell(format!(
            "CSV does not keep the box; search with --periodic {}",
            periods.join(",")
        ));
    }
}

fn particles(options: &Generate, count: usize) -> Result<Particles, Failure> {
    if let Some(name) = &options.case {
        let case: PaperCase = name
            .parse()
            .map_err(|_| numbers::unknown("--case", name, PaperCase::ALL.map(PaperCase::name)))?;
        return Ok(case.particles(count, options.seed)?);
    }
    if let Some(name) = &options.lattice {
        return lattice(options, name, count);
    }
    match options.dimension {
        Some(2) => Ok(Particles::Discs(random(options, count)?)),
        Some(3) | None => Ok(Particles::Spheres(random(options, count)?)),
        Some(other) => Err(Failure::input(format!("--dimension is {other}; it must be 2 or 3"))),
    }
}

fn lattice(options: &Generate, name: &str, count: usize) -> Result<Particles, Failure> {
    let (_, kind) = *LATTICES
        .iter()
        .find(|(known, _)| *known == name)
        .ok_or_else(|| numbers::unknown("--lattice", name, LATTICES.map(|(name, _)| name)))?;
    let spacing = options.spacing.unwrap_or(1.0);
    // Half the spacing would leave it to the rounding of positions which neighbours touch.
    let touching = spacing / 2.0 * (1.0 + 1e-12);
    let lattice = Lattice { kind, count, spacing, radius: options.radius.unwrap_or(touching) };
    match kind.dimension() {
        2 => Ok(Particles::Discs(lattice.make()?)),
        _ => Ok(Particles::Spheres(lattice.make()?)),
    }
}

fn random<const D: usize>(options: &Generate, count: usize) -> Result<ParticleSet<D>, Failure> {
    let sizes = match (&options.diameters, &options.log_normal) {
        (_, Some(text)) => {
            let [median, sigma, low, high] =
                numbers::list("--log-normal", text, "MEDIAN,SIGMA,LOW,HIGH")?;
            Sizes::LogNormal { median, sigma, low, high }
        }
        (Some(text), None) => {
            let [low, high] = numbers::list("--diameters", text, "LOW,HIGH")?;
            Sizes::Uniform { low, high }
        }
        (None, None) => Sizes::Uniform { low: 0.5, high: 1.0 },
    };
    let room = match (&options.size, options.density, options.fraction) {
        (Some(text), _, _) => {
            Room::Box(numbers::list("--box", text, "separated by commas, one per dimension")?)
        }
        (None, Some(density), _) => Room::Density(density),
        (None, None, fraction) => Room::Fraction(fraction.unwrap_or(0.3)),
    };
    Ok(RandomParticles { count, sizes, room, periodic: options.periodic, seed: options.seed }
        .make()?)
}
