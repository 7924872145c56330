//! `carom generate particles`.

use crate::arguments::{CommonArguments, GenerateParticlesArguments};
use crate::failure::{CommandFailure, to_stdout};
use crate::numbers;
use carom::io::{ParticleFormat, ParticleSet, Particles};
use carom::scene::generate::{
    DiameterDistribution, LatticeKind, LatticeParticles, PaperCase, RandomParticles, RandomRegion,
};
use std::path::Path;

const LATTICES: [(&str, LatticeKind); 4] = [
    ("square", LatticeKind::Square),
    ("triangular", LatticeKind::Triangular),
    ("cubic", LatticeKind::Cubic),
    ("fcc", LatticeKind::FaceCenteredCubic),
];

pub fn run(
    options: &GenerateParticlesArguments,
    common: &CommonArguments,
) -> Result<(), CommandFailure> {
    let count = numbers::count("--count", &options.count)?;
    let particles = particles(options, count)?;
    match options.out.as_deref().filter(|file| *file != Path::new("-")) {
        Some(file) => {
            let format = carom::io::write_particle_file(file, &particles)?;
            common.report(format!("{} particles written to {}", particles.len(), file.display()));
            warn_of_lost_box(&particles, format, common);
            Ok(())
        }
        None => {
            warn_of_lost_box(&particles, ParticleFormat::Csv, common);
            to_stdout(|out| carom::io::write_particles(out, &particles, ParticleFormat::Csv))
        }
    }
}

fn warn_of_lost_box(particles: &Particles, format: ParticleFormat, common: &CommonArguments) {
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
    if format == ParticleFormat::Csv && !periods.is_empty() {
        common.report(format!(
            "CSV does not keep the box; search with --periodic {}",
            periods.join(",")
        ));
    }
}

fn particles(
    options: &GenerateParticlesArguments,
    count: usize,
) -> Result<Particles, CommandFailure> {
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
        Some(other) => {
            Err(CommandFailure::input(format!("--dimension is {other}; it must be 2 or 3")))
        }
    }
}

fn lattice(
    options: &GenerateParticlesArguments,
    name: &str,
    count: usize,
) -> Result<Particles, CommandFailure> {
    let (_, kind) = *LATTICES
        .iter()
        .find(|(known, _)| *known == name)
        .ok_or_else(|| numbers::unknown("--lattice", name, LATTICES.map(|(name, _)| name)))?;
    let spacing = options.spacing.unwrap_or(1.0);
    // With exactly half the spacing, rounding of positions would decide which neighbors touch.
    let touching = spacing / 2.0 * (1.0 + 1e-12);
    let lattice =
        LatticeParticles { kind, count, spacing, radius: options.radius.unwrap_or(touching) };
    match kind.dimension() {
        2 => Ok(Particles::Discs(lattice.make()?)),
        _ => Ok(Particles::Spheres(lattice.make()?)),
    }
}

fn random<const D: usize>(
    options: &GenerateParticlesArguments,
    count: usize,
) -> Result<ParticleSet<D>, CommandFailure> {
    let sizes = match (&options.diameters, &options.log_normal) {
        (_, Some(text)) => {
            let [median, sigma, low, high] =
                numbers::list("--log-normal", text, "MEDIAN,SIGMA,LOW,HIGH")?;
            DiameterDistribution::LogNormal { median, sigma, low, high }
        }
        (Some(text), None) => {
            let [low, high] = numbers::list("--diameters", text, "LOW,HIGH")?;
            DiameterDistribution::Uniform { low, high }
        }
        (None, None) => DiameterDistribution::Uniform { low: 0.5, high: 1.0 },
    };
    let room = match (&options.size, options.density, options.fraction) {
        (Some(text), _, _) => RandomRegion::Box(numbers::list(
            "--box",
            text,
            "separated by commas, one per dimension",
        )?),
        (None, Some(density), _) => RandomRegion::NumberDensity(density),
        (None, None, fraction) => RandomRegion::PackingFraction(fraction.unwrap_or(0.3)),
    };
    Ok(RandomParticles {
        count,
        diameters: sizes,
        region: room,
        periodic: options.periodic,
        seed: options.seed,
    }
    .make()?)
}
