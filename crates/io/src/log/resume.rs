//! Continuing a log: what a kill left behind the checkpoint is cut off.

use super::{LogFile, LogProblem, header};
use crate::{Error, LineProblem, excerpt, open_results_file_with};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::path::Path;

impl LogFile {
    /// Opens the log after its first `rows` rows; whatever follows them, half a row at the end included, is cut off.
    ///
    /// # Errors
    ///
    /// If the columns differ or rows are missing, or if it is a symbolic link out of its folder; the file is unchanged.
    pub fn resume(path: &Path, columns: &[&str], rows: u64) -> Result<Self, Error> {
        let header = header(columns)?;
        let name = excerpt::file_name(path);
        let cannot_read = |source| Error::CannotRead { file: name.clone(), source };
        let cannot_write = |source| Error::CannotWrite { file: name.clone(), source };
        let (run, log) = (path.parent().unwrap_or(path), path.file_name().unwrap_or_default());
        let options = &mut OpenOptions::new();
        let file = open_results_file_with(run, log, options.read(true).write(true));
        let mut file = file.map_err(cannot_read)?;
        let mut kept =
            LogPrefixReader { lines: BufReader::new(&file), line: Vec::new(), length: 0 };
        kept.check_header(&name, &header)?;
        for row in 0..rows {
            kept.check_row(&name, columns.len(), row, rows)?;
        }
        let length = kept.length;
        // Rows behind the checkpoint's are cut: the run writes them again, to the same bytes.
        file.set_len(length).map_err(cannot_write)?;
        file.seek(SeekFrom::Start(length)).map_err(cannot_write)?;
        Ok(LogFile::at_end(file, name, columns.len()))
    }
}

/// The part of the file that stays, as far as it has been read.
struct LogPrefixReader<'a> {
    lines: BufReader<&'a File>,
    line: Vec<u8>,
    length: u64,
}

impl LogPrefixReader<'_> {
    /// Reads the next line; false if the file ends before the line does.
    fn next_line(&mut self) -> io::Result<bool> {
        self.line.clear();
        self.length += self.lines.read_until(b'\n', &mut self.line)? as u64;
        Ok(self.line.ends_with(b"\n"))
    }

    fn whole_line(&mut self, name: &str) -> Result<bool, Error> {
        self.next_line().map_err(|source| Error::CannotRead { file: name.to_owned(), source })
    }

    fn check_header(&mut self, name: &str, header: &str) -> Result<(), Error> {
        self.whole_line(name)?;
        if self.line == header.as_bytes() {
            return Ok(());
        }
        let found = excerpt::value(self.line.trim_ascii_end());
        Err(Error::Log { file: name.to_owned(), problem: LogProblem::Header { found } })
    }

    fn check_row(&mut self, name: &str, columns: usize, row: u64, rows: u64) -> Result<(), Error> {
        if !self.whole_line(name)? {
            let problem = LogProblem::TooFewRows { found: row, expected: rows };
            return Err(Error::Log { file: name.to_owned(), problem });
        }
        let line = row as usize + 2;
        let text = self.line.trim_ascii_end();
        if text.contains(&0) {
            return Err(Error::at_line(name, line, LineProblem::NotText));
        }
        let found = text.split(|&byte| byte == b',').count();
        if found != columns {
            let problem = LineProblem::Ragged { found, expected: columns };
            return Err(Error::at_line(name, line, problem));
        }
        let mut fields = text.split(|&byte| byte == b',');
        if let Some(field) = fields.find(|field| fast_float2::parse::<f64, _>(field).is_err()) {
            let problem = LineProblem::NoNumber { found: excerpt::value(field) };
            return Err(Error::at_line(name, line, problem));
        }
        Ok(())
    }
}
