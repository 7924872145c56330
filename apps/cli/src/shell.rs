//! `carom completions` and `carom man`.

use crate::arguments::Arguments;
use crate::failure::{Failure, to_stdout};
use clap::CommandFactory;

pub fn completions(shell: clap_complete::Shell) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "carom", &mut text);
    to_stdout(|out| out.write_all(&text))
}

pub fn manual() -> Result<(), Failure> {
    to_stdout(|out| clap_mangen::Man::new(Arguments::command()).render(out))
}
