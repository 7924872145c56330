//! The legend of an SVG of contacts.

use super::color::ContactColorScale;
use super::page::{PageViewport, SvgPage};

const SWATCH: f64 = 20.0;
const INK: &str = "#1d2433";
const PALE_INK: &str = "#5c6678";

/// The figures and the meaning of the colors, at the right of the drawing.
pub(super) struct SvgLegend<'a> {
    pub particles: usize,
    pub contacts: usize,
    pub scale: &'a ContactColorScale,
}

impl SvgLegend<'_> {
    pub(super) fn draw(&self, page: &mut SvgPage, view: &PageViewport) {
        let [left, top] = view.legend_corner();
        self.draw_figure(page, [left, top + 16.0], self.particles, "particle");
        self.draw_figure(page, [left, top + 66.0], self.contacts, "contact");
        let top = top + 124.0;
        page.line(format_args!(
            "<text x=\"{left:.1}\" y=\"{top:.1}\" font-size=\"13\" fill=\"{PALE_INK}\">contacts of a \
             particle</text>"
        ));
        for class in 0..self.scale.classes() {
            self.draw_swatch(page, [left, top + 14.0 + SWATCH * f64::from(class)], class);
        }
    }

    fn draw_figure(&self, page: &mut SvgPage, [left, top]: [f64; 2], count: usize, noun: &str) {
        let plural = if count == 1 { "" } else { "s" };
        page.line(format_args!(
            "<text x=\"{left:.1}\" y=\"{top:.1}\" font-size=\"24\" font-weight=\"600\" \
             fill=\"{INK}\">{}</text>",
            with_thousands(count)
        ));
        page.line(format_args!(
            "<text x=\"{left:.1}\" y=\"{:.1}\" font-size=\"13\" fill=\"{PALE_INK}\">{noun}{plural}\
             </text>",
            top + 19.0
        ));
    }

    fn draw_swatch(&self, page: &mut SvgPage, [left, top]: [f64; 2], class: u32) {
        page.line(format_args!(
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"26\" height=\"{SWATCH}\" fill=\"{}\"/>",
            self.scale.color(class).hexadecimal()
        ));
        page.line(format_args!(
            "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"13\" fill=\"{INK}\">{}</text>",
            left + 36.0,
            top + 0.72 * SWATCH,
            self.label(class)
        ));
    }

    /// Returns the numbers of contacts in a class, such as `3`, `4–7` or `12+`.
    fn label(&self, class: u32) -> String {
        let first = self.scale.least(class);
        let last_class = class + 1 == self.scale.classes();
        let last = if last_class { self.scale.top } else { self.scale.least(class + 1) - 1 };
        match (last_class && self.scale.open_ended, first == last) {
            (true, _) => format!("{first}+"),
            (false, true) => first.to_string(),
            (false, false) => format!("{first}–{last}"),
        }
    }
}

/// Formats a number with a thin space between groups of three digits.
fn with_thousands(number: usize) -> String {
    carom_io::group_thousands(number as u64).replace(',', "\u{2009}")
}
