//! What every page of the viewer must do, whatever the run.

use crate::browser::Browser;
use crate::page::PageRectangle;
use crate::picture::Picture;
use crate::similarity;
use serde_json::{Value, json};
use std::path::Path;

/// Number of points along each axis of the canvas at which bodies are picked.
const POINTS: [usize; 2] = [13, 9];
/// Largest distance from a body, in pixels, at which a click still picks it.
const REACH: f64 = 5.0;

/// A point of the page, and the body that is picked there.
struct Probe {
    point: [f64; 2],
    body: Option<ProbedBody>,
}

struct ProbedBody {
    id: u64,
    place: [f64; 2],
    radius: f64,
}

/// Opens a page, plays it, clicks a body, moves the slider, and checks what is visible. Screenshots of the first and
/// the last frame are kept under `shot`.
pub fn check(
    browser: &mut Browser,
    address: &str,
    changes: bool,
    shot: &Path,
) -> Result<(), String> {
    browser.open(address)?;
    browser.wait_for("document.documentElement.dataset.done === '1'")?;
    nothing_is_wrong(browser)?;
    let state = browser.value("carom.state()")?;
    let frames = state["frames"].as_u64().unwrap_or(0);
    if frames < 2 || state["bodies"].as_u64().unwrap_or(0) == 0 {
        return Err(format!("there is nothing to play: {state}"));
    }
    browser.value("carom.show(0)")?;
    let canvas = browser.area("#canvas")?;
    let first = browser.screenshot()?;
    first.save(&shot.with_extension("first.png"))?;
    let colors = first.colors(&canvas);
    if colors < 64 {
        return Err(format!("the first frame is {colors} colors"));
    }
    let probes = probes(browser, &canvas)?;
    bodies_are_seen(&first, &canvas, &probes)?;
    if is_plane(browser)? {
        bodies_are_in_their_places(&probes)?;
    }
    a_click_picks(browser, &probes)?;
    a_cut_takes_away_what_is_beyond(browser, &canvas, &probes, shot)?;
    the_slider_moves(browser, frames - 1)?;
    browser.value(&format!("carom.show({})", frames - 1))?;
    let last = browser.screenshot()?;
    last.save(&shot.with_extension("last.png"))?;
    let changed = first.changed(&last, &canvas);
    if changes && changed < 20 {
        return Err(format!("first and last frame differ in {changed} pixels only"));
    }
    it_plays(browser)?;
    nothing_is_wrong(browser)
}

/// Whether the run is in 2D, which has only one view.
fn is_plane(browser: &mut Browser) -> Result<bool, String> {
    Ok(browser.value("document.getElementById('views').hidden")? == true)
}

pub fn nothing_is_wrong(browser: &mut Browser) -> Result<(), String> {
    let errors = browser.value("window.carom?.errors")?;
    let shown = browser.value("document.getElementById('errors').textContent")?;
    let complaints = browser.take_complaints();
    if errors != json!([]) || shown != "" || !complaints.is_empty() {
        return Err(format!("the page complains: {errors} {shown} {complaints:?}"));
    }
    let messages = browser.value(
        "[...document.querySelectorAll('#messages:not([hidden]) li')].map((it) => it.textContent)",
    )?;
    // The message that a frame is being loaded passes.
    browser.wait_for(
        "(({ hidden, classList }) => hidden || classList.contains('fault'))(document.getElementById('notice'))",
    )?;
    let notice = browser.value("document.getElementById('notice').textContent")?;
    if messages != json!([]) || notice != "" {
        return Err(format!("the page has messages: {messages} {notice}"));
    }
    Ok(())
}

/// Picks at points all over the canvas that nothing covers, then clears the selection.
fn probes(browser: &mut Browser, canvas: &PageRectangle) -> Result<Vec<Probe>, String> {
    let part = |index: usize, count: usize| (index as f64 + 0.5) / count as f64;
    let [columns, rows] = POINTS;
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
    let points: Vec<[f64; 2]> =
        cells.map(|(column, row)| canvas.at(part(column, columns), part(row, rows))).collect();
    let found = browser.value(&format!(
        "{}.map(([x, y]) => {{
            if (document.elementFromPoint(x, y)?.id !== 'canvas') return null;
            const id = carom.pickAt(x, y);
            const list = [...document.getElementById('body-numbers').children].map((it) => it.textContent);
            const number = (name) => parseFloat(list[list.indexOf(name) + 1].replace('−', '-'));
            return {{ x, y, body: id === null ? null : [id, number('x'), number('y'), number('radius')] }};
        }}).filter((it) => it)",
        json!(points)
    ))?;
    browser.press("Escape")?;
    let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
    let probe = |found: &Value| Probe {
        point: [number(&found["x"]), number(&found["y"])],
        body: found["body"].as_array().map(|body| ProbedBody {
            id: body[0].as_u64().unwrap_or(u64::MAX),
            place: [number(&body[1]), number(&body[2])],
            radius: number(&body[3]),
        }),
    };
    Ok(found.as_array().map_or(Vec::new(), |all| all.iter().map(probe).collect()))
}

/// Checks that there is something in the picture where a body is picked, and mostly nothing elsewhere.
fn bodies_are_seen(
    picture: &Picture,
    canvas: &PageRectangle,
    probes: &[Probe],
) -> Result<(), String> {
    // At the edge of the canvas there is nothing but the background, which may change with the height.
    let background = |y: f64| picture.at([canvas.left + 1.0, y]);
    let is_seen = |probe: &Probe, reach: f64| {
        let [x, y] = probe.point;
        let size = 2.0 * reach + 1.0;
        let near = PageRectangle { left: x - reach, top: y - reach, width: size, height: size };
        picture.differs(&near, background(y))
    };
    let (bodies, others): (Vec<&Probe>, Vec<&Probe>) =
        probes.iter().partition(|probe| probe.body.is_some());
    let seen = bodies.iter().filter(|probe| is_seen(probe, REACH)).count();
    let empty = others.iter().filter(|probe| !is_seen(probe, 0.0)).count();
    if bodies.is_empty() || seen < bodies.len() || 2 * empty < others.len() {
        return Err(format!(
            "{seen} of {} bodies are seen where they are picked, and {empty} of {} other points are empty",
            bodies.len(),
            others.len()
        ));
    }
    Ok(())
}

/// Checks that in 2D the page is a map of the run, true to scale and upright.
fn bodies_are_in_their_places(probes: &[Probe]) -> Result<(), String> {
    let pairs = probes.iter().filter_map(|probe| Some((probe.point, probe.body.as_ref()?)));
    let pairs: Vec<_> = pairs.collect();
    let places: Vec<_> = pairs.iter().map(|(point, body)| (*point, body.place)).collect();
    let Some(map) = similarity::fitted(&places) else { return Ok(()) };
    for (point, body) in pairs {
        let off = map.distance(point, body.place);
        // Bodies are picked anywhere on them, so the map is known to about as much again.
        let allowed = 2.0 * (body.radius + REACH * map.scale);
        if off.is_nan() || off > allowed {
            return Err(format!(
                "body {} at {:?} is picked at {point:?}, {off} from where it should be",
                body.id, body.place
            ));
        }
    }
    Ok(())
}

fn a_click_picks(browser: &mut Browser, probes: &[Probe]) -> Result<(), String> {
    let picked = probes.iter().find_map(|probe| Some((probe.point, probe.body.as_ref()?)));
    let (point, body) = picked.ok_or("there is no body to click at")?;
    browser.click(point)?;
    browser.wait_for(&format!("carom.state().picked === {}", body.id))?;
    browser.wait_for(&format!(
        "!document.getElementById('body').hidden && document.getElementById('body-name').textContent.includes('{}')",
        body.id
    ))?;
    browser.press("Escape")?;
    browser.wait_for("carom.state().picked === null")
}

/// Checks that with a cut in the middle nothing completely beyond it is picked, and what was there before is gone.
fn a_cut_takes_away_what_is_beyond(
    browser: &mut Browser,
    canvas: &PageRectangle,
    before: &[Probe],
    shot: &Path,
) -> Result<(), String> {
    browser.press("x")?;
    browser.wait_for("!document.getElementById('cut-details').hidden")?;
    let at = browser
        .value("parseFloat(document.getElementById('cut-value').textContent.replace('−', '-'))")?;
    let at = at.as_f64().ok_or("the place of the cut is no number")?;
    let after = probes(browser, canvas)?;
    browser.value("carom.show(carom.state().frame)")?;
    let picture = browser.screenshot()?;
    picture.save(&shot.with_extension("cut.png"))?;
    // The position is shown in three digits.
    let slack = 5e-3 * at.abs();
    let is_beyond = |body: &&ProbedBody| body.place[0] - body.radius > at + slack;
    let bodies = |probes: &[Probe], is_beyond: &dyn Fn(&&ProbedBody) -> bool| {
        probes.iter().filter_map(|probe| probe.body.as_ref()).filter(is_beyond).count()
    };
    let (left, taken) = (bodies(&after, &is_beyond), bodies(before, &is_beyond));
    if left > 0 {
        return Err(format!("{left} bodies are picked beyond a cut at x = {at}"));
    }
    // In 2D, bodies end at the cut.
    if is_plane(browser)? {
        let edge = browser.value(&format!("carom.pointOf([{}, 0, 0])[0]", at + slack))?;
        let edge = edge.as_f64().ok_or("the cut is nowhere")? + REACH;
        let is_past = |probe: &&Probe| probe.body.is_some() && probe.point[0] > edge;
        if let Some(probe) = after.iter().find(is_past) {
            return Err(format!("a body is picked at {:?}, past a cut at x = {at}", probe.point));
        }
    }
    browser.value("document.querySelector('#cut-axis button[data-axis=\"\"]').click()")?;
    browser.wait_for("document.getElementById('cut-details').hidden")?;
    browser.value("carom.show(carom.state().frame)")?;
    let changed = picture.changed(&browser.screenshot()?, canvas);
    match taken > 0 && changed < 20 {
        true => Err(format!("a cut changes {changed} pixels only")),
        false => Ok(()),
    }
}

/// Moves the slider by the mouse, to its right end and to its left end.
fn the_slider_moves(browser: &mut Browser, last: u64) -> Result<(), String> {
    let slider = browser.area("#slider")?;
    for (part, frame) in [(0.99, last), (0.01, 0)] {
        browser.click(slider.at(part, 0.5))?;
        browser.wait_for(&format!("carom.state().frame === {frame}"))?;
    }
    Ok(())
}

fn it_plays(browser: &mut Browser) -> Result<(), String> {
    browser.value("carom.show(0)")?;
    let button = browser.area("#play")?.at(0.5, 0.5);
    browser.click(button)?;
    browser.wait_for("carom.state().frame > 0 && carom.state().playing")?;
    browser.click(button)?;
    browser.wait_for("!carom.state().playing")
}
