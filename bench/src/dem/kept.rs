//! The file of a bed: how wide it is, and a line of numbers for each body.

use crate::error::Error;
use crate::table::number;
use std::path::Path;

/// The width of a bed and `N` numbers for each body.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept<const N: usize> {
    /// Of the box along both horizontal axes.
    pub width: f64,
    /// What each body is recognized by.
    pub bodies: Vec<[f64; N]>,
}

impl<const N: usize> Kept<N> {
    /// What the file has, or else what is made of this many bodies and put into the file.
    pub fn read_or_make(
        path: &Path,
        count: usize,
        make: impl FnOnce() -> Result<Self, Error>,
    ) -> Result<Self, Error> {
        if path.exists() {
            let text = std::fs::read_to_string(path).map_err(Error::in_file(path))?;
            return Kept::parse(&text);
        }
        eprintln!("settling a bed of {count} bodies, kept in {}", path.display());
        let kept = make()?;
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(Error::in_file(folder))?;
        }
        std::fs::write(path, kept.text()).map_err(Error::in_file(path))?;
        Ok(kept)
    }

    fn text(&self) -> String {
        let mut text = format!("{}\n", self.width);
        for body in &self.bodies {
            text += &body.map(|number| number.to_string()).join(",");
            text.push('\n');
        }
        text
    }

    fn parse(text: &str) -> Result<Self, Error> {
        let problem = |line: usize| move |problem| Error::Table { line: line + 1, problem };
        let mut lines = text.lines().enumerate();
        let width = lines.next().map_or("", |(_, line)| line);
        let width = number(width, "the width of the bed").map_err(problem(0))?;
        let body = |(line, text): (usize, &str)| {
            let fields: Result<Vec<f64>, _> =
                text.split(',').map(|field| number(field, "a coordinate")).collect();
            let fields = fields.map_err(problem(line))?;
            fields.try_into().map_err(|_| problem(line)(format!("a body has {N} numbers")))
        };
        Ok(Kept { width, bodies: lines.map(body).collect::<Result<_, Error>>()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_survive_their_file_to_the_bit() {
        let kept = Kept { width: 1.0 / 3.0, bodies: vec![[1e-17, -0.1, 7.0], [0.3, 2e300, 0.0]] };
        assert_eq!(Kept::parse(&kept.text()).unwrap(), kept);
        let error = Kept::<4>::parse("3.5\n1,2,3\n").unwrap_err().to_string();
        assert_eq!(error, "line 2: a body has 4 numbers");
        let error = Kept::<3>::parse("wide\n").unwrap_err().to_string();
        assert_eq!(error, "line 1: the width of the bed is \"wide\"; it must be a number");
    }

    #[test]
    fn a_bed_is_made_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("beds").join("one.csv");
        let kept = Kept { width: 1.0, bodies: vec![[2.0]] };
        let made = Kept::read_or_make(&path, 1, || Ok(kept.clone())).unwrap();
        let read = Kept::<1>::read_or_make(&path, 1, || unreachable!("it is kept")).unwrap();
        assert_eq!((made, read), (kept.clone(), kept));
    }
}
