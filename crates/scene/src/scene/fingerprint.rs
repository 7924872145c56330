//! The fingerprint of a scene: equal for scenes that describe the same run.

use super::{
    Body, RunSource, Scene, Shape, ShapeRepresentation, Solid, SolidShape, Wall, WallSurface,
};
use carom_geometry::Vector;
use carom_geometry::mesh::TriangleMesh;
use carom_io::{digest, excerpt};
use std::collections::BTreeSet;
use toml::{Table, Value};

/// Keys without effect on the physics: how long a run lasts, how it is computed and what is written.
const KEYS_WITHOUT_EFFECT: [&str; 12] = [
    "until",
    "collisions",
    "neighbors",
    "start.file",
    "output.log_interval",
    "output.log_collisions",
    "output.formats",
    "output.columns",
    "output.compression",
    "output.picture",
    "output.color",
    "output.checkpoint_interval",
];

impl<const D: usize> Scene<D> {
    /// Returns a hash that is equal for two scenes if one can resume where the other was stopped.
    ///
    /// It covers what is read from files and every key but the end (`until`, `collisions`), the neighbor
    /// structure, the log interval, and the formats, columns, compression, picture with its colors and checkpoint
    /// interval of the output. Comments, the order of keys and the places of files do not count. Generated bodies do
    /// not count either: they follow from the text and the seed, and a resumed run takes them from its checkpoint.
    ///
    /// ```
    /// use carom_scene::scene::AnyScene;
    /// let text = "engine = 'event-driven'\ndimension = 2\nuntil = 1.0\nbox.size = 9\n\
    ///             [[bodies]]\nposition = [5, 5]\nradius = 0.5";
    /// let fingerprint = |setting: &str| {
    ///     let settings = [setting.to_owned()];
    ///     let AnyScene::TwoD(scene) = AnyScene::parse(text, "", "".as_ref(), &settings).unwrap() else {
    ///         unreachable!()
    ///     };
    ///     scene.fingerprint()
    /// };
    /// assert_eq!(fingerprint("until=2"), fingerprint("until=3"));
    /// assert_ne!(fingerprint("seed=2"), fingerprint("seed=3"));
    /// ```
    pub fn fingerprint(&self) -> u64 {
        let table = effective_keys(&self.as_run).expect("the text that runs a scene again is TOML");
        let mut bytes = Vec::new();
        put_table(&table, &mut bytes);
        let given = &self.bodies[..self.given_bodies.min(self.bodies.len())];
        given.iter().for_each(|body| put_body(body, &mut bytes));
        self.run_sources.iter().for_each(|source| put_history(source, &mut bytes));
        self.walls.iter().for_each(|wall| put_wall(wall, &mut bytes));
        // A wall may come in a later stage only.
        let of_stages = self.stages.iter().flat_map(|stage| &stage.scene.walls);
        of_stages.for_each(|wall| put_wall(wall, &mut bytes));
        self.shapes.iter().for_each(|shape| put_shape(shape, &mut bytes));
        self.solids.iter().for_each(|solid| put_solid(solid, &mut bytes));
        digest(&bytes)
    }

    /// Whether a scene, given by its text as run, ends at the same time or collision as this one, and logs at the
    /// intervals that this one gives.
    ///
    /// If it has the same fingerprint too, its results at its end are those of this scene.
    pub fn ends_and_logs_as(&self, as_run: &str) -> bool {
        let (Ok(here), Ok(there)) = (toml::from_str(&self.as_run), toml::from_str(as_run)) else {
            return false;
        };
        let [here, there]: [Table; 2] = [here, there];
        let of_log = |table: &Table, key: &str| table.get("output")?.get(key).cloned();
        let mut ends = ["until", "collisions"].iter();
        let mut intervals = ["log_interval", "log_collisions"].iter();
        ends.all(|key| first_difference(here.get(*key), there.get(*key)).is_none())
            && intervals.all(|key| {
                // An interval that is not given is written into the text as run.
                let (given, logged) = (of_log(&here, key), of_log(&there, key));
                given.is_none() || first_difference(given.as_ref(), logged.as_ref()).is_none()
            })
    }

    /// Returns the first key with effect in which this scene differs from another, given by its text as run:
    /// "seed is 1 here and 9 there". If there is `None`, the bodies of particle files may still differ.
    pub fn difference(&self, as_run: &str) -> Option<String> {
        self.difference_apart_from(as_run, &[])
    }

    /// As [`difference`](Self::difference), whatever the values of some dotted keys, such as `generate.0.count`.
    pub fn difference_apart_from(&self, as_run: &str, keys: &[&str]) -> Option<String> {
        let (mut here, mut there) = (effective_keys(&self.as_run)?, effective_keys(as_run)?);
        for key in keys {
            remove(&mut here, key);
            remove(&mut there, key);
        }
        let [here, there] = [Value::Table(here), Value::Table(there)];
        let (key, here, there) = first_difference(Some(&here), Some(&there))?;
        Some(format!("{key} is {here} here and {there} there"))
    }
}

/// Returns the keys of a scene's text that have an effect on the physics.
fn effective_keys(text: &str) -> Option<Table> {
    let mut table: Table = toml::from_str(text).ok()?;
    KEYS_WITHOUT_EFFECT.iter().for_each(|key| remove(&mut table, key));
    for name in ["bodies", "walls", "shapes"] {
        let tables: Vec<&mut Value> = match table.get_mut(name) {
            Some(Value::Array(list)) => list.iter_mut().collect(),
            Some(Value::Table(named)) => named.iter_mut().map(|(_, one)| one).collect(),
            _ => Vec::new(),
        };
        tables.into_iter().filter_map(Value::as_table_mut).for_each(|one| {
            one.remove("file");
        });
    }
    for (name, key) in [("generate", "region"), ("pour", "region"), ("outlets", "return_to")] {
        let tables = table.get_mut(name).and_then(Value::as_array_mut);
        for one in tables.into_iter().flatten() {
            one.get_mut(key).into_iter().for_each(remove_mesh_files);
        }
    }
    let solids = table.get_mut("solids").and_then(Value::as_array_mut);
    solids.into_iter().flatten().for_each(remove_mesh_files);
    Some(table)
}

/// Removes the file name of the mesh of a solid, its holes, or a region.
fn remove_mesh_files(solid: &mut Value) {
    if let Some(mesh) = solid.get_mut("mesh").and_then(Value::as_table_mut) {
        mesh.remove("file");
    }
    let holes = solid.get_mut("holes").and_then(Value::as_array_mut);
    holes.into_iter().flatten().for_each(remove_mesh_files);
}

/// Returns the key of the first difference, in the order of names, and both values.
fn first_difference(
    here: Option<&Value>,
    there: Option<&Value>,
) -> Option<(String, String, String)> {
    let below = |name: String, here, there| {
        let (key, here, there) = first_difference(here, there)?;
        Some((if key.is_empty() { name } else { format!("{name}.{key}") }, here, there))
    };
    match (here, there) {
        (Some(Value::Table(here)), Some(Value::Table(there))) => {
            let names: BTreeSet<&String> = here.keys().chain(there.keys()).collect();
            let mut names = names.into_iter();
            names.find_map(|name| below(name.clone(), here.get(name), there.get(name)))
        }
        (Some(Value::Array(here)), Some(Value::Array(there)))
            if [here, there].iter().all(|list| list.iter().all(Value::is_table)) =>
        {
            let mut indices = 0..here.len().max(there.len());
            indices.find_map(|index| below(index.to_string(), here.get(index), there.get(index)))
        }
        _ => {
            let bytes = |value: Option<&Value>| {
                let mut bytes = Vec::new();
                value.inspect(|value| put_value(value, &mut bytes));
                bytes
            };
            let shown = |value: Option<&Value>| {
                let text = value.map(Value::to_string);
                text.map_or("not given".to_owned(), |text| excerpt::truncated(&text))
            };
            let differ = bytes(here) != bytes(there);
            differ.then(|| (String::new(), shown(here), shown(there)))
        }
    }
}

fn remove(table: &mut Table, key: &str) {
    match key.split_once('.') {
        None => drop(table.remove(key)),
        Some((name, rest)) => {
            match table.get_mut(name) {
                Some(Value::Table(inner)) => {
                    remove(inner, rest);
                    // An empty table is as good as none.
                    if inner.is_empty() {
                        table.remove(name);
                    }
                }
                Some(Value::Array(list)) => remove_from_list(list, rest),
                _ => {}
            }
        }
    }
}

/// Removes what a dotted key, which begins with a number, leads to; an entry itself is made the same whatever it was.
fn remove_from_list(list: &mut [Value], key: &str) {
    let (index, rest) =
        key.split_once('.').map_or((key, None), |(index, rest)| (index, Some(rest)));
    let entry = index.parse().ok().and_then(|index: usize| list.get_mut(index));
    match (entry, rest) {
        (Some(Value::Table(inner)), Some(rest)) => remove(inner, rest),
        (Some(Value::Array(inner)), Some(rest)) => remove_from_list(inner, rest),
        (Some(entry), None) => *entry = Value::Boolean(false),
        _ => {}
    }
}

/// Appends a table in the order of its names, whatever the order in the file.
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

/// Appends the contact history of bodies that come from another run, or the state of solids.
fn put_history(source: &RunSource, bytes: &mut Vec<u8>) {
    let Some(checkpoint) = &source.checkpoint else { return };
    for name in ["contact_keys", "wall_contact_keys", "passages"] {
        let keys = checkpoint.u32s(name).unwrap_or_default();
        keys.iter().for_each(|key| bytes.extend_from_slice(&key.to_le_bytes()));
    }
    for number in 0.. {
        let name = |what: &str| format!("{what}_{number}");
        let Some(springs) = checkpoint.u32s(&name("springs")) else { break };
        springs.iter().for_each(|bits| bytes.extend_from_slice(&bits.to_le_bytes()));
        for what in ["positions", "velocities"] {
            let numbers = checkpoint.f64s(&name(what)).unwrap_or_default();
            numbers.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
        }
    }
    let of_bodies = ["tangential_displacements", "contact_histories"];
    let of_walls = ["wall_tangential_displacements", "wall_contact_histories"];
    for name in of_bodies.into_iter().chain(of_walls).chain(["last_contacts"]) {
        let numbers = checkpoint.f64s(name).unwrap_or_default();
        numbers.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
    }
}

fn put_wall(wall: &Wall, bytes: &mut Vec<u8>) {
    if let WallSurface::Mesh(mesh) = &wall.surface {
        put_mesh(mesh.mesh(), bytes);
    }
}

/// Appends the vertices of a shape, since its text leaves out the contents of the file.
fn put_shape(shape: &Shape, bytes: &mut Vec<u8>) {
    match &shape.representation {
        ShapeRepresentation::Convex(polyhedron) => put_vectors(polyhedron.vertices(), bytes),
        ShapeRepresentation::Mesh(mesh) => put_mesh(mesh, bytes),
        ShapeRepresentation::Spheres(_) => {}
    }
}

/// Appends the vertices of a solid, as [`put_shape`].
fn put_solid<const D: usize>(solid: &Solid<D>, bytes: &mut Vec<u8>) {
    for shape in std::iter::once(&solid.shape).chain(&solid.holes) {
        if let SolidShape::Mesh(mesh) = shape {
            put_mesh(mesh, bytes);
        }
    }
}

fn put_mesh(mesh: &TriangleMesh, bytes: &mut Vec<u8>) {
    put_vectors(mesh.vertices(), bytes);
    let corners = mesh.triangles().iter().flatten();
    corners.for_each(|corner| bytes.extend_from_slice(&corner.to_le_bytes()));
}

fn put_vectors(vectors: &[Vector<3>], bytes: &mut Vec<u8>) {
    let numbers = vectors.iter().flatten();
    numbers.for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
}

fn put_body<const D: usize>(body: &Body<D>, bytes: &mut Vec<u8>) {
    let numbers = body.position.iter().chain(&body.velocity).chain([&body.radius, &body.mass]);
    numbers.for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
    bytes.extend_from_slice(&body.material.to_le_bytes());
    body.angular_velocity.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
    if let Some(shape) = body.shape {
        bytes.extend_from_slice(&shape.to_le_bytes());
        body.orientation.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
    }
}
