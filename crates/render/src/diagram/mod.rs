//! A triangulation and its Laguerre diagram side by side, as in figure 1 of Gavrilova and Rokne.
//!
//! Discs are drawn as they are; of spheres, the plane through the middle of the box is shown: the section of every
//! sphere, tetrahedron and cell. Colors count the neighbors of a cell.

mod neighbor_color_scale;
mod polygon;
mod section;

use super::page::SvgPage;
use super::{MOST_PARTICLES, check_particles};
use crate::Error;
use carom_detect::laguerre::Triangulation;
use carom_io::{ParticleSet, group_thousands};
use neighbor_color_scale::NeighborColorScale;
use section::{DiagramSection, SectionCell, SectionDisc};

/// Longer side of a panel, in pixels.
const LONGEST: f64 = 860.0;
const MARGIN: f64 = 48.0;
const GAP: f64 = 44.0;
/// Height of captions and legend below the panels, in pixels.
const FOOT: f64 = 112.0;
/// Smallest width of a panel that has room for the captions, in pixels.
const LEAST_WIDTH: f64 = 430.0;
const INK: &str = "#1d2433";
const PALE_INK: &str = "#5c6678";
const PAPER: &str = "#fbfaf7";

/// Draws the triangulation of a set of particles and its Laguerre diagram as an SVG document.
///
/// Fails if there are too many discs, or in a section too many cells, to be seen.
///
/// ```
/// use carom_detect::laguerre::Triangulation;
/// use carom_geometry::Sphere;
/// use carom_io::ParticleSet;
/// let discs = [[0.0, 0.0], [3.0, 0.0], [0.0, 3.0]].map(|at| Sphere::new(at, 1.0));
/// let set = ParticleSet::open(discs.to_vec());
/// let triangulation = Triangulation::of(&set.spheres, &set.boundary).expect("three good discs");
/// assert!(carom_render::diagram(&set, &triangulation)?.starts_with("<svg"));
/// # Ok::<(), carom_render::Error>(())
/// ```
pub fn diagram<const D: usize>(
    set: &ParticleSet<D>,
    triangulation: &Triangulation<D>,
) -> Result<String, Error> {
    if D == 2 {
        check_particles(set.spheres.len())?;
    }
    let section = DiagramSection::of(set, triangulation, LONGEST);
    let count = section.cells.len();
    // Cells at a periodic side are drawn twice or more.
    if count > 2 * MOST_PARTICLES {
        return Err(Error::TooManyToDraw { what: "cells", count, most: 2 * MOST_PARTICLES });
    }
    let hidden = (0..set.spheres.len()).filter(|&sphere| triangulation.is_hidden(sphere)).count();
    let captions = DiagramCaptions {
        dimension: D,
        particles: set.spheres.len(),
        simplices: triangulation.simplices().count(),
        hidden,
    };
    Ok(DiagramLayout::new(&section).draw(&section, &captions, &NeighborColorScale::of_dimension(D)))
}

/// The layout of the page.
struct DiagramLayout {
    width: f64,
    height: f64,
    /// Size of both panels.
    size: [f64; 2],
    lefts: [f64; 2],
    /// Width of lines, by their density.
    stroke: f64,
}

impl DiagramLayout {
    fn new(section: &DiagramSection) -> Self {
        let size = section.size;
        let room = size[0].max(LEAST_WIDTH);
        let width = 2.0 * MARGIN + 2.0 * room + GAP;
        let inset = 0.5 * (room - size[0]);
        let spacing = (size[0] * size[1] / section.cells.len().max(1) as f64).sqrt();
        DiagramLayout {
            width,
            height: MARGIN + size[1] + FOOT,
            size,
            lefts: [MARGIN + inset, MARGIN + room + GAP + inset],
            stroke: (0.035 * spacing).clamp(0.12, 1.1),
        }
    }

    fn draw(
        &self,
        section: &DiagramSection,
        captions: &DiagramCaptions,
        scale: &NeighborColorScale,
    ) -> String {
        let mut page = SvgPage::default();
        page.line(format_args!(
            "<title>{} and its Laguerre diagram</title>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"{PAPER}\"/>\n\
             <clipPath id=\"panel\"><rect width=\"{:.2}\" height=\"{:.2}\"/></clipPath>",
            captions.name(),
            self.size[0],
            self.size[1]
        ));
        self.draw_panel(&mut page, 0, |page| {
            self.draw_discs(page, &section.discs, "#e9e2d3", 1.0);
            self.draw_lines(page, &section.lines);
            self.draw_hidden(page, &section.discs);
        });
        self.draw_panel(&mut page, 1, |page| {
            self.draw_cells(page, section, scale);
            self.draw_discs(page, &section.discs, "#ffffff", 0.5);
            self.draw_outlines(page, section);
            self.draw_hidden(page, &section.discs);
        });
        self.draw_captions(&mut page, captions);
        self.draw_legend(&mut page, captions, scale);
        page.finish(self.width, self.height)
    }

    /// Draws a panel clipped to its frame; y downwards from its upper left corner.
    fn draw_panel(&self, page: &mut SvgPage, place: usize, contents: impl FnOnce(&mut SvgPage)) {
        let left = self.lefts[place];
        page.line(format_args!(
            "<g transform=\"translate({left:.2} {MARGIN:.2})\">\n<g clip-path=\"url(#panel)\">\n\
             <rect width=\"{:.2}\" height=\"{:.2}\" fill=\"#ffffff\"/>",
            self.size[0], self.size[1]
        ));
        contents(page);
        page.line(format_args!(
            "</g>\n<rect width=\"{:.2}\" height=\"{:.2}\" fill=\"none\" stroke=\"{INK}\" \
             stroke-width=\"1\"/>\n</g>",
            self.size[0], self.size[1]
        ));
    }

    fn down(&self, y: f64) -> f64 {
        self.size[1] - y
    }

    /// Draws all discs in one shade, even where they overlap.
    fn draw_discs(&self, page: &mut SvgPage, discs: &[SectionDisc], fill: &str, opacity: f64) {
        page.line(format_args!(
            "<g fill=\"{fill}\" opacity=\"{opacity}\" stroke=\"{INK}\" stroke-opacity=\"0.25\" \
             stroke-width=\"{:.2}\">",
            0.6 * self.stroke
        ));
        for disc in discs.iter().filter(|disc| !disc.hidden) {
            self.draw_disc(page, disc);
        }
        page.line(format_args!("</g>"));
    }

    /// Draws hidden discs, which have no cell, over all others.
    fn draw_hidden(&self, page: &mut SvgPage, discs: &[SectionDisc]) {
        page.line(format_args!(
            "<g fill=\"{HIDDEN}\" fill-opacity=\"0.18\" stroke=\"{HIDDEN}\" stroke-width=\"{:.2}\">",
            0.8 * self.stroke
        ));
        for disc in discs.iter().filter(|disc| disc.hidden) {
            self.draw_disc(page, disc);
        }
        page.line(format_args!("</g>"));
    }

    fn draw_disc(&self, page: &mut SvgPage, disc: &SectionDisc) {
        let [x, y] = disc.center;
        page.line(format_args!(
            "<circle cx=\"{x:.2}\" cy=\"{:.2}\" r=\"{:.2}\"/>",
            self.down(y),
            disc.radius
        ));
    }

    /// Draws each line once, though two triangles or tetrahedra share it.
    fn draw_lines(&self, page: &mut SvgPage, lines: &[[[f64; 2]; 2]]) {
        // Compared in hundredths of a pixel.
        let rounded =
            |[x, y]: [f64; 2]| [x, self.down(y)].map(|value| (100.0 * value).round() as i64);
        let mut lines: Vec<[[i64; 2]; 2]> = lines
            .iter()
            .map(|line| {
                let mut ends = line.map(rounded);
                ends.sort_unstable();
                ends
            })
            .collect();
        lines.sort_unstable();
        lines.dedup();
        page.line(format_args!(
            "<path fill=\"none\" stroke=\"{INK}\" stroke-opacity=\"0.8\" stroke-linecap=\"round\" \
             stroke-width=\"{:.2}\" d=\"",
            self.stroke
        ));
        for line in lines {
            let [[a, b], [c, d]] = line.map(|end| end.map(|value| value as f64 / 100.0));
            page.line(format_args!("M{a} {b}L{c} {d}"));
        }
        page.line(format_args!("\"/>"));
    }

    /// Fills the cells; a thin stroke of the same color covers the seams between them.
    fn draw_cells(&self, page: &mut SvgPage, section: &DiagramSection, scale: &NeighborColorScale) {
        for class in 0..NeighborColorScale::CLASSES {
            let color = scale.color(class).hexadecimal();
            page.line(format_args!(
                "<path fill=\"{color}\" stroke=\"{color}\" stroke-width=\"0.3\" d=\""
            ));
            for cell in section.cells.iter().filter(|cell| scale.class(cell.facets) == class) {
                self.draw_outline(page, cell);
            }
            page.line(format_args!("\"/>"));
        }
    }

    fn draw_outlines(&self, page: &mut SvgPage, section: &DiagramSection) {
        page.line(format_args!(
            "<path fill=\"none\" stroke=\"{INK}\" stroke-opacity=\"0.75\" stroke-linejoin=\"round\" \
             stroke-width=\"{:.2}\" d=\"",
            self.stroke
        ));
        section.cells.iter().for_each(|cell| self.draw_outline(page, cell));
        page.line(format_args!("\"/>"));
    }

    fn draw_outline(&self, page: &mut SvgPage, cell: &SectionCell) {
        let mut command = 'M';
        let mut outline = String::new();
        for &[x, y] in &cell.outline.corners {
            outline += &format!("{command}{x:.2} {:.2}", self.down(y));
            command = 'L';
        }
        page.line(format_args!("{outline}Z"));
    }

    fn draw_captions(&self, page: &mut SvgPage, captions: &DiagramCaptions) {
        let room = self.size[0].max(LEAST_WIDTH);
        let top = MARGIN + self.size[1];
        for (place, [title, figures]) in captions.lines().into_iter().enumerate() {
            let left = MARGIN + place as f64 * (room + GAP);
            page.line(format_args!(
                "<text x=\"{left:.1}\" y=\"{:.1}\" font-size=\"19\" font-weight=\"600\" \
                 fill=\"{INK}\">{title}</text>\n\
                 <text x=\"{left:.1}\" y=\"{:.1}\" font-size=\"14\" fill=\"{PALE_INK}\">{figures}\
                 </text>",
                top + 34.0,
                top + 57.0
            ));
        }
    }

    /// Draws the legend under the right panel, flush right.
    fn draw_legend(
        &self,
        page: &mut SvgPage,
        captions: &DiagramCaptions,
        scale: &NeighborColorScale,
    ) {
        // Labels of ranges need more room.
        let swatch = if captions.dimension == 2 { 30.0 } else { 42.0 };
        let room = self.size[0].max(LEAST_WIDTH);
        let right = MARGIN + 2.0 * room + GAP;
        let top = MARGIN + self.size[1] + 24.0;
        let left = right - swatch * f64::from(NeighborColorScale::CLASSES);
        for class in 0..NeighborColorScale::CLASSES {
            let x = left + swatch * f64::from(class);
            page.line(format_args!(
                "<rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"{swatch}\" height=\"14\" fill=\"{}\" \
                 stroke=\"{INK}\" stroke-opacity=\"0.5\" stroke-width=\"0.6\"/>\n\
                 <text x=\"{:.1}\" y=\"{:.1}\" font-size=\"11.5\" text-anchor=\"middle\" \
                 fill=\"{INK}\">{}</text>",
                scale.color(class).hexadecimal(),
                x + 0.5 * swatch,
                top + 29.0,
                scale.label(class)
            ));
        }
        page.line(format_args!(
            "<text x=\"{right:.1}\" y=\"{:.1}\" font-size=\"12.5\" text-anchor=\"end\" \
             fill=\"{PALE_INK}\">neighbors of a cell</text>",
            top + 48.0
        ));
        if captions.hidden > 0 {
            page.line(format_args!(
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"5\" fill=\"{HIDDEN}\" fill-opacity=\"0.18\" \
                 stroke=\"{HIDDEN}\" stroke-width=\"0.9\"/>\n\
                 <text x=\"{:.1}\" y=\"{:.1}\" font-size=\"12.5\" fill=\"{PALE_INK}\">hidden</text>",
                left + 6.0,
                top + 43.5,
                left + 17.0,
                top + 48.0
            ));
        }
    }
}

const HIDDEN: &str = "#b3261e";

/// The captions below the panels.
struct DiagramCaptions {
    dimension: usize,
    particles: usize,
    simplices: usize,
    hidden: usize,
}

impl DiagramCaptions {
    fn name(&self) -> String {
        let body = if self.dimension == 2 { "discs" } else { "spheres" };
        format!("Laguerre Delaunay triangulation of {} {body}", with_thousands(self.particles))
    }

    /// Returns title and figures of both panels.
    fn lines(&self) -> [[String; 2]; 2] {
        let (body, simplex) =
            if self.dimension == 2 { ("disc", "triangle") } else { ("sphere", "tetrahedron") };
        let plural = |count: usize, noun: &str| match (count, noun) {
            (1, noun) => format!("1 {noun}"),
            (count, "tetrahedron") => format!("{} tetrahedra", with_thousands(count)),
            (count, noun) => format!("{} {noun}s", with_thousands(count)),
        };
        let place = if self.dimension == 2 { "" } else { ", at half height" };
        let cells = plural(self.particles - self.hidden, "cell");
        let hidden = match self.hidden {
            0 => String::new(),
            count => format!(", {} hidden", plural(count, body)),
        };
        [
            [
                format!("Laguerre Delaunay triangulation{place}"),
                format!("{}, {}", plural(self.particles, body), plural(self.simplices, simplex)),
            ],
            [format!("Laguerre diagram{place}"), format!("{cells}{hidden}")],
        ]
    }
}

/// Formats a number with a thin space between groups of three digits.
fn with_thousands(number: usize) -> String {
    group_thousands(number as u64).replace(',', "\u{2009}")
}
