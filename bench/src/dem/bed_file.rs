//! The file of a bed: how wide it is, and a line of numbers for each body.

use crate::error::Error;
use std::path::Path;

/// The width of a bed and `N` numbers for each body.
#[derive(Clone, Debug, PartialEq)]
pub struct BedFile<const N: usize> {
    /// The width of the box along both horizontal axes.
    pub width: f64,
    /// The numbers of each body.
    pub bodies: Vec<[f64; N]>,
}

impl<const N: usize> BedFile<N> {
    /// Reads the file, or else makes this many bodies and writes them into it.
    pub fn read_or_make(
        path: &Path,
        count: usize,
        make: impl FnOnce() -> Result<Self, Error>,
    ) -> Result<Self, Error> {
        if path.exists() {
            let text = std::fs::read_to_string(path).map_err(Error::in_file(path))?;
            let problem = format!("a bed is a width and lines of {N} numbers; remove the file");
            return BedFile::parse(&text)
                .ok_or_else(|| Error::Document { path: path.into(), problem });
        }
        eprintln!("settling a bed of {count} bodies, kept in {}", path.display());
        let bed = make()?;
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(Error::in_file(folder))?;
        }
        std::fs::write(path, bed.text()).map_err(Error::in_file(path))?;
        Ok(bed)
    }

    fn text(&self) -> String {
        let line = |body: &[f64; N]| body.map(|number| number.to_string()).join(",") + "\n";
        format!("{}\n", self.width) + &self.bodies.iter().map(line).collect::<String>()
    }

    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let width = lines.next()?.parse().ok()?;
        let body = |line: &str| {
            let numbers: Option<Vec<f64>> =
                line.split(',').map(|number| number.parse().ok()).collect();
            <[f64; N]>::try_from(numbers?).ok()
        };
        Some(BedFile { width, bodies: lines.map(body).collect::<Option<_>>()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_survive_their_file_to_the_bit() {
        let bed = BedFile { width: 1.0 / 3.0, bodies: vec![[1e-17, -0.1, 7.0], [0.3, 2e300, 0.0]] };
        assert_eq!(BedFile::parse(&bed.text()).unwrap(), bed);
        assert!(BedFile::<4>::parse("3.5\n1,2,3\n").is_none());
    }
}
