//! Named arrays of a VTK file in XML: an entry of the head says where each lies in the bytes behind it.

use super::byte_buffer::ByteBuffer;
use super::{in_space, is_open, is_periodic, zlib_blocks};
use crate::Frame;
use carom_geometry::Vector;
use std::io::{self, Write};

/// What the head says of files with compressed arrays.
const COMPRESSOR: &str = " compressor=\"vtkZLibDataCompressor\"";

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

    fn bytes(&self) -> io::Result<Vec<u8>> {
        let mut all = Vec::with_capacity(self.byte_count() as usize);
        let mut bytes = ByteBuffer::new(&mut all);
        self.put_values(&mut bytes)?;
        bytes.finish()?;
        Ok(all)
    }

    /// Its bytes with their number before them.
    fn write<W: Write + ?Sized>(&self, bytes: &mut ByteBuffer<W>) -> io::Result<()> {
        bytes.put(&self.byte_count().to_le_bytes())?;
        self.put_values(bytes)
    }

    fn put_values<W: Write + ?Sized>(&self, bytes: &mut ByteBuffer<W>) -> io::Result<()> {
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
pub(super) struct Entries {
    offset: u64,
    /// The arrays so far, if they are compressed: only then is it known where the next begins.
    packed: Option<Vec<Vec<u8>>>,
}

impl Entries {
    pub(super) fn new(compressed: bool) -> Self {
        Entries { offset: 0, packed: compressed.then(Vec::new) }
    }

    pub(super) fn of<const D: usize>(&mut self, arrays: &[Array<D>]) -> io::Result<String> {
        arrays.iter().map(|array| self.one(array)).collect()
    }

    fn one<const D: usize>(&mut self, array: &Array<D>) -> io::Result<String> {
        let (kind, components) = array.kind();
        let text = format!(
            "<DataArray type=\"{kind}\" Name=\"{}\" NumberOfComponents=\"{components}\" \
             format=\"appended\" offset=\"{}\"/>\n",
            array.name, self.offset
        );
        self.offset += match &mut self.packed {
            None => 8 + array.byte_count(),
            Some(packed) => {
                let bytes = zlib_blocks::packed(&array.bytes()?)?;
                packed.push(bytes);
                packed.last().map_or(0, |bytes| bytes.len() as u64)
            }
        };
        Ok(text)
    }
}

/// A whole file of one piece: `piece` is what the head says of it, with these entries.
pub(super) fn write_file<'a, const D: usize, const A: usize>(
    out: &mut (impl Write + ?Sized),
    frame: &Frame<D>,
    (piece, entries): (&str, Entries),
    arrays: impl IntoIterator<Item = &'a Array<'a, A>>,
) -> io::Result<()> {
    let [x, y, z] = in_space(&frame.sides().size());
    let [p, q, r] = [0, 1, 2].map(|axis| u8::from(is_periodic(frame, axis)));
    let [u, v, w] = [0, 1, 2].map(|axis| u8::from(is_open(frame, axis)));
    let compressor = if entries.packed.is_some() { COMPRESSOR } else { "" };
    let mut bytes = ByteBuffer::new(out);
    let head = format!(
        "<?xml version=\"1.0\"?>\n\
         <VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" \
         header_type=\"UInt64\"{compressor}>\n<PolyData>\n<FieldData>\n\
         <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">\
         {:?}</DataArray>\n\
         <DataArray type=\"Float64\" Name=\"box\" NumberOfComponents=\"3\" NumberOfTuples=\"1\" \
         format=\"ascii\">{x:?} {y:?} {z:?}</DataArray>\n\
         <DataArray type=\"Int64\" Name=\"periodic\" NumberOfComponents=\"3\" NumberOfTuples=\"1\" \
         format=\"ascii\">{p} {q} {r}</DataArray>\n\
         <DataArray type=\"Int64\" Name=\"open\" NumberOfComponents=\"3\" NumberOfTuples=\"1\" \
         format=\"ascii\">{u} {v} {w}</DataArray>\n</FieldData>\n\
         {piece}</PolyData>\n<AppendedData encoding=\"raw\">\n_",
        frame.time
    );
    bytes.put(head.as_bytes())?;
    match entries.packed {
        Some(packed) => packed.iter().try_for_each(|array| bytes.put(array))?,
        None => arrays.into_iter().try_for_each(|array| array.write(&mut bytes))?,
    }
    bytes.put(b"\n</AppendedData>\n</VTKFile>\n")?;
    bytes.finish()
}
