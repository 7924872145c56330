//! `carom view`.

use crate::arguments::{CommonArguments, ViewArguments};
use crate::browser::RedirectPage;
use crate::failure::{CommandFailure, print};
use crate::interrupt;
use carom_view::{Run, Server};
use std::time::Duration;

/// Interval of checks for a signal.
const GLANCE: Duration = Duration::from_millis(50);

pub fn run(options: &ViewArguments, common: &CommonArguments) -> Result<(), CommandFailure> {
    let run = Run::open(&options.folder)?;
    let (title, frames) = (run.title().to_owned(), run.frame_count());
    let server = Server::start(run, options.port)?;
    let address = server.address();
    interrupt::defer_first_signal();
    print(&format!("{address}\n"))?;
    let referral = RedirectPage::new(&address).ok().filter(|_| !options.no_browser);
    let opened = referral.as_ref().is_some_and(RedirectPage::open);
    let what = if opened {
        "shown in your browser, or wherever you open the address"
    } else {
        "open the address in a browser"
    };
    let frames = if frames == 1 { "1 frame".to_owned() } else { format!("{frames} frames") };
    common.report(format!("{title}, {frames}: {what}; Ctrl-C stops"));
    while !interrupt::stop_requested() {
        std::thread::sleep(GLANCE);
    }
    Ok(())
}
