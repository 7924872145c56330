//! Overlays of a frame: edges of its Laguerre Delaunay triangulation, or of the cells of its Laguerre diagram.

use crate::clipping;
use crate::container::{Container, ContainerTypedArray};
use crate::packed_frame::points_as_f32;
use carom::detect::laguerre::{LaguerreCellEdge, Triangulation};
use carom::geometry::{Aabb, Boundary, Sphere, Vector, embed_in_3d};
use carom::io::Frame;

/// With more bodies nothing could be seen between the edges, and the browser would be too slow.
pub const MOST_BODIES: usize = 100_000;

/// An overlay of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameOverlay {
    /// Edges of the Laguerre Delaunay triangulation.
    Delaunay,
    /// Edges of the cells of the Laguerre diagram, which is Voronoi's if all bodies have one radius.
    Voronoi,
}

impl FrameOverlay {
    /// All overlays.
    pub const ALL: [FrameOverlay; 2] = [FrameOverlay::Delaunay, FrameOverlay::Voronoi];

    /// Name of the overlay in pages and commands.
    pub fn name(self) -> &'static str {
        match self {
            FrameOverlay::Delaunay => "delaunay",
            FrameOverlay::Voronoi => "voronoi",
        }
    }

    /// The overlay with a name.
    pub fn named(name: &str) -> Option<Self> {
        FrameOverlay::ALL.into_iter().find(|overlay| overlay.name() == name)
    }

    /// Whether an overlay can be computed for this number of bodies.
    pub fn fits(bodies: usize, dimension: usize) -> bool {
        (dimension + 1..=MOST_BODIES).contains(&bodies)
    }
}

/// The domain of a frame.
pub struct OverlayDomain<'a> {
    pub dimension: usize,
    /// The box, or the bounds of the bodies.
    pub box_bounds: &'a Aabb<3>,
    /// Period along every periodic axis.
    pub periods: [Option<f64>; 3],
}

/// An overlay of a frame as a packed container, or the reason why it cannot be computed.
pub fn pack_overlay(
    overlay: FrameOverlay,
    frame: &Frame<3>,
    place: &OverlayDomain,
) -> Result<Vec<u8>, String> {
    if frame.len() > MOST_BODIES {
        return Err(format!(
            "it has {} bodies; at most {MOST_BODIES} are triangulated",
            frame.len()
        ));
    }
    let lines = match place.dimension {
        2 => overlay_lines::<2>(overlay, frame, place)?,
        _ => overlay_lines::<3>(overlay, frame, place)?,
    };
    let mut container = Container::new(frame.time, frame.len());
    container.add("edge", 2, &ContainerTypedArray::U32(lines.edges.into_flattened()), None);
    container.add("segment", 3, &points_as_f32(&lines.segments), None);
    Ok(container.finish())
}

/// Lines between bodies, and between other points.
#[derive(Default)]
struct OverlayLines {
    edges: Vec<[u32; 2]>,
    segments: Vec<Vector<3>>,
}

fn overlay_lines<const D: usize>(
    overlay: FrameOverlay,
    frame: &Frame<3>,
    place: &OverlayDomain,
) -> Result<OverlayLines, String> {
    let sphere = |(center, &radius): (&Vector<3>, &f64)| {
        let center: Vector<D> = Vector::from_fn(|axis, _| center[axis]);
        Sphere { center, radius }
    };
    let spheres: Vec<Sphere<D>> = frame.positions.iter().zip(&frame.radii).map(sphere).collect();
    let periods: [Option<f64>; D] = std::array::from_fn(|axis| place.periods[axis]);
    let boundary = Boundary::periodic(periods).map_err(|error| error.to_string())?;
    let triangulation =
        Triangulation::of(&spheres, &boundary).map_err(|error| error.to_string())?;
    if triangulation.simplices().next().is_none() {
        return Err("its bodies lie in one line or plane, or are too few".to_owned());
    }
    Ok(match overlay {
        FrameOverlay::Delaunay => delaunay(&triangulation, &spheres, place),
        FrameOverlay::Voronoi => voronoi(&triangulation, place),
    })
}

/// Edges between bodies; an edge across a periodic side is drawn as two halves, each at its own body.
fn delaunay<const D: usize>(
    triangulation: &Triangulation<D>,
    spheres: &[Sphere<D>],
    place: &OverlayDomain,
) -> OverlayLines {
    let mut lines = OverlayLines::default();
    triangulation.for_each_neighborhood(|body, neighbors| {
        let own = triangulation.position(body);
        for corner in neighbors {
            let other = corner.sphere as usize;
            // The page draws edges to the nearest image, so longer ones are sent as segments too.
            let is_near = |axis: usize| match place.periods[axis] {
                Some(period) => (own[axis] - corner.position[axis]).abs() < 0.5 * period,
                None => true,
            };
            let stays = own == spheres[body].center
                && corner.position == spheres[other].center
                && (0..D).all(is_near);
            if !stays {
                lines
                    .segments
                    .extend([embed_in_3d(&own), embed_in_3d(&(0.5 * (own + corner.position)))]);
            } else if body < other {
                lines.edges.push([body as u32, corner.sphere]);
            }
        }
    });
    lines
}

/// Edges of cells inside the box; those that leave a periodic box reappear on the other side.
fn voronoi<const D: usize>(
    triangulation: &Triangulation<D>,
    place: &OverlayDomain,
) -> OverlayLines {
    let reach = 2.0 * place.box_bounds.size().norm();
    let middle = 0.5 * (place.box_bounds.low + place.box_bounds.high);
    let mut lines = OverlayLines::default();
    for edge in triangulation.cell_edges() {
        let ends = match edge {
            LaguerreCellEdge::Segment(ends) => ends.map(|end| embed_in_3d(&end)),
            LaguerreCellEdge::Ray { start, direction } => {
                let (start, along) = (embed_in_3d(&start), embed_in_3d(&direction).normalize());
                [start, start + along * (reach + (start - middle).norm())]
            }
        };
        let parts = clipping::periodic_segment_images(&ends, place.box_bounds, &place.periods, D);
        lines.segments.extend(parts.as_flattened());
    }
    lines
}
