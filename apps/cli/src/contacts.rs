//! `carom contacts`.

use crate::arguments::{CommonArguments, ContactsArguments};
use crate::failure::{CommandFailure, print, print_stderr, to_stdout};
use crate::input::{self, OutputOption};
use crate::number_text::milliseconds_text;
use crate::numbers;
use carom::detect::SearchStatistics;
use carom::detect::broad::{CellSize, DistanceSortOrigin};
use carom::io::{ParticleSet, Particles, count_with_noun};
use carom::{BroadPhaseMethod, Contact, ContactSearch};
use std::path::Path;
use std::time::{Duration, Instant};

/// Memory per particle; measured: from 62 to 118 in the published workloads.
const BYTES_PER_PARTICLE: f64 = 100.0;

pub fn run(options: &ContactsArguments, common: &CommonArguments) -> Result<(), CommandFailure> {
    let outputs = [
        OutputOption { option: "--out", file: options.out.as_deref(), only_a_file: None },
        OutputOption {
            option: "--svg",
            file: options.svg.as_deref(),
            only_a_file: Some("the picture"),
        },
    ];
    input::check_outputs(&options.particles, &outputs)?;
    let start = Instant::now();
    let particles = input::particles(&options.particles, BYTES_PER_PARTICLE)?;
    input::warn_of_shapes(&options.particles, common);
    let reading = start.elapsed();
    match particles {
        Particles::Discs(set) => search(options, common, set, reading),
        Particles::Spheres(set) => search(options, common, set, reading),
    }
}

fn search<const D: usize>(
    options: &ContactsArguments,
    common: &CommonArguments,
    mut set: ParticleSet<D>,
    reading: Duration,
) -> Result<(), CommandFailure> {
    input::set_boundary(&mut set, options.periodic.as_deref(), &options.particles, common)?;
    if options.svg.is_some() {
        carom::render::check_particles(set.spheres.len())?;
    }
    carom::check_contact_memory(&set.spheres, &set.boundary)?;
    let mut search = ContactSearch::new(method(options)?);
    let refused = |error| CommandFailure::search(&options.particles, &error);
    search.find(&set.spheres, &set.boundary).map_err(refused)?;
    if options.check {
        let checked = search.check(&set.spheres, &set.boundary);
        checked.map_err(|fault| {
            CommandFailure::Running(format!("the search structure is damaged: {fault}"))
        })?;
        common.report("the search structure is whole");
    }
    let writing = Instant::now();
    write(options, &set, search.contacts())?;
    let report = ContactSearchReport {
        particles: set.spheres.len(),
        dimension: D,
        statistics: search.statistics(),
        reading,
        writing: writing.elapsed(),
    };
    report.print_report(options, common)
}

fn write<const D: usize>(
    options: &ContactsArguments,
    set: &ParticleSet<D>,
    contacts: &[Contact],
) -> Result<(), CommandFailure> {
    match options.out.as_deref().filter(|file| *file != Path::new("-")) {
        Some(file) => {
            carom::io::write_atomically(file, |out| carom::io::write_contacts(out, contacts))?
        }
        None => to_stdout(|out| carom::io::write_contacts(out, contacts))?,
    }
    // The picture after the contacts, which must not be lost if it cannot be drawn.
    if let Some(file) = &options.svg {
        let drawing = carom::render::svg(set, contacts)?;
        carom::io::write_atomically(file, |out| out.write_all(drawing.as_bytes()))?;
    }
    Ok(())
}

fn method<const D: usize>(
    options: &ContactsArguments,
) -> Result<BroadPhaseMethod<D>, CommandFailure> {
    if options.cells_mean.is_some() && options.origin.is_some() {
        let sentence =
            "--cells-mean belongs to linked-cells and --origin to distance-sort; give one";
        return Err(CommandFailure::input(sentence));
    }
    let name = match (&options.method, options.cells_mean, &options.origin) {
        (Some(name), _, _) => name,
        (None, Some(_), _) => "linked-cells",
        (None, None, Some(_)) => "distance-sort",
        (None, None, None) => "auto",
    };
    let method = BroadPhaseMethod::from_name(name).ok_or_else(|| {
        numbers::unknown("--method", name, BroadPhaseMethod::<D>::ALL.map(|method| method.name()))
    })?;
    match (method, options.cells_mean, &options.origin) {
        (method, None, None) => Ok(method),
        (BroadPhaseMethod::LinkedCells(_), Some(mean), None) => {
            Ok(BroadPhaseMethod::LinkedCells(CellSize::MeanNumber(mean)))
        }
        (BroadPhaseMethod::DistanceSort(_), None, Some(text)) => {
            Ok(BroadPhaseMethod::DistanceSort(origin(text)?))
        }
        (_, Some(_), _) => Err(CommandFailure::input(format!(
            "--cells-mean belongs to linked-cells; --method is {name}"
        ))),
        (_, None, Some(_)) => Err(CommandFailure::input(format!(
            "--origin belongs to distance-sort; --method is {name}"
        ))),
    }
}

fn origin<const D: usize>(text: &str) -> Result<DistanceSortOrigin<D>, CommandFailure> {
    match text {
        "corner" => Ok(DistanceSortOrigin::Corner),
        "center" => Ok(DistanceSortOrigin::Center),
        _ => Ok(DistanceSortOrigin::Point(
            numbers::list::<D>("--origin", text, "separated by commas, corner or center")?.into(),
        )),
    }
}

/// Report of a search, for people and programs.
struct ContactSearchReport {
    particles: usize,
    dimension: usize,
    statistics: SearchStatistics,
    reading: Duration,
    writing: Duration,
}

impl ContactSearchReport {
    fn print_report(
        &self,
        options: &ContactsArguments,
        common: &CommonArguments,
    ) -> Result<(), CommandFailure> {
        if options.json {
            match options.out {
                Some(_) => return print(&format!("{}\n", self.json())),
                None => print_stderr(self.json()),
            }
        } else if options.stats {
            print_stderr(self.text());
        } else {
            common.report(self.sentence());
        }
        Ok(())
    }

    fn sentence(&self) -> String {
        let body = if self.dimension == 2 { "disc" } else { "sphere" };
        format!(
            "{} among {}, found in {} ({})",
            count_with_noun(self.statistics.contacts, "contact"),
            count_with_noun(self.particles, body),
            milliseconds_text(self.search_time()),
            self.statistics.method
        )
    }

    fn search_time(&self) -> Duration {
        self.statistics.input_check_time
            + self.statistics.broad_phase_time
            + self.statistics.narrow_phase_time
    }

    fn text(&self) -> String {
        let statistics = &self.statistics;
        let per_particle = |value: f64| value / self.particles.max(1) as f64;
        [
            self.sentence(),
            format!("  method        {}: {}", statistics.method, statistics.reason),
            format!("  structure     {}", statistics.structure),
            format!(
                "  work          {} pair tests ({:.2} per particle), {} candidates evaluated exactly",
                statistics.pair_tests,
                per_particle(statistics.pair_tests as f64),
                statistics.candidates
            ),
            format!("  read          {}", milliseconds_text(self.reading)),
            format!("  check input   {}", milliseconds_text(statistics.input_check_time)),
            format!("  search        {}", milliseconds_text(statistics.broad_phase_time)),
            format!("  sort and test {}", milliseconds_text(statistics.narrow_phase_time)),
            format!("  write         {}", milliseconds_text(self.writing)),
            format!("  per particle  {:.1} ns", per_particle(self.search_time().as_secs_f64() * 1e9)),
            format!("  extra memory  {:.1} MB beyond input and output", statistics.extra_memory as f64 / 1e6),
            format!("  threads       {}", rayon::current_num_threads()),
        ]
        .join("\n")
    }

    fn json(&self) -> serde_json::Value {
        let statistics = &self.statistics;
        serde_json::json!({
            "particles": self.particles,
            "dimension": self.dimension,
            "contacts": statistics.contacts,
            "method": statistics.method,
            "reason": statistics.reason,
            "structure": statistics.structure,
            "pair_tests": statistics.pair_tests,
            "candidates": statistics.candidates,
            "seconds": {
                "read": self.reading.as_secs_f64(),
                "check_input": statistics.input_check_time.as_secs_f64(),
                "search": statistics.broad_phase_time.as_secs_f64(),
                "sort_and_test": statistics.narrow_phase_time.as_secs_f64(),
                "write": self.writing.as_secs_f64(),
            },
            "extra_memory_bytes": statistics.extra_memory,
            "threads": rayon::current_num_threads(),
        })
    }
}
