//! `carom export`.

use crate::arguments::{CommonArguments, ExportArguments};
use crate::failure::CommandFailure;
use carom::io::excerpt::nearest_name;
use carom_view::{FrameOverlay, Run, export};
use std::ops::Range;

/// Size above which a warning is given: a browser takes long to open such a page, and refuses one twice as large.
const LARGE: u64 = 250 << 20;
/// Number of damaged frames that are reported one by one.
const MOST_REPORTED: usize = 5;

pub fn run(options: &ExportArguments, common: &CommonArguments) -> Result<(), CommandFailure> {
    let wanted = carom_view::ExportOptions {
        frames: options.frames.as_deref().map_or(Ok(0..usize::MAX), frames)?,
        every: options.every,
        overlays: overlays(&options.overlay)?,
    };
    if wanted.every == 0 {
        return Err(CommandFailure::input("--every is 0; 1 takes every frame, 2 every second one"));
    }
    // So that no file of the run is replaced by mistake.
    if !options.html.extension().is_some_and(|it| it == "html" || it == "htm") {
        let file = options.html.display();
        return Err(CommandFailure::input(format!(
            "--html is \"{file}\"; it becomes a page, so give a name that ends in .html"
        )));
    }
    let run = Run::open(&options.folder)?;
    let page = export(&run, &wanted, &options.html)?;
    for fault in page.faults.iter().take(MOST_REPORTED) {
        common.report(format!("warning: {fault}"));
    }
    if let Some(more) = page.faults.len().checked_sub(MOST_REPORTED).filter(|&more| more > 0) {
        common.report(format!("warning: {more} more like these, all reported in the page"));
    }
    let size = page.bytes as f64 / 1e6;
    let frames =
        if page.frames == 1 { "1 frame".into() } else { format!("{} frames", page.frames) };
    common.report(format!("{}: {frames}, {size:.1} MB", options.html.display()));
    if page.bytes > LARGE {
        common.report("warning: few browsers open such a large page; take fewer frames with --every or --frames");
    }
    Ok(())
}

/// Parses `A..B`, `A..` or `..B`, the end not included, or a single number.
fn frames(text: &str) -> Result<Range<usize>, CommandFailure> {
    let refuse = || {
        let rule = "give a range such as 10..20 (10 to 19), 10.. or ..20, or one number";
        CommandFailure::input(format!("--frames is \"{text}\"; {rule}"))
    };
    let number = |text: &str, other: usize| match text {
        "" => Ok(other),
        _ => text.parse::<u32>().map(|number| number as usize).map_err(|_| refuse()),
    };
    let range = match text.split_once("..") {
        Some((start, end)) => number(start, 0)?..number(end, usize::MAX)?,
        None if text.is_empty() => return Err(refuse()),
        None => number(text, 0)?..number(text, 0)? + 1,
    };
    if range.is_empty() { Err(refuse()) } else { Ok(range) }
}

fn overlays(names: &[String]) -> Result<Vec<FrameOverlay>, CommandFailure> {
    let known = FrameOverlay::ALL.map(FrameOverlay::name);
    let overlay = |name: &String| {
        FrameOverlay::named(name).ok_or_else(|| {
            let meant = nearest_name(name, known)
                .map_or(String::new(), |it| format!("; did you mean {it}?"));
            let known = known.join(" and ");
            CommandFailure::input(format!("--overlay is \"{name}\"; there are {known}{meant}"))
        })
    };
    let asked = names.iter().map(overlay).collect::<Result<Vec<_>, _>>()?;
    Ok(FrameOverlay::ALL.into_iter().filter(|overlay| asked.contains(overlay)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_a_range() {
        assert_eq!(frames("3..7").unwrap(), 3..7);
        assert_eq!(frames("3..").unwrap(), 3..usize::MAX);
        assert_eq!(frames("..7").unwrap(), 0..7);
        assert_eq!(frames("4").unwrap(), 4..5);
        for odd in ["", "7..3", "3..3", "-1..2", "a..b", "1..2..3", "1-3", "99999999999"] {
            assert!(frames(odd).is_err(), "{odd}");
        }
    }
}
