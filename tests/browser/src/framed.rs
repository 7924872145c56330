//! A page in a frame without rights, as the output of a notebook holds it: `carom.Page` of the Python package.

use crate::browser::Browser;
use crate::gallery;
use crate::page::PageRectangle;
use std::path::Path;
use std::time::{Duration, Instant};

/// Longest time until the frame has drawn or moved; the browser tells nothing of what is in it.
const PATIENCE: Duration = Duration::from_secs(60);
/// As of the first frame of a page: text and controls alone have fewer colors.
const COLORS: usize = 64;

/// Opens a page by itself, to know where everything is, and then in a frame as large as the window: bodies must be
/// there, and move when the button is clicked. A screenshot is left in the folder.
pub fn check(browser: &mut Browser, page: &Path, folder: &Path) -> Result<(), String> {
    browser.open(&gallery::address(page)?)?;
    browser.wait_for("document.documentElement.dataset.done === '1'")?;
    let (canvas, play) = (browser.area("#canvas")?, browser.area("#play")?);
    let document = std::fs::read_to_string(page)
        .map_err(|error| format!("{} cannot be read: {error}", page.display()))?;
    let notebook = folder.join("notebook.html");
    std::fs::write(&notebook, notebook_of(&document))
        .map_err(|error| format!("{} cannot be written: {error}", notebook.display()))?;
    browser.take_complaints();
    browser.open(&gallery::address(&notebook)?)?;
    wait_for_pixels(browser, "the frame stays empty", |browser| {
        Ok(browser.screenshot()?.colors(&canvas) >= COLORS)
    })?;
    let first = browser.screenshot()?;
    first.save(&folder.join("notebook.png"))?;
    it_plays(browser, &canvas, &play)?;
    let complaints = browser.take_complaints();
    match complaints.is_empty() {
        true => Ok(()),
        false => Err(format!("the notebook complains: {complaints:?}")),
    }
}

fn it_plays(
    browser: &mut Browser,
    canvas: &PageRectangle,
    play: &PageRectangle,
) -> Result<(), String> {
    let before = browser.screenshot()?;
    browser.click(play.at(0.5, 0.5))?;
    wait_for_pixels(browser, "nothing moves after a click at the button", |browser| {
        Ok(before.changed(&browser.screenshot()?, canvas) >= 20)
    })
}

fn wait_for_pixels(
    browser: &mut Browser,
    complaint: &str,
    mut is_there: impl FnMut(&mut Browser) -> Result<bool, String>,
) -> Result<(), String> {
    let start = Instant::now();
    while !is_there(browser)? {
        if start.elapsed() > PATIENCE {
            return Err(complaint.to_owned());
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}

/// A page whose only content is the frame of the Python package, which has these rights and no others.
fn notebook_of(document: &str) -> String {
    let mut text = document.replace('&', "&amp;");
    for (character, entity) in [('<', "&lt;"), ('>', "&gt;"), ('"', "&quot;"), ('\'', "&#x27;")] {
        text = text.replace(character, entity);
    }
    format!(
        "<!doctype html><meta charset=\"utf-8\"><body style=\"margin:0\"><iframe srcdoc=\"{text}\" width=\"100%\" \
         height=\"640\" sandbox=\"allow-scripts allow-downloads\" style=\"border:0;height:100vh;display:block\"></iframe>"
    )
}
