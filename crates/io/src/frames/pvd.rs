//! The index by which ParaView opens a series of files.

use std::io::{self, Write};

/// Writes ParaView's index of a series: each file, in the same folder, with its time.
pub(super) fn write_pvd<'a>(
    out: &mut (impl Write + ?Sized),
    entries: impl Iterator<Item = (f64, &'a str)>,
) -> io::Result<()> {
    let mut text = "<?xml version=\"1.0\"?>\n\
         <VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n<Collection>\n"
        .to_owned();
    for (time, file) in entries {
        text += &format!(
            "<DataSet timestep=\"{}\" group=\"\" part=\"0\" file=\"{file}\"/>\n",
            zmij::Buffer::new().format(time)
        );
    }
    text += "</Collection>\n</VTKFile>\n";
    out.write_all(text.as_bytes())
}
