//! The overview of the findings of all papers, before their reports.

use super::{Chapter, chapter};
use crate::verdict::Verdict;
use crate::{PAPERS, Paper};
use carom::io::count_with_noun;
use carom_view::html::escaped;

pub(super) fn html(chapters: &[Chapter]) -> String {
    let open: String = chapters.iter().flat_map(disagreements).collect();
    let list = if open.is_empty() {
        String::new()
    } else {
        format!("<h2>Not borne out, or in part</h2>\n<ul>\n{open}</ul>\n")
    };
    format!(
        "<p>{}{}</p>\n<p>Each report begins with what was found; then come the tables and figures of the \
         paper, printed values beside measured ones, and the command that makes them again.</p>\n{}{list}{}",
        sentence(chapters),
        quick_runs(chapters),
        table(chapters),
        missing(chapters)
    )
}

fn count(chapters: &[Chapter], verdict: Verdict) -> usize {
    let findings = chapters.iter().flat_map(Chapter::findings);
    findings.filter(|finding| finding.0 == verdict).count()
}

/// Numbers of claims, by their verdicts.
fn sentence(chapters: &[Chapter]) -> String {
    let claims = chapters.iter().flat_map(Chapter::findings).count();
    let [agree, in_part, not, unmeasured] = Verdict::ALL.map(|verdict| count(chapters, verdict));
    let rest = if unmeasured > 0 { format!(", {unmeasured} not measured") } else { String::new() };
    format!(
        "{} of {}, measured again: {agree} borne out, {in_part} in part, {not} not{rest}.",
        count_with_noun(claims, "claim"),
        count_with_noun(chapters.len(), "paper")
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

fn table(chapters: &[Chapter]) -> String {
    let names = Verdict::ALL.map(|verdict| format!("<th>{verdict}</th>")).concat();
    let row = |chapter: &Chapter| {
        let (number, name) = (escaped(chapter.paper.number), name(&chapter.paper));
        let own = std::slice::from_ref(chapter);
        let counts =
            Verdict::ALL.map(|verdict| format!("<td>{}</td>", count(own, verdict))).concat();
        format!("<tr><td><a href=\"#paper-{number}\">{name}</a></td>{counts}</tr>\n")
    };
    let rows: String = chapters.iter().map(row).collect();
    format!(
        "<nav class=\"table\"><table>\n<thead><tr><th>paper</th>{names}</tr></thead>\n<tbody>\n{rows}</tbody></table></nav>\n"
    )
}

/// The claims of a paper of which a reader will want to know more.
fn disagreements(chapter: &Chapter) -> impl Iterator<Item = String> {
    let number = escaped(chapter.paper.number);
    let open =
        |finding: &(Verdict, &str)| matches!(finding.0, Verdict::InPart | Verdict::DoesNotAgree);
    chapter.findings().filter(open).map(move |(verdict, claim)| {
        let (class, claim) = (chapter::class(verdict), escaped(claim));
        format!(
            "<li><a href=\"#paper-{number}\">{number}</a>, <strong class=\"{class}\">{verdict}</strong>: {claim}.</li>\n"
        )
    })
}

fn missing(chapters: &[Chapter]) -> String {
    let is_here = |number| chapters.iter().any(|chapter| chapter.paper.number == number);
    let line = |paper: &Paper| {
        let (number, name) = (escaped(paper.number), name(paper));
        format!("<p>Not here yet: {name}. <code>carom reproduce {number}</code> adds it.</p>\n")
    };
    PAPERS.iter().filter(|paper| !is_here(paper.number)).map(line).collect()
}

fn name(paper: &Paper) -> String {
    escaped(&format!("{}, {}: {}", paper.number, paper.authors, paper.title))
}
