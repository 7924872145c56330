//! Contact history of bodies that a scene takes from the end of another run.

use crate::run::Error;
use crate::run::resumable::unfit;
use carom_scene::Scene;
use carom_scene::scene::{BoundaryCondition, RunSource, Wall};
use carom_simulate::dem::{ContactHistory, HistoryNames, LawHistory};

/// Collects what contact laws have kept of contacts among bodies of one run, and with walls that are at the same place in both scenes;
/// `names` are those of their arrays in a checkpoint.
pub(super) fn contact_history<const D: usize, H: LawHistory>(
    scene: &Scene<D>,
    names: HistoryNames,
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
        for ([one, other, key], held) in contacts("contact_keys", names.of_bodies) {
            if !(is_known(one) && is_known(other)) {
                let reason = "its contacts name bodies that it does not have";
                return Err(unfit(checkpoint, reason.to_owned()));
            }
            history.pairs.push(([first + one, first + other, key], held));
        }
        let places = matching_walls(source, &here);
        for ([body, wall, triangle], held) in contacts("wall_contact_keys", names.of_walls) {
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

/// A wall as a contact identifies it.
enum WallIdentity<'a> {
    /// A side of the box: its axis and coordinate.
    Side(usize, f64),
    Wall(&'a Wall),
}

/// All walls in the order of the engine: sides of the box, then those of the scene.
fn wall_identities<'a>(
    sides: &[BoundaryCondition],
    size: &[f64],
    walls: &'a [Wall],
) -> Vec<WallIdentity<'a>> {
    let axes =
        (0..sides.len()).filter(|&axis| matches!(sides[axis], BoundaryCondition::Wall { .. }));
    let both = axes.flat_map(|axis| {
        let far = size.get(axis).map_or(f64::NAN, |&length| length);
        [WallIdentity::Side(axis, 0.0), WallIdentity::Side(axis, far)]
    });
    both.chain(walls.iter().map(WallIdentity::Wall)).collect()
}

/// For each wall of a run, its number in this scene, if it has one at the place that the wall had at the end of the run;
/// how they move does not matter.
fn matching_walls(source: &RunSource, here: &[WallIdentity]) -> Vec<Option<u32>> {
    let size = source.size.as_deref().unwrap_or_default();
    let checkpoint = source.checkpoint.as_deref();
    let first = |numbers: Option<&[f64]>| numbers.and_then(|it| it.first().copied());
    let step = first(checkpoint.and_then(|it| it.f64s("engine"))).unwrap_or(0.0);
    let steps = checkpoint.and_then(|it| it.u64s("engine_counts")?.first().copied());
    let end = steps.unwrap_or(0) as f64 * step;
    // Where a wall is that moved in one of several stages is not known here.
    let is_staged = checkpoint.and_then(|it| it.count("stage_times")).unwrap_or(1) > 1;
    let is_same = |there: &WallIdentity, here: &WallIdentity| match (there, here) {
        (WallIdentity::Side(axis, at), WallIdentity::Side(other, place)) => {
            axis == other && at == place
        }
        (WallIdentity::Wall(wall), WallIdentity::Wall(other)) => {
            !(is_staged && wall.motion.moves()) && wall.coincides(end, other)
        }
        _ => false,
    };
    let number = |wall: &WallIdentity| {
        here.iter().position(|other| is_same(wall, other)).map(|place| place as u32)
    };
    wall_identities(&source.boundary_conditions, size, &source.walls).iter().map(number).collect()
}
