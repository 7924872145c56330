//! VTK PolyData: an XML head that says where each array lies, then the arrays as raw bytes.

use super::byte_buffer::ByteBuffer;
use super::{check, in_space};
use crate::Frame;
use carom_geometry::Vector;
use std::io::{self, Write};

/// Writes a frame as VTK PolyData (`.vtp`), which ParaView and PyVista open.
///
/// One point and one vertex per body with `radius`, `speed`, `velocity`, `id` (the index, from
/// zero), the mass if there is one and the further columns; the time is `TimeValue` and the edge
/// lengths of the region are `box` (zero along z for discs).
pub fn write_frame_vtp<const D: usize>(
    out: &mut (impl Write + ?Sized),
    frame: &Frame<D>,
) -> io::Result<()> {
    check(frame)?;
    let arrays = Arrays::of(frame);
    let mut bytes = ByteBuffer::new(out);
    bytes.put(head(frame, &arrays).as_bytes())?;
    for array in arrays.in_file_order() {
        bytes.put(&array.byte_count().to_le_bytes())?;
        array.write(&mut bytes)?;
    }
    bytes.put(b"\n</AppendedData>\n</VTKFile>\n")?;
    bytes.finish()
}

/// A named array of the file.
struct Array<'a, const D: usize> {
    name: &'a str,
    values: Values<'a, D>,
}

/// What an array is made from.
enum Values<'a, const D: usize> {
    Vectors(&'a [Vector<D>]),
    Lengths(&'a [Vector<D>]),
    Numbers(&'a [f64]),
    /// So many whole numbers, counted up from the first.
    Counted {
        first: u64,
        count: usize,
    },
}

impl<const D: usize> Array<'_, D> {
    /// The type that VTK gives it, and how many numbers belong to a body.
    fn kind(&self) -> (&'static str, usize) {
        match self.values {
            Values::Vectors(_) => ("Float64", 3),
            Values::Lengths(_) | Values::Numbers(_) => ("Float64", 1),
            Values::Counted { .. } => ("Int64", 1),
        }
    }

    fn byte_count(&self) -> u64 {
        let (_, components) = self.kind();
        let tuples = match self.values {
            Values::Vectors(vectors) | Values::Lengths(vectors) => vectors.len(),
            Values::Numbers(numbers) => numbers.len(),
            Values::Counted { count, .. } => count,
        };
        8 * components as u64 * tuples as u64
    }

    fn write<W: Write + ?Sized>(&self, bytes: &mut ByteBuffer<W>) -> io::Result<()> {
        match self.values {
            Values::Vectors(vectors) => {
                let mut tuples = vectors.iter().map(in_space);
                tuples.try_for_each(|tuple| bytes.put(tuple.map(f64::to_le_bytes).as_flattened()))
            }
            Values::Lengths(vectors) => {
                vectors.iter().try_for_each(|vector| bytes.put(&vector.norm().to_le_bytes()))
            }
            Values::Numbers(numbers) => {
                numbers.iter().try_for_each(|number| bytes.put(&number.to_le_bytes()))
            }
            Values::Counted { first, count } => {
                (first..).take(count).try_for_each(|number| bytes.put(&number.to_le_bytes()))
            }
        }
    }
}

/// The arrays of a file by the element of the head they belong to.
struct Arrays<'a, const D: usize> {
    point_data: Vec<Array<'a, D>>,
    points: Array<'a, D>,
    vertices: [Array<'a, D>; 2],
}

impl<'a, const D: usize> Arrays<'a, D> {
    fn of(frame: &'a Frame<D>) -> Self {
        let count = frame.len();
        let counted = |name, first| Array { name, values: Values::Counted { first, count } };
        let mut point_data = vec![
            Array { name: "radius", values: Values::Numbers(&frame.radii) },
            Array { name: "speed", values: Values::Lengths(&frame.velocities) },
            Array { name: "velocity", values: Values::Vectors(&frame.velocities) },
            counted("id", 0),
        ];
        let scalars = frame.scalars();
        point_data
            .extend(scalars.map(|(name, values)| Array { name, values: Values::Numbers(values) }));
        let points = Array { name: "position", values: Values::Vectors(&frame.positions) };
        Arrays { point_data, points, vertices: [counted("connectivity", 0), counted("offsets", 1)] }
    }

    fn in_file_order(&self) -> impl Iterator<Item = &Array<'a, D>> {
        self.point_data.iter().chain([&self.points]).chain(&self.vertices)
    }
}

fn head<const D: usize>(frame: &Frame<D>, arrays: &Arrays<D>) -> String {
    let mut offset = 0;
    let mut entry = |array: &Array<D>| {
        let (kind, components) = array.kind();
        let text = format!(
            "<DataArray type=\"{kind}\" Name=\"{}\" NumberOfComponents=\"{components}\" \
             format=\"appended\" offset=\"{offset}\"/>\n",
            array.name
        );
        offset += 8 + array.byte_count();
        text
    };
    let point_data: String = arrays.point_data.iter().map(&mut entry).collect();
    let points = entry(&arrays.points);
    let vertices: String = arrays.vertices.iter().map(&mut entry).collect();
    let count = frame.len();
    let [x, y, z] = in_space(&frame.sides().size());
    format!(
        "<?xml version=\"1.0\"?>\n\
         <VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" \
         header_type=\"UInt64\">\n<PolyData>\n<FieldData>\n\
         <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">\
         {:?}</DataArray>\n\
         <DataArray type=\"Float64\" Name=\"box\" NumberOfComponents=\"3\" NumberOfTuples=\"1\" \
         format=\"ascii\">{x:?} {y:?} {z:?}</DataArray>\n</FieldData>\n\
         <Piece NumberOfPoints=\"{count}\" NumberOfVerts=\"{count}\" NumberOfLines=\"0\" \
         NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n\
         <PointData Scalars=\"speed\" Vectors=\"velocity\">\n{point_data}</PointData>\n\
         <Points>\n{points}</Points>\n<Verts>\n{vertices}</Verts>\n\
         </Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_",
        frame.time
    )
}
