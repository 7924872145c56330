use super::*;
use crate::inside::RayCrossing;
use crate::inside::samples::{cube, points_in_box};
use carom_geometry::mesh::octahedron_sphere;
use carom_geometry::random::SplitMix64;
use triangle_voxelization::{CellVisitor, visit_overlapped_cells};

/// Pseudorandom numbers between 0 and 1.
fn random(seed: u64) -> impl FnMut() -> f64 {
    let mut random = SplitMix64::new(seed);
    move || random.uniform()
}

fn unit_grid(per_axis: u32) -> WindingCellGrid {
    let width = Vector::repeat(1.0 / f64::from(per_axis));
    WindingCellGrid::new(Vector::zeros(), width, [per_axis; 3])
}

/// Collects cells, and asserts that they are of the layer.
struct CellCollector<'a> {
    grid: &'a WindingCellGrid,
    layer: u32,
    cells: Vec<usize>,
}

impl CellVisitor for CellCollector<'_> {
    fn begin_layer(&mut self, layer: u32) {
        self.layer = layer;
    }

    fn visit_cell(&mut self, cell: usize) {
        assert_eq!(self.grid.cell_coordinates(cell)[2], self.layer);
        self.cells.push(cell);
    }
}

fn overlapped_cells(corners: &[Vector<3>; 3], grid: &WindingCellGrid) -> Vec<usize> {
    let mut cellar = CellCollector { grid, layer: 0, cells: Vec::new() };
    visit_overlapped_cells(corners.each_ref(), grid, &mut cellar);
    cellar.cells
}

#[test]
fn every_place_of_a_triangle_is_in_a_cell_that_has_it() {
    let mut next = random(1);
    for round in 0..2000 {
        let grid = unit_grid([3, 10, 40][round % 3]);
        let mut corners: [Vector<3>; 3] = [(); 3].map(|()| Vector::from_fn(|_, _| next()));
        match round % 5 {
            // A sliver, one without width, one along an axis, one in a plane between cells.
            1 => corners[2] = corners[1] + Vector::repeat(1e-9 * next()),
            2 => corners[2] = corners[0].lerp(&corners[1], next()),
            3 => corners[1] = Vector::from([next(), corners[0].y, corners[0].z]),
            4 => corners.iter_mut().for_each(|corner| corner.y = 1.0 / f64::from(grid.counts[0])),
            _ => {}
        }
        let cells = overlapped_cells(&corners, &grid);
        for _ in 0..100 {
            let [u, v] = [next(), next()];
            let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
            let place = corners[0] * (1.0 - u - v) + corners[1] * u + corners[2] * v;
            let cell = grid.cell_index(grid.cell_containing(&place).unwrap());
            assert!(cells.contains(&cell), "{corners:?} {place:?}");
        }
    }
}

#[test]
fn every_place_of_a_triangle_so_small_that_products_have_no_digits_is_in_a_cell_that_has_it() {
    let mut next = random(4);
    for round in 0..4000 {
        let width = 1e-108 * (1.0 + 9.0 * next());
        let grid = WindingCellGrid::new(Vector::zeros(), Vector::repeat(width), [10; 3]);
        let middle: Vector<3> = Vector::from_fn(|_, _| 2.0 + 6.0 * next());
        let corners: [Vector<3>; 3] =
            [(); 3].map(|()| width * (middle + Vector::from_fn(|_, _| next())));
        let cells = overlapped_cells(&corners, &grid);
        for _ in 0..50 {
            let [u, v] = [next(), next()];
            let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
            let place = corners[0] * (1.0 - u - v) + corners[1] * u + corners[2] * v;
            let cell = grid.cell_index(grid.cell_containing(&place).unwrap());
            assert!(cells.contains(&cell), "{round}: {corners:?} {place:?}");
        }
    }
}

#[test]
fn a_sliver_is_in_few_cells_and_a_large_triangle_in_those_near_it() {
    let mut next = random(2);
    for _ in 0..200 {
        let grid = unit_grid(100);
        let from: Vector<3> = Vector::from_fn(|_, _| next());
        let to: Vector<3> = Vector::from_fn(|_, _| next());
        let sliver = [from, to, to + Vector::repeat(1e-6)];
        // A line meets at most one more cell for every face that it crosses.
        let faces: f64 = (to - from).abs().sum() * 100.0;
        assert!(
            (overlapped_cells(&sliver, &grid).len() as f64) < 1.3 * faces + 20.0,
            "{from} {to}"
        );
        let corners = [from, to, Vector::from_fn(|_, _| next())];
        let area = 0.5 * (corners[1] - from).cross(&(corners[2] - from)).norm();
        let around: f64 = (0..3).map(|k| (corners[k] - corners[(k + 1) % 3]).norm()).sum();
        let most = 1.8 * area * 1e4 + 3.0 * around * 100.0 + 20.0;
        assert!((overlapped_cells(&corners, &grid).len() as f64) < most, "{corners:?}");
    }
}

#[test]
fn faces_of_cells_along_the_surface_do_no_harm() {
    for per_axis in [1, 2, 3, 4, 8] {
        // The cube's faces are faces of cells.
        let width = Vector::repeat(1.0 / f64::from(per_axis));
        let grid = WindingCellGrid::new(-width, width, [per_axis + 2; 3]);
        let cells = WindingCells::with_grid(cube(), FillRule::EvenOdd, grid);
        let ray = RayCrossing::new(&cube(), FillRule::EvenOdd);
        let coordinates: Vec<f64> = (-2..=18)
            .flat_map(|k| {
                let x = f64::from(k) / 16.0;
                [x.next_down(), x, x.next_up()]
            })
            .collect();
        for &x in &coordinates {
            for &y in &coordinates {
                let points: Vec<_> = coordinates.iter().map(|&z| Vector::from([x, y, z])).collect();
                assert_eq!(
                    cells.classify_all(&points),
                    ray.classify_all(&points),
                    "{per_axis} {x} {y}"
                );
            }
        }
    }
}

#[test]
fn bodies_may_be_as_small_as_numbers_go() {
    for size in [1e-320, 1e-310, 1e-300, 1e-150, 1e60] {
        let mesh = sphere_of_size(0, size);
        let cells = WindingCells::new(mesh.clone(), FillRule::EvenOdd, 1000);
        let ray = RayCrossing::new(&mesh, FillRule::EvenOdd);
        for (x, side) in [
            (0.2, Containment::Inside),
            (1.0, Containment::Surface),
            (1.2, Containment::Outside),
            (1e5, Containment::Outside),
        ] {
            let point = Vector::from([x * size, 0.0, 0.0]);
            assert_eq!(cells.classify(&point), side, "{size} {x}");
            assert_eq!(ray.classify(&point), side, "{size} {x}");
        }
    }
}

fn count_of_differences(cells: &WindingCells, ray: &RayCrossing, points: &[Vector<3>]) -> usize {
    cells
        .classify_all(points)
        .iter()
        .zip(ray.classify_all(points))
        .filter(|(a, b)| **a != *b)
        .count()
}

fn sphere_of_size(refinements: u32, size: f64) -> TriangleMesh {
    let unit = octahedron_sphere(refinements);
    let vertices: Vec<_> = unit.vertices().iter().map(|vertex| vertex * size).collect();
    TriangleMesh::new(vertices, unit.triangles().to_vec()).unwrap()
}

#[test]
fn no_cell_is_lost_where_products_of_lengths_are_too_small_for_numbers() {
    let points = points_in_box(1.1, 20_000);
    for size in [1e-106, 5e-107, 3e-107, 2e-107, 1e-107, 1e-160] {
        let mesh = sphere_of_size(4, size);
        let points: Vec<_> = points.iter().map(|point| point * size).collect();
        let ray = RayCrossing::new(&mesh, FillRule::EvenOdd);
        let cells = WindingCells::new(mesh, FillRule::EvenOdd, 1_000_000);
        assert_eq!(count_of_differences(&cells, &ray, &points), 0, "{size:e}");
    }
}

#[test]
fn margins_never_fall_below_the_rounding_of_the_grid_of_all() {
    let mut grid = WindingCellGrid::new(Vector::repeat(-1.1), Vector::repeat(0.1), [22; 3]);
    let rounding = f64::EPSILON * 1.1;
    let mut divisions = 0;
    // Down to the origin, where coordinates of the grid itself round to less and less.
    while let Some(parts) =
        grid.subdivided_cell(grid.cell_index(grid.nearest_cell(&Vector::zeros())), DIVISIONS)
    {
        assert!(parts.margin.min() > 16.0 * rounding, "{divisions}: {}", parts.margin);
        divisions += 1;
        assert!(divisions < 30, "cells as wide as {} are divided", parts.cell_width().x);
        grid = parts;
    }
    assert!(divisions > 10);
}

#[test]
fn a_fan_with_its_hub_at_the_origin_is_classified_right_next_to_the_hub() {
    // A cone on its tip among many triangles, so that there is memory to divide the tip again and again. It is
    // small, since the cells of large triangles are rounded up generously.
    const SIDES: u32 = 800;
    const SIZE: f64 = 1e-5;
    let sphere = octahedron_sphere(6);
    let (mut vertices, mut triangles) = (sphere.vertices().to_vec(), sphere.triangles().to_vec());
    let hub = vertices.len() as u32;
    vertices.extend([[0.0, 0.0, 0.0], [0.0, 0.0, SIZE]].map(Vector::from));
    for k in 0..SIDES {
        let angle = std::f64::consts::TAU * f64::from(k) / f64::from(SIDES);
        vertices.push(Vector::from([SIZE * angle.cos(), SIZE * angle.sin(), SIZE]));
        let [this, next] = [k, (k + 1) % SIDES].map(|k| hub + 2 + k);
        triangles.extend([[hub, next, this], [hub + 1, this, next]]);
    }
    let mesh = TriangleMesh::new(vertices, triangles).unwrap();
    // A face between cells passes through the hub except for rounding.
    let grid = WindingCellGrid::new(Vector::repeat(-1.2), Vector::repeat(0.1), [24; 3]);
    assert!(grid.cell_corner(grid.cell_containing(&Vector::zeros()).unwrap()).min() > 0.0);
    let ray = RayCrossing::new(&mesh, FillRule::EvenOdd);
    let cells = WindingCells::with_grid(mesh, FillRule::EvenOdd, grid);
    let narrowest = cells.grids.iter().map(|grid| grid.cell_width().x).fold(1.0, f64::min);
    assert!(narrowest < 1e-9, "{narrowest:e}");
    let points = points_in_box(1.0, 4000);
    for exponent in -18..=-12 {
        let points: Vec<_> = points.iter().map(|point| point * 10f64.powi(exponent)).collect();
        assert_eq!(count_of_differences(&cells, &ray, &points), 0, "1e{exponent}");
    }
}

#[test]
fn detail_in_one_place_is_divided_and_memory_is_bounded() {
    // A large octahedron and, at one point, a sphere of a millionth of its size.
    let [corners, small] = [3.0, 1e-6].map(|size| {
        octahedron_sphere(if size > 1.0 { 0 } else { 5 })
            .vertices()
            .iter()
            .map(|vertex| vertex * size)
            .collect::<Vec<_>>()
    });
    let mut triangles = octahedron_sphere(0).triangles().to_vec();
    let shift = corners.len() as u32;
    triangles.extend(
        octahedron_sphere(5).triangles().iter().map(|corners| corners.map(|corner| corner + shift)),
    );
    let count = triangles.len();
    let place = Vector::from([0.3, 0.2, 0.1]);
    let vertices = corners.into_iter().chain(small.iter().map(|vertex| vertex + place)).collect();
    let mesh = TriangleMesh::new(vertices, triangles).unwrap();
    let most_bytes = cell_size::max_bytes(&mesh);
    let cells = WindingCells::new(mesh, FillRule::EvenOdd, 1_000_000);
    let fullest = |near: f64| {
        let (_, _, content) = cells.locate(&(place + Vector::repeat(near))).unwrap();
        if content.is_empty() { 0 } else { cells.entries_of(content.index()).len() }
    };
    assert!(fullest(0.577e-6) < count / 10, "{} of {count}", fullest(0.577e-6));
    assert!(cells.bytes() < 2 * most_bytes, "{}", cells.bytes());
    assert_eq!(cells.classify(&place), Containment::Outside);
    assert_eq!(cells.classify(&(place + Vector::repeat(2e-6))), Containment::Inside);
}

#[test]
fn a_bundle_of_long_slivers_takes_little_memory() {
    // Thin oblique prisms, each as long as the whole.
    let mut next = random(3);
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for _ in 0..2000 {
        let base = vertices.len() as u32;
        let place: Vector<3> = Vector::from_fn(|_, _| next());
        for shift in [[0., 0., 0.], [1e-4, 0., 0.], [0., 1e-4, 0.], [1., 1., 1.]] {
            vertices.push(place + Vector::from(shift));
        }
        triangles.extend(
            [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
                .map(|corners| corners.map(|corner| corner + base)),
        );
    }
    let mesh = TriangleMesh::new(vertices, triangles).unwrap();
    let most = cell_size::max_bytes(&mesh);
    let cells = WindingCells::new(mesh.clone(), FillRule::EvenOdd, 1_000_000);
    assert!(cells.bytes() <= 2 * most, "{} instead of {most}", cells.bytes());
    // Also in a grid that is far too fine for them.
    let cells = WindingCells::with_grid(
        mesh,
        FillRule::EvenOdd,
        WindingCellGrid::new(Vector::repeat(-0.1), Vector::repeat(0.01), [220; 3]),
    );
    assert!(cells.entries.len() <= most / 4, "{} entries", cells.entries.len());
    assert!(cells.grids[0].counts[0] < 220);
}

#[test]
fn cells_are_the_same_whatever_the_number_of_threads() {
    // Two spheres: a small one that is divided, within a large one.
    let (large, small) = (octahedron_sphere(5), sphere_of_size(5, 1e-3));
    let shift = large.vertices().len() as u32;
    let vertices = [large.vertices(), small.vertices()].concat();
    let mut triangles = large.triangles().to_vec();
    triangles.extend(small.triangles().iter().map(|corners| corners.map(|corner| corner + shift)));
    let mesh = TriangleMesh::new(vertices, triangles).unwrap();
    let built = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| WindingCells::new(mesh.clone(), FillRule::EvenOdd, 100_000))
    };
    let one = built(1);
    assert!(one.grids.len() > 1);
    let places = |cells: &WindingCells| -> Vec<_> {
        cells
            .grids
            .iter()
            .map(|grid| (grid.cell_corner([0; 3]), grid.cell_width(), grid.first_cell))
            .collect()
    };
    let references = |cells: &WindingCells| -> Vec<_> {
        cells.boundary.iter().map(|cell| (cell.reference, cell.winding, cell.first)).collect()
    };
    for threads in [2, 3, 7] {
        let several = built(threads);
        assert!(places(&one) == places(&several), "{threads}");
        assert!(one.contents == several.contents && one.entries == several.entries, "{threads}");
        assert!(references(&one) == references(&several), "{threads}");
    }
}

#[test]
fn a_coarser_grid_is_taken_where_cells_would_have_too_many_triangles() {
    let sphere = octahedron_sphere(3);
    let grid = WindingCellGrid::new(Vector::repeat(-1.1), Vector::repeat(0.055), [40; 3]);
    let (same, bins) = TriangleBins::build_all(&sphere, grid, MAX_ENTRIES);
    assert_eq!(same.counts, [40; 3]);
    let most = bins.triangles.len() / 3;
    let (coarser, fewer) = TriangleBins::build_all(&sphere, grid, most);
    assert!(fewer.triangles.len() <= most && coarser.counts[0] < 40, "{:?}", coarser.counts);
    let [low, high] = [[0; 3], coarser.counts].map(|place| coarser.cell_corner(place));
    assert!(
        (low + Vector::repeat(1.1)).amax() < 1e-15 && (high - Vector::repeat(1.1)).amax() < 1e-14
    );
    // A single cell has every triangle once, and there is no coarser grid.
    assert_eq!(TriangleBins::build_all(&sphere, grid, 0).0.counts, [1; 3]);
}
