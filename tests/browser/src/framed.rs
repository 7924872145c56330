//! A page in a frame without rights, as the output of a notebook holds it: `carom.Page` of the Python package.

use crate::browser::Browser;
use crate::gallery;
use crate::page::PageRectangle;
use std::path::Path;
use std::time::{Duration, Instant};

/// Longest time until the frame has drawn or moved; the browser reports nothing of what is in it.
const PATIENCE: Duration = Duration::from_secs(60);
/// What a frame must have in its sandbox, as that of the Python package.
const RIGHTS: &str = "allow-scripts allow-downloads";

/// Opens a page by itself, and then in a frame as large as the window: the same must be there, and bodies must move when
/// the button is clicked. A screenshot is left in the folder.
pub fn check(browser: &mut Browser, page: &Path, folder: &Path) -> Result<(), String> {
    browser.open(&gallery::address(page)?)?;
    browser.wait_for("document.documentElement.dataset.done === '1'")?;
    let (canvas, play) = (browser.area("#canvas")?, browser.area("#play")?);
    let alone = browser.screenshot()?;
    let document = std::fs::read_to_string(page)
        .map_err(|error| format!("{} cannot be read: {error}", page.display()))?;
    let notebook = folder.join("notebook.html");
    let open = |browser: &mut Browser, rights: &str| {
        std::fs::write(&notebook, notebook_of(&document, rights))
            .map_err(|error| format!("{} cannot be written: {error}", notebook.display()))?;
        browser.open(&gallery::address(&notebook)?)
    };
    // What is there without scripts.
    open(browser, "")?;
    let empty = browser.screenshot()?;
    let bodies = empty.changed(&alone, &canvas);
    browser.take_complaints();
    open(browser, RIGHTS)?;
    // Half of the pixels: on a slow machine edges are drawn coarsely at first.
    wait_for_pixels(browser, "the bodies of the page are not in the frame", |browser| {
        let framed = browser.screenshot()?;
        framed.save(&folder.join("notebook.png"))?;
        let like = framed.changed(&alone, &canvas) < bodies / 2;
        Ok(like && empty.changed(&framed, &canvas) > bodies / 2)
    })?;
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

/// A page whose only content is a frame with these rights and no others.
fn notebook_of(document: &str, rights: &str) -> String {
    let mut text = document.replace('&', "&amp;");
    for (character, entity) in [('<', "&lt;"), ('>', "&gt;"), ('"', "&quot;"), ('\'', "&#x27;")] {
        text = text.replace(character, entity);
    }
    format!(
        "<!doctype html><meta charset=\"utf-8\"><body style=\"margin:0\"><iframe srcdoc=\"{text}\" width=\"100%\" \
         height=\"640\" sandbox=\"{rights}\" style=\"border:0;height:100vh;display:block\"></iframe>"
    )
}
