//! Random scenes that a user might write, for each engine, with what must hold of their runs.

use carom_attack::random::AttackRandom;
use std::fmt::Write;

/// An engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttackedEngine {
    /// Event-driven hard spheres.
    EventDriven,
    /// Discrete element method.
    Dem,
    /// Bonded solids.
    Bonded,
}

/// A scene and what must hold of its run.
#[derive(Clone, Debug)]
pub struct PlannedScene {
    /// Text of the scene.
    pub text: String,
    /// Largest change of the sum of all energies, losses included, relative to the energy turned over; `None` where
    /// energy enters that is not accounted for.
    pub energy_tolerance: Option<f64>,
    /// Whether no external force acts on the bodies.
    pub keeps_momentum: bool,
    /// How much closer to a wall of the box than a radius centers may come, in radii.
    pub depth: f64,
}

impl AttackedEngine {
    /// All of them.
    pub const ALL: [AttackedEngine; 3] =
        [AttackedEngine::EventDriven, AttackedEngine::Dem, AttackedEngine::Bonded];

    /// Returns its name in scenes.
    pub fn name(self) -> &'static str {
        match self {
            AttackedEngine::EventDriven => "event-driven",
            AttackedEngine::Dem => "dem",
            AttackedEngine::Bonded => "bonded",
        }
    }

    /// Returns a random scene whose simulated time is multiplied by `length`.
    pub fn scene(self, random: &mut AttackRandom, length: f64) -> PlannedScene {
        match self {
            AttackedEngine::EventDriven => event_driven(random, length),
            AttackedEngine::Dem => dem(random, length),
            AttackedEngine::Bonded => bonded(random, length),
        }
    }
}

/// The top of a scene and its box.
struct SceneTextBuilder {
    text: String,
    dimension: usize,
    size: Vec<f64>,
    sides: Vec<&'static str>,
    until: f64,
}

impl SceneTextBuilder {
    fn new(
        engine: AttackedEngine,
        random: &mut AttackRandom,
        sides: &[&'static str],
        until: f64,
    ) -> Self {
        let dimension = random.between(2, 3);
        let size: Vec<f64> = (0..dimension).map(|_| rounded(random.uniform(6.0, 12.0))).collect();
        let sides: Vec<&str> = (0..dimension).map(|_| *random.choose(sides)).collect();
        let text = format!(
            "engine = \"{}\"\ndimension = {dimension}\nseed = {}\nuntil = {until}\n[box]\nsize = {size:?}\nboundary = {sides:?}\n",
            engine.name(),
            random.below(1_000_000),
        );
        SceneTextBuilder { text, dimension, size, sides, until }
    }

    fn line(&mut self, line: std::fmt::Arguments) {
        let _ = self.text.write_fmt(line);
        self.text.push('\n');
    }

    /// Adds gravity along the last axis, where there is a floor.
    fn gravity(&mut self, random: &mut AttackRandom) -> bool {
        if self.sides.last() != Some(&"wall") || random.once_in(3) {
            return false;
        }
        let mut acceleration = vec![0.0; self.dimension];
        acceleration[self.dimension - 1] = -rounded(random.magnitude(0.1, 20.0));
        self.line(format_args!("[gravity]\nacceleration = {acceleration:?}"));
        true
    }

    fn has_walls(&self) -> bool {
        self.sides.contains(&"wall")
    }

    fn volume(&self) -> f64 {
        self.size.iter().product()
    }

    /// Returns the number of bodies of a radius that fill a fraction of the box, at most `most`.
    fn count(&self, radius: f64, part: f64, most: usize) -> usize {
        let ball = if self.dimension == 2 { 3.15 * radius * radius } else { 4.19 * radius.powi(3) };
        ((self.volume() * part / ball) as usize).clamp(1, most)
    }

    fn output(&mut self, random: &mut AttackRandom) {
        let formats = *random.choose(&["[\"xyz\"]", "[\"xyz\", \"vtk\"]", "[\"lammps\", \"xyz\"]"]);
        let picture = random.once_in(4);
        let interval = rounded(self.until / random.between(1, 5) as f64);
        self.line(format_args!(
            "[output]\nformats = {formats}\npicture = {picture}\ninterval = {interval}\ncheckpoint_interval = 1"
        ));
    }
}

fn rounded(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}

fn radii(random: &mut AttackRandom, largest: f64) -> String {
    let smaller = rounded(largest * random.uniform(0.4, 0.95));
    match random.below(4) {
        0 | 1 => format!("{largest}"),
        2 => format!("{{ min = {smaller}, max = {largest} }}"),
        _ => format!(
            "{{ values = [{largest}, {smaller}], weights = [1, {}] }}",
            random.between(1, 9)
        ),
    }
}

fn event_driven(random: &mut AttackRandom, length: f64) -> PlannedScene {
    let until = rounded(random.uniform(1.0, 6.0) * length);
    let mut setting = SceneTextBuilder::new(
        AttackedEngine::EventDriven,
        random,
        &["periodic", "wall", "wall", "open"],
        until,
    );
    let largest = rounded(random.uniform(0.2, 0.6));
    let fraction = random.uniform(0.02, if setting.dimension == 2 { 0.4 } else { 0.25 });
    let count = setting.count(largest, fraction, 150);
    let has_gravity = setting.gravity(random);
    let loses = random.once_in(3);
    if loses {
        let restitution = rounded(random.uniform(0.1, 1.0));
        setting.line(format_args!("[materials.default]\ndensity = 2\nrestitution = {restitution}"));
    }
    let radius = radii(random, largest);
    let temperature = random.magnitude(1e-3, 10.0);
    setting.line(format_args!(
        "[[generate]]\nkind = \"random\"\ncount = {count}\nradius = {radius}\ntemperature = {temperature}"
    ));
    let is_open = setting.sides.contains(&"open");
    let brings_energy = match random.below(8) {
        0 if !has_gravity => {
            let kind = random
                .choose(&["kind = \"rescale\"\ninterval = 0.3", "kind = \"kicks\"\nrate = 0.5"]);
            setting.line(format_args!("[thermostat]\ntemperature = 1\n{kind}"));
            true
        }
        1 if !has_gravity && !is_open => {
            setting.line(format_args!(
                "[growth]\nrate = 0.01\nuntil_packing_fraction = {}",
                rounded(fraction * 1.05)
            ));
            true
        }
        2 if !has_gravity => {
            setting.line(format_args!("[field]\nperiod = 0.05\ndrag = 0.2"));
            true
        }
        _ => false,
    };
    let methods = [
        "auto",
        "all-pairs",
        "cell-grid",
        "cell-tree",
        "neighbor-lists",
        "laguerre-delaunay",
        "segment-trees",
    ];
    // Bodies that lie on a floor swap their ends in segment trees without end (docs/scenes.md).
    let method = random.choose(&methods[..methods.len() - usize::from(has_gravity)]);
    setting.line(format_args!("[neighbors]\nmethod = \"{method}\""));
    if random.once_in(4) {
        setting.line(format_args!("[observe]\nmean_square_displacement = true"));
    }
    setting.output(random);
    let tolerance = match (has_gravity, loses) {
        (false, _) => 1e-9,
        (true, false) => 1e-6,
        // Bodies that come to rest upon each other are held up by collisions without loss.
        (true, true) => 2e-2,
    };
    PlannedScene {
        energy_tolerance: (!brings_energy).then_some(tolerance),
        keeps_momentum: !brings_energy && !has_gravity && !setting.has_walls(),
        depth: 1e-6,
        text: setting.text,
    }
}

fn dem(random: &mut AttackRandom, length: f64) -> PlannedScene {
    let until = rounded(random.uniform(0.3, 1.2) * length);
    let mut setting =
        SceneTextBuilder::new(AttackedEngine::Dem, random, &["periodic", "wall", "wall"], until);
    let has_gravity = setting.gravity(random);
    material(&mut setting, random);
    let largest = rounded(random.uniform(0.3, 0.6));
    let shape = shape(&mut setting, random, largest);
    let part = random.uniform(0.02, if setting.dimension == 2 { 0.4 } else { 0.2 });
    let count = setting.count(largest, part, if shape.is_some() { 25 } else { 80 });
    let size = shape.map_or_else(
        || format!("radius = {}", radii(random, largest)),
        |name| format!("shape = \"{name}\""),
    );
    let temperature = random.magnitude(1e-3, 3.0);
    setting.line(format_args!(
        "[[generate]]\nkind = \"random\"\ncount = {count}\n{size}\ntemperature = {temperature}"
    ));
    let has_walls = wall(&mut setting, random);
    setting.output(random);
    PlannedScene {
        energy_tolerance: Some(3e-2),
        keeps_momentum: !has_gravity && !has_walls && !setting.has_walls(),
        // The center of a polygon below is 0.37 radii from its nearest side; a tenth is left for overlaps.
        depth: 0.73,
        text: setting.text,
    }
}

fn material(setting: &mut SceneTextBuilder, random: &mut AttackRandom) {
    let stiffness = match random.below(3) {
        0 => format!("youngs_modulus = {}", random.magnitude(2e4, 1e6)),
        _ => format!("stiffness = {}", random.magnitude(5e3, 5e4)),
    };
    let restitution = rounded(random.uniform(0.1, 1.0));
    let friction = if random.once_in(3) { 0.0 } else { rounded(random.uniform(0.0, 0.9)) };
    let rolling = if random.once_in(4) { 0.05 } else { 0.0 };
    setting.line(format_args!(
        "[materials.default]\ndensity = 1\n{stiffness}\nrestitution = {restitution}\nfriction = {friction}\nrolling_friction = {rolling}"
    ));
}

/// Returns a shape of bodies of at most this radius, or none for discs and spheres.
fn shape(
    setting: &mut SceneTextBuilder,
    random: &mut AttackRandom,
    radius: f64,
) -> Option<&'static str> {
    if !random.once_in(3) {
        return None;
    }
    let (half, quarter) = (rounded(0.5 * radius), rounded(0.25 * radius));
    let description = match (setting.dimension, random.below(3)) {
        (2, 0) => format!("spheres = [[0, 0, {half}], [{half}, 0, {half}]]"),
        (2, _) => {
            format!("polygon = [[-{half}, -{quarter}], [{half}, -{quarter}], [{quarter}, {half}]]")
        }
        (_, 0) => format!("spheres = [[0, 0, 0, {half}], [{half}, 0, 0, {quarter}]]"),
        (_, 1) => format!("box = [{half}, {radius}, {half}]"),
        _ => format!(
            "solid = \"{}\"\nradius = {radius}",
            random.choose(&["tetrahedron", "cube", "octahedron", "icosahedron"])
        ),
    };
    setting.line(format_args!("[shapes.grain]\n{description}"));
    Some("grain")
}

/// Returns a wall below everything or around everything, only if the box has walls.
fn wall(setting: &mut SceneTextBuilder, random: &mut AttackRandom) -> bool {
    if setting.sides.contains(&"periodic") || !random.once_in(3) {
        return false;
    }
    let axes = setting.dimension;
    let mut normal = vec![0.0; axes];
    normal[axes - 1] = 1.0;
    let amplitude: Vec<f64> = normal.iter().map(|part| part * 0.05).collect();
    let moves = if random.once_in(2) {
        format!("amplitude = {amplitude:?}\nfrequency = 3")
    } else {
        String::new()
    };
    // Generated bodies may lie in walls, so this one is below the floor and comes up as far as it is shaken.
    let mut point = vec![0.0; axes];
    point[axes - 1] = -0.02;
    setting.line(format_args!(
        "[[walls]]\nkind = \"plane\"\npoint = {point:?}\nnormal = {normal:?}\n{moves}"
    ));
    true
}

fn bonded(random: &mut AttackRandom, length: f64) -> PlannedScene {
    let until = rounded(random.uniform(5.0, 15.0) * length);
    let mut setting =
        SceneTextBuilder::new(AttackedEngine::Bonded, random, &["wall", "open", "wall"], until);
    if setting.sides.last() == Some(&"wall") && random.once_in(2) {
        let mut acceleration = vec![0.0; setting.dimension];
        acceleration[setting.dimension - 1] = -0.01;
        setting.line(format_args!("[gravity]\nacceleration = {acceleration:?}"));
    }
    let has_gravity = setting.text.contains("[gravity]");
    let mut springs = vec![];
    let breaks = random.once_in(2);
    if breaks {
        springs.push(format!("break_stretch = {}", random.magnitude(5e-3, 0.1)));
    }
    if random.once_in(3) {
        springs.push(format!("damping = {}", rounded(random.uniform(0.0, 0.2))));
    }
    let friction = rounded(random.uniform(0.0, 0.5));
    setting.line(format_args!(
        "[materials.default]\nyoungs_modulus = 1\nfriction = {friction}\nsprings = {{ {} }}",
        springs.join(", ")
    ));
    for solid in 0..2 {
        solid_text(&mut setting, random, solid);
    }
    setting.output(random);
    PlannedScene {
        energy_tolerance: Some(if breaks { 0.15 } else { 3e-2 }),
        keeps_momentum: !has_gravity && !setting.has_walls(),
        depth: 1.5,
        text: setting.text,
    }
}

/// Returns one of two solids, left and right, that approach each other.
fn solid_text(setting: &mut SceneTextBuilder, random: &mut AttackRandom, solid: usize) {
    let place = |part: f64| {
        setting
            .size
            .iter()
            .enumerate()
            .map(|(axis, length)| {
                let middle = if axis == 0 { if solid == 0 { 0.27 } else { 0.73 } } else { 0.5 };
                rounded(length * middle + part)
            })
            .collect::<Vec<f64>>()
    };
    let radius = rounded(random.uniform(0.8, 1.4));
    let (low, high, middle) = (place(-radius), place(radius), place(0.0));
    let round = if setting.dimension == 2 { "circle" } else { "sphere" };
    let form = match random.below(2) {
        0 => format!("block = {{ low = {low:?}, high = {high:?} }}"),
        _ => format!("{round} = {{ center = {middle:?}, radius = {radius} }}"),
    };
    let lattice = match setting.dimension {
        2 => random.choose(&["square-8", "triangular"]),
        _ => random.choose(&["cubic-18", "cubic-26"]),
    };
    let spacing = if setting.dimension == 2 { 0.2 } else { 0.4 };
    let mut velocity = vec![0.0; setting.dimension];
    velocity[0] = rounded(random.uniform(0.02, 0.2)) * if solid == 0 { 1.0 } else { -1.0 };
    setting.line(format_args!(
        "[[solids]]\n{form}\nlattice = \"{lattice}\"\nspacing = {spacing}\nvelocity = {velocity:?}"
    ));
}
