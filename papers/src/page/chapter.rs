//! A report in Markdown as a section of the page.

use super::Chapter;
use crate::verdict::Verdict;
use carom_view::html::{data_url, escaped};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html};

pub(super) fn html(chapter: &Chapter) -> String {
    let mut text = format!("<section id=\"paper-{}\">\n", escaped(chapter.paper.number));
    // The page has a heading above those of its reports.
    let markdown = format!("\n{}", chapter.markdown).replace("\n#", "\n##");
    html::push_html(&mut text, events(&markdown, &chapter.figures).into_iter());
    text + "</section>\n"
}

pub(super) fn figures(markdown: &str) -> Vec<String> {
    let figure = |event| match event {
        Event::Start(Tag::Image { dest_url, .. }) => Some(dest_url.into_string()),
        _ => None,
    };
    parser(markdown).filter_map(figure).collect()
}

fn parser(markdown: &str) -> Parser<'_> {
    Parser::new_ext(markdown, Options::ENABLE_TABLES)
}

/// The parts of a report that the page shows.
fn events<'a>(markdown: &'a str, figures: &[(String, String)]) -> Vec<Event<'a>> {
    let mut events = Vec::new();
    // Whether the picture whose text is being read is there.
    let mut shown = false;
    for event in parser(markdown) {
        match event {
            Event::Html(text) | Event::InlineHtml(text) => events.push(Event::Text(text)),
            Event::Start(Tag::Link { .. }) | Event::End(TagEnd::Link) => {}
            Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
                let figure = figures.iter().find(|(name, _)| *name == *dest_url);
                shown = figure.is_some();
                events.push(match figure {
                    Some((_, svg)) => {
                        let dest_url = data_url("image/svg+xml", svg.as_bytes()).into();
                        Event::Start(Tag::Image { link_type, dest_url, title, id })
                    }
                    None => Event::Text(format!("{dest_url} is missing: ").into()),
                });
            }
            Event::End(TagEnd::Image) if !shown => {}
            // Without its alignment, which would be a style on every cell; the page's own style has it.
            Event::Start(Tag::Table(columns)) => {
                events.push(Event::Html("<div class=\"table\">".into()));
                let columns = columns.iter().map(|_| pulldown_cmark::Alignment::None).collect();
                events.push(Event::Start(Tag::Table(columns)));
            }
            Event::End(TagEnd::Table) => {
                events.push(Event::End(TagEnd::Table));
                events.push(Event::Html("</div>\n".into()));
            }
            Event::Text(text) if matches!(events.last(), Some(Event::Start(Tag::Strong))) => {
                mark_verdict(&mut events, &text);
                events.push(Event::Text(text));
            }
            other => events.push(other),
        }
    }
    events
}

/// A verdict in bold gets its color.
fn mark_verdict(events: &mut [Event<'_>], text: &str) {
    if let (Some(verdict), Some(strong)) = (Verdict::named(text), events.last_mut()) {
        *strong = Event::InlineHtml(format!("<strong class=\"{}\">", class(verdict)).into());
    }
}

/// The class of a verdict in the style sheet.
pub(super) fn class(verdict: Verdict) -> String {
    verdict.to_string().replace(' ', "-")
}
