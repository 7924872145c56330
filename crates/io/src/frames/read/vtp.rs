//! VTK PolyData as [`write_frame_vtp`](super::super::write_frame_vtp) writes it: an XML header, then raw bytes.

use super::super::zlib_blocks::{LARGEST_RATIO, decompress};
use super::frame_table::{FrameTable, FrameTableColumn};
use super::problem::FrameReadProblem;
use super::{FrameHeader, springs as springs_of};
use crate::{AxisExtent, FrameSprings, memory};

const APPENDED: &[u8] = b"<AppendedData encoding=\"raw\">\n_";

pub(super) fn header(bytes: &[u8]) -> Result<FrameHeader, FrameReadProblem> {
    let file = VtpFile::of(bytes)?;
    Ok(FrameHeader { time: file.time()?, bodies: file.count("NumberOfPoints")? })
}

pub(super) fn bodies(bytes: &[u8]) -> Result<FrameTable, FrameReadProblem> {
    let file = VtpFile::of(bytes)?;
    let count = file.count("NumberOfPoints")?;
    let entries = ["PointData", "Points"].into_iter().flat_map(|section| file.entries(section));
    // It follows from the velocity.
    let entries: Vec<VtpArrayEntry> = entries.filter(|entry| entry.name != "speed").collect();
    let columns = file.columns(&entries, count)?;
    Ok(FrameTable { columns, ..file.table()? })
}

pub(super) fn springs(bytes: &[u8]) -> Result<FrameSprings, FrameReadProblem> {
    let file = VtpFile::of(bytes)?;
    let count = file.count("NumberOfLines")?;
    let ends = file.entries("Lines").filter(|entry| entry.name == "connectivity");
    let ends = ends.map(|entry| VtpArrayEntry { name: "ends", components: 2, ..entry });
    let entries: Vec<VtpArrayEntry> = file.entries("CellData").chain(ends).collect();
    let columns = file.columns(&entries, count)?;
    springs_of(FrameTable { columns, ..file.table()? })
}

/// A file in its two parts.
struct VtpFile<'a> {
    header: &'a str,
    data: &'a [u8],
}

/// The entry of an array in the header.
struct VtpArrayEntry<'a> {
    name: &'a str,
    kind: &'a str,
    components: usize,
    offset: usize,
}

impl<'a> VtpFile<'a> {
    fn of(bytes: &'a [u8]) -> Result<Self, FrameReadProblem> {
        let known = b"<?xml";
        if !bytes.starts_with(&known[..known.len().min(bytes.len())]) {
            return Err(FrameReadProblem::foreign("it does not begin with <?xml"));
        }
        let short = || FrameReadProblem::Short {
            what: "its head".to_owned(),
            wanted: "an end".to_owned(),
            found: format!("only {} bytes", bytes.len()),
        };
        let place = bytes.windows(APPENDED.len()).position(|window| window == APPENDED);
        let (head, data) = bytes.split_at(place.ok_or_else(short)?);
        let head =
            str::from_utf8(head).map_err(|_| FrameReadProblem::foreign("its head is not text"))?;
        if !head.contains("byte_order=\"LittleEndian\"") || !head.contains("type=\"PolyData\"") {
            return Err(FrameReadProblem::foreign("it is no PolyData in little endian"));
        }
        Ok(VtpFile { header: head, data: &data[APPENDED.len()..] })
    }

    /// Returns a number that the header has as an attribute.
    fn count(&self, name: &str) -> Result<usize, FrameReadProblem> {
        let number = attribute(self.header, name).and_then(|text| text.parse().ok());
        number.ok_or_else(|| FrameReadProblem::Missing(name.to_owned()))
    }

    /// Returns numbers that stand in the header itself.
    fn field(&self, name: &str) -> Option<Vec<f64>> {
        let place = self.header.find(&format!("Name=\"{name}\""))?;
        let text = self.header[place..].split('>').nth(1)?.split('<').next()?;
        text.split_ascii_whitespace().map(|word| word.parse().ok()).collect()
    }

    fn time(&self) -> Result<f64, FrameReadProblem> {
        let found = self.field("TimeValue").and_then(|values| values.first().copied());
        let time = found.filter(|time| time.is_finite());
        time.ok_or_else(|| FrameReadProblem::Missing("TimeValue".to_owned()))
    }

    /// Returns the table without columns.
    fn table(&self) -> Result<FrameTable, FrameReadProblem> {
        let lengths = self.field("box").unwrap_or_default();
        let length = |axis: usize| lengths.get(axis).copied().filter(|&length| length > 0.0);
        let [periodic, open] =
            ["periodic", "open"].map(|name| self.field(name).unwrap_or_default());
        let period = |axis: usize| length(axis).filter(|_| periodic.get(axis) == Some(&1.0));
        let walls = |axis: usize| length(axis).filter(|_| open.get(axis) != Some(&1.0));
        let span = |axis: usize| match (period(axis), walls(axis)) {
            (Some(period), _) => AxisExtent::Periodic(period),
            (None, Some(length)) => AxisExtent::Walls(length),
            (None, None) => AxisExtent::Open,
        };
        Ok(FrameTable {
            time: Some(self.time()?),
            step: 0,
            region: [0, 1, 2].map(span),
            periods: [0, 1, 2].map(period),
            is_flat: lengths.get(2) == Some(&0.0),
            columns: Vec::new(),
        })
    }

    /// Returns the arrays between the tags of a section.
    fn entries(&self, section: &str) -> impl Iterator<Item = VtpArrayEntry<'a>> + use<'a> {
        let start =
            self.header.find(&format!("<{section}")).map_or(self.header.len(), |place| place + 1);
        let text = &self.header[start..];
        let end = text.find(&format!("</{section}>")).unwrap_or(0);
        text[..end].split("<DataArray").skip(1).filter_map(|tag| {
            Some(VtpArrayEntry {
                name: attribute(tag, "Name")?,
                kind: attribute(tag, "type")?,
                components: attribute(tag, "NumberOfComponents")?.parse().ok()?,
                offset: attribute(tag, "offset")?.parse().ok()?,
            })
        })
    }

    /// Returns the columns of arrays of `rows` rows.
    fn columns(
        &self,
        entries: &[VtpArrayEntry],
        rows: usize,
    ) -> Result<Vec<FrameTableColumn>, FrameReadProblem> {
        let bytes = |entry: &VtpArrayEntry| rows.saturating_mul(entry.components).saturating_mul(8);
        let all = entries.iter().map(bytes).fold(0, usize::saturating_add);
        let most =
            self.data.len().saturating_mul(if self.is_compressed() { LARGEST_RATIO } else { 1 });
        // Many arrays at one offset would take far more memory than the file has bytes.
        if all > most {
            let found = self.data.len().to_string();
            let wanted = format!("{all} bytes");
            return Err(FrameReadProblem::Short {
                what: "what it counts".to_owned(),
                wanted,
                found,
            });
        }
        // Once as bytes and once as numbers.
        if self.is_compressed() && memory::check("arrays", 2.0 * all as f64).is_err() {
            let sentence = format!("its arrays have {all} bytes, which the memory does not hold");
            return Err(FrameReadProblem::foreign(sentence));
        }
        entries.iter().map(|entry| self.column(entry, rows)).collect()
    }

    /// Returns the column of an array of `rows` rows.
    fn column(
        &self,
        entry: &VtpArrayEntry,
        rows: usize,
    ) -> Result<FrameTableColumn, FrameReadProblem> {
        let VtpArrayEntry { name, components, offset, .. } = *entry;
        let wanted = rows.checked_mul(components).and_then(|numbers| numbers.checked_mul(8));
        let wanted =
            wanted.ok_or_else(|| FrameReadProblem::foreign(format!("it has {rows} rows")))?;
        let found = self.data.get(offset..).unwrap_or_default();
        if self.is_compressed() {
            let what = || format!("\"{name}\" is not {wanted} bytes in blocks of zlib");
            let values =
                decompress(found, wanted).ok_or_else(|| FrameReadProblem::foreign(what()))?;
            return entry.numbers(&values);
        }
        let (length, values) = found.split_first_chunk::<8>().unwrap_or((&[0; 8], &[]));
        let values = values.get(..wanted).ok_or_else(|| FrameReadProblem::Short {
            what: format!("\"{name}\""),
            wanted: format!("{wanted} bytes"),
            found: values.len().to_string(),
        })?;
        if u64::from_le_bytes(*length) != wanted as u64 {
            return Err(FrameReadProblem::foreign(format!(
                "\"{name}\" is not {wanted} bytes long"
            )));
        }
        entry.numbers(values)
    }

    /// Whether its arrays are compressed.
    fn is_compressed(&self) -> bool {
        attribute(self.header, "compressor") == Some("vtkZLibDataCompressor")
    }
}

impl VtpArrayEntry<'_> {
    /// Decodes the column from these bytes.
    fn numbers(&self, bytes: &[u8]) -> Result<FrameTableColumn, FrameReadProblem> {
        let VtpArrayEntry { name, components, kind, .. } = *self;
        let numbers = bytes.as_chunks::<8>().0.iter();
        let values = match kind {
            "Float64" => numbers.map(|&bytes| f64::from_le_bytes(bytes)).collect(),
            "Int64" => numbers.map(|&bytes| i64::from_le_bytes(bytes) as f64).collect(),
            other => {
                return Err(FrameReadProblem::foreign(format!("\"{name}\" is of type {other}")));
            }
        };
        Ok(FrameTableColumn { name: name.to_owned(), components, values })
    }
}

/// Returns the value of the first attribute of a name.
fn attribute<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let mark = format!(" {name}=\"");
    text[text.find(&mark)? + mark.len()..].split('"').next()
}
