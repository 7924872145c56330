//! `Lattice` and `pbc` of an extended XYZ comment.

use super::comment::{XyzComment, entry};
use super::words;
use crate::LineProblem;
use carom_geometry::Boundary;

/// Returns the boundary of the frame: an axis is periodic if `pbc` has `T` for it, or if there is a `Lattice` and no
/// `pbc`, as in other programs.
pub(super) fn of<const D: usize>(comment: &XyzComment) -> Result<Boundary<D>, LineProblem> {
    let (pbc, lattice) = (comment.get("pbc")?, comment.get("Lattice")?);
    let periodic = match (pbc, lattice) {
        (Some(pbc), _) => flags::<D>(pbc)?,
        (None, Some(_)) => [true; D],
        (None, None) => [false; D],
    };
    if !periodic.contains(&true) {
        return Ok(Boundary::open());
    }
    let needed = || entry("pbc", pbc.unwrap_or_default(), "a periodic axis needs a Lattice");
    let lattice = lattice.ok_or_else(needed)?;
    let lengths = rectangle::<D>(lattice)?;
    let periods = std::array::from_fn(|axis| periodic[axis].then_some(lengths[axis]));
    Boundary::periodic(periods)
        .map_err(|_| entry("Lattice", lattice, "a period must be between 1e-100 and 1e100"))
}

/// Returns the edge lengths of the `Lattice`, if there is one; zero for the third axis in 2D.
pub(super) fn size<const D: usize>(comment: &XyzComment) -> Result<Option<[f64; 3]>, LineProblem> {
    let Some(lattice) = comment.get("Lattice")? else { return Ok(None) };
    let edges = rectangle::<D>(lattice)?;
    Ok(Some(std::array::from_fn(|axis| edges.get(axis).copied().unwrap_or(0.0))))
}

fn flags<const D: usize>(text: &[u8]) -> Result<[bool; D], LineProblem> {
    let flag = |word: &[u8]| match word.to_ascii_lowercase().as_slice() {
        b"t" | b"true" | b"1" => Some(true),
        b"f" | b"false" | b"0" => Some(false),
        _ => None,
    };
    let flags: Option<Vec<bool>> = words(text).take(4).map(flag).collect();
    match flags {
        Some(flags) if (D..=3).contains(&flags.len()) => Ok(std::array::from_fn(|a| flags[a])),
        _ => Err(entry("pbc", text, "it must be T or F for each axis, for example \"T T F\"")),
    }
}

/// Returns the edge lengths of an axis-aligned box.
fn rectangle<const D: usize>(text: &[u8]) -> Result<[f64; D], LineProblem> {
    let numbers: Option<Vec<f64>> =
        words(text).take(10).map(|word| fast_float2::parse(word).ok()).collect();
    let numbers = numbers.unwrap_or_default();
    let edges = match numbers.len() {
        9 => 3,
        4 if D == 2 => 2,
        _ => {
            return Err(entry("Lattice", text, "it must be the nine numbers of three edges"));
        }
    };
    let on_diagonal = |index: usize| index.is_multiple_of(edges + 1);
    if (0..edges * edges).any(|index| !on_diagonal(index) && numbers[index] != 0.0) {
        let rule = "only rectangular boxes with edges along the axes are supported";
        return Err(entry("Lattice", text, rule));
    }
    Ok(std::array::from_fn(|axis| numbers[axis * (edges + 1)]))
}
