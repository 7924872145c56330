//! Rows of binary PLY.

use super::super::MeshProblem;
use super::super::problem::LocatedMeshProblem;
use super::PlyRowReader;
use super::header::{PlyElement, PlyScalarType};
use crate::cell;
use crate::cell::CellQuantity;

/// Big-endian or little-endian numbers.
pub(super) struct PlyBinaryRows<'a, const BIG: bool> {
    bytes: &'a [u8],
    at: usize,
    /// Offset of the bytes in the file.
    start: usize,
    /// Offset of the number that was read last.
    last: usize,
}

impl<'a, const BIG: bool> PlyBinaryRows<'a, BIG> {
    pub(super) fn new(bytes: &'a [u8], start: usize) -> Self {
        PlyBinaryRows { bytes, at: 0, start, last: 0 }
    }

    #[inline]
    fn take<const N: usize>(&mut self) -> Result<[u8; N], LocatedMeshProblem> {
        self.last = self.at;
        let Some(&found) = self.bytes[self.at..].first_chunk::<N>() else {
            return Err(self.cut_short());
        };
        self.at += N;
        let mut bytes = found;
        if BIG {
            bytes.reverse();
        }
        Ok(bytes)
    }

    #[inline]
    fn integer(&mut self, number: PlyScalarType) -> Result<i64, LocatedMeshProblem> {
        Ok(match number {
            PlyScalarType::I8 => i8::from_le_bytes(self.take()?).into(),
            PlyScalarType::U8 => u8::from_le_bytes(self.take()?).into(),
            PlyScalarType::I16 => i16::from_le_bytes(self.take()?).into(),
            PlyScalarType::U16 => u16::from_le_bytes(self.take()?).into(),
            PlyScalarType::I32 => i32::from_le_bytes(self.take()?).into(),
            PlyScalarType::U32 => u32::from_le_bytes(self.take()?).into(),
            // The header has refused floating-point types here.
            PlyScalarType::F32 => f32::from_le_bytes(self.take()?) as i64,
            PlyScalarType::F64 => f64::from_le_bytes(self.take()?) as i64,
        })
    }

    fn cut_short(&self) -> LocatedMeshProblem {
        let rule = "the file ends in the middle of a row";
        self.fault(MeshProblem::Missing { what: "a number", rule })
    }
}

impl<const BIG: bool> PlyRowReader for PlyBinaryRows<'_, BIG> {
    #[inline]
    fn start_row(&mut self, element: &PlyElement, row: u64) -> Result<(), LocatedMeshProblem> {
        if self.at < self.bytes.len() {
            return Ok(());
        }
        self.last = self.at;
        let (what, promised) = (element.title(), element.count);
        Err(self.fault(MeshProblem::CutShort { what, found: row, promised }))
    }

    #[inline]
    fn coordinate(
        &mut self,
        number: PlyScalarType,
        axis: &'static str,
    ) -> Result<f64, LocatedMeshProblem> {
        let value = match number {
            PlyScalarType::F32 => f32::from_le_bytes(self.take()?).into(),
            PlyScalarType::F64 => f64::from_le_bytes(self.take()?),
            whole => self.integer(whole)? as f64,
        };
        cell::check(value, CellQuantity::Coordinate).map_err(|rule| {
            self.fault(MeshProblem::value(axis, format!("{value:e}").as_bytes(), rule))
        })
    }

    #[inline]
    fn count(&mut self, number: PlyScalarType) -> Result<u64, LocatedMeshProblem> {
        let count = self.integer(number)?;
        u64::try_from(count).map_err(|_| {
            let (what, rule) = ("the count of a list", "it must not be negative");
            self.fault(MeshProblem::value(what, count.to_string().as_bytes(), rule))
        })
    }

    #[inline]
    fn corner(&mut self, number: PlyScalarType) -> Result<i64, LocatedMeshProblem> {
        self.integer(number)
    }

    #[inline]
    fn skip(&mut self, number: PlyScalarType, count: u64) -> Result<(), LocatedMeshProblem> {
        self.last = self.at;
        // Counts have 32 bits at most.
        let length = count as usize * number.size();
        if length > self.bytes.len() - self.at {
            return Err(self.cut_short());
        }
        self.at += length;
        Ok(())
    }

    #[inline]
    fn end_row(&mut self) -> Result<(), LocatedMeshProblem> {
        Ok(())
    }

    fn end(&mut self) -> Result<(), LocatedMeshProblem> {
        let rest = self.bytes[self.at..].trim_ascii();
        if rest.is_empty() {
            return Ok(());
        }
        self.last = self.at;
        let rule = "nothing may stand after the rows that the header promises";
        Err(self.fault(MeshProblem::value("what follows", rest, rule)))
    }

    fn fault(&self, problem: MeshProblem) -> LocatedMeshProblem {
        problem.at_byte(self.start + self.last)
    }
}
