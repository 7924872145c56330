//! The container format of frames and overlays, gzip-compressed and little-endian.
//!
//! | bytes | content |
//! |---|---|
//! | 4 | length of the header, u32 |
//! | length | header: JSON with time, number of bodies and a descriptor of each array; padded with spaces |
//! | rest | arrays, each at a multiple of 8 bytes from the end of the header |
//!
//! A value of a quantized array is `low + step * number`. `page/container.js` decodes the format.

use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;
use std::io::Write;

/// Arrays of numbers that are packed for the page.
#[derive(Debug)]
pub struct Container {
    header: ContainerHeader,
    data: Vec<u8>,
}

#[derive(Debug, Serialize)]
struct ContainerHeader {
    time: f64,
    bodies: usize,
    arrays: Vec<ContainerArrayDescriptor>,
}

/// Descriptor of an array in the header.
#[derive(Debug, Serialize)]
struct ContainerArrayDescriptor {
    name: String,
    #[serde(rename = "type")]
    kind: &'static str,
    components: usize,
    count: usize,
    /// Offset from the end of the header, in bytes.
    offset: usize,
    #[serde(flatten)]
    scale: Option<QuantizationScale>,
}

/// Scale of a quantized array: a value is `low + step * number`, with one `low` and `step` per component.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QuantizationScale {
    pub low: Vec<f64>,
    pub step: Vec<f64>,
}

/// Numbers of an array, by type.
#[derive(Clone, Debug, PartialEq)]
pub enum ContainerTypedArray {
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
    I16(Vec<i16>),
    F32(Vec<f32>),
}

/// Arrays begin at multiples of this many bytes: typed arrays of a browser must be aligned to their element size.
const ALIGNMENT: usize = 8;
/// Compression level of gzip. Positions are nearly random; a higher level takes longer and saves next to nothing.
const EFFORT: u32 = 3;

impl Container {
    pub fn new(time: f64, bodies: usize) -> Self {
        Container { header: ContainerHeader { time, bodies, arrays: Vec::new() }, data: Vec::new() }
    }

    pub fn add(
        &mut self,
        name: &str,
        components: usize,
        numbers: &ContainerTypedArray,
        scale: Option<QuantizationScale>,
    ) {
        self.data.resize(self.data.len().next_multiple_of(ALIGNMENT), 0);
        let offset = self.data.len();
        let (kind, count) = numbers.append(&mut self.data);
        let (name, count) = (name.to_owned(), count / components);
        self.header.arrays.push(ContainerArrayDescriptor {
            name,
            kind,
            components,
            count,
            offset,
            scale,
        });
    }

    /// Returns header and arrays, compressed by gzip.
    pub fn finish(self) -> Vec<u8> {
        let mut head =
            serde_json::to_vec(&self.header).expect("a head is a tree of numbers and names");
        // Padded so that the first array is aligned: the length field takes four bytes.
        let length = (4 + head.len()).next_multiple_of(ALIGNMENT) - 4;
        head.resize(length, b' ');
        let room = Vec::with_capacity(self.data.len() / 2);
        let mut out = GzEncoder::new(room, Compression::new(EFFORT));
        let parts = [&(length as u32).to_le_bytes()[..], &head, &self.data];
        let written = parts.into_iter().try_for_each(|part| out.write_all(part));
        written.and_then(|()| out.finish()).expect("memory takes what is written to it")
    }
}

impl ContainerTypedArray {
    /// Appends the bytes of the numbers, and returns their type and count.
    fn append(&self, data: &mut Vec<u8>) -> (&'static str, usize) {
        let before = data.len();
        match self {
            ContainerTypedArray::U8(values) => data.extend_from_slice(values),
            ContainerTypedArray::U16(values) => {
                data.extend(values.iter().flat_map(|it| it.to_le_bytes()))
            }
            ContainerTypedArray::U32(values) => {
                data.extend(values.iter().flat_map(|it| it.to_le_bytes()))
            }
            ContainerTypedArray::I16(values) => {
                data.extend(values.iter().flat_map(|it| it.to_le_bytes()))
            }
            ContainerTypedArray::F32(values) => {
                data.extend(values.iter().flat_map(|it| it.to_le_bytes()))
            }
        }
        let (kind, size) = match self {
            ContainerTypedArray::U8(_) => ("u8", 1),
            ContainerTypedArray::U16(_) => ("u16", 2),
            ContainerTypedArray::U32(_) => ("u32", 4),
            ContainerTypedArray::I16(_) => ("i16", 2),
            ContainerTypedArray::F32(_) => ("f32", 4),
        };
        (kind, (data.len() - before) / size)
    }
}
