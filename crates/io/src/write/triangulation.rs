//! VTK UnstructuredGrid: an XML header with the offset of each array, then the arrays as raw bytes.

use crate::frames::byte_buffer::ByteBuffer;
use carom_detect::laguerre::{SimplexCorner, Triangulation};
use carom_geometry::{Sphere, Vector};
use std::io::{self, Write};

/// Writes a triangulation as VTK UnstructuredGrid (`.vtu`), which ParaView and PyVista open.
///
/// Its cells are the triangles or tetrahedra. The first points are the spheres in their order, wrapped into a periodic
/// box; images, which simplices across a side need, follow. Points have `radius`, `hidden` (1 for a sphere that is a
/// corner of no simplex), `image` (1 for an image) and `id`, the sphere's index from zero. `spheres` are those that
/// were triangulated.
pub fn write_triangulation<const D: usize>(
    out: &mut (impl Write + ?Sized),
    spheres: &[Sphere<D>],
    triangulation: &Triangulation<D>,
) -> io::Result<()> {
    let points = TriangulationPoints::of(triangulation);
    let simplices = triangulation.simplices().count();
    let grid = TriangulationGrid { spheres, triangulation, points, simplices };
    let mut bytes = ByteBuffer::new(out);
    bytes.put(grid.header().as_bytes())?;
    for array in ARRAYS {
        bytes.put(&grid.byte_count(array).to_le_bytes())?;
        grid.write(array, &mut bytes)?;
    }
    bytes.put(b"\n</AppendedData>\n</VTKFile>\n")?;
    bytes.finish()
}

/// The spheres, and behind them the images that are corners of simplices.
struct TriangulationPoints<const D: usize> {
    spheres: Vec<Vector<D>>,
    /// Sphere and bits of the position, ascending.
    images: Vec<(u32, [u64; D])>,
}

impl<const D: usize> TriangulationPoints<D> {
    fn of(triangulation: &Triangulation<D>) -> Self {
        let spheres = (0..triangulation.count()).map(|sphere| triangulation.position(sphere));
        let mut points = TriangulationPoints { spheres: spheres.collect(), images: Vec::new() };
        let mut images: Vec<_> = triangulation
            .simplices()
            .flat_map(|corners| corners.into_iter().take(D + 1))
            .filter(|corner| !points.is_home(corner))
            .map(|corner| image(&corner))
            .collect();
        images.sort_unstable();
        images.dedup();
        points.images = images;
        points
    }

    fn is_home(&self, corner: &SimplexCorner<D>) -> bool {
        self.spheres[corner.sphere as usize] == corner.position
    }

    fn count(&self) -> usize {
        self.spheres.len() + self.images.len()
    }

    fn number(&self, corner: &SimplexCorner<D>) -> u64 {
        if self.is_home(corner) {
            return u64::from(corner.sphere);
        }
        let place = self.images.binary_search(&image(corner));
        (self.spheres.len() + place.expect("all images of simplices are known")) as u64
    }

    fn positions(&self) -> impl Iterator<Item = [f64; 3]> + '_ {
        let homes = self.spheres.iter().map(|&place| embed_in_space(place.into()));
        homes.chain(self.images.iter().map(|&(_, bits)| embed_in_space(bits.map(f64::from_bits))))
    }

    fn ids(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.spheres.len()).chain(self.images.iter().map(|&(sphere, _)| sphere as usize))
    }
}

fn image<const D: usize>(corner: &SimplexCorner<D>) -> (u32, [u64; D]) {
    (corner.sphere, std::array::from_fn(|axis| corner.position[axis].to_bits()))
}

/// Returns the position with a third coordinate, zero in 2D.
fn embed_in_space<const D: usize>(place: [f64; D]) -> [f64; 3] {
    std::array::from_fn(|axis| place.get(axis).copied().unwrap_or(0.0))
}

/// The contents of a file.
struct TriangulationGrid<'a, const D: usize> {
    spheres: &'a [Sphere<D>],
    triangulation: &'a Triangulation<D>,
    points: TriangulationPoints<D>,
    simplices: usize,
}

/// The arrays of a file.
#[derive(Clone, Copy)]
enum TriangulationArray {
    Radius,
    Hidden,
    Image,
    Id,
    Position,
    Connectivity,
    Offsets,
    Types,
}

/// The arrays in the order of the file.
const ARRAYS: [TriangulationArray; 8] = [
    TriangulationArray::Radius,
    TriangulationArray::Hidden,
    TriangulationArray::Image,
    TriangulationArray::Id,
    TriangulationArray::Position,
    TriangulationArray::Connectivity,
    TriangulationArray::Offsets,
    TriangulationArray::Types,
];

impl TriangulationArray {
    /// Returns its VTK type, its name and its number of components.
    fn entry(self) -> (&'static str, &'static str, usize) {
        match self {
            TriangulationArray::Radius => ("Float64", "radius", 1),
            TriangulationArray::Hidden => ("UInt8", "hidden", 1),
            TriangulationArray::Image => ("UInt8", "image", 1),
            TriangulationArray::Id => ("Int64", "id", 1),
            TriangulationArray::Position => ("Float64", "position", 3),
            TriangulationArray::Connectivity => ("Int64", "connectivity", 1),
            TriangulationArray::Offsets => ("Int64", "offsets", 1),
            TriangulationArray::Types => ("UInt8", "types", 1),
        }
    }
}

/// VTK cell types of a triangle and a tetrahedron, by dimension.
const CELL_TYPE: [u8; 4] = [0, 0, 5, 10];

impl<const D: usize> TriangulationGrid<'_, D> {
    fn byte_count(&self, array: TriangulationArray) -> u64 {
        let (points, simplices) = (self.points.count() as u64, self.simplices as u64);
        match array {
            TriangulationArray::Radius | TriangulationArray::Id => 8 * points,
            TriangulationArray::Hidden | TriangulationArray::Image => points,
            TriangulationArray::Position => 24 * points,
            TriangulationArray::Connectivity => 8 * (D as u64 + 1) * simplices,
            TriangulationArray::Offsets => 8 * simplices,
            TriangulationArray::Types => simplices,
        }
    }

    fn write<W: Write + ?Sized>(
        &self,
        array: TriangulationArray,
        bytes: &mut ByteBuffer<'_, W>,
    ) -> io::Result<()> {
        let points = &self.points;
        let mut ids = points.ids();
        match array {
            TriangulationArray::Radius => {
                ids.try_for_each(|id| bytes.put(&self.spheres[id].radius.to_le_bytes()))
            }
            TriangulationArray::Hidden => {
                ids.try_for_each(|id| bytes.put(&[u8::from(self.triangulation.is_hidden(id))]))
            }
            TriangulationArray::Image => (0..points.count())
                .try_for_each(|point| bytes.put(&[u8::from(point >= points.spheres.len())])),
            TriangulationArray::Id => ids.try_for_each(|id| bytes.put(&(id as u64).to_le_bytes())),
            TriangulationArray::Position => points
                .positions()
                .try_for_each(|place| bytes.put(place.map(f64::to_le_bytes).as_flattened())),
            TriangulationArray::Connectivity => {
                self.triangulation.simplices().try_for_each(|corners| {
                    let mut corners = corners.iter().take(D + 1);
                    corners.try_for_each(|corner| bytes.put(&points.number(corner).to_le_bytes()))
                })
            }
            TriangulationArray::Offsets => (1..=self.simplices as u64)
                .try_for_each(|simplex| bytes.put(&((D as u64 + 1) * simplex).to_le_bytes())),
            TriangulationArray::Types => {
                (0..self.simplices).try_for_each(|_| bytes.put(&[CELL_TYPE[D]]))
            }
        }
    }

    fn header(&self) -> String {
        let mut offset = 0;
        let [radius, hidden, image, id, position, connectivity, offsets, types] =
            ARRAYS.map(|array| {
                let (kind, name, components) = array.entry();
                let text = format!(
                    "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" \
                     format=\"appended\" offset=\"{offset}\"/>\n"
                );
                offset += 8 + self.byte_count(array);
                text
            });
        format!(
            "<?xml version=\"1.0\"?>\n\
             <VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" \
             header_type=\"UInt64\">\n<UnstructuredGrid>\n\
             <Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n\
             <PointData Scalars=\"radius\">\n{radius}{hidden}{image}{id}</PointData>\n\
             <Points>\n{position}</Points>\n<Cells>\n{connectivity}{offsets}{types}</Cells>\n\
             </Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_",
            self.points.count(),
            self.simplices
        )
    }
}
