use std::fmt::Write;

/// The shape of a point in a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// An open circle.
    Circle,
    /// An open square.
    Square,
    /// An open triangle.
    Triangle,
    /// A filled circle.
    Dot,
    /// A filled square.
    Block,
    /// A filled triangle.
    Wedge,
    /// A filled diamond.
    Diamond,
    /// Two crossed strokes.
    Cross,
}

/// Half the width of a marker.
const SIZE: f64 = 4.8;

impl Marker {
    /// Draws the marker around a place.
    pub(super) fn write(self, svg: &mut String, x: f64, y: f64, color: &str) -> std::fmt::Result {
        let fill = if self.is_open() { "#ffffff" } else { color };
        let paint = format!(r#"fill="{fill}" stroke="{color}" stroke-width="1.8""#);
        match self {
            Marker::Circle | Marker::Dot => {
                writeln!(svg, r#"<circle cx="{x:.1}" cy="{y:.1}" r="{SIZE}" {paint}/>"#)
            }
            _ => writeln!(svg, r#"<path d="{}" {paint}/>"#, self.path(x, y)),
        }
    }

    fn is_open(self) -> bool {
        matches!(self, Marker::Circle | Marker::Square | Marker::Triangle)
    }

    fn path(self, x: f64, y: f64) -> String {
        let corners: &[(f64, f64)] = match self {
            Marker::Triangle | Marker::Wedge => &[(0.0, -1.15), (1.1, 0.85), (-1.1, 0.85)],
            Marker::Diamond => &[(0.0, -1.25), (1.25, 0.0), (0.0, 1.25), (-1.25, 0.0)],
            Marker::Cross => {
                let (left, right, high, low) = (x - SIZE, x + SIZE, y - SIZE, y + SIZE);
                return format!(
                    "M{left:.1} {high:.1}L{right:.1} {low:.1}M{left:.1} {low:.1}L{right:.1} {high:.1}"
                );
            }
            _ => &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
        };
        let places: Vec<_> = corners
            .iter()
            .map(|corner| format!("{:.1} {:.1}", x + SIZE * corner.0, y + SIZE * corner.1))
            .collect();
        format!("M{}Z", places.join("L"))
    }
}
