//! Named arrays of a VTK file in XML: an entry of the head says where each lies in the bytes behind it.

use super::byte_buffer::ByteBuffer;
use super::in_space;
use crate::Frame;
use carom_geometry::Vector;
use std::io::{self, Write};

/// A named array of the file.
pub(super) struct Array<'a, const D: usize> {
    pub name: &'a str,
    pub values: Values<'a, D>,
}

/// What an array is made from.
pub(super) enum Values<'a, const D: usize> {
    Vectors(&'a [Vector<D>]),
    Lengths(&'a [Vector<D>]),
    Numbers(&'a [f64]),
    Quaternions(&'a [[f64; 4]]),
    Whole(Vec<i64>),
    /// So many whole numbers, counted up from the first.
    Counted {
        first: u64,
        count: usize,
    },
}

impl<const D: usize> Array<'_, D> {
    /// The type that VTK gives it, and how many numbers belong together.
    fn kind(&self) -> (&'static str, usize) {
        match self.values {
            Values::Vectors(_) => ("Float64", 3),
            Values::Quaternions(_) => ("Float64", 4),
            Values::Lengths(_) | Values::Numbers(_) => ("Float64", 1),
            Values::Whole(_) | Values::Counted { .. } => ("Int64", 1),
        }
    }

    fn byte_count(&self) -> u64 {
        let (_, components) = self.kind();
        let tuples = match &self.values {
            Values::Vectors(vectors) | Values::Lengths(vectors) => vectors.len(),
            Values::Numbers(numbers) => numbers.len(),
            Values::Quaternions(quaternions) => quaternions.len(),
            Values::Whole(numbers) => numbers.len(),
            Values::Counted { count, .. } => *count,
        };
        8 * components as u64 * tuples as u64
    }

    /// Its bytes with their number before them.
    pub(super) fn write<W: Write + ?Sized>(&self, bytes: &mut ByteBuffer<W>) -> io::Result<()> {
        bytes.put(&self.byte_count().to_le_bytes())?;
        match &self.values {
            Values::Vectors(vectors) => {
                let mut tuples = vectors.iter().map(in_space);
                tuples.try_for_each(|tuple| bytes.put(tuple.map(f64::to_le_bytes).as_flattened()))
            }
            Values::Quaternions(quaternions) => (quaternions.iter())
                .try_for_each(|tuple| bytes.put(tuple.map(f64::to_le_bytes).as_flattened())),
            Values::Lengths(vectors) => {
                vectors.iter().try_for_each(|vector| bytes.put(&vector.norm().to_le_bytes()))
            }
            Values::Numbers(numbers) => {
                numbers.iter().try_for_each(|number| bytes.put(&number.to_le_bytes()))
            }
            Values::Whole(numbers) => {
                numbers.iter().try_for_each(|number| bytes.put(&number.to_le_bytes()))
            }
            Values::Counted { first, count } => {
                (*first..).take(*count).try_for_each(|number| bytes.put(&number.to_le_bytes()))
            }
        }
    }
}

/// The entries of a head, in the order in which the arrays lie in the file.
#[derive(Default)]
pub(super) struct Entries {
    offset: u64,
}

impl Entries {
    pub(super) fn of<const D: usize>(&mut self, arrays: &[Array<D>]) -> String {
        arrays.iter().map(|array| self.one(array)).collect()
    }

    fn one<const D: usize>(&mut self, array: &Array<D>) -> String {
        let (kind, components) = array.kind();
        let text = format!(
            "<DataArray type=\"{kind}\" Name=\"{}\" NumberOfComponents=\"{components}\" \
             format=\"appended\" offset=\"{}\"/>\n",
            array.name, self.offset
        );
        self.offset += 8 + array.byte_count();
        text
    }
}

/// A whole file of one piece: `piece` is what the head says of it.
pub(super) fn write_file<'a, const D: usize, const A: usize>(
    out: &mut (impl Write + ?Sized),
    frame: &Frame<D>,
    piece: &str,
    arrays: impl IntoIterator<Item = &'a Array<'a, A>>,
) -> io::Result<()> {
    let [x, y, z] = in_space(&frame.sides().size());
    let mut bytes = ByteBuffer::new(out);
    let head = format!(
        "<?xml version=\"1.0\"?>\n\
         <VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" \
         header_type=\"UInt64\">\n<PolyData>\n<FieldData>\n\
         <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">\
         {:?}</DataArray>\n\
         <DataArray type=\"Float64\" Name=\"box\" NumberOfComponents=\"3\" NumberOfTuples=\"1\" \
         format=\"ascii\">{x:?} {y:?} {z:?}</DataArray>\n</FieldData>\n\
         {piece}</PolyData>\n<AppendedData encoding=\"raw\">\n_",
        frame.time
    );
    bytes.put(head.as_bytes())?;
    arrays.into_iter().try_for_each(|array| array.write(&mut bytes))?;
    bytes.put(b"\n</AppendedData>\n</VTKFile>\n")?;
    bytes.finish()
}
