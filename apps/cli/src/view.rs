//! `carom view`.

use crate::arguments::{Common, View};
use crate::failure::{Failure, print};
use crate::{browser, interrupt};
use carom_view::{Run, Server};
use std::time::Duration;

/// How soon a signal is noticed.
const GLANCE: Duration = Duration::from_millis(50);

pub fn run(options: &View, common: &Common) -> Result<(), Failure> {
    let run = Run::open(&options.folder)?;
    let (title, frames) = (run.title().to_owned(), run.frame_count());
    let server = Server::start(run, options.port)?;
    let address = server.address();
    interrupt::stop_gently();
    print(&format!("{address}\n"))?;
    let opened = !options.no_browser && browser::open(&address);
    let what = if opened { "shown in your browser" } else { "open the address in a browser" };
    let frames = if frames == 1 { "1 frame".to_owned() } else { format!("{frames} frames") };
    common.tell(format!("{title}, {frames}: {what}; Ctrl-C stops"));
    while !interrupt::asked_to_stop() {
        std::thread::sleep(GLANCE);
    }
    Ok(())
}
