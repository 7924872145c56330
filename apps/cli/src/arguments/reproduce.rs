//! Arguments of `carom reproduce`.

use clap::Args;
use std::path::PathBuf;

pub const REPRODUCE_EXAMPLES: &str = "\
Ends in DIR/report.html, one page with tables, figures and findings of all papers whose reports
are in the folder; run one paper after the other, or all at once.

Examples:
  carom reproduce 002 --quick
  carom reproduce 000 --quick
  carom reproduce 001 --quick
  carom reproduce 003 --quick
  carom reproduce 004 --quick
  carom reproduce --out reproduction";

#[derive(Debug, Args)]
pub struct ReproduceArguments {
    /// Number of the paper; all papers if not given
    pub paper: Option<String>,
    /// Smaller systems: seconds instead of minutes
    #[arg(long)]
    pub quick: bool,
    /// Run the first collision of this data file of paper 004, by its method and by that of carom
    ///
    /// Text, a line with only $, then numbers, each group at the start of a line whose rest is a comment: lower extents
    /// of the scene (x y z), upper extents, number of objects, intervals of an impact, 1 or 0 (pictures at once or
    /// stored). Then for each object a line with only $, and: name and number; center and radius; red, green and blue;
    /// spacings along a diameter; stiffness compressed and extended; velocity; mass; Poisson's ratio; modulus of
    /// elasticity.
    #[arg(long, value_name = "FILE", conflicts_with = "quick")]
    pub data: Option<PathBuf>,
    /// Folder for tables and figures
    #[arg(long, value_name = "DIR", default_value = "reproduction")]
    pub out: PathBuf,
}
