//! Contacts as CSV.

use super::row_buffer::RowBuffer;
use carom_detect::Contact;
use std::io::{self, Write};

/// Writes contacts as CSV `i,j,overlap`: indices from zero, in the order given.
///
/// The overlap is the penetration depth, written with the fewest digits that read back to the same bits.
///
/// ```
/// use carom_detect::{Contact, BodyPair};
/// let mut text = Vec::new();
/// let contact = Contact { pair: BodyPair::new(0, 7), overlap: 0.25 };
/// carom_io::write_contacts(&mut text, &[contact])?;
/// assert_eq!(text, b"i,j,overlap\n0,7,0.25\n");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_contacts(out: &mut (impl Write + ?Sized), contacts: &[Contact]) -> io::Result<()> {
    let mut rows = RowBuffer::new(out);
    rows.text("i,j,overlap");
    rows.end_row()?;
    for contact in contacts {
        rows.integer(contact.pair.first());
        rows.text(",");
        rows.integer(contact.pair.second());
        rows.text(",");
        rows.number(contact.overlap);
        rows.end_row()?;
    }
    rows.finish()
}
