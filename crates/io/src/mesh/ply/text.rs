//! Rows of PLY as lines of text.

use super::super::MeshProblem;
use super::super::problem::LocatedMeshProblem;
use super::super::tokenizer::MeshTokenizer;
use super::PlyRowReader;
use super::header::{PlyElement, PlyScalarType};

const ROW_RULE: &str =
    "a row is a line with a number for each property; a list starts with its count";

pub(super) struct PlyTextRows<'a>(pub MeshTokenizer<'a>);

impl PlyRowReader for PlyTextRows<'_> {
    #[inline]
    fn start_row(&mut self, element: &PlyElement, row: u64) -> Result<(), LocatedMeshProblem> {
        if self.0.next_content() {
            return Ok(());
        }
        let (what, promised) = (element.title(), element.count);
        Err(self.fault(MeshProblem::CutShort { what, found: row, promised }))
    }

    #[inline]
    fn coordinate(
        &mut self,
        _: PlyScalarType,
        axis: &'static str,
    ) -> Result<f64, LocatedMeshProblem> {
        self.0.coordinate(axis)
    }

    #[inline]
    fn count(&mut self, _: PlyScalarType) -> Result<u64, LocatedMeshProblem> {
        self.0.count("the count of a list", ROW_RULE)
    }

    #[inline]
    fn corner(&mut self, _: PlyScalarType) -> Result<i64, LocatedMeshProblem> {
        self.0.integer("a corner", ROW_RULE)
    }

    fn skip(&mut self, _: PlyScalarType, count: u64) -> Result<(), LocatedMeshProblem> {
        (0..count).try_for_each(|_| self.0.required("a number", ROW_RULE).map(drop))
    }

    #[inline]
    fn end_row(&mut self) -> Result<(), LocatedMeshProblem> {
        self.0.end_line(ROW_RULE)?;
        self.0.next_line();
        Ok(())
    }

    fn end(&mut self) -> Result<(), LocatedMeshProblem> {
        if self.0.next_content() {
            self.0.end_line("nothing may stand after the rows that the header promises")?;
        }
        Ok(())
    }

    fn fault(&self, problem: MeshProblem) -> LocatedMeshProblem {
        problem.at_line(self.0.line())
    }
}
