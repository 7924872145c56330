//! Insertion, one sphere after another: Bowyer and Watson's way, with weights.
//!
//! The simplices whose orthogonal sphere holds the new centre make a cavity that is seen wholly from
//! it; they give way to simplices from the cavity's rim to the new vertex. A sphere that lies over the
//! triangulation of the others is hidden and changes nothing; vertices inside the cavity become
//! hidden. The simplices beyond the convex hull have the corner [`OUTSIDE`] and conflict with all
//! that lies beyond their facet of the hull.

use super::complex::{CORNERS, Complex, Facet, OUTSIDE, Simplex};
use super::locate::{conflicts, locate};
use super::sites::Sites;
use std::cmp::Ordering;

/// Triangulates the sites; those that are not visible are vertices of no simplex.
pub fn triangulate<const D: usize>(sites: &mut Sites<D>) -> Complex<D> {
    let count = sites.count() as u32;
    if count == 0 {
        return Complex::default();
    }
    let first = first_corners(sites);
    let mut builder = Builder {
        sites,
        complex: Complex::with_capacity(SIMPLICES_PER_SITE[D] * count as usize + 16),
        marks: vec![0; SIMPLICES_PER_SITE[D] * count as usize + 16],
        mark: 0,
        cavity: Vec::new(),
        rim: Vec::new(),
        last: 0,
    };
    builder.begin(&first);
    for vertex in (0..count).filter(|vertex| !first.contains(vertex)) {
        builder.insert(vertex);
    }
    builder.complex.sweep();
    builder.complex
}

/// In a plane there are twice as many triangles as points, in space about 6.8 tetrahedra for each.
pub(super) const SIMPLICES_PER_SITE: [usize; 4] = [0, 0, 2, 7];

/// What a simplex beside the cavity is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// In the cavity, as was known.
    Before,
    /// In the cavity from now on.
    Cavity,
    /// Not in it.
    Beyond,
}

pub(super) struct Builder<'a, const D: usize> {
    sites: &'a Sites<D>,
    pub(super) complex: Complex<D>,
    /// Per simplex: twice the number of the insertion that looked at it, and one more if it is in
    /// that one's cavity.
    marks: Vec<u32>,
    mark: u32,
    cavity: Vec<u32>,
    /// Facets of the cavity's simplices with another simplex beyond; in the plane those still to be
    /// looked across.
    pub(super) rim: Vec<Facet>,
    /// Where the last vertex was put.
    pub(super) last: u32,
}

impl<const D: usize> Builder<'_, D> {
    /// The first simplex and those outside it.
    fn begin(&mut self, corners: &[u32; CORNERS]) {
        let first = self.complex.add(*corners);
        let mut outer = [0; CORNERS];
        for corner in 0..=D {
            let mut vertices = *corners;
            vertices[corner] = OUTSIDE;
            // Seen from outside the facet turns the other way.
            let (a, b) = ((corner + 1) % (D + 1), (corner + 2) % (D + 1));
            vertices.swap(a, b);
            outer[corner] = self.complex.add(vertices);
            self.complex.join(Facet::new(first, corner), Facet::new(outer[corner], corner));
        }
        for one in 0..=D {
            for other in 0..one {
                // The two share all corners but these; each lacks the other's.
                let across = |from: u32, vertex: u32| {
                    let corner = self.complex.simplex(from).corner_of(vertex);
                    Facet::new(from, corner.expect("an outer simplex has all corners but one"))
                };
                let facets =
                    [across(outer[one], corners[other]), across(outer[other], corners[one])];
                self.complex.join(facets[0], facets[1]);
            }
        }
        self.last = first;
    }

    fn insert(&mut self, vertex: u32) {
        let home = locate(&self.complex, self.sites, self.last, vertex);
        self.mark += 2;
        if !conflicts(&self.complex, self.sites, home, vertex) {
            return;
        }
        if D == 2 {
            return self.replace_in_plane(home, vertex);
        }
        self.find_cavity(home, vertex);
        self.fill_cavity(vertex);
    }

    fn find_cavity(&mut self, home: u32, vertex: u32) {
        self.rim.clear();
        self.begin_cavity(home);
        let mut next = 0;
        while let Some(&simplex) = self.cavity.get(next) {
            next += 1;
            for corner in 0..=D {
                let neighbour = self.complex.simplex(simplex).across[corner].simplex();
                if self.look_at(neighbour, vertex) == Found::Beyond {
                    self.rim.push(Facet::new(simplex, corner));
                }
            }
        }
    }

    #[inline]
    pub(super) fn begin_cavity(&mut self, home: u32) {
        self.cavity.clear();
        self.add_to_cavity(home);
    }

    #[inline]
    fn add_to_cavity(&mut self, simplex: u32) {
        self.marks[simplex as usize] = self.mark + 1;
        self.cavity.push(simplex);
    }

    /// Adds a simplex beside the cavity to it if it cannot stay.
    #[inline]
    pub(super) fn look_at(&mut self, simplex: u32, vertex: u32) -> Found {
        let mark = self.marks[simplex as usize];
        if mark == self.mark + 1 {
            return Found::Before;
        }
        // Whoever was found to stay is not asked again: the answer may depend on what was in the cavity.
        if mark != self.mark && conflicts(&self.complex, self.sites, simplex, vertex) {
            self.add_to_cavity(simplex);
            return Found::Cavity;
        }
        self.marks[simplex as usize] = self.mark;
        Found::Beyond
    }

    /// Adds a simplex that is not in the cavity.
    #[inline]
    pub(super) fn make(&mut self, vertices: [u32; CORNERS]) -> u32 {
        let made = self.complex.add(vertices);
        if made as usize >= self.marks.len() {
            self.marks.resize(2 * made as usize, 0);
        }
        self.marks[made as usize] = self.mark;
        made
    }

    pub(super) fn release_cavity(&mut self) {
        for k in 0..self.cavity.len() {
            self.complex.release(self.cavity[k]);
        }
    }

    /// A simplex from each facet of the rim to the vertex. Until all are joined, each stands between
    /// the cavity and what is beyond its facet.
    fn fill_cavity(&mut self, vertex: u32) {
        for k in 0..self.rim.len() {
            let facet = self.rim[k];
            let beyond = self.complex.across(facet);
            let vertices = &self.complex.simplex(facet.simplex()).vertices;
            // Not a copy changed in one place: reading that as a whole would wait for the change.
            let corner = facet.corner();
            let vertices = std::array::from_fn(|k| if k == corner { vertex } else { vertices[k] });
            let made = self.make(vertices);
            let inside = Facet::new(made, facet.corner());
            self.complex.join(inside, beyond);
            self.complex.set_across(facet, inside);
        }
        for k in 0..self.rim.len() {
            let facet = self.rim[k];
            let made = self.complex.across(facet).simplex();
            for corner in (0..=D).filter(|&corner| corner != facet.corner()) {
                if self.complex.simplex(made).across[corner] == Facet::NONE {
                    let other = self.around(facet, corner);
                    self.complex.join(Facet::new(made, corner), other);
                }
            }
            self.last = made;
        }
        self.release_cavity();
    }

    /// The facet of another new simplex that is the other side of one through the vertex: turning
    /// inside the cavity about the ridge between `facet` and its simplex's facet `corner`.
    fn around(&self, facet: Facet, corner: usize) -> Facet {
        let (mut simplex, mut back, mut ahead) = (facet.simplex(), facet.corner(), corner);
        loop {
            let Simplex { vertices, across } = self.complex.simplex(simplex);
            let next = across[ahead];
            if self.marks[next.simplex() as usize] != self.mark + 1 {
                return Facet::new(next.simplex(), back);
            }
            let turned = self.complex.simplex(next.simplex()).corner_of(vertices[back]);
            (simplex, back) = (next.simplex(), next.corner());
            ahead = turned.expect("simplices around a ridge share its facets");
        }
    }
}

/// Corners of a first simplex, positively oriented. Where the spheres do not span space, points that
/// are none of them help out; such a point is on the rim, so it neither hides nor is hidden.
fn first_corners<const D: usize>(sites: &mut Sites<D>) -> [u32; CORNERS] {
    let count = sites.count() as u32;
    let axes = add_axes(sites);
    let (mut corners, mut found) = ([OUTSIDE; CORNERS], 0);
    for vertex in (0..count).chain(axes) {
        if is_independent(sites, &corners[..found], &axes, vertex) {
            corners[found] = vertex;
            found += 1;
        }
        if found > D {
            break;
        }
    }
    if sites.orientation(&corners) == Ordering::Less {
        corners.swap(0, 1);
    }
    corners
}

/// A helper on each axis through the first sphere.
fn add_axes<const D: usize>(sites: &mut Sites<D>) -> [u32; D] {
    let origin = sites.sphere(0).center;
    let far = |vertex: u32| (sites.sphere(vertex).center - origin).amax();
    let extent = (0..sites.count() as u32).map(far).fold(0.0, f64::max);
    // Far enough to differ from the origin when added to it.
    let length =
        if extent > 0.0 { extent.max(1e-9 * origin.amax()) } else { origin.amax().max(1.0) };
    std::array::from_fn(|axis| {
        let mut place = origin;
        place[axis] += length;
        sites.add_helper(place)
    })
}

/// Whether a vertex does not lie in the point, line or plane of others.
fn is_independent<const D: usize>(
    sites: &Sites<D>,
    others: &[u32],
    axes: &[u32; D],
    vertex: u32,
) -> bool {
    let mut corners = [OUTSIDE; CORNERS];
    corners[..others.len()].copy_from_slice(others);
    corners[others.len()] = vertex;
    let spans = |corners: &[u32; CORNERS]| sites.orientation(corners) != Ordering::Equal;
    match others {
        [] => true,
        [other] => sites.sphere(*other).center != sites.sphere(vertex).center,
        _ if others.len() == D => spans(&corners),
        // On a line in space: then no point beside it makes a volume.
        _ => axes.iter().any(|&axis| {
            corners[D] = axis;
            spans(&corners)
        }),
    }
}
