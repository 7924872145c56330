//! A page of many runs: for each a picture, a description, key figures, and the commands that produced it.
//!
//! Describe each run by a [`Card`], with [`key_figures()`] of its summary, and make the page by [`html()`].

mod card;
mod key_figures;

pub use card::Card;
pub use key_figures::key_figures;

use crate::html::HtmlDocument;

const STYLE: &str = include_str!("gallery/style.css");

/// The page, with the cards in the given order.
///
/// Links to pictures and pages are relative to the location of this page.
///
/// ```
/// use carom_view::gallery::{Card, html};
/// let card = Card { name: "drum".into(), description: "A drum turns.".into(), ..Card::default() };
/// assert!(html("Scenes", &[card]).contains("A drum turns."));
/// ```
pub fn html(title: &str, cards: &[Card]) -> String {
    let cards: String = cards.iter().map(Card::html).collect();
    let document = HtmlDocument {
        title,
        style: STYLE,
        images: "'self'",
        body: &format!("<main>\n{cards}</main>\n"),
    };
    document.html()
}

#[cfg(test)]
mod tests;
