use crate::svg::Drawing;

/// The shape of a point in a chart: its corners in halves of its width, none for a circle; and whether it is open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Marker {
    corners: &'static [(f64, f64)],
    is_open: bool,
}

/// Half the width of a marker.
const SIZE: f64 = 4.8;
const CIRCLE: &[(f64, f64)] = &[];
const SQUARE: &[(f64, f64)] = &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)];
const TRIANGLE: &[(f64, f64)] = &[(0.0, -1.15), (1.1, 0.85), (-1.1, 0.85)];
const DIAMOND: &[(f64, f64)] = &[(0.0, -1.25), (1.25, 0.0), (0.0, 1.25), (-1.25, 0.0)];
const SHAPES: [&[(f64, f64)]; 4] = [CIRCLE, SQUARE, TRIANGLE, DIAMOND];

impl Marker {
    /// The marker of a line by its number: open shapes first, then filled ones.
    pub fn of(number: usize) -> Self {
        let number = number % (2 * SHAPES.len());
        Marker { corners: SHAPES[number % SHAPES.len()], is_open: number < SHAPES.len() }
    }

    /// Draws the marker around a place.
    pub fn draw(self, drawing: &mut Drawing, [x, y]: [f64; 2], color: &str) {
        let fill = if self.is_open { "#ffffff" } else { color };
        let paint = format!(r#"fill="{fill}" stroke="{color}" stroke-width="1.8""#);
        if self.corners.is_empty() {
            let circle = format!(r#"<circle cx="{x:.1}" cy="{y:.1}" r="{SIZE}" {paint}/>"#);
            return drawing.element(&circle);
        }
        let corner =
            |(right, down): &(f64, f64)| format!("{:.1} {:.1}", x + SIZE * right, y + SIZE * down);
        let path: Vec<_> = self.corners.iter().map(corner).collect();
        drawing.element(&format!(r#"<path d="M{}Z" {paint}/>"#, path.join("L")));
    }
}
