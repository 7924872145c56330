//! Which columns of bodies are written.

/// The columns of frames that are written: all, or some, and always positions and radii.
///
/// Columns have the names of VTK in every format; `angular_velocity` stands for its components, and `shape` and
/// `orientation` are written together.
///
/// ```
/// use carom_io::FrameColumns;
/// let some = FrameColumns::only(["velocity".to_owned(), "angular_velocity".to_owned()]);
/// assert!(some.has("position") && some.has("velocity") && some.has("angular_velocity_x"));
/// assert!(!some.has("mass") && FrameColumns::all().has("mass"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrameColumns(Option<Vec<String>>);

/// Columns without which nothing can be shown or read as particles.
const ALWAYS: [&str; 2] = ["position", "radius"];

impl FrameColumns {
    /// Selects every column.
    pub fn all() -> Self {
        FrameColumns(None)
    }

    /// Selects the columns of these names.
    pub fn only(names: impl IntoIterator<Item = String>) -> Self {
        FrameColumns(Some(names.into_iter().collect()))
    }

    /// Whether a column is written, if there is one of this name.
    pub fn has(&self, name: &str) -> bool {
        let Some(names) = &self.0 else { return true };
        ALWAYS.contains(&name)
            || names.iter().any(|asked| column_group(asked) == column_group(name))
    }
}

/// Returns the name of the group of columns that are only written together.
fn column_group(name: &str) -> &str {
    match name {
        "angular_velocity_x" | "angular_velocity_y" | "angular_velocity_z" => "angular_velocity",
        "shape" => "orientation",
        name => name,
    }
}
