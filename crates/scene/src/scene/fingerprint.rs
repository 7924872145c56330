//! What makes two scenes the same run.

use super::{Body, SceneOf};
use crate::files::digest;
use toml::{Table, Value};

/// Keys that do not change what happens, only how long it is followed, how it is computed and what is
/// kept of it.
const FREE: [&str; 6] = [
    "until",
    "collisions",
    "neighbours",
    "output.formats",
    "output.picture",
    "output.checkpoint_interval",
];

impl<const D: usize> SceneOf<D> {
    /// A number that is the same for scenes of which one can go on where the other was stopped.
    ///
    /// It covers the bodies and every key but the end (`until`, `collisions`), the neighbour
    /// structure, and the formats, picture and checkpoint interval of the output. Comments and the
    /// order of keys do not count, nor do the places of particle files.
    ///
    /// ```
    /// use carom_scene::scene::Scene;
    /// let text = "engine = 'events'\ndimension = 2\nuntil = 1.0\nbox.size = 9\n\
    ///             [[bodies]]\nposition = [5, 5]\nradius = 0.5";
    /// let fingerprint = |setting: &str| {
    ///     let settings = [setting.to_owned()];
    ///     let Scene::Plane(scene) = Scene::parse(text, "", "".as_ref(), &settings).unwrap() else {
    ///         unreachable!()
    ///     };
    ///     scene.fingerprint()
    /// };
    /// assert_eq!(fingerprint("until=2"), fingerprint("until=3"));
    /// assert_ne!(fingerprint("seed=2"), fingerprint("seed=3"));
    /// ```
    pub fn fingerprint(&self) -> u64 {
        let mut table: Table =
            toml::from_str(&self.as_run).expect("the text that runs a scene again is TOML");
        FREE.iter().for_each(|key| remove(&mut table, key));
        if let Some(Value::Array(bodies)) = table.get_mut("bodies") {
            bodies.iter_mut().filter_map(Value::as_table_mut).for_each(|body| {
                body.remove("file");
            });
        }
        let mut bytes = Vec::new();
        put_table(&table, &mut bytes);
        self.bodies.iter().for_each(|body| put_body(body, &mut bytes));
        digest(&bytes)
    }
}

fn remove(table: &mut Table, key: &str) {
    match key.split_once('.') {
        None => drop(table.remove(key)),
        Some((name, rest)) => {
            if let Some(Value::Table(inner)) = table.get_mut(name) {
                remove(inner, rest);
                // A table that says nothing is as good as none.
                if inner.is_empty() {
                    table.remove(name);
                }
            }
        }
    }
}

/// In the order of the names, whatever the order in the file.
fn put_table(table: &Table, bytes: &mut Vec<u8>) {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(name, _)| name.as_str());
    bytes.push(b'{');
    for (name, value) in entries {
        bytes.extend_from_slice(format!("{name:?}=").as_bytes());
        put_value(value, bytes);
    }
    bytes.push(b'}');
}

fn put_value(value: &Value, bytes: &mut Vec<u8>) {
    match value {
        Value::Table(table) => put_table(table, bytes),
        Value::Array(array) => {
            bytes.push(b'[');
            array.iter().for_each(|item| put_value(item, bytes));
            bytes.push(b']');
        }
        // 1 and 1.0 are the same number.
        Value::Integer(number) => bytes.extend_from_slice(format!("{number}.0,").as_bytes()),
        Value::Float(number) => bytes.extend_from_slice(format!("{number:?},").as_bytes()),
        plain => bytes.extend_from_slice(format!("{plain},").as_bytes()),
    }
}

fn put_body<const D: usize>(body: &Body<D>, bytes: &mut Vec<u8>) {
    let numbers = body.position.iter().chain(&body.velocity).chain([&body.radius, &body.mass]);
    numbers.for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
    bytes.extend_from_slice(&body.material.to_le_bytes());
}
