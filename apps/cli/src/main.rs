//! The program `carom`.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: carom_cli::ExitingAllocator = carom_cli::ExitingAllocator;

fn main() -> ExitCode {
    ExitCode::from(carom_cli::main(std::env::args_os()))
}
