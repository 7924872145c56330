//! Scenes built by a program, without writing TOML.

use super::AnyScene;
use crate::Error;
use carom_geometry::Vector;
use std::fmt;
use std::path::Path;
use toml::{Table, Value};

/// A value of a scene: a number, a truth value, a text, a list or a table.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneValue(Value);

/// A table of a scene, such as a body or a material; see [`SceneBuilder`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneTable(Table);

/// A scene built by a program: the keys and tables of a scene file, with values of the program.
///
/// Everything is checked when the scene is built, as if it had been read from a file, with the same messages.
///
/// ```
/// use carom_scene::scene::{SceneBuilder, SceneTable};
/// let mut scene = SceneBuilder::new("dem", 2)
///     .set("until", 1.5)
///     .set("box.size", [9.0, 6.0])
///     .set("box.boundary", "wall")
///     .set("materials.default.restitution", 0.7);
/// for x in [2.0, 4.0, 6.0] {
///     scene = scene.push("bodies", SceneTable::new().set("position", [x, 3.0]).set("radius", 0.5));
/// }
/// assert_eq!(scene.build()?.body_count(), 3);
/// let wrong = scene.set("box.size", -1.0).build().unwrap_err().to_string();
/// assert!(wrong.contains("box.size"), "{wrong}");
/// # Ok::<(), carom_scene::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SceneBuilder {
    table: SceneTable,
}

impl SceneBuilder {
    /// Starts a scene of an engine (event-driven, dem or bonded) in two or three dimensions.
    pub fn new(engine: &str, dimension: u32) -> Self {
        let table = SceneTable::new().set("engine", engine).set("dimension", dimension);
        SceneBuilder { table }
    }

    /// Sets a key, such as `until` or `box.size`; tables on its way are made.
    pub fn set(mut self, key: &str, value: impl Into<SceneValue>) -> Self {
        self.table = self.table.set(key, value);
        self
    }

    /// Appends a table to a list, such as `bodies`, `generate`, `walls` or `forces`.
    pub fn push(mut self, list: &str, table: SceneTable) -> Self {
        self.table = self.table.push(list, table);
        self
    }

    /// Returns the scene as the text of a scene file, which runs to the same bits.
    pub fn to_toml(&self) -> String {
        self.table.0.to_string()
    }

    /// Checks the scene and generates its bodies; files that it names are searched in the current folder.
    pub fn build(&self) -> Result<AnyScene, Error> {
        AnyScene::parse(&self.to_toml(), "the scene", Path::new(""), &[])
    }
}

impl SceneTable {
    /// Makes an empty table.
    pub fn new() -> Self {
        SceneTable::default()
    }

    /// Sets a key; tables on its way are made where it has dots.
    pub fn set(mut self, key: &str, value: impl Into<SceneValue>) -> Self {
        *self.entry(key) = value.into().0;
        self
    }

    /// Appends a table to a list, which is made where there is none.
    pub fn push(mut self, list: &str, table: SceneTable) -> Self {
        match self.entry(list) {
            Value::Array(tables) => tables.push(Value::Table(table.0)),
            other => *other = Value::Array(vec![Value::Table(table.0)]),
        }
        self
    }

    /// Returns the value of a key, a new one where there is none.
    fn entry(&mut self, key: &str) -> &mut Value {
        let mut keys: Vec<&str> = key.split('.').collect();
        let last = keys.pop().unwrap_or(key);
        let mut table = &mut self.0;
        for key in keys {
            let entry = table.entry(key).or_insert_with(|| Value::Table(Table::new()));
            if !entry.is_table() {
                *entry = Value::Table(Table::new());
            }
            let Value::Table(inner) = entry else { unreachable!("it was made a table") };
            table = inner;
        }
        table.entry(last).or_insert(Value::Boolean(false))
    }
}

impl SceneValue {
    /// Reads a value as it stands behind the `=` of a scene file; `None` if it is none.
    ///
    /// ```
    /// use carom_scene::scene::SceneValue;
    /// let value = SceneValue::from_toml("[1.0, 2.0]").expect("a list");
    /// assert_eq!(value, [1.0, 2.0].into());
    /// assert_eq!(SceneValue::from_toml("[1.0, 2.0"), None);
    /// ```
    pub fn from_toml(text: &str) -> Option<Self> {
        text.parse().ok().map(SceneValue)
    }
}

impl fmt::Display for SceneValue {
    /// Writes the value as TOML.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl From<f64> for SceneValue {
    fn from(number: f64) -> Self {
        SceneValue(Value::Float(number))
    }
}

impl From<i32> for SceneValue {
    fn from(number: i32) -> Self {
        SceneValue(Value::Integer(number.into()))
    }
}

impl From<u32> for SceneValue {
    fn from(number: u32) -> Self {
        SceneValue(Value::Integer(number.into()))
    }
}

impl From<i64> for SceneValue {
    fn from(number: i64) -> Self {
        SceneValue(Value::Integer(number))
    }
}

impl From<u64> for SceneValue {
    fn from(number: u64) -> Self {
        // A whole number that TOML cannot hold becomes one that keys of whole numbers refuse.
        let whole = i64::try_from(number).map(Value::Integer);
        SceneValue(whole.unwrap_or(Value::Float(number as f64)))
    }
}

impl From<usize> for SceneValue {
    fn from(number: usize) -> Self {
        SceneValue::from(number as u64)
    }
}

impl<const D: usize> From<Vector<D>> for SceneValue {
    fn from(vector: Vector<D>) -> Self {
        vector.as_slice().to_vec().into()
    }
}

impl From<bool> for SceneValue {
    fn from(truth: bool) -> Self {
        SceneValue(Value::Boolean(truth))
    }
}

impl From<&str> for SceneValue {
    fn from(text: &str) -> Self {
        SceneValue(Value::String(text.to_owned()))
    }
}

impl From<String> for SceneValue {
    fn from(text: String) -> Self {
        SceneValue(Value::String(text))
    }
}

impl From<SceneTable> for SceneValue {
    fn from(table: SceneTable) -> Self {
        SceneValue(Value::Table(table.0))
    }
}

impl<T: Into<SceneValue>> From<Vec<T>> for SceneValue {
    fn from(list: Vec<T>) -> Self {
        SceneValue(Value::Array(list.into_iter().map(|one| one.into().0).collect()))
    }
}

impl<T: Into<SceneValue>, const N: usize> From<[T; N]> for SceneValue {
    fn from(list: [T; N]) -> Self {
        Vec::from(list).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gas() -> SceneBuilder {
        SceneBuilder::new("event-driven", 3).set("until", 1.0).set("seed", 7_u32).push(
            "generate",
            SceneTable::new()
                .set("kind", "random")
                .set("count", 20_usize)
                .set("radius", SceneTable::new().set("min", 0.4).set("max", 0.5))
                .set("packing_fraction", 0.1)
                .set("temperature", 1.0),
        )
    }

    #[test]
    fn a_built_scene_is_that_of_its_text() {
        let (built, text) = (gas(), gas().to_toml());
        let AnyScene::ThreeD(built) = built.build().unwrap() else { panic!("it is of space") };
        let AnyScene::ThreeD(read) = AnyScene::parse(&text, "a", Path::new(""), &[]).unwrap()
        else {
            panic!("it is of space")
        };
        assert_eq!((built.bodies.len(), built.seed), (20, 7));
        assert_eq!(
            (built.bodies.clone(), built.fingerprint()),
            (read.bodies.clone(), read.fingerprint())
        );
    }

    #[test]
    fn values_that_make_no_sense_are_refused_when_the_scene_is_built() {
        for wrong in [
            gas().set("until", f64::NAN),
            gas().set("until", f64::INFINITY),
            gas().set("until", "soon"),
            gas().set("until.soon", 1.0),
            gas().set("untill", 1.0),
            gas().set("", 1.0),
            gas().set("box..size", 1.0),
            gas().set("generate", 3),
            gas().set("bodies", true).push("bodies", SceneTable::new()),
            gas().push("generate", SceneTable::new().set("count", usize::MAX)),
            SceneBuilder::new("", 3),
            SceneBuilder::new("dem", 7),
        ] {
            let sentence = wrong.build().unwrap_err().to_string();
            assert!(sentence.contains("the scene"), "{sentence}");
        }
    }
}
