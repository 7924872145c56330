//! Arguments of `carom contacts`.

use clap::Args;
use std::path::PathBuf;

pub const CONTACTS_EXAMPLES: &str = "\
Input: a table with a header x,y,r or x,y,z,r, separated by commas, semicolons, tabs or blanks
(any order and case, other columns ignored; radius is the same as r, diameter or d are halved;
lines starting with # may precede the header), extended XYZ with a radius (its box is periodic
where pbc says so, or on all axes if there is no pbc), VTK (.vtp) and LAMMPS dumps as runs write
them; all may be compressed by gzip. In a periodic box no particle may be wider than half a
period.
Output: CSV i,j,overlap with zero-based i < j, ascending; a contact has
r_i + r_j - |x_i - x_j| >= 0. All methods give the same result to the bit.

Examples:
  carom generate particles --count 5000 --diameters 0.5,1 --fraction 0.3 --out grains.csv
  carom contacts grains.csv > contacts.csv
  carom run :hopper --until 1
  carom contacts hopper.run@last > contacts.csv
  carom contacts case:3B:1e6 --stats --out contacts.csv
  carom contacts grains.csv --periodic 30,30,open --method linked-cells --cells-mean 5
  carom contacts case:2A:600 --svg contacts.svg --out contacts.csv";

#[derive(Debug, Args)]
pub struct ContactsArguments {
    /// Particle file; RUN, RUN@first, RUN@12 or RUN@t=0.5 is a frame of a results folder: the last, the first, the one
    /// with a number or the nearest to a time; - reads standard input; case:NAME[:COUNT[:SEED]] generates a published
    /// workload (2A 2B 2C 3A 3B 3C P2 P3 LN BIG)
    pub particles: PathBuf,
    /// Broad phase: auto, all-pairs, distance-sort, linked-cells, cell-tree, sweep-and-prune,
    /// incremental-sweep-and-prune, hierarchical-grid or delaunay
    #[arg(long, value_name = "METHOD")]
    pub method: Option<String>,
    /// Search by linked-cells with P particles per cell on average, instead of cells as wide as the largest particle
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub cells_mean: Option<f64>,
    /// Search by distance-sort with distances from this point: corner, center or X,Y[,Z]
    #[arg(long, value_name = "POINT", allow_hyphen_values = true)]
    pub origin: Option<String>,
    /// Periodic box [0,LX) x [0,LY) [x [0,LZ)], in place of that of the file; "open" for an axis that
    /// is not periodic
    #[arg(long, value_name = "LX,LY[,LZ]", allow_hyphen_values = true)]
    pub periodic: Option<String>,
    /// Write the contacts to this file; - is standard output
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Draw particles and contacts (at most 20000 particles)
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Report the method and why it was chosen, the work, the time per phase and the extra memory
    #[arg(long, short = 'v', visible_alias = "verbose")]
    pub stats: bool,
    /// The statistics as JSON: on standard output if --out takes the contacts, else on standard
    /// error
    #[arg(long)]
    pub json: bool,
    /// Verify the search structure completely after the search
    #[arg(long)]
    pub check: bool,
}
