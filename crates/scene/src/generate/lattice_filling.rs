//! A lattice stretched to fill a box evenly.

use super::insertion::InsertionRegion;
use super::{LatticeKind, SplitMix64};
use carom_geometry::{Vector, math};

/// Number of cells along each axis, their edges and the origin of the first one.
#[derive(Clone, Debug)]
pub(crate) struct LatticeFilling<const D: usize> {
    kind: LatticeKind,
    cells: [usize; D],
    origin: Vector<D>,
    edges: Vector<D>,
}

/// Range around the ideal number of cells along an axis in which a better one is searched.
const CELL_SEARCH_RANGE: usize = 3;

impl<const D: usize> LatticeFilling<D> {
    /// Returns the lattice with at least `count` sites whose nearest sites are furthest apart; `None` if the space is
    /// too narrow for spheres of this radius at all.
    pub(crate) fn widest(
        kind: LatticeKind,
        space: &InsertionRegion<D>,
        count: usize,
        radius: f64,
    ) -> Option<Self> {
        let mut best: Option<(f64, Self)> = None;
        for cells in candidates(kind, space, count) {
            let filling = LatticeFilling::new(kind, space, cells, radius)?;
            let distance = filling.nearest_distance();
            // A small margin, so that rounding does not choose between equals.
            let better = |(least, _): &(f64, Self)| distance > least * (1.0 + 1e-9);
            if filling.sites() >= count && best.as_ref().is_none_or(better) {
                best = Some((distance, filling));
            }
        }
        best.map(|(_, filling)| filling)
    }

    fn new(
        kind: LatticeKind,
        space: &InsertionRegion<D>,
        cells: [usize; D],
        radius: f64,
    ) -> Option<Self> {
        let (mut origin, mut edges) = (Vector::zeros(), Vector::zeros());
        for axis in 0..D {
            let (low, high) = space.range(axis, radius)?;
            let last_site = kind.sites().iter().map(|site| site[axis]).fold(0.0, f64::max);
            let steps = if space.spans_period(axis) { 0.0 } else { last_site - 1.0 };
            let steps = steps + cells[axis] as f64;
            // A single layer of sites between two sides is centered.
            (origin[axis], edges[axis]) = match steps > 0.0 {
                true => (low, (high - low) / steps),
                false => (0.5 * (low + high), f64::MAX.sqrt()),
            };
        }
        Some(LatticeFilling { kind, cells, origin, edges })
    }

    pub(crate) fn sites(&self) -> usize {
        self.cells.iter().fold(self.kind.sites().len(), |sites, &cells| sites.saturating_mul(cells))
    }

    /// Returns the shortest distance between two sites.
    pub(crate) fn nearest_distance(&self) -> f64 {
        let sites = self.kind.sites();
        let shifts = (0..3usize.pow(D as u32)).map(|code| {
            let digit = |axis: usize| (code / 3usize.pow(axis as u32) % 3) as f64 - 1.0;
            Vector::<D>::from_fn(|axis, _| digit(axis))
        });
        let mut shortest = f64::INFINITY;
        for shift in shifts {
            for site in sites {
                let step = Vector::<D>::from_fn(|axis, _| site[axis] - sites[0][axis]) + shift;
                let distance = step.component_mul(&self.edges).norm();
                shortest = if step.amax() > 0.0 { shortest.min(distance) } else { shortest };
            }
        }
        shortest
    }

    /// Returns the sites that are free, in the order of the lattice.
    pub(crate) fn free_sites(&self, is_free: impl Fn(&Vector<D>) -> bool) -> Vec<Vector<D>> {
        (0..self.sites()).map(|site| self.site(site)).filter(is_free).collect()
    }

    fn site(&self, index: usize) -> Vector<D> {
        let sites = self.kind.sites();
        let (site, mut cell) = (sites[index % sites.len()], index / sites.len());
        Vector::from_fn(|axis, _| {
            let column = cell % self.cells[axis];
            cell /= self.cells[axis];
            let steps = column as f64 + site[axis];
            // Without a step there may be no finite edge.
            if steps == 0.0 {
                self.origin[axis]
            } else {
                self.origin[axis] + steps * self.edges[axis]
            }
        })
    }
}

/// Chooses `count` of at least as many sites at random; keeps their order.
pub(crate) fn choose_sites<const D: usize>(
    sites: &[Vector<D>],
    count: usize,
    random: &mut SplitMix64,
) -> Vec<Vector<D>> {
    let mut chosen = Vec::with_capacity(count);
    // Each site is taken with the probability that makes the rest come out exactly (Knuth's algorithm S).
    for (index, site) in sites.iter().enumerate() {
        let wanted = (count - chosen.len()) as f64;
        if (sites.len() - index) as f64 * random.uniform() < wanted {
            chosen.push(*site);
        }
    }
    chosen
}

/// Returns numbers of cells along the axes near the ideal lattice with `count` sites.
fn candidates<const D: usize>(
    kind: LatticeKind,
    space: &InsertionRegion<D>,
    count: usize,
) -> impl Iterator<Item = [usize; D]> {
    let ideal = ideal_cells(kind, space, count);
    let choices = 2 * CELL_SEARCH_RANGE;
    (0..choices.pow(D as u32)).map(move |code| {
        let choice = |axis: usize| code / choices.pow(axis as u32) % choices;
        std::array::from_fn(|axis| {
            (ideal[axis] + choice(axis)).saturating_sub(CELL_SEARCH_RANGE - 1).max(1)
        })
    })
}

/// Returns numbers of cells along the axes for `count` sites on a lattice that is not stretched.
///
/// The thinnest axes come first: they have at least one cell, and the others share what remains.
fn ideal_cells<const D: usize>(
    kind: LatticeKind,
    space: &InsertionRegion<D>,
    count: usize,
) -> [usize; D] {
    // In logarithms, because a product of lengths may overflow or underflow.
    let size = space.part.size();
    let lengths: [f64; D] = std::array::from_fn(|axis| math::ln(size[axis] / kind.cell()[axis]));
    let mut axes: [usize; D] = std::array::from_fn(|axis| axis);
    axes.sort_by(|&a, &b| lengths[a].total_cmp(&lengths[b]));
    let mut needed = math::ln(count.div_ceil(kind.sites().len()).max(1) as f64);
    let mut cells = [1; D];
    for (done, &axis) in axes.iter().enumerate() {
        let rest = &axes[done..];
        let total: f64 = rest.iter().map(|&axis| lengths[axis]).sum();
        let along = (lengths[axis] - (total - needed) / rest.len() as f64).clamp(0.0, needed);
        cells[axis] = math::exp(along) as usize;
        needed -= along;
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_geometry::{Aabb, Boundary};

    fn space<const D: usize>(size: [f64; D], periodic: bool) -> InsertionRegion<D> {
        let boundary = Boundary::periodic(size.map(|edge| periodic.then_some(edge))).unwrap();
        let part = Aabb { low: Vector::zeros(), high: size.into() };
        InsertionRegion { size: size.into(), boundary, part }
    }

    #[test]
    fn a_count_that_fits_gives_the_perfect_crystal() {
        let space = space([3.0 * 2f64.sqrt(); 3], true);
        let filling =
            LatticeFilling::widest(LatticeKind::FaceCenteredCubic, &space, 108, 0.5).unwrap();
        assert_eq!((filling.cells, filling.sites()), ([3; 3], 108));
        assert!((filling.nearest_distance() - 1.0).abs() < 1e-12);
        let sites = filling.free_sites(|_| true);
        assert_eq!(choose_sites(&sites, 108, &mut SplitMix64::new(1)).len(), 108);
    }

    #[test]
    fn a_triangular_lattice_in_its_own_box_is_not_stretched() {
        let space = space([10.0, 6.0 * 3f64.sqrt()], true);
        let filling = LatticeFilling::widest(LatticeKind::Triangular, &space, 120, 0.5).unwrap();
        assert_eq!(filling.cells, [10, 6]);
        assert!((filling.nearest_distance() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn any_count_is_met_exactly_and_sites_stay_between_the_walls() {
        for count in [1, 2, 3, 17, 100, 999] {
            let space = space([7.0, 9.0, 11.0], false);
            let filling = LatticeFilling::widest(LatticeKind::Cubic, &space, count, 0.25).unwrap();
            let all = filling.free_sites(|_| true);
            let sites = choose_sites(&all, count, &mut SplitMix64::new(count as u64));
            assert_eq!(sites.len(), count);
            for site in sites {
                for axis in 0..3 {
                    let range = 0.25..=space.size[axis] - 0.25 + 1e-12;
                    assert!(range.contains(&site[axis]), "{count}: {site}");
                }
            }
        }
    }

    #[test]
    fn a_thin_box_is_filled_by_one_layer() {
        let space = space([100.0, 100.0, 1.0], false);
        let filling = LatticeFilling::widest(LatticeKind::Cubic, &space, 100, 0.5).unwrap();
        assert_eq!(filling.cells, [10, 10, 1]);
        let huge = super::tests::space([1e50, 1e-50, 1e-40], true);
        let filling = LatticeFilling::widest(LatticeKind::Cubic, &huge, u32::MAX as usize, 1e-60);
        assert!(filling.unwrap().sites() < 1 << 33);
    }
}
