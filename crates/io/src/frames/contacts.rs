//! Contacts with their forces, so that a viewer shows force chains.

use super::check;
use super::vtk_array::{VtkArray, VtkArrayEntries, VtkArrayValues, write_file};
use crate::{Frame, FrameContact};
use std::io::{self, Write};

/// Writes the contacts of a frame as lines of VTK PolyData (`.vtp`), each from the center of a body over the contact
/// point to the center of the other body, or to the contact point at a wall.
///
/// Every line has `normal_force`, `tangential_force` and `overlap`, the id `body` of its first body, and the id
/// `other` of the other body or the number `wall` of the wall; the one that it does not have is -1. Tubes whose radius follows
/// `normal_force` (ParaView's filter Tube) show force chains.
pub fn write_contacts_vtp<const D: usize>(
    out: &mut (impl Write + ?Sized),
    frame: &Frame<D>,
) -> io::Result<()> {
    write(out, frame, false)
}

pub(super) fn write<const D: usize>(
    out: &mut (impl Write + ?Sized),
    frame: &Frame<D>,
    compressed: bool,
) -> io::Result<()> {
    check(frame)?;
    let contacts = frame.contacts.as_deref().unwrap_or_default();
    let scalars = |of: fn(&FrameContact<D>) -> f64| contacts.iter().map(of).collect::<Vec<_>>();
    let (normal, tangential, overlaps) = (
        scalars(|contact| contact.normal_force),
        scalars(|contact| contact.tangential_force),
        scalars(|contact| contact.overlap),
    );
    let bodies: Vec<i64> = contacts.iter().map(|contact| i64::from(contact.body)).collect();
    let number = |it: Option<u32>| it.map_or(-1, i64::from);
    let others: Vec<i64> = contacts.iter().map(|contact| number(contact.other)).collect();
    let walls: Vec<i64> = contacts.iter().map(|contact| number(contact.wall)).collect();
    let cell_data = [
        VtkArray { name: "normal_force", values: VtkArrayValues::Scalars(&normal) },
        VtkArray { name: "tangential_force", values: VtkArrayValues::Scalars(&tangential) },
        VtkArray { name: "overlap", values: VtkArrayValues::Scalars(&overlaps) },
        VtkArray { name: "body", values: VtkArrayValues::Integers(bodies) },
        VtkArray { name: "other", values: VtkArrayValues::Integers(others) },
        VtkArray { name: "wall", values: VtkArrayValues::Integers(walls) },
    ];
    let places: Vec<_> = contacts.iter().flat_map(|contact| contact.line).collect();
    let points = [VtkArray { name: "position", values: VtkArrayValues::Vectors(&places) }];
    let count = contacts.len() as i64;
    let lines = [
        VtkArray {
            name: "connectivity",
            values: VtkArrayValues::Integers((0..3 * count).collect()),
        },
        VtkArray {
            name: "offsets",
            values: VtkArrayValues::Integers((1..=count).map(|line| 3 * line).collect()),
        },
    ];
    let mut entries = VtkArrayEntries::new(compressed);
    let piece = format!(
        "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"0\" NumberOfLines=\"{count}\" \
         NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n\
         <CellData Scalars=\"normal_force\">\n{}</CellData>\n\
         <Points>\n{}</Points>\n<Lines>\n{}</Lines>\n</Piece>\n",
        places.len(),
        entries.of(&cell_data)?,
        entries.of(&points)?,
        entries.of(&lines)?
    );
    let arrays = cell_data.iter().chain(&points).chain(&lines);
    write_file(out, frame, (&piece, entries), arrays)
}
