//! A run's entry in the gallery.

use crate::html::escaped;

/// The entry of a run in the gallery.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Card {
    /// Heading of the card.
    pub name: String,
    /// Description in a sentence or two.
    pub description: String,
    /// URL of the picture on the card, if there is one.
    pub picture: Option<String>,
    /// URL of the page in which the run can be played.
    pub page: Option<String>,
    /// Key figures: names and values.
    pub figures: Vec<(String, String)>,
    /// Commands that produced the run.
    pub commands: Vec<String>,
    /// Why the run cannot be shown.
    pub fault: Option<String>,
}

impl Card {
    pub(super) fn html(&self) -> String {
        let name = escaped(&self.name);
        let picture = self.picture.as_ref().map_or(String::new(), |address| {
            format!("<img loading=\"lazy\" src=\"{}\" alt=\"{name}\">", escaped(address))
        });
        let linked = |inner: &str| match &self.page {
            Some(page) => format!("<a href=\"{}\">{inner}</a>", escaped(page)),
            None => inner.to_owned(),
        };
        let fault = self.fault.as_ref();
        let fault =
            fault.map_or(String::new(), |it| format!("<p class=\"fault\">{}</p>\n", escaped(it)));
        let figures: String = self.figures.iter().map(figure_html).collect();
        format!(
            "<article id=\"{name}\">\n<figure>{}</figure>\n<h2>{}</h2>\n<p>{}</p>\n{fault}\
             <dl>{figures}</dl>\n<pre><code>{}</code></pre>\n</article>\n",
            linked(&picture),
            linked(&name),
            escaped(&self.description),
            escaped(&self.commands.join("\n"))
        )
    }
}

fn figure_html((name, value): &(String, String)) -> String {
    format!("<div><dt>{}</dt><dd>{}</dd></div>", escaped(name), escaped(value))
}
