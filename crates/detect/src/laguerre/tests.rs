use super::{INFINITE_VERTEX, LaguerreCellEdge, Triangulation};
use carom_geometry::random::SplitMix64;
use carom_geometry::{Boundary, Sphere, Vector};

fn scattered<const D: usize>(count: usize, largest: f64, seed: u64) -> Vec<Sphere<D>> {
    let mut random = SplitMix64::new(seed);
    let sphere = |_| {
        let center: [f64; D] = std::array::from_fn(|_| random.uniform());
        let radius = largest * random.uniform();
        Sphere::new(center, radius)
    };
    (0..count).map(sphere).collect()
}

fn lattice<const D: usize>(side: usize, spacing: f64) -> Vec<Sphere<D>> {
    let place = |index: usize| -> [f64; D] {
        std::array::from_fn(|axis| (index / side.pow(axis as u32) % side) as f64 * spacing)
    };
    (0..side.pow(D as u32)).map(|index| Sphere::new(place(index), 0.1)).collect()
}

fn assert_whole<const D: usize>(spheres: &[Sphere<D>], boundary: &Boundary<D>) -> Triangulation<D> {
    let triangulation = Triangulation::of(spheres, boundary).unwrap();
    triangulation.check().unwrap();
    triangulation
}

#[test]
fn scattered_spheres_are_triangulated() {
    for count in [1, 2, 3, 4, 5, 10, 100, 1000] {
        for largest in [0.0, 0.05, 0.5] {
            assert_whole(&scattered::<2>(count, largest, 1), &Boundary::open());
            assert_whole(&scattered::<3>(count, largest, 2), &Boundary::open());
        }
    }
}

fn assert_neighbors_share_a_facet<const D: usize>(count: usize) {
    let triangulation = assert_whole(&scattered::<D>(count, 0.05, 7), &Boundary::open());
    let simplices: Vec<Vec<u32>> = triangulation
        .simplices()
        .map(|corners| corners[..=D].iter().map(|corner| corner.sphere).collect())
        .collect();
    let neighbors = triangulation.simplex_neighbors().unwrap();
    assert_eq!(neighbors.len(), simplices.len());
    let mut on_hull = 0;
    for (number, (corners, across)) in simplices.iter().zip(&neighbors).enumerate() {
        for (corner, &other) in across[..=D].iter().enumerate() {
            if other == u32::MAX {
                on_hull += 1;
                continue;
            }
            assert!(neighbors[other as usize][..=D].contains(&(number as u32)));
            let shared = corners.iter().filter(|it| simplices[other as usize].contains(it));
            assert_eq!(shared.filter(|it| **it != corners[corner]).count(), D);
        }
    }
    let facets = simplices.len() * (D + 1);
    assert!(on_hull > D && on_hull < facets / 4, "{on_hull} of {facets}");
}

#[test]
fn simplices_know_their_neighbors_across_facets() {
    assert_neighbors_share_a_facet::<2>(300);
    assert_neighbors_share_a_facet::<3>(300);
    let periodic = Boundary::periodic([Some(1.0); 2]).unwrap();
    assert!(assert_whole(&scattered::<2>(30, 0.05, 7), &periodic).simplex_neighbors().is_none());
}

#[test]
fn a_cell_is_the_hull_of_its_corners() {
    let periodic = Boundary::periodic([Some(1.0); 3]).unwrap();
    let triangulation = assert_whole(&scattered::<3>(50, 0.1, 8), &periodic);
    for (sphere, cell) in triangulation.cell_measures().iter().enumerate() {
        let corners = triangulation.cell_corners(sphere).unwrap();
        let hull = carom_geometry::shape::ConvexPolyhedron::hull(&corners).unwrap();
        assert!((hull.mass_properties().volume - cell.volume).abs() < 1e-12, "{sphere}");
    }
}

#[test]
fn lattices_are_triangulated() {
    for spacing in [1.0, 0.1] {
        let plane = assert_whole(&lattice::<2>(20, spacing), &Boundary::open());
        assert_eq!(plane.simplices().count(), 2 * 19 * 19);
        assert_whole(&lattice::<3>(8, spacing), &Boundary::open());
    }
}

#[test]
fn cells_of_a_periodic_box_fill_it() {
    for count in [1, 2, 5, 30, 400] {
        let boundary = Boundary::periodic([Some(1.0), Some(1.0)]).unwrap();
        let plane = assert_whole(&scattered::<2>(count, 0.2, 3), &boundary);
        let area: f64 = plane.cell_measures().iter().map(|cell| cell.volume).sum();
        assert!((area - 1.0).abs() < 1e-9, "{count} discs: {area}");
        let boundary = Boundary::periodic([Some(1.0); 3]).unwrap();
        let space = assert_whole(&scattered::<3>(count, 0.2, 4), &boundary);
        let volume: f64 = space.cell_measures().iter().map(|cell| cell.volume).sum();
        assert!((volume - 1.0).abs() < 1e-9, "{count} spheres: {volume}");
    }
}

#[test]
fn opposite_sides_of_a_periodic_box_are_glued() {
    let boundary = Boundary::periodic([Some(1.0); 3]).unwrap();
    assert_whole(&scattered(600, 0.02, 5), &boundary).glued_complex(0.49).unwrap().check().unwrap();
    let boundary = Boundary::periodic([Some(1.0), None, Some(1.0)]).unwrap();
    assert_whole(&lattice(8, 0.125), &boundary).glued_complex(0.49).unwrap().check().unwrap();
    let boundary = Boundary::periodic([Some(1.0); 2]).unwrap();
    let complex = assert_whole(&lattice::<2>(8, 0.125), &boundary).glued_complex(0.49).unwrap();
    complex.check().unwrap();
    // On a torus there are twice as many triangles as vertices.
    assert_eq!(complex.count(), 2 * 64);
    assert!(
        complex.indices().all(|k| !complex.simplex(k).vertices[..=2].contains(&INFINITE_VERTEX))
    );
    let few = assert_whole(&scattered::<2>(3, 0.1, 6), &boundary);
    assert!(few.glued_complex(0.49).is_err());
}

/// Returns rectangular unit cells of close-packed crystals (fcc and hcp) of unit spheres, stacked along a
/// close-packed direction so that most coordinates are irrational: edges, and sites as fractions of them.
fn crystals() -> [([f64; 3], Vec<[f64; 3]>); 2] {
    let (root_three, layer) = (3f64.sqrt(), (2.0f64 / 3.0).sqrt());
    let stack = |layers: &[f64]| -> Vec<[f64; 3]> {
        let count = layers.len() as f64;
        let rows = layers.iter().enumerate().flat_map(|(k, aside)| {
            let site = |x, y: f64| [x, (y + aside) % 1.0, k as f64 / count];
            [site(0.0, 0.0), site(0.5, 0.5)]
        });
        rows.collect()
    };
    let third = 1.0 / 3.0;
    [
        ([1.0, root_three, 3.0 * layer], stack(&[0.0, third, 2.0 * third])),
        ([1.0, root_three, 2.0 * layer], stack(&[0.0, third])),
    ]
}

#[test]
fn cells_of_perfect_crystals_fill_a_periodic_box() {
    for (edges, sites) in crystals() {
        for (repeats, scale) in [(2, 1.0), (3, 0.37), (4, 1.1), (5, 123.4)] {
            let place = |cell: usize, site: &[f64; 3]| {
                std::array::from_fn(|axis| {
                    let along = cell / [1, repeats, repeats * repeats][axis] % repeats;
                    (along as f64 + site[axis]) * edges[axis] * scale
                })
            };
            let cells = 0..repeats.pow(3);
            let spheres: Vec<Sphere<3>> = cells
                .flat_map(|cell| {
                    sites.iter().map(move |site| Sphere::new(place(cell, site), 0.1 * scale))
                })
                .collect();
            let size = edges.map(|edge| edge * scale * repeats as f64);
            let crystal = assert_whole(&spheres, &Boundary::periodic(size.map(Some)).unwrap());
            let room = 0.5f64.sqrt() * scale.powi(3);
            for (sphere, cell) in crystal.cell_measures().iter().enumerate() {
                let off = (cell.volume / room - 1.0).abs();
                assert!(off < 1e-9, "sphere {sphere} of {}: {cell:?}", spheres.len());
            }
        }
    }
}

/// Some of the outermost spheres of a rotated crystal are behind the hull by no more than rounding: the flat
/// simplices in front of them have power centers, however far away.
#[test]
fn cells_of_turned_crystals_have_a_volume_unless_they_are_on_the_hull() {
    let mut random = SplitMix64::new(7);
    for _ in 0..20 {
        let [roll, pitch, yaw] = std::array::from_fn(|_| 6.0 * random.uniform());
        let turn = nalgebra::Rotation3::from_euler_angles(roll, pitch, yaw);
        let site = |k: i32| nalgebra::Vector3::new(k % 9 - 4, k / 9 % 9 - 4, k / 81 - 4);
        let spheres: Vec<Sphere<3>> = (0..729)
            .map(site)
            .filter(|site| site.sum() % 2 == 0)
            .map(|site| Sphere { center: turn * site.map(f64::from) * 0.1, radius: 0.05 })
            .collect();
        let crystal = assert_whole(&spheres, &Boundary::open());
        let mut on_hull = vec![false; spheres.len()];
        for number in crystal.complex().indices() {
            let corners = &crystal.complex().simplex(number).vertices[..=3];
            let of_hull =
                |&&corner: &&u32| corner != INFINITE_VERTEX && corners.contains(&INFINITE_VERTEX);
            for &corner in corners.iter().filter(of_hull) {
                on_hull[crystal.sites().id(corner).unwrap() as usize] = true;
            }
        }
        for (number, cell) in crystal.cell_measures().iter().enumerate() {
            let volume = cell.volume / 2e-3;
            assert_eq!(volume == f64::INFINITY, on_hull[number], "{cell:?}");
            assert!(volume > 1.0 - 1e-9, "{cell:?}");
            if spheres[number].center.norm() < 0.25 {
                assert!(volume < 1.0 + 1e-9, "{cell:?}");
            }
        }
    }
}

/// Counts the edges that end at each corner; in general position `D + 1`.
fn edges_per_corner<const D: usize>(edges: &[LaguerreCellEdge<D>]) -> Vec<usize> {
    let mut ends: Vec<[u64; D]> = Vec::new();
    let bits = |at: &Vector<D>| std::array::from_fn(|axis| at[axis].to_bits());
    for edge in edges {
        match edge {
            LaguerreCellEdge::Segment(both) => ends.extend(both.iter().map(bits)),
            LaguerreCellEdge::Ray { start, .. } => ends.push(bits(start)),
        }
    }
    ends.sort_unstable();
    ends.chunk_by(|a, b| a == b).map(<[_]>::len).collect()
}

#[test]
fn as_many_edges_of_cells_end_at_each_corner_as_a_simplex_has_facets() {
    let plane = assert_whole(&scattered::<2>(200, 0.05, 4), &Boundary::open());
    let edges = plane.cell_edges();
    assert!(edges_per_corner(&edges).iter().all(|&count| count == 3));
    assert_eq!(edges_per_corner(&edges).len(), plane.simplices().count());
    let space = assert_whole(&scattered::<3>(200, 0.05, 5), &Boundary::open());
    assert!(edges_per_corner(&space.cell_edges()).iter().all(|&count| count == 4));
    // Rays lead away from all spheres.
    for edge in space.cell_edges() {
        if let LaguerreCellEdge::Ray { start, direction } = edge {
            let far = start + direction.normalize() * 1e3;
            assert!(far.iter().any(|&at| !(-1.0..2.0).contains(&at)), "{far}");
        }
    }
}

#[test]
fn edges_of_periodic_cells_are_there_once_and_without_end_there_is_none() {
    let boundary = Boundary::periodic([Some(1.0), Some(1.0)]).unwrap();
    for count in [5, 30, 400] {
        let plane = assert_whole(&scattered::<2>(count, 0.02, 6), &boundary);
        let edges = plane.cell_edges();
        assert!(edges.iter().all(|edge| matches!(edge, LaguerreCellEdge::Segment(_))));
        // On a torus there are two triangles and three edges per disc with a cell.
        let seen = (0..count).filter(|&disc| !plane.is_hidden(disc)).count();
        assert_eq!(edges.len(), 3 * seen);
    }
}

#[test]
fn periods_that_differ_beyond_reason_are_refused() {
    let spheres: Vec<Sphere<3>> =
        (0..12).map(|i| Sphere::new([0.15 * f64::from(i), 0.5, 0.1], 0.1)).collect();
    let boundary = |long: f64| Boundary::periodic([Some(1.88), Some(long), Some(1.88)]).unwrap();
    let refused = Triangulation::of(&spheres, &boundary(1e100)).map(drop).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the box is 1e100 long on the periodic axis y, more than 1e9 times its shortest period 1.88; to \
         be triangulated it must be shorter, or open on that axis"
    );
    assert_whole(&spheres, &boundary(1e9));
}
