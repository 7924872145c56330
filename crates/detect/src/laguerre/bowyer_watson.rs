//! Incremental insertion by the algorithm of Bowyer and Watson, with weights.
//!
//! The simplices whose orthogonal sphere contains the new sphere (in the power distance) conflict with it.
//! They form a cavity that is star-shaped about the new center and are replaced by simplices from the
//! cavity's boundary facets to the new vertex. A sphere that conflicts with no simplex is hidden and
//! changes nothing; vertices inside the cavity become hidden. The simplices beyond the convex hull have
//! the corner [`INFINITE_VERTEX`] and conflict with everything beyond their facet of the hull.

use super::locate::{conflicts, locate};
use super::simplicial_complex::{
    DelaunaySimplex, INFINITE_VERTEX, MAX_CORNERS, SimplexFacet, SimplicialComplex,
};
use super::sites::LaguerreSites;
use std::cmp::Ordering;

/// Triangulates the sites; hidden ones are vertices of no simplex.
pub fn triangulate<const D: usize>(sites: &mut LaguerreSites<D>) -> SimplicialComplex<D> {
    let count = sites.count() as u32;
    if count == 0 {
        return SimplicialComplex::default();
    }
    let first = initial_simplex(sites);
    let mut builder = BowyerWatsonBuilder {
        sites,
        complex: SimplicialComplex::with_capacity(SIMPLICES_PER_SITE[D] * count as usize + 16),
        visit_marks: vec![0; SIMPLICES_PER_SITE[D] * count as usize + 16],
        visit_mark: 0,
        cavity: Vec::new(),
        cavity_boundary: Vec::new(),
        last_simplex: 0,
    };
    builder.start_from_simplex(&first);
    for vertex in (0..count).filter(|vertex| !first.contains(vertex)) {
        builder.insert(vertex);
    }
    builder.complex.clear_released();
    builder.complex
}

/// Simplices per site, by dimension: in the plane there are twice as many triangles as points, in space
/// about 6.8 tetrahedra per point of a random distribution.
pub(super) const SIMPLICES_PER_SITE: [usize; 4] = [0, 0, 2, 7];

/// Membership of a simplex in the cavity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CavityMembership {
    /// It was found to be in the cavity before.
    AlreadyInside,
    /// It conflicts and has just been added to the cavity.
    Added,
    /// It does not conflict and stays.
    Outside,
}

pub(super) struct BowyerWatsonBuilder<'a, const D: usize> {
    sites: &'a LaguerreSites<D>,
    pub(super) complex: SimplicialComplex<D>,
    /// Per simplex: twice the number of the insertion that last examined it, plus one if it is in that
    /// insertion's cavity. So nothing need be cleared between insertions.
    visit_marks: Vec<u32>,
    visit_mark: u32,
    cavity: Vec<u32>,
    /// Facets of the cavity's simplices with a simplex outside beyond; in the plane, the stack of facets
    /// still to be examined.
    pub(super) cavity_boundary: Vec<SimplexFacet>,
    /// A simplex at the last vertex inserted, where the next search for a location starts.
    pub(super) last_simplex: u32,
}

impl<const D: usize> BowyerWatsonBuilder<'_, D> {
    /// Builds the first simplex and those between its facets and the infinite vertex.
    fn start_from_simplex(&mut self, corners: &[u32; MAX_CORNERS]) {
        let first = self.complex.add(*corners);
        let mut outer = [0; MAX_CORNERS];
        for corner in 0..=D {
            let mut vertices = *corners;
            vertices[corner] = INFINITE_VERTEX;
            // Seen from outside the facet has the opposite orientation, so two corners are exchanged.
            let (a, b) = ((corner + 1) % (D + 1), (corner + 2) % (D + 1));
            vertices.swap(a, b);
            outer[corner] = self.complex.add(vertices);
            self.complex.link_facets(
                SimplexFacet::new(first, corner),
                SimplexFacet::new(outer[corner], corner),
            );
        }
        for one in 0..=D {
            for other in 0..one {
                // The two outer simplices share all corners but these; each lacks the other's.
                let across = |from: u32, vertex: u32| {
                    let corner = self.complex.simplex(from).corner_of(vertex);
                    SimplexFacet::new(
                        from,
                        corner.expect("an outer simplex has all corners but one"),
                    )
                };
                let facets =
                    [across(outer[one], corners[other]), across(outer[other], corners[one])];
                self.complex.link_facets(facets[0], facets[1]);
            }
        }
        self.last_simplex = first;
    }

    fn insert(&mut self, vertex: u32) {
        // Sites come along a space-filling curve, so the walk from the last one is short.
        let home = locate(&self.complex, self.sites, self.last_simplex, vertex);
        // Two marks per insertion, for simplices that stay and those of the cavity: nothing needs to be cleared.
        self.visit_mark += 2;
        if !conflicts(&self.complex, self.sites, home, vertex) {
            return;
        }
        if D == 2 {
            return self.replace_cavity_in_plane(home, vertex);
        }
        self.find_cavity(home, vertex);
        self.fill_cavity(vertex);
    }

    fn find_cavity(&mut self, home: u32, vertex: u32) {
        self.cavity_boundary.clear();
        self.begin_cavity(home);
        let mut next = 0;
        while let Some(&simplex) = self.cavity.get(next) {
            next += 1;
            for corner in 0..=D {
                let neighbor = self.complex.simplex(simplex).mirror_facets[corner].simplex();
                if self.classify(neighbor, vertex) == CavityMembership::Outside {
                    self.cavity_boundary.push(SimplexFacet::new(simplex, corner));
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
        self.visit_marks[simplex as usize] = self.visit_mark + 1;
        self.cavity.push(simplex);
    }

    /// Adds a simplex adjacent to the cavity to it if it conflicts with the vertex.
    #[inline]
    pub(super) fn classify(&mut self, simplex: u32, vertex: u32) -> CavityMembership {
        let mark = self.visit_marks[simplex as usize];
        if mark == self.visit_mark + 1 {
            return CavityMembership::AlreadyInside;
        }
        // A simplex found to stay is not tested again.
        if mark != self.visit_mark && conflicts(&self.complex, self.sites, simplex, vertex) {
            self.add_to_cavity(simplex);
            return CavityMembership::Added;
        }
        self.visit_marks[simplex as usize] = self.visit_mark;
        CavityMembership::Outside
    }

    /// Adds a simplex that is not in the cavity.
    #[inline]
    pub(super) fn add_simplex(&mut self, vertices: [u32; MAX_CORNERS]) -> u32 {
        let made = self.complex.add(vertices);
        if made as usize >= self.visit_marks.len() {
            self.visit_marks.resize(2 * made as usize, 0);
        }
        self.visit_marks[made as usize] = self.visit_mark;
        made
    }

    pub(super) fn release_cavity(&mut self) {
        for k in 0..self.cavity.len() {
            self.complex.release(self.cavity[k]);
        }
    }

    /// Makes a simplex from each boundary facet of the cavity to the vertex. Until all are linked, each
    /// stands between the cavity and the simplex beyond its facet.
    fn fill_cavity(&mut self, vertex: u32) {
        for k in 0..self.cavity_boundary.len() {
            let facet = self.cavity_boundary[k];
            let beyond = self.complex.mirror_facet(facet);
            let vertices = &self.complex.simplex(facet.simplex()).vertices;
            // Built entry by entry: a copy with one entry overwritten would be read back by wide loads,
            // which wait for the narrow store (a failed store forward).
            let corner = facet.corner();
            let vertices = std::array::from_fn(|k| if k == corner { vertex } else { vertices[k] });
            let made = self.add_simplex(vertices);
            let inside = SimplexFacet::new(made, facet.corner());
            self.complex.link_facets(inside, beyond);
            self.complex.set_mirror_facet(facet, inside);
        }
        for k in 0..self.cavity_boundary.len() {
            let facet = self.cavity_boundary[k];
            let made = self.complex.mirror_facet(facet).simplex();
            for corner in (0..=D).filter(|&corner| corner != facet.corner()) {
                if self.complex.simplex(made).mirror_facets[corner] == SimplexFacet::NONE {
                    let other = self.facet_around_ridge(facet, corner);
                    self.complex.link_facets(SimplexFacet::new(made, corner), other);
                }
            }
            self.last_simplex = made;
        }
        self.release_cavity();
    }

    /// Returns the facet of the new simplex on the other side of the ridge between `facet` and its
    /// simplex's facet `corner`, found by rotating about the ridge inside the cavity.
    fn facet_around_ridge(&self, facet: SimplexFacet, corner: usize) -> SimplexFacet {
        let (mut simplex, mut back, mut ahead) = (facet.simplex(), facet.corner(), corner);
        loop {
            let DelaunaySimplex { vertices, mirror_facets: across } = self.complex.simplex(simplex);
            let next = across[ahead];
            if self.visit_marks[next.simplex() as usize] != self.visit_mark + 1 {
                return SimplexFacet::new(next.simplex(), back);
            }
            let turned = self.complex.simplex(next.simplex()).corner_of(vertices[back]);
            (simplex, back) = (next.simplex(), next.corner());
            ahead = turned.expect("simplices around a ridge share its facets");
        }
    }
}

/// Returns the corners of a first simplex, positively oriented. If the spheres do not span space, auxiliary
/// points complete it; such a point is on the hull, so it neither hides nor is hidden.
fn initial_simplex<const D: usize>(sites: &mut LaguerreSites<D>) -> [u32; MAX_CORNERS] {
    let count = sites.count() as u32;
    let axes = add_auxiliary_axes(sites);
    let (mut corners, mut found) = ([INFINITE_VERTEX; MAX_CORNERS], 0);
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

/// Adds an auxiliary point on each axis through the first sphere.
fn add_auxiliary_axes<const D: usize>(sites: &mut LaguerreSites<D>) -> [u32; D] {
    let origin = sites.sphere(0).center;
    let far = |vertex: u32| (sites.sphere(vertex).center - origin).amax();
    let extent = (0..sites.count() as u32).map(far).fold(0.0, f64::max);
    // Far enough to differ from the origin when added to it.
    let length =
        if extent > 0.0 { extent.max(1e-9 * origin.amax()) } else { origin.amax().max(1.0) };
    std::array::from_fn(|axis| {
        let mut place = origin;
        place[axis] += length;
        sites.add_auxiliary_vertex(place)
    })
}

/// Returns whether a vertex does not lie in the point, line or plane that others span.
fn is_independent<const D: usize>(
    sites: &LaguerreSites<D>,
    others: &[u32],
    axes: &[u32; D],
    vertex: u32,
) -> bool {
    let mut corners = [INFINITE_VERTEX; MAX_CORNERS];
    corners[..others.len()].copy_from_slice(others);
    corners[others.len()] = vertex;
    let spans = |corners: &[u32; MAX_CORNERS]| sites.orientation(corners) != Ordering::Equal;
    match others {
        [] => true,
        [other] => sites.sphere(*other).center != sites.sphere(vertex).center,
        _ if others.len() == D => spans(&corners),
        // Three collinear points in space make a volume with none of the auxiliary points.
        _ => axes.iter().any(|&axis| {
            corners[D] = axis;
            spans(&corners)
        }),
    }
}
