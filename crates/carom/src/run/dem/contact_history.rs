//! Contact history of bodies that a scene takes from the end of another run.

use crate::run::Error;
use crate::run::resumable::unfit;
use carom_scene::Scene;
use carom_scene::scene::{BoundaryCondition, RunSource, Wall, WallSurface};
use carom_simulate::dem::{ContactHistory, LawHistory};

/// Collects what contact laws have kept of contacts among bodies of one run, and with fixed walls that both scenes have;
/// `sections` of a checkpoint have those of bodies and of walls.
pub(super) fn contact_history<const D: usize, H: LawHistory>(
    scene: &Scene<D>,
    sections: [&str; 2],
) -> Result<ContactHistory<H>, Error> {
    let here = wall_identities(
        &scene.region.boundary_conditions,
        scene.region.size.as_slice(),
        &scene.walls,
    );
    let mut history = ContactHistory::default();
    for source in &scene.run_sources {
        let Some(checkpoint) = &source.checkpoint else { continue };
        let first = source.first as u32;
        let contacts = |keys: &str, section: &str| {
            let keys = checkpoint.u32s(keys).unwrap_or_default().as_chunks::<3>().0;
            let numbers = checkpoint.f64s(section).unwrap_or_default();
            let history = |contact: usize| {
                let first = contact * H::NUMBERS;
                numbers.get(first..first + H::NUMBERS).map(H::restore)
            };
            keys.iter().copied().zip((0..).map_while(history)).collect::<Vec<_>>()
        };
        let is_known = |body: u32| (body as usize) < source.count;
        for ([one, other, key], held) in contacts("contact_keys", sections[0]) {
            if !(is_known(one) && is_known(other)) {
                let reason = "its contacts name bodies that it does not have";
                return Err(unfit(checkpoint, reason.to_owned()));
            }
            history.pairs.push(([first + one, first + other, key], held));
        }
        let places = matching_walls(source, &here);
        for ([body, wall, triangle], held) in contacts("wall_contact_keys", sections[1]) {
            // The upper half is the number of the sphere in a clump.
            let (wall, member) = (wall & 0xffff, wall & !0xffff);
            let place = places.get(wall as usize).copied().flatten();
            if let (Some(wall), true) = (place, is_known(body)) {
                history.walls.push(([first + body, wall | member, triangle], held));
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
