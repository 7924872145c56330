//! The few elements of SVG that charts and panels are drawn with.

use carom_view::html::escaped;

/// The color of what matters.
pub(crate) const INK: &str = "#222222";
/// The color of what stands beside it.
pub(crate) const PALE_INK: &str = "#666666";

/// Where a text stands relative to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A drawing that grows element by element.
pub(crate) struct Drawing {
    svg: String,
}

impl Drawing {
    /// A white sheet of this size.
    pub fn new(width: f64, height: f64, title: &str) -> Self {
        let mut drawing = Drawing { svg: String::new() };
        drawing.element(&format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">"#
        ));
        drawing.element(&format!("<title>{}</title>", escaped(title)));
        let fonts = "'DejaVu Sans',Verdana,Helvetica,Arial,sans-serif";
        drawing.element(&format!("<style>text{{font-family:{fonts}}}</style>"));
        drawing.element(&format!(r##"<rect width="{width}" height="{height}" fill="#ffffff"/>"##));
        drawing
    }

    /// Adds an element as it is.
    pub fn element(&mut self, element: &str) {
        self.svg += element;
        self.svg.push('\n');
    }

    /// Adds a line of text.
    pub fn text(&mut self, [x, y]: [f64; 2], size: u32, ink: &str, anchor: Anchor, words: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        self.element(&format!(
            r#"<text x="{x:.1}" y="{y:.1}" font-size="{size}" text-anchor="{anchor}" fill="{ink}">{}</text>"#,
            escaped(words)
        ));
    }

    /// Adds a symbol with a raised exponent.
    pub fn power(&mut self, [x, y]: [f64; 2], symbol: char, power: &str) {
        let (symbol, power) = (escaped(&symbol.to_string()), escaped(power));
        self.element(&format!(
            r#"<text x="{x:.1}" y="{y:.1}" font-size="14" fill="{PALE_INK}">{symbol}<tspan dy="-5" font-size="11">{power}</tspan></text>"#
        ));
    }

    /// Adds a straight line; `stroke` are its attributes.
    pub fn line(&mut self, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2], stroke: &str) {
        self.element(&format!(
            r#"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" {stroke}/>"#
        ));
    }

    /// Ends the drawing and returns the text of its file.
    pub fn finish(self) -> String {
        self.svg + "</svg>\n"
    }
}
