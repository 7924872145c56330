//! `carom triangulate`.

use crate::arguments::{CommonArguments, TriangulateArguments};
use crate::failure::{CommandFailure, print};
use crate::input::{self, OutputOption};
use crate::number_text::milliseconds_text;
use carom::detect::laguerre::Triangulation;
use carom::io::{ParticleSet, Particles, count_with_noun};
use std::time::{Duration, Instant};

/// Memory per particle; measured: 100 in the plane, 300 in space.
const BYTES_PER_PARTICLE: f64 = 200.0;

pub fn run(options: &TriangulateArguments, common: &CommonArguments) -> Result<(), CommandFailure> {
    let output = |option, file, what| OutputOption { option, file, only_a_file: Some(what) };
    let outputs = [
        output("--out", options.out.as_deref(), "the triangulation"),
        output("--svg", options.svg.as_deref(), "the picture"),
        output("--cells", options.cells.as_deref(), "the table"),
    ];
    input::check_outputs(&options.particles, &outputs)?;
    let particles = input::particles(&options.particles, BYTES_PER_PARTICLE)?;
    input::warn_of_shapes(&options.particles, common);
    match particles {
        Particles::Discs(set) => triangulate(options, common, set),
        Particles::Spheres(set) => triangulate(options, common, set),
    }
}

fn triangulate<const D: usize>(
    options: &TriangulateArguments,
    common: &CommonArguments,
    mut set: ParticleSet<D>,
) -> Result<(), CommandFailure> {
    input::set_boundary(&mut set, options.periodic.as_deref(), &options.particles, common)?;
    if D == 2 && options.svg.is_some() {
        carom::render::check_particles(set.spheres.len())?;
    }
    let start = Instant::now();
    let triangulation = Triangulation::of(&set.spheres, &set.boundary)
        .map_err(|error| CommandFailure::search(&options.particles, &error))?;
    let building = start.elapsed();
    if options.check {
        let checked = triangulation.check();
        checked.map_err(|fault| {
            CommandFailure::Running(format!("the triangulation is damaged: {fault}"))
        })?;
        common.report("the triangulation is whole and exact");
    }
    write(options, &set, &triangulation)?;
    TriangulationReport::of(&triangulation, building).print_report(options, common)
}

fn write<const D: usize>(
    options: &TriangulateArguments,
    set: &ParticleSet<D>,
    triangulation: &Triangulation<D>,
) -> Result<(), CommandFailure> {
    if let Some(file) = &options.out {
        carom::io::write_atomically(file, |out| {
            carom::io::write_triangulation(out, &set.spheres, triangulation)
        })?;
    }
    if let Some(file) = &options.cells {
        let cells = triangulation.cell_measures();
        carom::io::write_atomically(file, |out| carom::io::write_laguerre_cells::<D>(out, &cells))?;
    }
    // The picture last, so that the rest is not lost if it cannot be drawn.
    if let Some(file) = &options.svg {
        let drawing = carom::render::diagram(set, triangulation)?;
        carom::io::write_atomically(file, |out| out.write_all(drawing.as_bytes()))?;
    }
    Ok(())
}

/// Report of a triangulation.
struct TriangulationReport {
    spheres: usize,
    dimension: usize,
    simplices: usize,
    edges: usize,
    /// Numbers of the spheres without a cell.
    hidden: Vec<usize>,
    building: Duration,
    memory: usize,
}

/// Number of hidden spheres that are listed.
const MOST_HIDDEN_LISTED: usize = 5;

impl TriangulationReport {
    fn of<const D: usize>(triangulation: &Triangulation<D>, building: Duration) -> Self {
        let spheres = triangulation.count();
        let mut facets = 0;
        triangulation.for_each_neighborhood(|_, neighbors| facets += neighbors.len());
        TriangulationReport {
            spheres,
            dimension: D,
            simplices: triangulation.simplices().count(),
            // Every edge is seen from both ends.
            edges: facets / 2,
            hidden: (0..spheres).filter(|&sphere| triangulation.is_hidden(sphere)).collect(),
            building,
            memory: triangulation.memory(),
        }
    }

    fn print_report(
        &self,
        options: &TriangulateArguments,
        common: &CommonArguments,
    ) -> Result<(), CommandFailure> {
        match (options.json, common.quiet) {
            (true, _) => print(&format!("{}\n", self.json(options))),
            (false, true) => Ok(()),
            (false, false) => print(&self.text()),
        }
    }

    /// Mean number of neighbors of the spheres that are not hidden.
    fn mean_neighbors(&self) -> f64 {
        let visible = self.spheres - self.hidden.len();
        2.0 * self.edges as f64 / visible.max(1) as f64
    }

    fn nouns(&self) -> [&'static str; 2] {
        if self.dimension == 2 { ["disc", "triangle"] } else { ["sphere", "tetrahedron"] }
    }

    fn text(&self) -> String {
        let [body, simplex] = self.nouns();
        let simplices = match (self.simplices, self.dimension) {
            (1, _) | (_, 2) => count_with_noun(self.simplices, simplex),
            (many, _) => format!("{many} tetrahedra"),
        };
        let per_body = self.building.as_secs_f64() * 1e6 / self.spheres.max(1) as f64;
        let lines = [
            format!(
                "{simplices} among {}, made in {}",
                count_with_noun(self.spheres, body),
                milliseconds_text(self.building)
            ),
            format!(
                "  edges         {}, {:.3} neighbors of a {body} in the mean",
                self.edges,
                self.mean_neighbors()
            ),
            format!("  hidden        {}", self.hidden_sentence(body)),
            format!("  per {body:<9} {per_body:.2} us"),
            format!("  memory        {:.1} MB", self.memory as f64 / 1e6),
        ];
        lines.join("\n") + "\n"
    }

    fn hidden_sentence(&self, body: &str) -> String {
        let named: Vec<_> =
            self.hidden.iter().take(MOST_HIDDEN_LISTED).map(usize::to_string).collect();
        match self.hidden.len() {
            0 => "none".into(),
            count => format!(
                "{}, deep within others and without a cell: {}{}",
                count_with_noun(count, body),
                named.join(", "),
                if count > MOST_HIDDEN_LISTED { ", ..." } else { "" }
            ),
        }
    }

    fn json(&self, options: &TriangulateArguments) -> serde_json::Value {
        serde_json::json!({
            "spheres": self.spheres,
            "dimension": self.dimension,
            "simplices": self.simplices,
            "edges": self.edges,
            "mean_neighbors": self.mean_neighbors(),
            "hidden": self.hidden,
            "checked": options.check,
            "seconds": self.building.as_secs_f64(),
            "memory_bytes": self.memory,
        })
    }
}
