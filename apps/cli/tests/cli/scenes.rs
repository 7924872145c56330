//! The scenes that tests run.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the examples.
pub fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes")
}

/// Three hundred discs that lose a little energy, with everything observed and written.
pub const GAS: &str = r#"engine = "event-driven"
dimension = 2
collisions = 20_000

[materials.default]
restitution = 0.99

[[generate]]
kind = "random"
count = 300
radius = { min = 0.3, max = 0.5 }
packing_fraction = 0.4
temperature = 1.0

[observe]
mean_square_displacement = true
radial_distribution = { to = 3.0, bins = 60 }

[output]
interval = 1.0
formats = ["vtk", "xyz"]
"#;

pub fn write_gas(folder: &Path) {
    fs::write(folder.join("gas.toml"), GAS).unwrap();
}

/// Two bodies that meet once.
pub const PARTING: &str = "engine = 'event-driven'\ndimension = 2\ncollisions = 1000\n\
    box = { size = 20, boundary = 'open' }\noutput.interval = 0.5\n\
    [[bodies]]\nposition = [5, 5]\nvelocity = [1, 0]\nradius = 0.5\n\
    [[bodies]]\nposition = [9, 5]\nvelocity = [-1, 0]\nradius = 0.5\n";
