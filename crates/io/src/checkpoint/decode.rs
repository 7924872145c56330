//! Decoding: the outline of the file is read first, with no memory but a list of its sections, then the checksums are
//! compared, and only then numbers are copied.

use super::array::CheckpointArrayType;
use super::checksum::{CHECKSUM_BYTES, checkpoint_checksum};
use super::{Checkpoint, CheckpointProblem, MAGIC, VERSION};
use crate::Error;
use std::collections::BTreeSet;

impl Checkpoint {
    /// Decodes the bytes of a file, which errors name; any damage is an error.
    pub fn decode(bytes: &[u8], file: &str) -> Result<Self, Error> {
        let file = file.to_owned();
        match decoded(bytes) {
            Ok(checkpoint) => Ok(Checkpoint { file, ..checkpoint }),
            Err(problem) => Err(Error::Checkpoint { file, problem }),
        }
    }
}

fn decoded(bytes: &[u8]) -> Result<Checkpoint, CheckpointProblem> {
    let mut rest = after_header(bytes)?;
    let outline = CheckpointOutline::read(bytes, &mut rest).ok_or(CheckpointProblem::Damaged)?;
    let (before, sum) = bytes.split_at(bytes.len() - CHECKSUM_BYTES);
    if rest.len() != CHECKSUM_BYTES || checkpoint_checksum(before) != sum {
        return Err(CheckpointProblem::Damaged);
    }
    outline.checkpoint()
}

/// Returns what follows magic, version and length, if these are right.
fn after_header(bytes: &[u8]) -> Result<&[u8], CheckpointProblem> {
    if bytes.is_empty() {
        return Err(CheckpointProblem::Empty);
    }
    let known = bytes.len().min(MAGIC.len());
    if bytes[..known] != MAGIC[..known] {
        return Err(CheckpointProblem::Foreign);
    }
    let found = bytes.len() as u64;
    let cut = CheckpointProblem::CutShort { found };
    let mut rest = &bytes[known..];
    let version = u32::from_le_bytes(take(&mut rest).ok_or(cut.clone())?);
    if version > VERSION {
        return Err(CheckpointProblem::Newer { found: version, known: VERSION });
    }
    if version != 0 && version < VERSION {
        return Err(CheckpointProblem::Older { found: version, known: VERSION });
    }
    let after_version = rest;
    let _dimension: [u8; 4] = take(&mut rest).ok_or(cut.clone())?;
    let length = u64::from_le_bytes(take(&mut rest).ok_or(cut.clone())?);
    // The length stands before the sections: a file that was cut is distinguished from a damaged one.
    if found < length {
        return Err(cut);
    }
    if found > length || version == 0 {
        return Err(CheckpointProblem::Damaged);
    }
    Ok(after_version)
}

/// The outline of a file, all of which lies in the file.
struct CheckpointOutline<'a> {
    dimension: u32,
    scene_digest: u64,
    engine: &'a [u8],
    writer: &'a [u8],
    sections: Vec<CheckpointSection<'a>>,
}

struct CheckpointSection<'a> {
    name: &'a [u8],
    kind: CheckpointArrayType,
    values: &'a [u8],
    intact: bool,
}

impl<'a> CheckpointOutline<'a> {
    fn read(bytes: &'a [u8], rest: &mut &'a [u8]) -> Option<Self> {
        let dimension = u32::from_le_bytes(take(rest)?);
        let _length: [u8; 8] = take(rest)?;
        let scene_digest = u64::from_le_bytes(take(rest)?);
        let engine = take_text(rest)?;
        let writer = take_text(rest)?;
        let count = u32::from_le_bytes(take(rest)?);
        // Grows as sections are found; a count from a damaged file must not allocate memory.
        let mut sections = Vec::new();
        for _ in 0..count {
            sections.push(CheckpointSection::read(bytes, rest)?);
        }
        Some(CheckpointOutline { dimension, scene_digest, engine, writer, sections })
    }

    fn checkpoint(self) -> Result<Checkpoint, CheckpointProblem> {
        let text = |bytes: &[u8]| match std::str::from_utf8(bytes) {
            Ok(text) => Ok(text.to_owned()),
            Err(_) => Err(CheckpointProblem::Damaged),
        };
        let mut checkpoint =
            Checkpoint::new(&text(self.engine)?, self.dimension as usize, self.scene_digest);
        checkpoint.writer = text(self.writer)?;
        let mut names = BTreeSet::new();
        let mut arrays = Vec::new();
        for section in self.sections {
            let name = text(section.name)?;
            if !section.intact || !names.insert(section.name) {
                return Err(CheckpointProblem::Damaged);
            }
            arrays.push((name, section.kind.decode(section.values)));
        }
        checkpoint.arrays = checkpoint.arrays.with_arrays(arrays);
        Ok(checkpoint)
    }
}

impl<'a> CheckpointSection<'a> {
    fn read(bytes: &'a [u8], rest: &mut &'a [u8]) -> Option<Self> {
        let start = bytes.len() - rest.len();
        let name = take_text(rest)?;
        let [code] = take(rest)?;
        let kind = CheckpointArrayType::from_code(code)?;
        let count = usize::try_from(u64::from_le_bytes(take(rest)?)).ok()?;
        let values = take_slice(rest, count.checked_mul(kind.byte_width())?)?;
        let end = bytes.len() - rest.len();
        let intact = take(rest)? == checkpoint_checksum(&bytes[start..end]);
        Some(CheckpointSection { name, kind, values, intact })
    }
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (head, tail) = rest.split_first_chunk()?;
    *rest = tail;
    Some(*head)
}

fn take_slice<'a>(rest: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (head, tail) = rest.split_at_checked(length)?;
    *rest = tail;
    Some(head)
}

fn take_text<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = u32::from_le_bytes(take(rest)?);
    take_slice(rest, usize::try_from(length).ok()?)
}
