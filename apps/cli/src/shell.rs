//! `carom completions` and `carom man`.

use crate::arguments::Arguments;
use crate::failure::{CommandFailure, to_stdout};
use crate::numbers;
use clap::CommandFactory;

pub fn completions(shell: clap_complete::Shell) -> Result<(), CommandFailure> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "carom", &mut text);
    to_stdout(|out| out.write_all(&text))
}

/// Prints the manual page of the program, or of one of its commands.
pub fn manual(name: Option<&str>) -> Result<(), CommandFailure> {
    let mut program = Arguments::command();
    program.build();
    let Some(name) = name else {
        return to_stdout(|out| clap_mangen::Man::new(program).render(out));
    };
    let found = program
        .get_subcommands()
        .flat_map(with_subcommands)
        .find(|command| command.get_name() == name);
    let Some(command) = found else {
        let names: Vec<_> = program.get_subcommands().map(clap::Command::get_name).collect();
        return Err(numbers::unknown("the command", name, names));
    };
    let title = command.get_display_name().unwrap_or(name).to_owned();
    let page = clap_mangen::Man::new(command.clone()).title(title);
    to_stdout(|out| page.render(out))
}

fn with_subcommands(command: &clap::Command) -> impl Iterator<Item = &clap::Command> {
    std::iter::once(command).chain(command.get_subcommands())
}
