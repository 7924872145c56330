//! The page: ES modules joined into one script, a style sheet and the document around them.

/// The document, with one line each for style and script.
pub const DOCUMENT: &str = include_str!("../page/index.html");
pub const STYLE: &str = include_str!("../page/style.css");
/// Lines of the document that an exported page replaces with its own parts.
pub const STYLE_LINE: &str = "<link rel=\"stylesheet\" href=\"style.css\">";
pub const SCRIPT_LINE: &str = "<script src=\"viewer.js\"></script>";
pub const TITLE: &str = "<title>carom</title>";

macro_rules! modules {
    ($($name:literal),* $(,)?) => {
        /// Names and texts of the modules, each after those that it imports.
        pub const MODULES: &[(&str, &str)] = &[$(($name, include_str!(concat!("../page/", $name)))),*];
    };
}

modules![
    "container.js",
    "source.js",
    "cache.js",
    "frame.js",
    "bounds.js",
    "log.js",
    "numbers.js",
    "ranges.js",
    "color.js",
    "camera.js",
    "gl.js",
    "bodies.js",
    "spheres.js",
    "shapes.js",
    "lines.js",
    "walls.js",
    "surface.js",
    "picking.js",
    "renderer.js",
    "stage.js",
    "theme.js",
    "gestures.js",
    "keyboard.js",
    "compass.js",
    "legend.js",
    "inspector.js",
    "curve.js",
    "plot.js",
    "timeline.js",
    "coloring.js",
    "layers.js",
    "cut.js",
    "messages.js",
    "ring.js",
    "viewer.js",
    "controls.js",
    "main.js",
];

/// Joins all modules into one script, without their imports, each after those that it needs.
pub fn script() -> String {
    let mut script = "\"use strict\";\n(() => {\n".to_owned();
    for (name, text) in MODULES {
        script += &format!("// {name}\n");
        for line in text.lines().filter(|line| !line.starts_with("import ")) {
            script += line.strip_prefix("export ").unwrap_or(line);
            script.push('\n');
        }
    }
    script + "})();\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::fs;

    /// Names that a module imports, with the files.
    fn imports(text: &str) -> Vec<(Vec<&str>, &str)> {
        let lines = text.lines().filter(|line| line.starts_with("import "));
        lines
            .map(|line| {
                let rest = line.strip_prefix("import { ").expect(line);
                let (names, file) = rest.split_once(" } from \"./").expect(line);
                (names.split(", ").collect(), file.strip_suffix("\";").expect(line))
            })
            .collect()
    }

    /// Names that a module defines at its top level, exported ones first.
    fn definitions(text: &str) -> [Vec<&str>; 2] {
        let mut found = [Vec::new(), Vec::new()];
        for line in text.lines() {
            let exported = line.strip_prefix("export ");
            let plain = exported.unwrap_or(line);
            let plain = plain.strip_prefix("async ").unwrap_or(plain);
            let kinds = ["function ", "function* ", "const ", "class ", "let "];
            if let Some(rest) = kinds.iter().find_map(|kind| plain.strip_prefix(kind)) {
                let end = rest.find(|it: char| !it.is_ascii_alphanumeric() && !"_$".contains(it));
                found[usize::from(exported.is_none())].push(&rest[..end.unwrap_or(rest.len())]);
            }
        }
        found
    }

    #[test]
    fn every_file_of_the_page_is_in_it() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/page");
        let files: BTreeSet<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        let named = MODULES.iter().map(|(name, _)| (*name).to_owned());
        let named: BTreeSet<String> =
            named.chain(["index.html", "style.css"].map(str::to_owned)).collect();
        assert_eq!(files, named);
    }

    #[test]
    fn modules_come_after_those_they_import_and_find_what_they_name() {
        for (index, (name, text)) in MODULES.iter().enumerate() {
            let head = text.lines().rev().skip_while(|line| !line.starts_with("import "));
            for line in head {
                let is_head =
                    line.is_empty() || line.starts_with("import ") || line.starts_with("//");
                assert!(is_head, "{name}: imports stand at the top, before {line:?}");
            }
            for (names, file) in imports(text) {
                let place = MODULES.iter().position(|(module, _)| *module == file);
                let place = place.unwrap_or_else(|| panic!("{name} imports {file}"));
                assert!(place < index, "{name} imports {file}, which comes later");
                let [exported, _] = definitions(MODULES[place].1);
                for wanted in names {
                    assert!(exported.contains(&wanted), "{name} imports {wanted} of {file}");
                }
            }
        }
    }

    #[test]
    fn modules_keep_to_what_can_be_joined() {
        let mut seen = BTreeSet::new();
        for (module, text) in MODULES {
            for name in definitions(text).concat() {
                assert!(seen.insert(name), "{name} is defined twice, the second time in {module}");
            }
            for line in text.lines().filter(|line| line.starts_with("export ")) {
                let plain = line.replacen("export async ", "export ", 1);
                let known = ["function", "const ", "class "];
                let fits = known.iter().any(|kind| plain["export ".len()..].starts_with(kind));
                assert!(fits, "{module}: {line}");
            }
            assert!(!text.contains("import("), "{module} imports on its way");
        }
    }

    #[test]
    fn the_script_can_stand_in_a_page() {
        let script = script();
        for part in
            ["</script", "<!--", "http://", "https://", "eval(", "new Function", "innerHTML"]
        {
            assert!(!script.contains(part), "the script has {part}");
        }
        assert!(
            !STYLE.contains("</style") && !STYLE.contains("url(") && !STYLE.contains("@import")
        );
        for line in [STYLE_LINE, SCRIPT_LINE, TITLE] {
            assert_eq!(DOCUMENT.matches(line).count(), 1, "{line}");
        }
        assert!(!DOCUMENT.contains(" style=\"") && !DOCUMENT.contains(" onclick"));
        let after = DOCUMENT.split(SCRIPT_LINE).nth(1).unwrap();
        assert!(after.trim_start().starts_with("</body>"), "the script comes last");
    }
}
