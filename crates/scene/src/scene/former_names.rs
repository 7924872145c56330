//! Keys and values that scenes had under another name once: an error names the one of today.

/// Former names and those of today.
const FORMER_NAMES: [(&str, &str); 10] = [
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
];

/// What is called `word` no longer, if it is one of `names`.
pub(super) fn name_of_today<'a>(word: &str, names: &[&'a str]) -> Option<&'a str> {
    let (_, today) = FORMER_NAMES.iter().find(|(former, _)| *former == word)?;
    names.iter().find(|name| *name == today).copied()
}
