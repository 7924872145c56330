//! Former names of keys and values: an error message gives the present one.

/// Former names and present names.
const FORMER_NAMES: [(&str, &str); 11] = [
    ("events", "event-driven"),
    ("steps", "dem"),
    ("deform", "bonded"),
    ("spin", "angular_velocity"),
    ("centre", "center"),
    ("colour", "color"),
    ("neighbours", "neighbors"),
    ("shells", "neighbor-lists"),
    ("pushed", "compression_ratio"),
    ("egg_shell", "rigid_brittle"),
    ("ball", "sphere"),
];

/// Returns the present name of what was once called `word`, if it is among `names`.
pub(super) fn name_of_today<'a>(word: &str, names: &[&'a str]) -> Option<&'a str> {
    let (_, today) = FORMER_NAMES.iter().find(|(former, _)| *former == word)?;
    names.iter().find(|name| *name == today).copied()
}
