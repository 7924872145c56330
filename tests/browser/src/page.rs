//! The page that is open: scripts, mouse, keys and pixels.

use crate::browser::Browser;
use crate::picture::Picture;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Longest time until a page is as it should be.
const PATIENCE: Duration = Duration::from_secs(60);

/// A rectangle of the page, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PageRectangle {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
}

impl PageRectangle {
    /// Returns the point at these fractions of width and height.
    pub fn at(&self, right: f64, down: f64) -> [f64; 2] {
        [self.left + right * self.width, self.top + down * self.height]
    }
}

impl Browser {
    /// Opens an address and waits until it is loaded.
    pub fn open(&mut self, address: &str) -> Result<(), String> {
        let answer = self.call("Page.navigate", json!({ "url": address }))?;
        if let Some(error) = answer["errorText"].as_str() {
            return Err(format!("{address} cannot be opened: {error}"));
        }
        self.wait_for("document.readyState === 'complete'")
    }

    /// Returns the value of a JavaScript expression, awaited if it is a promise.
    pub fn value(&mut self, expression: &str) -> Result<Value, String> {
        let parameters =
            json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let answer = self.call("Runtime.evaluate", parameters)?;
        match answer.get("exceptionDetails") {
            Some(details) => Err(format!("{expression}: {details}")),
            None => Ok(answer["result"]["value"].clone()),
        }
    }

    /// Waits until an expression is true.
    pub fn wait_for(&mut self, expression: &str) -> Result<(), String> {
        let start = Instant::now();
        while self.value(expression)? != true {
            if start.elapsed() > PATIENCE {
                return Err(format!("{expression} does not become true"));
            }
            std::thread::sleep(Duration::from_millis(30));
        }
        Ok(())
    }

    /// Returns the rectangle of an element, by its selector.
    pub fn area(&mut self, selector: &str) -> Result<PageRectangle, String> {
        let area = self.value(&format!(
            "(() => {{ const it = document.querySelector({selector:?}).getBoundingClientRect(); \
             return [it.left, it.top, it.width, it.height]; }})()"
        ))?;
        let number = |index: usize| area[index].as_f64().ok_or(format!("{selector} is nowhere"));
        Ok(PageRectangle {
            left: number(0)?,
            top: number(1)?,
            width: number(2)?,
            height: number(3)?,
        })
    }

    /// Moves the mouse to a point, presses and releases.
    pub fn click(&mut self, [x, y]: [f64; 2]) -> Result<(), String> {
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let button = if kind == "mouseMoved" { "none" } else { "left" };
            let event = json!({ "type": kind, "x": x, "y": y, "button": button, "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", event)?;
        }
        Ok(())
    }

    /// Presses a key that needs no text, such as `Escape`.
    pub fn press(&mut self, key: &str) -> Result<(), String> {
        for kind in ["rawKeyDown", "keyUp"] {
            let event = json!({ "type": kind, "key": key, "code": key });
            self.call("Input.dispatchKeyEvent", event)?;
        }
        Ok(())
    }

    /// Returns the pixels of the page.
    pub fn screenshot(&mut self) -> Result<Picture, String> {
        let answer = self.call("Page.captureScreenshot", json!({ "format": "png" }))?;
        Picture::from_base64(answer["data"].as_str().unwrap_or_default())
    }
}
