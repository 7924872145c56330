//! What was found in all papers, before their reports.

use super::{Chapter, chapter};
use crate::PAPERS;
use crate::finding::{ClaimVerdict, Finding};
use carom_view::html::escaped;
use std::fmt::Write;

pub(super) fn html(chapters: &[Chapter]) -> String {
    let mut text = String::new();
    write(&mut text, chapters).expect("writing to a string does not fail");
    text
}

fn write(text: &mut String, chapters: &[Chapter]) -> std::fmt::Result {
    writeln!(text, "<p>{}{}</p>", sentence(chapters), quick_runs(chapters))?;
    writeln!(
        text,
        "<p>Each report begins with what was found; then come the tables and figures of the paper, \
         printed values beside measured ones, and the command that makes them again.</p>"
    )?;
    write_table(text, chapters)?;
    write_disagreements(text, chapters)?;
    write_missing(text, chapters)
}

fn count(chapters: &[Chapter], verdict: ClaimVerdict) -> usize {
    let findings = chapters.iter().flat_map(Chapter::findings);
    findings.filter(|finding| finding.verdict == verdict).count()
}

/// How many claims there are, and what became of them.
fn sentence(chapters: &[Chapter]) -> String {
    let claims = chapters.iter().flat_map(Chapter::findings).count();
    let counts = ClaimVerdict::ALL.map(|verdict| count(chapters, verdict));
    let plural = |count: usize, word: &str| match count {
        1 => format!("1 {word}"),
        _ => format!("{count} {word}s"),
    };
    let [agree, in_part, not, unmeasured] = counts;
    let rest = if unmeasured > 0 { format!(", {unmeasured} not measured") } else { String::new() };
    format!(
        "{} of {}, measured again: {agree} borne out, {in_part} in part, {not} not{rest}.",
        plural(claims, "claim"),
        plural(chapters.len(), "paper")
    )
}

/// A warning where systems were too small to judge by.
fn quick_runs(chapters: &[Chapter]) -> String {
    let is_quick = |chapter: &&Chapter| {
        chapter.markdown.contains(&format!("`carom reproduce {} --quick`", chapter.paper.number))
    };
    let quick: Vec<&str> =
        chapters.iter().filter(is_quick).map(|chapter| chapter.paper.number).collect();
    if quick.is_empty() {
        return String::new();
    }
    format!(" Of quick runs, too small to judge by: {}.", quick.join(", "))
}

fn write_table(text: &mut String, chapters: &[Chapter]) -> std::fmt::Result {
    write!(text, "<nav class=\"table\"><table>\n<thead><tr><th>paper</th>")?;
    for verdict in ClaimVerdict::ALL {
        write!(text, "<th>{verdict}</th>")?;
    }
    writeln!(text, "</tr></thead>\n<tbody>")?;
    for chapter in chapters {
        let [number, authors, title] =
            [chapter.paper.number, chapter.paper.authors, chapter.paper.title].map(escaped);
        write!(text, "<tr><td><a href=\"#paper-{number}\">{number}, {authors}: {title}</a></td>")?;
        for verdict in ClaimVerdict::ALL {
            write!(text, "<td>{}</td>", count(std::slice::from_ref(chapter), verdict))?;
        }
        writeln!(text, "</tr>")?;
    }
    writeln!(text, "</tbody></table></nav>")
}

/// The claims of which a reader will want to know more.
fn write_disagreements(text: &mut String, chapters: &[Chapter]) -> std::fmt::Result {
    let is_open = |finding: &Finding| {
        matches!(finding.verdict, ClaimVerdict::InPart | ClaimVerdict::DoesNotAgree)
    };
    if !chapters.iter().flat_map(Chapter::findings).any(|finding| is_open(&finding)) {
        return Ok(());
    }
    writeln!(text, "<h2>Not borne out, or in part</h2>\n<ul>")?;
    for chapter in chapters {
        for finding in chapter.findings().filter(is_open) {
            let (verdict, claim) = (finding.verdict, escaped(&finding.claim));
            let (number, class) = (escaped(chapter.paper.number), chapter::class(verdict));
            writeln!(
                text,
                "<li><a href=\"#paper-{number}\">{number}</a>, \
                 <strong class=\"{class}\">{verdict}</strong>: {claim}.</li>"
            )?;
        }
    }
    writeln!(text, "</ul>")
}

fn write_missing(text: &mut String, chapters: &[Chapter]) -> std::fmt::Result {
    let is_here = |number| chapters.iter().any(|chapter| chapter.paper.number == number);
    for paper in PAPERS.iter().filter(|paper| !is_here(paper.number)) {
        let [number, authors, title] = [paper.number, paper.authors, paper.title].map(escaped);
        writeln!(
            text,
            "<p>Not here yet: {number}, {authors}: {title}. <code>carom reproduce {number}</code> adds it.</p>"
        )?;
    }
    Ok(())
}
