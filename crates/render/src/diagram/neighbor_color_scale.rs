//! The colors of cells in a diagram.

use crate::color::LinearRgb;

/// Colors for numbers of neighbors: the usual number is pale, fewer are warm, more are cool.
pub(super) struct NeighborColorScale {
    /// Smallest number of neighbors in each class but the first.
    bounds: [usize; NeighborColorScale::CLASSES as usize - 1],
}

impl NeighborColorScale {
    pub(super) const CLASSES: u32 = 7;

    /// Creates the scale: a cell has six neighbors on average in 2D, about fifteen and a half in 3D.
    pub(super) fn of_dimension(dimension: usize) -> Self {
        let bounds = if dimension == 2 { [4, 5, 6, 7, 8, 9] } else { [11, 13, 15, 17, 19, 21] };
        NeighborColorScale { bounds }
    }

    /// Returns the class of a cell with this number of neighbors.
    pub(super) fn class(&self, neighbors: usize) -> u32 {
        self.bounds.iter().filter(|&&bound| neighbors >= bound).count() as u32
    }

    pub(super) fn color(&self, class: u32) -> LinearRgb {
        let away = f64::from(class) - 3.0;
        let share = away.abs() / 3.0;
        let hue = match away {
            away if away < 0.0 => 75.0 - 30.0 * share,
            away if away > 0.0 => 180.0 + 60.0 * share,
            _ => 95.0,
        };
        LinearRgb::oklch(0.965 - 0.19 * share, 0.014 + 0.07 * share, hue)
    }

    /// Returns the numbers of neighbors in a class, such as `≤3`, `5`, `13–14` or `9+`.
    pub(super) fn label(&self, class: u32) -> String {
        let class = class as usize;
        match class {
            0 => format!("≤{}", self.bounds[0] - 1),
            _ if class == self.bounds.len() => format!("{}+", self.bounds[class - 1]),
            _ if self.bounds[class] - self.bounds[class - 1] == 1 => {
                self.bounds[class - 1].to_string()
            }
            _ => format!("{}–{}", self.bounds[class - 1], self.bounds[class] - 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_say_which_numbers_belong_to_a_class() {
        let labels = |scale: NeighborColorScale| -> Vec<String> {
            (0..NeighborColorScale::CLASSES).map(|class| scale.label(class)).collect()
        };
        let plane = labels(NeighborColorScale::of_dimension(2));
        assert_eq!(plane, ["≤3", "4", "5", "6", "7", "8", "9+"]);
        let space = labels(NeighborColorScale::of_dimension(3));
        assert_eq!(space, ["≤10", "11–12", "13–14", "15–16", "17–18", "19–20", "21+"]);
    }

    #[test]
    fn every_number_has_its_class() {
        let scale = NeighborColorScale::of_dimension(2);
        assert_eq!([0, 3, 4, 6, 8, 9, 500].map(|count| scale.class(count)), [0, 0, 1, 3, 5, 6, 6]);
    }
}
