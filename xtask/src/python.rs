//! The Python package: its wheel, its tests and its benchmark, in virtual environments below `target/python`.

use crate::command::{cargo, root, run, target};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Oldest version that the package supports.
const OLDEST: (u32, u32) = (3, 10);

/// What the tests cannot do without.
const TEST_PACKAGES: [&str; 2] = ["pytest", "mypy"];

/// What some tests need.
const PACKAGES_OF_SOME_TESTS: [&str; 2] = ["scipy", "pandas"];

/// What is needed besides by tests of notebooks, of conversions and of sweeps in other processes.
const PACKAGES_BESIDE: [&str; 12] = [
    "matplotlib",
    "nbclient",
    "ipykernel",
    "tqdm",
    "xarray",
    "ase",
    "trimesh",
    "pyvista",
    "freud-analysis",
    "joblib",
    "distributed",
    // pyright with its own interpreter of JavaScript.
    "basedpyright",
];

/// How the package is compiled for tests: with the types that stubs are generated from.
const DEVELOPMENT: [&str; 4] = ["--profile", "dev", "--features", "stubs"];

/// Libraries that the benchmark is run beside.
const PEERS: [&str; 5] = ["scipy", "freud-analysis", "vesin", "trimesh", "embreex"];

/// Tests the package as it is compiled for tests, where Python can make a virtual environment.
///
/// Third-party crates are those of the workspace, from the same folder; those of carom are compiled once more.
pub fn test() -> Result<(), String> {
    if let Err(reason) = check_python() {
        eprintln!("\n== the Python package: skipped, {reason}");
        return Ok(());
    }
    let Ok(tools) = VirtualEnvironment::with("tests", &["maturin", "numpy"]) else {
        eprintln!("\n== the Python package: skipped, pip cannot install what its tests need");
        return Ok(());
    };
    // Where there are packages, a test that is left out for want of these is a fault.
    tools.install(&TEST_PACKAGES)?;
    tools.install_some(&PACKAGES_OF_SOME_TESTS);
    tools.install_some(&PACKAGES_BESIDE);
    let wheel = tools.build_wheel(&DEVELOPMENT)?;
    let stubs = tools.generate_stubs()?;
    tools.test(&wheel, Some(&stubs))
}

/// Writes the docstrings of the compiled module into the stubs in the sources.
pub fn stubs() -> Result<(), String> {
    check_python()?;
    let tools = VirtualEnvironment::with("tests", &["maturin", "numpy"])?;
    let wheel = tools.build_wheel(&DEVELOPMENT)?;
    tools.install(&["--force-reinstall", "--no-deps", &wheel.display().to_string()])?;
    let stubs = root().join("bindings/python/python/carom/_carom.pyi");
    run(tools.python().arg(tests().join("stub_docstrings.py")).arg(stubs))
}

/// Builds the wheel, optimized, and tests it in a new virtual environment; the wheel is left in `target/wheels`.
pub fn wheel() -> Result<(), String> {
    check_python()?;
    let tools = VirtualEnvironment::with("wheel", &["maturin"])?;
    let wheel = tools.build_wheel(&["--release"])?;
    let fresh = target().join("python").join("new");
    if fresh.exists() {
        std::fs::remove_dir_all(&fresh)
            .map_err(|error| format!("{} cannot be removed: {error}", fresh.display()))?;
    }
    let fresh = VirtualEnvironment::with("new", &[])?;
    fresh.install(&[&wheel.display().to_string()])?;
    // Before what the tests need is there: the wheel brings NumPy and nothing else is needed.
    run(fresh.python().args(["-c", "import carom; carom.contacts([[0, 0, 1], [1, 0, 1]])"]))?;
    run(fresh.python().arg(tests().join("wheel_checks.py")).arg(&wheel))?;
    fresh.install(&TEST_PACKAGES)?;
    fresh.install_some(&PACKAGES_OF_SOME_TESTS);
    fresh.test(&wheel, None)?;
    eprintln!("the wheel is {}", wheel.display());
    Ok(())
}

/// Lints of the crate, which is a workspace of its own.
pub fn lint() -> Result<(), String> {
    let manifest = ["--manifest-path", "bindings/python/Cargo.toml"];
    if let Err(reason) = check_python() {
        eprintln!("\n== lints of the Python package: skipped, {reason}");
        return Ok(());
    }
    cargo(&[&["fmt", "--check"], &manifest[..]].concat())?;
    let built = target().display().to_string();
    let clippy = ["clippy", "--all-targets", "--quiet", "--target-dir", &built];
    cargo(&[&clippy, &manifest[..], &["--", "-D", "warnings"]].concat())
}

/// Runs `python -m carom.bench` beside other libraries, as far as they can be had.
pub fn bench(rest: &[&str]) -> Result<(), String> {
    check_python()?;
    let tools = VirtualEnvironment::with("wheel", &["maturin"])?;
    let wheel = tools.build_wheel(&["--release"])?;
    tools.install(&["--force-reinstall", "--no-deps", &wheel.display().to_string()])?;
    tools.install(&["numpy"])?;
    tools.install_some(&PEERS);
    run(tools.python().args(["-m", "carom.bench"]).args(rest).current_dir(target()))
}

/// Folder of the tests.
fn tests() -> PathBuf {
    root().join("bindings/python/tests")
}

/// Fails with the reason why Python cannot be used.
fn check_python() -> Result<(), String> {
    let (major, minor) = OLDEST;
    let program =
        format!("import ensurepip, venv, sys; sys.exit(sys.version_info < ({major}, {minor}))");
    let output = Command::new("python3")
        .args(["-c", &program])
        .output()
        .map_err(|_| "python3 is not installed".to_owned())?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("python3 is older than {major}.{minor} or lacks its module venv")),
    }
}

/// A virtual environment below `target/python`.
struct VirtualEnvironment {
    folder: PathBuf,
}

impl VirtualEnvironment {
    /// Makes it, unless it is there, and installs these packages.
    fn with(name: &str, packages: &[&str]) -> Result<Self, String> {
        let folder = target().join("python").join(name);
        if !folder.join("bin/python").exists() {
            run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        }
        let environment = VirtualEnvironment { folder };
        match packages {
            [] => {}
            _ => environment.install(packages)?,
        }
        Ok(environment)
    }

    fn python(&self) -> Command {
        let mut command = Command::new(self.folder.join("bin/python"));
        // Nothing is left in the folders of the sources.
        command.env("PYTHONDONTWRITEBYTECODE", "1").env("VIRTUAL_ENV", &self.folder);
        command
    }

    fn install(&self, packages: &[&str]) -> Result<(), String> {
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        run(self.python().args(pip).args(packages))
    }

    /// Installs those packages that can be had.
    fn install_some(&self, packages: &[&str]) {
        for package in packages {
            if self.install(&[package]).is_err() {
                eprintln!("\n== {package} cannot be installed; what needs it is left out");
            }
        }
    }

    /// Builds the wheel by maturin, which is installed here, and returns its path.
    fn build_wheel(&self, profile: &[&str]) -> Result<PathBuf, String> {
        let folder = target().join("wheels");
        let manifest = root().join("bindings/python/Cargo.toml");
        let _ = std::fs::remove_dir_all(&folder);
        run(self
            .python()
            .args(["-m", "maturin", "build", "--locked", "--quiet", "--manifest-path"])
            .arg(manifest)
            .args(profile)
            .args(["--compression-level", "9"])
            .arg("--out")
            .arg(&folder)
            .arg("--target-dir")
            .arg(target()))?;
        let entries = std::fs::read_dir(&folder)
            .map_err(|error| format!("{} cannot be read: {error}", folder.display()))?;
        let mut wheels = entries.flatten().map(|entry| entry.path());
        wheels.next().ok_or_else(|| format!("maturin has left no wheel in {}", folder.display()))
    }

    /// Generates stubs from the compiled library, and returns their folder.
    fn generate_stubs(&self) -> Result<PathBuf, String> {
        let folder = target().join("python").join("stubs");
        run(self
            .python()
            .args(["-m", "maturin", "generate-stubs", "--locked", "--quiet", "--manifest-path"])
            .arg(root().join("bindings/python/Cargo.toml"))
            .args(DEVELOPMENT)
            .arg("--out")
            .arg(&folder)
            .arg("--target-dir")
            .arg(target()))?;
        Ok(folder)
    }

    /// Installs the wheel and runs all tests with it, beside generated stubs if there are some.
    fn test(&self, wheel: &Path, stubs: Option<&Path>) -> Result<(), String> {
        self.install(&["--force-reinstall", "--no-deps", &wheel.display().to_string()])?;
        let mut pytest = self.python();
        pytest.args(["-m", "pytest", "--quiet", "-p", "no:cacheprovider"]).arg(tests());
        if let Some(stubs) = stubs {
            pytest.env("CAROM_GENERATED_STUBS", stubs);
        }
        run(pytest.current_dir(&self.folder))
    }
}
