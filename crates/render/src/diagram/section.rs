//! A triangulation in the plane of the picture: all of it in 2D, a section at half height in 3D.

use super::polygon::DiagramPolygon;
use carom_detect::laguerre::{SimplexCorner, Triangulation};
use carom_geometry::{Aabb, Vector};
use carom_io::ParticleSet;

/// A rectangle of the plane and its contents; lengths are in pixels, y upwards.
pub(super) struct DiagramSection {
    /// Width and height of the section, in pixels.
    pub size: [f64; 2],
    pub discs: Vec<SectionDisc>,
    pub cells: Vec<SectionCell>,
    /// Sides of triangles; in a section, cuts through the faces of tetrahedra.
    pub lines: Vec<[[f64; 2]; 2]>,
}

/// A disc, or the section of a sphere.
pub(super) struct SectionDisc {
    pub center: [f64; 2],
    pub radius: f64,
    pub hidden: bool,
}

/// A Laguerre cell, as far as it is visible.
pub(super) struct SectionCell {
    pub outline: DiagramPolygon,
    /// Number of facets of the whole cell.
    pub facets: usize,
}

impl DiagramSection {
    /// Computes the section with this length of the longer side, in pixels.
    pub(super) fn of<const D: usize>(
        set: &ParticleSet<D>,
        triangulation: &Triangulation<D>,
        longest: f64,
    ) -> Self {
        let scene = SectionGeometry::of(set, triangulation, longest);
        DiagramSection {
            size: scene.size,
            discs: scene.discs(),
            cells: scene.cells(),
            lines: scene.lines(),
        }
    }
}

/// Margin around the discs of an open box, as a fraction of the picture's longer side.
const MARGIN: f64 = 0.02;

/// The particles in pixels, the plane of the picture at height zero.
struct SectionGeometry<'a, const D: usize> {
    set: &'a ParticleSet<D>,
    triangulation: &'a Triangulation<D>,
    origin: Vector<D>,
    scale: f64,
    size: [f64; 2],
    /// Periods; zero on an open axis.
    period: Vector<D>,
}

impl<'a, const D: usize> SectionGeometry<'a, D> {
    fn of(set: &'a ParticleSet<D>, triangulation: &'a Triangulation<D>, longest: f64) -> Self {
        let bounds = bounds(set);
        let sizes = bounds.size();
        let largest = sizes[0].max(sizes[1]);
        // A single point has no extent and fits any scale.
        let scale = if largest > 0.0 { longest / largest } else { 1.0 };
        let mut origin = bounds.low;
        for axis in 2..D {
            origin[axis] += 0.5 * sizes[axis];
        }
        let period = Vector::from_fn(|axis, _| {
            set.boundary.period(axis).map_or(0.0, |period| period * scale)
        });
        let size = [sizes[0] * scale, sizes[1] * scale];
        SectionGeometry { set, triangulation, origin, scale, size, period }
    }

    fn to_pixels(&self, place: &Vector<D>) -> Vector<D> {
        (place - self.origin) * self.scale
    }

    fn radius(&self, sphere: usize) -> f64 {
        self.set.spheres[sphere].radius * self.scale
    }

    /// Returns the first and last coordinate of the picture along an axis.
    fn extent(&self, axis: usize) -> [f64; 2] {
        [0.0, self.size.get(axis).copied().unwrap_or(0.0)]
    }

    /// Visits the shifts by whole periods that bring something between `low` and `high` into the picture.
    fn for_each_shift(&self, low: &Vector<D>, high: &Vector<D>, mut visit: impl FnMut(Vector<D>)) {
        let mut first = [0i64; D];
        let mut last = [0i64; D];
        for axis in (0..D).filter(|&axis| self.period[axis] > 0.0) {
            let [begin, end] = self.extent(axis);
            first[axis] = ((begin - high[axis]) / self.period[axis]).ceil() as i64;
            last[axis] = ((end - low[axis]) / self.period[axis]).floor() as i64;
            if first[axis] > last[axis] {
                return;
            }
        }
        let mut shift = first;
        loop {
            visit(Vector::from_fn(|axis, _| shift[axis] as f64 * self.period[axis]));
            let Some(axis) = (0..D).find(|&axis| shift[axis] < last[axis]) else { return };
            shift[axis] += 1;
            shift[..axis].copy_from_slice(&first[..axis]);
        }
    }

    fn discs(&self) -> Vec<SectionDisc> {
        let mut discs = Vec::new();
        for sphere in 0..self.triangulation.count() {
            let center = self.to_pixels(&self.triangulation.position(sphere));
            let radius = self.radius(sphere);
            let reach = Vector::repeat(radius);
            self.for_each_shift(&(center - reach), &(center + reach), |shift| {
                let center = center + shift;
                let height: f64 = (2..D).map(|axis| center[axis] * center[axis]).sum();
                let square = radius * radius - height;
                if square >= 0.0 {
                    let hidden = self.triangulation.is_hidden(sphere);
                    discs.push(SectionDisc {
                        center: [center[0], center[1]],
                        radius: square.sqrt(),
                        hidden,
                    });
                }
            });
        }
        discs
    }

    /// Computes every cell as the rectangle clipped by the planes of equal power to its neighbors.
    fn cells(&self) -> Vec<SectionCell> {
        let mut cells = Vec::new();
        let mut space = Vec::new();
        self.triangulation.for_each_neighborhood(|sphere, neighbors| {
            let center = self.to_pixels(&self.triangulation.position(sphere));
            // A cell ends halfway to the sphere's own images.
            let reach = 0.5 * self.period * (1.0 + 1e-9);
            self.for_each_shift(&(center - reach), &(center + reach), |shift| {
                let mut outline = DiagramPolygon::rectangle(self.size);
                for neighbor in neighbors {
                    let (normal, offset) = self.plane(sphere, &(center + shift), neighbor, &shift);
                    outline.clip(normal, offset, &mut space);
                    if outline.is_empty() {
                        return;
                    }
                }
                cells.push(SectionCell { outline, facets: neighbors.len() });
            });
        });
        cells
    }

    /// Returns the line `normal . x = offset` of the picture with equal power to a sphere and a neighbor.
    fn plane(
        &self,
        sphere: usize,
        center: &Vector<D>,
        neighbor: &SimplexCorner<D>,
        shift: &Vector<D>,
    ) -> ([f64; 2], f64) {
        let (own, other) = (self.radius(sphere), self.radius(neighbor.sphere as usize));
        let step = self.to_pixels(&neighbor.position) + shift - center;
        // From the sphere: 2 (x - c) . step = step^2 + r^2 - other^2, and the picture is at height zero.
        let weight = (own - other) * (own + other);
        let offset = 0.5 * (step.norm_squared() + weight) + step.dot(center);
        ([step[0], step[1]], offset)
    }

    fn lines(&self) -> Vec<[[f64; 2]; 2]> {
        let mut lines = Vec::new();
        for corners in self.triangulation.simplices() {
            let places: Vec<Vector<D>> =
                corners[..=D].iter().map(|corner| self.to_pixels(&corner.position)).collect();
            let bounds = places.iter().fold(Aabb::empty(), |all, place| all.including(place));
            self.for_each_shift(&bounds.low, &bounds.high, |shift| {
                for left_out in 0..=D {
                    let facet: Vec<Vector<D>> = (0..=D)
                        .filter(|&corner| corner != left_out)
                        .map(|corner| places[corner] + shift)
                        .collect();
                    lines.extend(line_of(&facet));
                }
            });
        }
        lines
    }
}

/// Returns a side of a triangle, or the cut of the picture's plane through the face of a tetrahedron.
fn line_of<const D: usize>(facet: &[Vector<D>]) -> Option<[[f64; 2]; 2]> {
    if let [one, other] = facet {
        return Some([[one[0], one[1]], [other[0], other[1]]]);
    }
    let mut cuts = (0..3).filter_map(|first| {
        let (a, b) = (&facet[first], &facet[(first + 1) % 3]);
        let share = a[2] / (a[2] - b[2]);
        let point = [0, 1].map(|axis| a[axis] + share * (b[axis] - a[axis]));
        ((a[2] < 0.0) != (b[2] < 0.0)).then_some(point)
    });
    Some([cuts.next()?, cuts.next()?])
}

/// Returns the box on periodic axes; on open ones the bounds of all spheres with a margin.
fn bounds<const D: usize>(set: &ParticleSet<D>) -> Aabb<D> {
    let mut bounds = Aabb::empty();
    for sphere in &set.spheres {
        let reach = Vector::repeat(sphere.radius);
        bounds = bounds.including(&(sphere.center - reach)).including(&(sphere.center + reach));
    }
    if set.spheres.is_empty() {
        bounds = Aabb { low: Vector::zeros(), high: Vector::zeros() };
    }
    let margin = MARGIN * bounds.size().max();
    for axis in 0..D {
        let (low, high) = (&mut bounds.low[axis], &mut bounds.high[axis]);
        match set.boundary.period(axis) {
            Some(period) => (*low, *high) = (0.0, period),
            None => (*low, *high) = (*low - margin, *high + margin),
        }
    }
    bounds
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_geometry::{Boundary, Sphere};

    fn scattered<const D: usize>(count: usize, boundary: Boundary<D>) -> ParticleSet<D> {
        let part = |index: usize, step: f64| (index as f64 * step).fract();
        let sphere = |index: usize| {
            let center: [f64; D] =
                std::array::from_fn(|axis| part(index, [0.754_877, 0.569_840, 0.430_159][axis]));
            Sphere::new(center, 0.1 * part(index, 0.618_034).powi(3))
        };
        ParticleSet { spheres: (1..=count).map(sphere).collect(), boundary }
    }

    fn section<const D: usize>(set: &ParticleSet<D>) -> DiagramSection {
        let triangulation = Triangulation::of(&set.spheres, &set.boundary).unwrap();
        DiagramSection::of(set, &triangulation, 100.0)
    }

    #[test]
    fn cells_fill_the_picture_without_overlap() {
        for count in [1, 2, 5, 300] {
            let square = Boundary::periodic([Some(1.0); 2]).unwrap();
            let cube = Boundary::periodic([Some(1.0); 3]).unwrap();
            let strip = Boundary::periodic([Some(1.0), None]).unwrap();
            for section in [
                section(&scattered::<2>(count, Boundary::open())),
                section(&scattered(count, square)),
                section(&scattered::<3>(count, Boundary::open())),
                section(&scattered(count, cube)),
                section(&scattered(count, strip)),
            ] {
                let area: f64 = section.cells.iter().map(|cell| cell.outline.area()).sum();
                let whole = section.size[0] * section.size[1];
                assert!((area - whole).abs() <= 1e-6 * whole, "{count}: {area} of {whole}");
            }
        }
    }

    #[test]
    fn three_discs_have_three_sides_and_three_cells() {
        let discs = [[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]].map(|at| Sphere::new(at, 0.5));
        let section = section(&ParticleSet::open(discs.to_vec()));
        assert_eq!((section.lines.len(), section.cells.len(), section.discs.len()), (3, 3, 3));
        assert!(section.cells.iter().all(|cell| cell.facets == 2));
        let longest = section.size[0].max(section.size[1]);
        assert!((longest - 100.0).abs() < 1e-9);
    }

    #[test]
    fn the_middle_of_a_tetrahedron_is_a_triangle_or_a_quadrangle() {
        let spheres = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let flat = ParticleSet::open(spheres.map(|at| Sphere::new(at, 0.0)).to_vec());
        assert_eq!(section(&flat).lines.len(), 3);
        let crossed = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 1.0]];
        let crossed = ParticleSet::open(crossed.map(|at| Sphere::new(at, 0.0)).to_vec());
        assert_eq!(section(&crossed).lines.len(), 4);
    }
}
