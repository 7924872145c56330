//! The width of cells for a wanted number of them.

/// Returns the width of cubic cells of which about `cells` fill a box with these edges, however flat it
/// is: an edge shorter than the width counts as one cell.
pub(super) fn cell_width(edges: &[f64], cells: f64) -> f64 {
    let longest = edges.iter().copied().fold(0.0, f64::max);
    let number = |width: f64| edges.iter().map(|edge| (edge / width).max(1.0)).product::<f64>();
    // Bisection in the logarithm of the width. More than 1e10 cells along an edge are never wanted, and 20
    // halvings of that range leave an error far below one percent.
    let (mut narrow, mut wide) = (longest * 1e-10, longest);
    for _ in 0..20 {
        let middle = (narrow * wide).sqrt();
        if number(middle) > cells.max(1.0) { narrow = middle } else { wide = middle }
    }
    wide
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flat_boxes_get_as_many_cells_as_cubes() {
        for edges in [[1.0, 1.0, 1.0], [1.0, 1.0, 1e-12], [1e6, 1e-9, 0.0], [3.0, 1e-3, 2.0]] {
            let width = cell_width(&edges, 1000.0);
            let cells: f64 = edges.iter().map(|edge| (edge / width).max(1.0)).product();
            assert!((990.0..=1000.1).contains(&cells), "{edges:?}: {cells}");
        }
        assert_eq!(cell_width(&[0.0, 0.0], 10.0), 0.0);
    }
}
