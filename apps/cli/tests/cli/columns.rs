//! `docs/columns.md` lists what runs write: every column of logs and frames, every key of summaries.

use crate::program::{assert_ends, carom, folder};
use carom::simulate::{QUANTITIES, Quantity, QuantityKind, quantity};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

type ColumnNames = BTreeSet<String>;

const EVENT_DRIVEN: &str = "engine = 'event-driven'\ndimension = 3\nuntil = 0.5\n\
    [box]\nsize = 6\nboundary = 'wall'\n[materials.heavy]\ndensity = 2\n\
    [[generate]]\nkind = 'random'\ncount = 20\nradius = 0.3\ntemperature = 1\n\
    [[bodies]]\nposition = [1, 1, 1]\nradius = 0.3\nmaterial = 'heavy'\n\
    [observe]\nmean_square_displacement = true\nregions = [{ name = 'low', high = [6, 6, 1] }]\nbodies = [0]\n\
    wall_loads = true\n";

const DEM: &str = "engine = 'dem'\ndimension = 3\nuntil = 0.02\n\
    [box]\nsize = 6\nboundary = 'wall'\n[gravity]\nacceleration = [0, 0, -1]\n\
    [materials.default]\nstiffness = 1000\n[materials.heavy]\ndensity = 2\n\
    [shapes.die]\nsolid = 'cube'\nradius = 0.5\n\
    [[bodies]]\nposition = [1, 1, 1]\nradius = 0.3\nmaterial = 'heavy'\n\
    [[bodies]]\nposition = [3, 3, 1]\nshape = 'die'\n\
    [observe]\nmean_square_displacement = true\nregions = [{ name = 'low', high = [6, 6, 1] }]\n\
    bodies = [0]\nwall_loads = true\n\
    [[outlets]]\nname = 'top'\npoint = [0, 0, 5.9]\nnormal = [0, 0, 1]\n";

const FLAT_DEM: &str = "engine = 'dem'\ndimension = 2\nuntil = 0.02\nbox = { size = 6 }\n\
    [[bodies]]\nposition = [1, 1]\nradius = 0.3\n";

const BONDED: &str = "engine = 'bonded'\ndimension = 3\nuntil = 0.5\n\
    box = { size = 12, boundary = 'wall' }\n\
    [materials.default]\nyoungs_modulus = 10\n[materials.soft]\nyoungs_modulus = 5\n\
    [[solids]]\nsphere = { center = [3, 3, 3], radius = 2 }\nspacing = 0.5\n\
    [[solids]]\nsphere = { center = [9, 9, 9], radius = 2 }\nspacing = 0.5\nmaterial = 'soft'\n\
    [observe]\nmean_square_displacement = true\nregions = [{ name = 'low', high = [6, 6, 1] }]\nbodies = [0]\n\
    wall_loads = true\n";

/// The names in the first cells of the table below a mark of the page.
fn documented(mark: &str) -> ColumnNames {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/columns.md");
    let page = fs::read_to_string(page).unwrap();
    let (_, rest) = page.split_once(&format!("<!-- {mark} -->\n")).expect(mark);
    let rows = rest.lines().take_while(|line| line.starts_with('|')).skip(2);
    let cell = |row: &str| row.split('|').nth(1).unwrap().to_owned();
    let names = |cell: String| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    rows.map(cell).flat_map::<Vec<String>, _>(names).collect()
}

/// The folder of a run of a scene.
fn run(folder: &Path, name: &str, scene: &str) {
    fs::write(folder.join(format!("{name}.toml")), scene).unwrap();
    assert_ends(&carom(folder, &["run", &format!("{name}.toml"), "-q"]), 0);
}

/// The columns of a log.
fn logged(folder: &Path, name: &str) -> Vec<String> {
    let log = fs::read_to_string(folder.join(format!("{name}.run/log.csv"))).unwrap();
    log.lines().next().unwrap().split(',').map(str::to_owned).collect()
}

/// The quantity of a column, which must be in the table.
fn known(column: &str) -> &'static Quantity {
    quantity(column).unwrap_or_else(|| panic!("{column} is not in the table of quantities"))
}

/// The table of quantities as the page must have it; the engines of each are filled in from the page.
#[test]
fn the_page_has_the_table_of_quantities() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/columns.md");
    let page = fs::read_to_string(page).unwrap();
    let (_, rest) = page.split_once("<!-- quantities -->\n").unwrap();
    let rows: Vec<&str> = rest.lines().take_while(|line| line.starts_with('|')).skip(2).collect();
    assert_eq!(rows.len(), QUANTITIES.len());
    for (row, quantity) in rows.iter().zip(QUANTITIES) {
        let engines = row.split('|').nth(2).unwrap().trim();
        let Quantity { name, unit, kind, meaning } = quantity;
        let meaning = meaning.replace('|', "\\|");
        let expected = format!("| `{name}` | {engines} | {unit} | {kind} | {meaning} |");
        assert_eq!(*row, expected);
    }
}

/// The names of the arrays of points in the last frame.
fn in_frames(folder: &Path, name: &str) -> ColumnNames {
    let frames = fs::read_dir(folder.join(format!("{name}.run/frames"))).unwrap();
    let is_frame = |path: &std::path::PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy();
        name.starts_with("frame") && name.ends_with(".vtp")
    };
    let frame = frames.map(|entry| entry.unwrap().path()).find(is_frame).expect("a frame");
    let text = String::from_utf8_lossy(&fs::read(frame).unwrap()).into_owned();
    let points = text.split("<PointData").nth(1).unwrap().split("</PointData>").next().unwrap();
    let place = text.split("<Points>").nth(1).unwrap().split("</Points>").next().unwrap();
    let named = points.split("Name=\"").skip(1).chain(place.split("Name=\"").skip(1));
    named.map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

fn summarized(folder: &Path, name: &str) -> ColumnNames {
    let text = fs::read(folder.join(format!("{name}.run/summary.json"))).unwrap();
    let summary: serde_json::Value = serde_json::from_slice(&text).unwrap();
    summary.as_object().unwrap().keys().cloned().collect()
}

/// The quantities that the page says an engine has, of which `in summaries` are not in logs.
fn of_engine(engine: &str) -> ColumnNames {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/columns.md");
    let page = fs::read_to_string(page).unwrap();
    let (_, rest) = page.split_once("<!-- quantities -->\n").unwrap();
    let rows = rest.lines().take_while(|line| line.starts_with('|')).skip(2);
    let cells = rows.map(|row| row.split('|').map(str::trim).collect::<Vec<_>>());
    let has = |cells: &Vec<&str>| {
        let in_log = !cells[5].ends_with("in summaries.") && cells[1] != "`stage`";
        in_log && (cells[2] == "all" || cells[2].contains(&format!("`{engine}`")))
    };
    cells.filter(has).map(|cells| cells[1].trim_matches('`').to_owned()).collect()
}

#[test]
fn every_column_is_documented_and_every_documented_one_is_written() {
    let folder = folder();
    let folder = folder.path();
    for (engine, scene) in [("event-driven", EVENT_DRIVEN), ("dem", DEM), ("bonded", BONDED)] {
        run(folder, engine, scene);
        let columns = logged(folder, engine);
        let quantities: ColumnNames = columns.iter().map(|it| known(it).name.to_owned()).collect();
        assert_eq!(quantities, of_engine(engine), "{engine}");
        let keys = summarized(folder, engine);
        // Means since the previous row are in the summary as means over the run.
        let is_window = |column: &str| known(column).kind == QuantityKind::Window;
        assert!(columns.iter().all(|column| keys.contains(column) || is_window(column)));
        let others: ColumnNames = keys.into_iter().filter(|key| quantity(key).is_none()).collect();
        let documented = &documented("summary: all") | &documented(&format!("summary: {engine}"));
        assert_eq!(others, documented, "{engine}");
    }
    run(folder, "flat", FLAT_DEM);
    let runs = ["event-driven", "dem", "bonded", "flat"];
    let frames: ColumnNames = runs.iter().flat_map(|name| in_frames(folder, name)).collect();
    assert_eq!(frames, documented("columns: frames"));
}
