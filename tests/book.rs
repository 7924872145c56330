//! README and book must be true: every page is in the summary, links lead somewhere, headline ratios are those of the
//! performance page, and every Rust program they show is code of an example or of this file.

#![allow(clippy::unwrap_used)]

use carom::detect::inside::{Containment, FillRule, InsideTest, Solid, WindingCells};
use carom::detect::laguerre::Triangulation;
use carom::detect::narrow::ClosestFeatures;
use carom::geometry::mesh::octahedron_sphere;
use carom::geometry::shape::ConvexPolyhedron;
use carom::geometry::{Pose, Vector};
use carom::run::{SceneRun, Sink};
use carom::scene::scene::AnyScene;
use carom::simulate::Values;
use carom::{Boundary, Results, Sphere};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// The pages in a folder, by their paths from the root.
fn pages_in(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(root().join(folder)).unwrap().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.ends_with(".md")).map(|name| format!("{folder}/{name}")).collect()
}

/// README and every page of the book, by their paths from the root.
fn pages() -> Vec<String> {
    let mut pages = [pages_in("docs"), pages_in("docs/papers"), vec!["README.md".into()]].concat();
    pages.sort();
    pages
}

/// Where the links and pictures of a page lead, code left out.
fn links(page: &str) -> Vec<&str> {
    let mut is_code = false;
    let mut links = Vec::new();
    for line in page.lines() {
        if line.starts_with("```") {
            is_code = !is_code;
        }
        if !is_code {
            let targets = line.split("](").skip(1);
            links.extend(targets.filter_map(|rest| rest.split(')').next()));
        }
    }
    links
}

/// The anchors of a page's headings, as code hosts and mdBook make them.
fn anchors(page: &str) -> BTreeSet<String> {
    let headings = page.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let title = line.trim_start_matches('#').trim().to_lowercase();
            let kept = title.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}

/// Whether a relative link of a page of the book leads out of its folder.
fn leaves_book(page: &str, link: &str) -> bool {
    let depth = page.matches('/').count() - 1;
    link.matches("../").count() > depth
}

/// The lines of the Rust blocks of a page.
fn rust_lines(page: &str) -> Vec<&str> {
    let mut is_rust = false;
    let mut lines = Vec::new();
    for line in page.lines() {
        match line {
            "```rust" => is_rust = true,
            "```" => is_rust = false,
            _ if is_rust && !line.trim().is_empty() => lines.push(line.trim()),
            _ => {}
        }
    }
    lines
}

/// Code without blanks and line ends, so that it does not matter how it is broken.
fn squeezed(code: &str) -> String {
    code.chars().filter(|c| !c.is_whitespace()).collect::<String>().replace(",)", ")")
}

#[test]
fn every_page_is_in_the_summary_and_the_other_way_round() {
    let summary = read("docs/SUMMARY.md");
    let listed: BTreeSet<_> =
        links(&summary).into_iter().map(|name| format!("docs/{name}")).collect();
    let others = ["README.md", "docs/SUMMARY.md"];
    let there: BTreeSet<_> =
        pages().into_iter().filter(|page| !others.contains(&page.as_str())).collect();
    assert_eq!(listed, there);
}

#[test]
fn every_link_leads_somewhere() {
    let mut count = 0;
    for page in pages() {
        let text = read(&page);
        let folder = root().join(&page).parent().unwrap().to_owned();
        for link in links(&text).into_iter().filter(|link| !link.contains("://")) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if path.is_empty() { root().join(&page) } else { folder.join(path) };
            assert!(target.exists(), "{page} links to {link}, which does not exist");
            // What mdBook does not copy has no address in the book.
            let is_out = page.starts_with("docs/") && leaves_book(&page, path);
            assert!(!is_out, "{page} links to {link}, which is not in the book");
            if !anchor.is_empty() {
                let known = anchors(&fs::read_to_string(&target).unwrap());
                assert!(known.contains(anchor), "{page} links to {link}; headings are {known:?}");
            }
            count += 1;
        }
    }
    assert!(count > 50, "links are found at all: {count}");
}

#[test]
fn the_readme_is_short_and_its_ratios_are_those_of_the_performance_page() {
    let (readme, performance) = (read("README.md"), read("docs/performance.md"));
    assert!(readme.lines().count() <= 150);
    let is_ratio = |word: &&str| word.strip_suffix('x').is_some_and(|it| it.parse::<f64>().is_ok());
    let ratios = |text: &str| -> BTreeSet<String> {
        let words = str::split_whitespace(text);
        words.filter(is_ratio).map(str::to_owned).collect()
    };
    let (shown, known) = (ratios(readme.as_str()), ratios(performance.as_str()));
    assert!(shown.len() > 9, "{shown:?}");
    assert!(shown.is_subset(&known), "{:?}", shown.difference(&known));
}

#[test]
fn reports_of_papers_are_complete() {
    let reports = pages_in("docs/papers");
    assert_eq!(reports.len(), 5, "{reports:?}");
    for report in reports {
        let text = read(&report);
        let mut columns = None;
        let mut rows = 0;
        for line in text.lines() {
            let inner = line.strip_prefix("| ").and_then(|line| line.strip_suffix(" |"));
            let Some(inner) = inner else {
                columns = None;
                continue;
            };
            let inner = inner.replace("\\|", "/");
            let cells: Vec<&str> = inner.split(" | ").map(str::trim).collect();
            assert_eq!(*columns.get_or_insert(cells.len()), cells.len(), "{report}: {line}");
            for cell in cells {
                assert!(!["", "NaN", "inf", "-inf"].contains(&cell), "{report}: {line}");
            }
            rows += 1;
        }
        let verdicts = text.lines().filter(|line| line.starts_with("- **")).count();
        let pictures = links(&text).into_iter().filter(|link| link.ends_with(".svg")).count();
        assert!(
            rows > 20 && verdicts > 4 && pictures > 1,
            "{report}: {rows} {verdicts} {pictures}"
        );
        assert!(!text.contains("{{"), "{report}");
        assert!(text.contains("was written by `cargo xtask reports"), "{report}");
    }
}

#[test]
fn every_program_that_is_shown_is_compiled() {
    let mut code = squeezed(&read("tests/book.rs"));
    for entry in fs::read_dir(root().join("crates/carom/examples")).unwrap().flatten() {
        code += &squeezed(&fs::read_to_string(entry.path()).unwrap());
    }
    let mut count = 0;
    for page in pages() {
        for line in rust_lines(&read(&page)) {
            assert!(code.contains(&squeezed(line)), "{page}: nothing compiles {line}");
            count += 1;
        }
    }
    assert!(count > 20, "programs are found at all: {count}");
}

#[test]
fn points_are_inside_a_ball() {
    let points = [Vector::from([0.0, 0.0, 0.0]), Vector::from([2.0, 0.0, 0.0])];
    let ball = WindingCells::new(octahedron_sphere(4), FillRule::EvenOdd, 1000);
    assert_eq!(ball.classify(&Vector::from([0.5, 0.0, 0.0])), Containment::Inside);
    let sides = ball.classify_all(&points);
    assert_eq!(sides, [Containment::Inside, Containment::Outside]);
    let sphere = Solid::new(octahedron_sphere(4), FillRule::EvenOdd, 1000);
    assert!((sphere.signed_distance(&Vector::from([0.5, 0.0, 0.0])) + 0.5).abs() < 0.01);
}

#[test]
fn two_cubes_are_apart_or_deep() -> Outcome {
    let corners: Vec<Vector<3>> =
        (0..8).map(|k| Vector::from([k & 1, (k >> 1) & 1, k >> 2].map(f64::from))).collect();
    let cube = ConvexPolyhedron::hull(&corners)?;
    let mut query = ClosestFeatures::new();
    let apart = Pose::at([1.5, 0.0, 0.0].into());
    assert_eq!(query.query(&cube, &Pose::identity(), &cube, &apart).distance, 0.5);
    let deep = Pose::at([0.75, 0.0, 0.0].into());
    assert_eq!(query.query(&cube, &Pose::identity(), &cube, &deep).distance, -0.25);
    Ok(())
}

#[test]
fn a_disc_between_three_has_them_as_neighbors() -> Outcome {
    let spheres = [[0.0, 0.0], [4.0, 0.0], [0.0, 4.0], [1.0, 1.0]].map(|at| Sphere::new(at, 1.0));
    let triangulation = Triangulation::of(&spheres, &Boundary::open())?;
    assert_eq!(triangulation.neighbors(3), [0, 1, 2]);
    Ok(())
}

struct Losses(Vec<f64>);

impl Sink<2> for Losses {
    fn log(&mut self, row: &Values) -> Result<(), carom::run::Error> {
        self.0.extend(row.number("friction_loss"));
        Ok(())
    }
}

#[test]
fn grains_that_fall_lose_energy_by_friction() -> Outcome {
    let text = "engine = 'dem'\ndimension = 2\nuntil = 2.0\n[box]\nsize = 8\nboundary = 'wall'\n\
                [gravity]\nacceleration = [0, -9.81]\n\
                [materials.default]\ndensity = 1.0\nfriction = 0.5\nstiffness = 1e4\n\
                [[generate]]\nkind = 'random'\ncount = 20\nradius = 0.5";
    let AnyScene::TwoD(scene) = AnyScene::parse(text, "grains.toml", "".as_ref(), &[])? else {
        panic!()
    };
    let mut losses = Losses(Vec::new());
    carom::run::run(&scene, &mut losses)?;
    assert!(losses.0.len() > 10 && losses.0.last() > losses.0.first());
    Ok(())
}

#[test]
fn the_other_engines_take_sinks_too() -> Outcome {
    let gas = "engine = 'event-driven'\ndimension = 2\nuntil = 1.0\n[[generate]]\nkind = 'random'\n\
               count = 20\nradius = 0.5\npacking_fraction = 0.2\ntemperature = 1.0";
    let AnyScene::TwoD(gas) = AnyScene::parse(gas, "gas.toml", "".as_ref(), &[])? else { panic!() };
    carom::run::run(&gas, &mut ())?;
    let solid = "engine = 'bonded'\ndimension = 2\nuntil = 1.0\n[box]\nsize = 10\n\
                 [materials.default]\nyoungs_modulus = 1.0\n\
                 [[solids]]\ncircle = { center = [5, 5], radius = 2 }\nspacing = 0.5";
    let AnyScene::TwoD(solid) = AnyScene::parse(solid, "solid.toml", "".as_ref(), &[])? else {
        panic!()
    };
    carom::run::run(&solid, &mut ())?;
    Ok(())
}

#[test]
fn an_engine_is_driven_by_a_program() -> Outcome {
    use carom::simulate::{BodyChange, BodyProperty, Engine, NewBody, dem};
    let places = [[1.0, 5.0], [2.5, 5.0], [4.0, 5.0]];
    let grains = places.map(|place| dem::Body::at_rest(place, 0.5, 1.0));
    let mut engine =
        dem::Simulation::new(&grains, dem::Settings::with_law(dem::CompositeLaw::spring(1e5)))?;
    engine.apply(&[BodyChange { body: 0, to: BodyProperty::Velocity([1.0, 0.0].into()) }])?;
    engine.advance_to(3.0)?;
    let state = engine.state();
    assert!((state.velocities[2].x - 1.0).abs() < 1e-3);
    let mut engine: Box<dyn Engine<2>> = Box::new(engine);
    engine.remove(&[1])?;
    let new = NewBody::at_rest([3.0, 5.0], 0.5, 1.0);
    let ids = engine.insert(&[new])?;
    assert_eq!((ids, engine.state().ids), (3..4, vec![0, 2, 3]));
    Ok(())
}

#[test]
fn an_engine_is_saved_and_restored() -> Outcome {
    use carom::simulate::{Engine, SavedArrays, dem};
    let start = || {
        let grains = [0.0, 1.5].map(|x| dem::Body {
            velocity: [1.0 - x, 0.0].into(),
            ..dem::Body::at_rest([x, 0.0], 0.5, 1.0)
        });
        dem::Simulation::new(&grains, dem::Settings::with_law(dem::CompositeLaw::spring(1e4)))
    };
    let (mut engine, mut another) = (start()?, start()?);
    engine.advance_to(1.0)?;
    let mut arrays = SavedArrays::default();
    engine.save(&mut arrays);
    another.restore(&mut arrays)?;
    engine.advance_to(2.0)?;
    another.advance_to(2.0)?;
    assert_eq!(another.state(), engine.state());
    assert!(engine.body(1).velocity.x > 0.9);
    Ok(())
}

#[test]
fn a_force_pulls_to_a_center() -> Outcome {
    use carom::simulate::{Engine, dem};
    let center = Vector::from([0.0, 0.0]);
    let start = dem::Body::at_rest([1.0, 0.0], 0.1, 1.0);
    let mut simulation =
        dem::Simulation::new(&[start], dem::Settings::with_law(dem::CompositeLaw::spring(1e3)))?;
    simulation.add_force(move |state, forces| {
        for (force, place) in forces.iter_mut().zip(&state.positions) {
            *force += (place - center) * -2.0;
        }
    });
    // A quarter of the period of a spring of stiffness two.
    simulation.advance_to(0.25 * std::f64::consts::TAU / 2f64.sqrt())?;
    assert!(simulation.body(0).position.x.abs() < 0.01);
    Ok(())
}

#[test]
fn a_scene_of_text_is_run_and_results_are_read_back() -> Outcome {
    const SCENE: &str = "engine = 'dem'\ndimension = 2\nuntil = 0.1\nbox.size = 9\n\
        [[bodies]]\nposition = [5, 5]\nvelocity = [1, 0]\nradius = 0.5";
    let outcome = SceneRun::parse(SCENE)?.run()?;
    assert_eq!(outcome.summary["bodies"], 1);
    // Only compiled: it would write into the current folder.
    let _compiled = || -> Outcome {
        let outcome = carom::run("drum.toml")?.into_folder("drum.run")?;
        let results = Results::open("drum.run")?;
        let log = results.log()?;
        let energies = log.column("kinetic_energy");
        let last = results.frame(results.frame_count() - 1)?;
        println!("{:?} {energies:?} {}", outcome.ending, last.time);
        Ok(())
    };
    Ok(())
}
