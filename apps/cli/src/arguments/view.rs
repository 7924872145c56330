//! Arguments of `carom view`, `carom export` and `carom gallery`.

use clap::Args;
use std::path::PathBuf;

pub const VIEW_EXAMPLES: &str = "\
Serves the folder of a run at a free port of 127.0.0.1, where only this machine can reach it,
prints the address and opens it in your browser if there is a display. The address ends in a
random token, without which nothing of the run is shown: other users of the machine cannot
see it unless you give them the address. Frames of a run that is still running appear as they
are written. Ctrl-C stops it.

The folder may come from somebody else: symbolic links out of it, pipes, devices, and files
elsewhere that its scene names are not read, which the page reports.

In the page: drag rotates, scroll zooms, a click on a body shows its numbers, space plays, ? lists
all keys. Colors show any column of the frames; triangulation and cells can be laid over up to
100000 bodies. It takes the frames as they are: vtk, xyz or lammps (output.formats of the scene;
springs need vtk). A damaged frame is reported in the page, and the others are shown. Nothing is
loaded from elsewhere.

On a machine without a display, forward the port and open the address at home:
  carom view drum.run --port 8000        there
  ssh -L 8000:127.0.0.1:8000 there       here

Examples:
  carom run :drum
  carom view drum.run
  carom view drum.run --no-browser --port 8000";

#[derive(Debug, Args)]
pub struct ViewArguments {
    /// Folder that carom run has written
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Port of 127.0.0.1 to serve at; a free one if it is 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub port: u16,
    /// Print the address, and open no browser
    #[arg(long)]
    pub no_browser: bool,
}

pub const EXPORT_EXAMPLES: &str = "\
The page has the viewer of carom view and the frames inside, compressed and rounded to a 65535th
of the extent of the bodies (finer if they are small): it can be mailed, kept, or put on any web
site, and needs no network. A frame of a million spheres takes 12.6 MB (1 s); --frames and
--every make the page of a long run smaller. Its size is reported at the end.

Examples:
  carom run :drum
  carom export drum.run --html drum.html
  carom export drum.run --html end.html --frames 90..
  carom run :fluid
  carom export fluid.run --html fluid.html --every 10 --overlay delaunay,voronoi";

#[derive(Debug, Args)]
pub struct ExportArguments {
    /// Folder that carom run has written
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Write the page to this file, which must end in .html; one that is there is replaced
    #[arg(long, value_name = "FILE")]
    pub html: PathBuf,
    /// Take these frames only: A..B from A to the one before B, A.. or ..B, or a single one; the first is 0
    #[arg(long, value_name = "A..B", allow_hyphen_values = true)]
    pub frames: Option<String>,
    /// Take every Nth of them
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub every: usize,
    /// Overlays of each frame: delaunay (edges between neighbors), voronoi (cells), or both
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub overlay: Vec<String>,
}

pub const GALLERY_EXAMPLES: &str = "\
Writes a folder: index.html with a picture, a sentence, key figures and commands of every scene,
NAME.html with the run inside, to be played in a browser, and NAME.run with its results. What
was run is not run again unless its scene has changed; a gallery that was stopped continues where
it was.

Examples:
  carom gallery
  carom gallery :chain :foams --out two
  carom new hopper --out my_hopper.toml
  carom gallery my_hopper.toml --quick --out mine";

#[derive(Debug, Args)]
pub struct GalleryArguments {
    /// Scene files, folders of them, or built-in scenes such as :glass; all built-in scenes if not given
    #[arg(value_name = "SCENES")]
    pub scenes: Vec<PathBuf>,
    /// Only the first few frames of every scene
    #[arg(long)]
    pub quick: bool,
    /// Folder for the pages and the results
    #[arg(long, short, value_name = "DIR", default_value = "gallery")]
    pub out: PathBuf,
}
