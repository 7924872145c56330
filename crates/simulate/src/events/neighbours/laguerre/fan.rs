//! All simplices at a vertex: found in one walk, their certificates bounded four at a time.

use super::certificate::{Number, Plane};
use super::fours::{Four, LANES};
use super::view::{Scene, Seen, StraightPath, View, seen_from};
use crate::events::fetch::fetch;
use carom_detect::laguerre::{CORNERS, Complex, Facet, OUTSIDE, SeenNumbers, Simplex};

/// The simplices at the vertex that a view looks from.
#[derive(Debug, Default)]
pub struct Fan {
    pub wedges: Vec<Wedge>,
    simplices: SeenNumbers,
    /// The neighbours of the vertex.
    ring: Vec<u32>,
    /// Those across from it.
    outer: Vec<u32>,
}

/// A simplex at the vertex, and where those around it are among those seen.
#[derive(Clone, Copy, Debug)]
pub struct Wedge {
    pub simplex: u32,
    /// Which of its corners the vertex is.
    pub corner: usize,
    /// Where its corners are.
    corners: [u32; CORNERS],
    /// Where the vertices across its facets are that it certifies; in the order of [`Wedge::opposite`].
    across: [u32; CORNERS],
}

/// In place of a vertex across a facet that is certified from its other side, or not at all.
const NOT_WANTED: u32 = u32::MAX;

impl Wedge {
    /// The corner that is opposite to a facet: first the vertex, then the others.
    #[inline(always)]
    pub fn opposite<const D: usize>(&self, which: usize) -> usize {
        seen_from::<D>(self.corner)[which] as usize
    }
}

impl Fan {
    /// Walks around a vertex from one of its simplices, and looks at all neighbours and at what is
    /// across from it.
    pub fn open<const D: usize>(
        &mut self,
        view: &mut View<D>,
        scene: &Scene<'_, D>,
        complex: &Complex<D>,
        vertex: u32,
        first: u32,
    ) {
        view.begin(scene, vertex);
        self.walk(view, scene, complex, first);
        // Memory is asked for all before the first is waited for.
        self.outer.clear();
        for wedge in &self.wedges {
            let across = complex.apex(complex.simplex(wedge.simplex).across[wedge.corner]);
            scene.fetch(across);
            self.outer.push(across);
        }
        for &neighbour in &self.ring {
            view.add_near(scene, neighbour);
        }
        for (wedge, &across) in self.wedges.iter_mut().zip(&self.outer) {
            if across != OUTSIDE {
                let between = wedge.corners[wedge.opposite::<D>(1)];
                wedge.across[0] = view.beyond(scene, across, between as usize) as u32;
            }
        }
    }

    fn walk<const D: usize>(
        &mut self,
        view: &mut View<D>,
        scene: &Scene<'_, D>,
        complex: &Complex<D>,
        first: u32,
    ) {
        let Fan { wedges, simplices, ring, .. } = self;
        wedges.clear();
        ring.clear();
        simplices.begin();
        let mut place = |vertex: u32| {
            let (place, is_new) = view.places.see(vertex);
            if is_new {
                scene.fetch(vertex);
                ring.push(vertex);
            }
            place as u32
        };
        simplices.see(first);
        let vertices = &complex.simplex(first).vertices;
        wedges.push(Wedge::at(first, std::array::from_fn(|k| place(vertices[k.min(D)]))));
        let mut next = 0;
        while let Some(&wedge) = wedges.get(next) {
            let simplex = complex.simplex(wedge.simplex);
            for which in 1..=D {
                let k = wedge.opposite::<D>(which);
                let other = simplex.across[k];
                let (number, is_new) = simplices.see(other.simplex());
                if is_new {
                    let Simplex { vertices, across } = complex.simplex(other.simplex());
                    for facet in across {
                        fetch(complex.all(), facet.simplex() as usize);
                    }
                    let apex = place(vertices[other.corner()]);
                    // All but one corner are those of the simplex it was come from.
                    let corners = std::array::from_fn(|at| {
                        let same = |m: usize| simplex.vertices[m] == vertices[at.min(D)];
                        (0..=D)
                            .fold(apex, |found, m| if same(m) { wedge.corners[m] } else { found })
                    });
                    wedges.push(Wedge::at(other.simplex(), corners));
                }
                // A facet at the vertex is met from both sides.
                let wanted = Facet::new(wedge.simplex, k) < other;
                let across = wedges[number].corners[other.corner()];
                wedges[next].across[which] = if wanted { across } else { NOT_WANTED };
            }
            next += 1;
        }
    }

    /// The neighbours of the vertex.
    pub fn ring(&self) -> &[u32] {
        &self.ring
    }

    /// Bytes held.
    pub fn memory(&self) -> usize {
        self.simplices.memory()
            + self.wedges.capacity() * size_of::<Wedge>()
            + (self.ring.capacity() + self.outer.capacity()) * size_of::<u32>()
    }
}

impl Wedge {
    #[inline(always)]
    fn at(simplex: u32, corners: [u32; CORNERS]) -> Self {
        // The vertex was seen first.
        let corner = (0..CORNERS).rev().fold(0, |found, k| if corners[k] == 0 { k } else { found });
        Wedge { simplex, corner, corners, across: [NOT_WANTED; CORNERS] }
    }
}

impl<const D: usize> View<D> {
    /// Of four simplices and each facet they certify (in the order of [`Wedge::opposite`]), whether it
    /// might fail while that matters: a bit for each simplex.
    #[inline(always)]
    pub fn doubtful<const FUSED: bool>(&self, wedges: [&Wedge; LANES], now: f64) -> [u8; CORNERS] {
        let mut doubtful = [0; CORNERS];
        for which in 0..=D {
            doubtful[which] = bits(|lane| wedges[lane].across[which] != NOT_WANTED);
        }
        if !self.is_straight {
            return doubtful;
        }
        let corner = |which: usize| {
            wedges.map(|wedge| &self.seen[wedge.corners[wedge.opposite::<D>(which)] as usize])
        };
        let (a, b, c) = (corner(1), corner(2), corner(3));
        let plane: Plane<Four<FUSED>, D, 4, 5> =
            Plane::through::<2, 3>([&paths(&a), &paths(&b), &paths(&c)]);
        let until = Four::<FUSED>::of(self.seen[0].known_until)
            .min(known_until(&a))
            .min(known_until(&b))
            .min(known_until(&c));
        for which in 0..=D {
            if doubtful[which] == 0 {
                continue;
            }
            let across = wedges
                .map(|wedge| self.seen.get(wedge.across[which] as usize).unwrap_or(&self.seen[0]));
            let time = until.min(known_until(&across)).plus(Four::of(-now));
            let least = plane.certificate::<2, 3, 6>(&paths(&across)).least_within(time);
            doubtful[which] &= !bits(|lane| least.0[lane] > 0.0);
        }
        doubtful
    }
}

#[inline(always)]
fn bits(is_set: impl Fn(usize) -> bool) -> u8 {
    (0..LANES).fold(0, |bits, lane| bits | u8::from(is_set(lane)) << lane)
}

#[inline(always)]
fn paths<const FUSED: bool, const D: usize>(
    seen: &[&Seen<D>; LANES],
) -> StraightPath<Four<FUSED>, D> {
    StraightPath::together([&seen[0].path, &seen[1].path, &seen[2].path, &seen[3].path])
}

#[inline(always)]
fn known_until<const FUSED: bool, const D: usize>(seen: &[&Seen<D>; LANES]) -> Four<FUSED> {
    Four([seen[0].known_until, seen[1].known_until, seen[2].known_until, seen[3].known_until])
}
