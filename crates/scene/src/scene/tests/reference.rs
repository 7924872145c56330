//! Comparison of `docs/scenes.md` with the schema.

use super::*;
use std::collections::{BTreeMap, BTreeSet};

/// The keys in the first column of each table, by the name in the comment before it.
fn keys_in_page(page: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut tables: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut name = None;
    for line in page.lines() {
        if let Some(rest) = line.strip_prefix("<!-- schema: ") {
            name = rest.strip_suffix(" -->").map(str::to_owned);
        } else if line.starts_with("| `")
            && let Some(name) = &name
        {
            let cell = line.split('|').nth(1).unwrap();
            let keys = cell.split('`').skip(1).step_by(2).map(str::to_owned);
            tables.entry(name.clone()).or_default().extend(keys);
        } else if !line.starts_with('|') {
            name = None;
        }
    }
    tables
}

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scenes.md");
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn the_reference_has_every_key_of_the_schema_and_no_other() {
    let schema = schema();
    let mut keys: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut put = |name: &str, table: &serde_json::Value| {
        if let Some(properties) = table["properties"].as_object() {
            keys.insert(name.to_owned(), properties.keys().cloned().collect());
        }
    };
    put("scene", &schema);
    for (name, table) in schema["$defs"].as_object().unwrap() {
        put(name, table);
    }
    assert_eq!(keys_in_page(&page()), keys);
}

#[test]
fn the_reference_has_every_word_of_the_schema() {
    fn words(value: &serde_json::Value, found: &mut Vec<String>) {
        if let Some(word) = value["const"].as_str() {
            found.push(word.to_owned());
        }
        for word in value["enum"].as_array().into_iter().flatten() {
            found.extend(word.as_str().map(str::to_owned));
        }
        match value {
            serde_json::Value::Object(object) => object.values().for_each(|it| words(it, found)),
            serde_json::Value::Array(array) => array.iter().for_each(|it| words(it, found)),
            _ => {}
        }
    }
    let (mut found, page) = (Vec::new(), page());
    words(&schema(), &mut found);
    assert!(found.len() > 15, "{found:?}");
    for word in found {
        assert!(page.contains(&format!("`{word}`")), "{word}");
    }
}

#[test]
fn the_scenes_in_the_reference_are_scenes() {
    let page = page();
    let texts = page.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let whole = texts.filter(|text| text.starts_with("engine"));
    let counts: Vec<usize> = whole.map(|text| parse(text, &[]).unwrap().body_count()).collect();
    assert_eq!(counts, [1000, 2, 2]);
}
