//! `carom-bench python`: carom against Python libraries, which run in a process of their own.

mod environment;
mod interpreter;

use crate::contacts::report;
use crate::contender::{Threads, carom_alone};
use crate::error::Error;
use crate::machine;
use crate::measure::{Contender, Label, Outcome, Plan, Run, race};
use crate::results::Kind;
use crate::table::{self, Table};
use crate::workload::{self, Case};
use carom::Sphere;
use environment::Environment;
pub use environment::install;
use interpreter::Interpreter;
pub use interpreter::ONE_THREAD;
use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;

const LIBRARIES: [&str; 3] = ["scipy", "freud", "vesin"];

/// Settings of the command.
#[derive(Debug, clap::Args)]
pub struct Settings {
    /// A thousand particles and one round; writes nothing unless --out is given
    #[arg(long)]
    tiny: bool,
    /// Folder for contacts_python.csv [default: bench/results]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Folder of the virtual environment, made if it is not there
    #[arg(long, value_name = "DIR", default_value = "bench/.venv")]
    venv: PathBuf,
}

/// Measures, prints a line per method and case, and writes the table.
pub fn run(settings: &Settings) -> Result<(), Error> {
    let (cases, plan) = if settings.tiny {
        (workload::python_tiny(), Plan::TINY)
    } else {
        (workload::python(), Plan::FULL)
    };
    let environment = Environment::prepare(&settings.venv)?;
    let threads = Threads::new(1)?;
    let mut rows = Vec::new();
    for case in &cases {
        let outcomes = if case.workload.dimension() == 2 {
            measure(case, &case.spheres::<2>()?, &environment, &threads, &plan)
        } else {
            measure(case, &case.spheres::<3>()?, &environment, &threads, &plan)
        };
        rows.extend(report(case, outcomes?));
    }
    match table::folder(&settings.out, !settings.tiny) {
        Some(folder) => Table { origin: machine::origin(&settings.command()), rows }
            .write(&folder.join("contacts_python.csv")),
        None => Ok(()),
    }
}

impl Settings {
    fn command(&self) -> String {
        let libraries = include_str!("../../python/requirements.txt");
        let libraries = libraries.split_whitespace().collect::<Vec<_>>().join(" ");
        let tiny = if self.tiny { " --tiny" } else { "" };
        format!("carom-bench python{tiny}; {libraries}")
    }
}

fn measure<const D: usize>(
    case: &Case,
    spheres: &[Sphere<D>],
    environment: &Environment,
    threads: &Threads,
    plan: &Plan,
) -> Result<Vec<Outcome>, Error> {
    environment.write_particles(spheres)?;
    let interpreter = Interpreter::start(environment, case.workload.dimension(), plan.cap)?;
    let interpreter = Rc::new(RefCell::new(interpreter));
    let mut contenders = carom_alone(spheres, threads);
    for library in LIBRARIES {
        contenders.push(Box::new(Called { library, interpreter: Rc::clone(&interpreter) }));
    }
    race(contenders, plan)
}

/// A library called from Python.
struct Called<'a> {
    library: &'static str,
    interpreter: Rc<RefCell<Interpreter<'a>>>,
}

impl Contender for Called<'_> {
    fn label(&self) -> Label {
        Label { method: self.library, kind: Kind::Peer, threads: 1 }
    }

    fn run(&mut self) -> Result<Run, Error> {
        self.interpreter.borrow_mut().search(self.library)
    }
}
