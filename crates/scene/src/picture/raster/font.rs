//! Digits and small letters as strokes of a pen, for the legend.

use super::canvas::{Canvas, Pen};

/// A point in hundredths of the height of a digit, from the left end of the base line.
type GlyphPoint = (i8, i8);

/// A movement of the pen.
enum Stroke {
    /// Straight from point to point.
    Line(&'static [GlyphPoint]),
    /// From the first to the last point, rounded towards those between.
    Curve(&'static [GlyphPoint]),
    /// Rounded towards all points and closed.
    Loop(&'static [GlyphPoint]),
}

use Stroke::{Curve, Line, Loop};

/// The bowl that several letters share.
const BOWL: Stroke = Loop(&[(0, 0), (54, 0), (54, 72), (0, 72)]);

const ARCH: Stroke = Curve(&[(0, 40), (4, 72), (50, 72), (50, 40)]);
const CROSSBAR: Stroke = Line(&[(0, 72), (32, 72)]);

/// Returns the width of a letter and its strokes.
fn glyph(letter: char) -> (i8, &'static [Stroke]) {
    match letter {
        '0' => (60, &[Loop(&[(0, 0), (60, 0), (60, 100), (0, 100)])]),
        '1' => (60, &[Line(&[(12, 80), (36, 100), (36, 0)])]),
        '2' => (
            60,
            &[Curve(&[(4, 74), (4, 100), (58, 100), (58, 58), (2, 0)]), Line(&[(2, 0), (60, 0)])],
        ),
        '3' => (
            60,
            &[
                Curve(&[(5, 80), (8, 100), (55, 100), (55, 53), (24, 53)]),
                Curve(&[(24, 53), (60, 53), (60, 0), (4, 0), (2, 22)]),
            ],
        ),
        '4' => (60, &[Line(&[(46, 0), (46, 100), (0, 28), (62, 28)])]),
        '5' => (
            60,
            &[
                Line(&[(53, 100), (10, 100), (6, 54)]),
                Curve(&[(6, 54), (14, 64), (60, 66), (60, 0), (4, 0), (2, 20)]),
            ],
        ),
        '6' => (
            60,
            &[
                Loop(&[(1, 0), (60, 0), (60, 62), (1, 62)]),
                Curve(&[(52, 88), (46, 100), (1, 100), (1, 31)]),
            ],
        ),
        '7' => (60, &[Line(&[(2, 100), (58, 100), (20, 0)])]),
        '8' => (
            60,
            &[
                Loop(&[(5, 54), (55, 54), (55, 100), (5, 100)]),
                Loop(&[(1, 0), (59, 0), (59, 54), (1, 54)]),
            ],
        ),
        '9' => (
            60,
            &[
                Loop(&[(0, 38), (59, 38), (59, 100), (0, 100)]),
                Curve(&[(8, 12), (14, 0), (59, 0), (59, 69)]),
            ],
        ),
        '.' => (8, &[Line(&[(4, 2), (4, 2)])]),
        '-' => (44, &[Line(&[(2, 42), (42, 42)])]),
        '_' => (54, &[Line(&[(0, -12), (54, -12)])]),
        'a' => (54, &[Line(&[(54, 72), (54, 0)]), BOWL]),
        'b' => (54, &[Line(&[(0, 104), (0, 0)]), BOWL]),
        'c' => (48, &[Curve(&[(48, 58), (44, 72), (0, 72), (0, 0), (44, 0), (48, 14)])]),
        'd' => (54, &[Line(&[(54, 104), (54, 0)]), BOWL]),
        'e' => (
            54,
            &[
                Line(&[(1, 38), (54, 38)]),
                Curve(&[(54, 38), (54, 72), (0, 72), (0, 0), (44, 0), (50, 14)]),
            ],
        ),
        'f' => {
            (34, &[Curve(&[(36, 102), (14, 106), (14, 80)]), Line(&[(14, 82), (14, 0)]), CROSSBAR])
        }
        'g' => (
            54,
            &[Line(&[(54, 72), (54, 0)]), BOWL, Curve(&[(54, 0), (54, -30), (6, -30), (4, -20)])],
        ),
        'h' => (50, &[Line(&[(0, 104), (0, 0)]), ARCH, Line(&[(50, 40), (50, 0)])]),
        'i' => (0, &[Line(&[(0, 72), (0, 0)]), Line(&[(0, 98), (0, 98)])]),
        'j' => (
            12,
            &[
                Line(&[(12, 72), (12, -10)]),
                Curve(&[(12, -10), (12, -28), (-4, -28)]),
                Line(&[(12, 98), (12, 98)]),
            ],
        ),
        'k' => (
            46,
            &[Line(&[(0, 104), (0, 0)]), Line(&[(42, 72), (0, 30)]), Line(&[(14, 44), (46, 0)])],
        ),
        'l' => (0, &[Line(&[(0, 104), (0, 0)])]),
        'm' => (
            80,
            &[
                Line(&[(0, 72), (0, 0)]),
                Curve(&[(0, 44), (4, 72), (40, 72), (40, 40)]),
                Line(&[(40, 42), (40, 0)]),
                Curve(&[(40, 44), (44, 72), (80, 72), (80, 40)]),
                Line(&[(80, 42), (80, 0)]),
            ],
        ),
        'n' => (50, &[Line(&[(0, 72), (0, 0)]), ARCH, Line(&[(50, 40), (50, 0)])]),
        'o' => (58, &[Loop(&[(0, 0), (58, 0), (58, 72), (0, 72)])]),
        'p' => (54, &[Line(&[(0, 72), (0, -28)]), BOWL]),
        'q' => (54, &[Line(&[(54, 72), (54, -28)]), BOWL]),
        'r' => (32, &[Line(&[(0, 72), (0, 0)]), Curve(&[(0, 40), (4, 72), (34, 70)])]),
        's' => (
            46,
            &[Curve(&[(44, 60), (38, 72), (2, 72), (2, 38), (46, 37), (46, 0), (6, 0), (0, 13)])],
        ),
        't' => (34, &[Line(&[(14, 96), (14, 18)]), Curve(&[(14, 18), (14, 0), (34, 0)]), CROSSBAR]),
        'u' => (
            50,
            &[Line(&[(50, 72), (50, 0)]), Curve(&[(0, 72), (0, 32), (0, 0), (46, 0), (50, 28)])],
        ),
        'v' => (52, &[Line(&[(0, 72), (26, 0), (52, 72)])]),
        'w' => (76, &[Line(&[(0, 72), (19, 0), (38, 66), (57, 0), (76, 72)])]),
        'x' => (48, &[Line(&[(0, 72), (48, 0)]), Line(&[(48, 72), (0, 0)])]),
        'y' => (54, &[Line(&[(0, 72), (27, 2)]), Line(&[(54, 72), (18, -28), (6, -28)])]),
        'z' => (46, &[Line(&[(2, 72), (46, 72), (0, 0), (48, 0)])]),
        _ => (10, &[]),
    }
}

/// Writes the text from the given end of its base line; `height` is that of a digit, in pixels.
pub(super) fn write(canvas: &mut Canvas, at: [f64; 2], text: &str, height: f64, pen: Pen) {
    const GAP: f64 = 26.0;
    let unit = height / 100.0;
    let mut left = at[0];
    for letter in text.chars() {
        let (width, strokes) = glyph(letter.to_ascii_lowercase());
        for stroke in strokes {
            let points: Vec<[f64; 2]> = path(stroke)
                .into_iter()
                .map(|[x, y]| [left + unit * x, at[1] - unit * y])
                .collect();
            canvas.line(&points, pen);
        }
        left += unit * (f64::from(width) + GAP);
    }
}

/// Returns the stroke as short straight pieces.
fn path(stroke: &Stroke) -> Vec<[f64; 2]> {
    let float = |&(x, y): &GlyphPoint| [f64::from(x), f64::from(y)];
    match stroke {
        Line(points) => points.iter().map(float).collect(),
        Curve(points) => {
            let points: Vec<_> = points.iter().map(float).collect();
            rounded(points[0], &points[1..points.len() - 1], points[points.len() - 1])
        }
        Loop(points) => {
            let points: Vec<_> = points.iter().map(float).collect();
            let start = middle(points[points.len() - 1], points[0]);
            rounded(start, &points, start)
        }
    }
}

fn middle(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])]
}

/// Returns parabolas from `start` to `end`, each with one control point and joined halfway to the next.
fn rounded(start: [f64; 2], pulls: &[[f64; 2]], end: [f64; 2]) -> Vec<[f64; 2]> {
    const PIECES: usize = 6;
    let mut path = vec![start];
    let mut from = start;
    for (index, &pull) in pulls.iter().enumerate() {
        let to = pulls.get(index + 1).map_or(end, |&next| middle(pull, next));
        for piece in 1..=PIECES {
            let t = piece as f64 / PIECES as f64;
            let weights = [(1.0 - t) * (1.0 - t), 2.0 * t * (1.0 - t), t * t];
            path.push(std::array::from_fn(|axis| {
                weights[0] * from[axis] + weights[1] * pull[axis] + weights[2] * to[axis]
            }));
        }
        from = to;
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_of_the_legend_can_be_written() {
        for letter in "0123456789.-_".chars().chain('a'..='z') {
            assert!(!glyph(letter).1.is_empty(), "{letter}");
        }
    }

    #[test]
    fn a_loop_ends_where_it_starts() {
        let path = path(&Loop(&[(0, 0), (60, 0), (60, 100), (0, 100)]));
        assert_eq!(path.first(), path.last());
    }
}
