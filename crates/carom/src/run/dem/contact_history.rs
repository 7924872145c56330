//! Contact history of bodies that a scene takes from the end of another run.

use crate::run::Error;
use crate::run::resumable::unfit;
use carom_geometry::Vector;
use carom_scene::Scene;
use carom_scene::scene::{BoundaryCondition, RunSource, Wall, WallSurface};
use carom_simulate::dem::ContactHistory;

/// Collects the tangential displacements of contacts among bodies of one run, and with fixed walls that both scenes
/// have.
pub(super) fn contact_history<const D: usize>(scene: &Scene<D>) -> Result<ContactHistory, Error> {
    let here = wall_identities(
        &scene.region.boundary_conditions,
        scene.region.size.as_slice(),
        &scene.walls,
    );
    let mut history = ContactHistory::default();
    for source in &scene.run_sources {
        let Some(checkpoint) = &source.checkpoint else { continue };
        let first = source.first as u32;
        let contacts = |keys: &str, displacements: &str| {
            let keys = checkpoint.u32s(keys).unwrap_or_default().as_chunks::<3>().0;
            let displacements =
                checkpoint.f64s(displacements).unwrap_or_default().as_chunks::<3>().0;
            keys.iter().copied().zip(displacements.iter().map(|&memory| Vector::from(memory)))
        };
        let is_known = |body: u32| (body as usize) < source.count;
        for ([one, other, key], memory) in contacts("contact_keys", "tangential_displacements") {
            if !(is_known(one) && is_known(other)) {
                let reason = "its contacts name bodies that it does not have";
                return Err(unfit(checkpoint, reason.to_owned()));
            }
            history.pairs.push(([first + one, first + other, key], memory));
        }
        let places = matching_walls(source, &here);
        for ([body, wall, triangle], memory) in
            contacts("wall_contact_keys", "wall_tangential_displacements")
        {
            // The upper half is the number of the sphere in a clump.
            let (wall, member) = (wall & 0xffff, wall & !0xffff);
            let place = places.get(wall as usize).copied().flatten();
            if let (Some(wall), true) = (place, is_known(body)) {
                history.walls.push(([first + body, wall | member, triangle], memory));
            }
        }
    }
    Ok(history)
}

/// A wall as a contact identifies it; `None` for a moving one.
type StaticWallIdentity<'a> = Option<WallIdentity<'a>>;

#[derive(PartialEq)]
enum WallIdentity<'a> {
    /// A side of the box: its axis and coordinate.
    Side(usize, f64),
    Surface(&'a WallSurface),
}

/// All walls in the order of the engine: sides of the box, then those of the scene.
fn wall_identities<'a>(
    sides: &[BoundaryCondition],
    size: &[f64],
    walls: &'a [Wall],
) -> Vec<StaticWallIdentity<'a>> {
    let axes =
        (0..sides.len()).filter(|&axis| matches!(sides[axis], BoundaryCondition::Wall { .. }));
    let both = axes.flat_map(|axis| {
        let far = size.get(axis).map(|&length| WallIdentity::Side(axis, length));
        [Some(WallIdentity::Side(axis, 0.0)), far]
    });
    let others = walls
        .iter()
        .map(|wall| (!wall.motion.moves()).then_some(WallIdentity::Surface(&wall.surface)));
    both.chain(others).collect()
}

/// For each wall of a run, its number in this scene, if it has the same wall.
fn matching_walls(source: &RunSource, here: &[StaticWallIdentity]) -> Vec<Option<u32>> {
    let size = source.size.as_deref().unwrap_or_default();
    let place = |wall: &StaticWallIdentity| {
        let wall = wall.as_ref()?;
        here.iter().position(|it| it.as_ref() == Some(wall)).map(|place| place as u32)
    };
    wall_identities(&source.boundary_conditions, size, &source.walls).iter().map(place).collect()
}
