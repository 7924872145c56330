//! Writers; all write through a buffer of their own and take any [`Write`](std::io::Write).

mod contacts;
mod csv;
mod row_buffer;
mod xyz;

pub use contacts::write_contacts;
pub use csv::write_csv;
pub use xyz::write_xyz;

#[cfg(test)]
mod tests;
