//! Named arrays of a VTK file in XML: an entry of the header gives the offset of each in the bytes behind it.

use super::byte_buffer::ByteBuffer;
use super::{embed_in_space, is_open, is_periodic, zlib_blocks};
use crate::Frame;
use carom_geometry::Vector;
use std::io::{self, Write};

/// Attribute of files with compressed arrays.
const COMPRESSOR: &str = " compressor=\"vtkZLibDataCompressor\"";

/// A named array of the file.
pub(super) struct VtkArray<'a, const D: usize> {
    pub name: &'a str,
    pub values: VtkArrayValues<'a, D>,
}

/// The values of an array.
pub(super) enum VtkArrayValues<'a, const D: usize> {
    Vectors(&'a [Vector<D>]),
    Norms(&'a [Vector<D>]),
    Scalars(&'a [f64]),
    Quaternions(&'a [[f64; 4]]),
    Integers(Vec<i64>),
    /// `count` whole numbers, ascending from the first.
    Sequence {
        first: u64,
        count: usize,
    },
}

impl<const D: usize> VtkArray<'_, D> {
    /// Returns its VTK type and its number of components.
    fn vtk_type(&self) -> (&'static str, usize) {
        match self.values {
            VtkArrayValues::Vectors(_) => ("Float64", 3),
            VtkArrayValues::Quaternions(_) => ("Float64", 4),
            VtkArrayValues::Norms(_) | VtkArrayValues::Scalars(_) => ("Float64", 1),
            VtkArrayValues::Integers(_) | VtkArrayValues::Sequence { .. } => ("Int64", 1),
        }
    }

    fn byte_count(&self) -> u64 {
        let (_, components) = self.vtk_type();
        let tuples = match &self.values {
            VtkArrayValues::Vectors(vectors) | VtkArrayValues::Norms(vectors) => vectors.len(),
            VtkArrayValues::Scalars(numbers) => numbers.len(),
            VtkArrayValues::Quaternions(quaternions) => quaternions.len(),
            VtkArrayValues::Integers(numbers) => numbers.len(),
            VtkArrayValues::Sequence { count, .. } => *count,
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

    /// Writes its bytes with their number before them.
    fn write<W: Write + ?Sized>(&self, bytes: &mut ByteBuffer<W>) -> io::Result<()> {
        bytes.put(&self.byte_count().to_le_bytes())?;
        self.put_values(bytes)
    }

    fn put_values<W: Write + ?Sized>(&self, bytes: &mut ByteBuffer<W>) -> io::Result<()> {
        match &self.values {
            VtkArrayValues::Vectors(vectors) => {
                let mut tuples = vectors.iter().map(embed_in_space);
                tuples.try_for_each(|tuple| bytes.put(tuple.map(f64::to_le_bytes).as_flattened()))
            }
            VtkArrayValues::Quaternions(quaternions) => (quaternions.iter())
                .try_for_each(|tuple| bytes.put(tuple.map(f64::to_le_bytes).as_flattened())),
            VtkArrayValues::Norms(vectors) => {
                vectors.iter().try_for_each(|vector| bytes.put(&vector.norm().to_le_bytes()))
            }
            VtkArrayValues::Scalars(numbers) => {
                numbers.iter().try_for_each(|number| bytes.put(&number.to_le_bytes()))
            }
            VtkArrayValues::Integers(numbers) => {
                numbers.iter().try_for_each(|number| bytes.put(&number.to_le_bytes()))
            }
            VtkArrayValues::Sequence { first, count } => {
                (*first..).take(*count).try_for_each(|number| bytes.put(&number.to_le_bytes()))
            }
        }
    }
}

/// The entries of a header, in the order in which the arrays lie in the file.
pub(super) struct VtkArrayEntries {
    offset: u64,
    /// The arrays so far, if they are compressed: only then is the offset of the next known.
    compressed: Option<Vec<Vec<u8>>>,
}

impl VtkArrayEntries {
    pub(super) fn new(compressed: bool) -> Self {
        VtkArrayEntries { offset: 0, compressed: compressed.then(Vec::new) }
    }

    pub(super) fn of<const D: usize>(&mut self, arrays: &[VtkArray<D>]) -> io::Result<String> {
        arrays.iter().map(|array| self.entry(array)).collect()
    }

    fn entry<const D: usize>(&mut self, array: &VtkArray<D>) -> io::Result<String> {
        let (kind, components) = array.vtk_type();
        let text = format!(
            "<DataArray type=\"{kind}\" Name=\"{}\" NumberOfComponents=\"{components}\" \
             format=\"appended\" offset=\"{}\"/>\n",
            array.name, self.offset
        );
        self.offset += match &mut self.compressed {
            None => 8 + array.byte_count(),
            Some(packed) => {
                let bytes = zlib_blocks::compress(&array.bytes()?)?;
                packed.push(bytes);
                packed.last().map_or(0, |bytes| bytes.len() as u64)
            }
        };
        Ok(text)
    }
}

/// Writes a whole file of one piece: `piece` is its element in the header, with these entries.
pub(super) fn write_file<'a, const D: usize, const A: usize>(
    out: &mut (impl Write + ?Sized),
    frame: &Frame<D>,
    (piece, entries): (&str, VtkArrayEntries),
    arrays: impl IntoIterator<Item = &'a VtkArray<'a, A>>,
) -> io::Result<()> {
    let [x, y, z] = embed_in_space(&frame.bounds().size());
    let [p, q, r] = [0, 1, 2].map(|axis| u8::from(is_periodic(frame, axis)));
    let [u, v, w] = [0, 1, 2].map(|axis| u8::from(is_open(frame, axis)));
    let compressor = if entries.compressed.is_some() { COMPRESSOR } else { "" };
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
    match entries.compressed {
        Some(packed) => packed.iter().try_for_each(|array| bytes.put(array))?,
        None => arrays.into_iter().try_for_each(|array| array.write(&mut bytes))?,
    }
    bytes.put(b"\n</AppendedData>\n</VTKFile>\n")?;
    bytes.finish()
}
