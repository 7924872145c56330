//! Checks of the written form, table by table, that give the checked scene.

use super::GrowthTarget;
use super::Region;
use super::body::WrittenBody;
use super::contact_parameters::WrittenContact;
use super::field::{WrittenField, WrittenGravity};
use super::force::WrittenForce;
use super::generator::{PlacementCallback, UnplacedBodies, WrittenGenerator};
use super::growth_and_thermostat::{WrittenGrowth, WrittenThermostat};
use super::initial_bodies::{InitialBodies, ROUNDING, SOFT};
use super::material::Materials;
use super::obstacles::Obstacles;
use super::outlet::WrittenOutlet;
use super::placement::{PlacementContainer, find_filled_walls, place_all};
use super::pour::{Pour, WrittenPour};
use super::problem::{SceneValidationError, ValidationResult};
use super::reading;
use super::region::{BoxSize, check_periods};
use super::shape::Shapes;
use super::solid::WrittenSolid;
use super::source::SceneSource;
use super::unused_material::UnusedMaterial;
use super::values::LocatedValue;
use super::wall::WrittenWall;
use super::written_scene::{Engine, Limits, WrittenScene};
use super::{
    DragAndTrapField, ForceExpression, LubachevskyStillingerGrowth, MaterialPairContact,
    OutputSettings, Scene, Shape, Stage, Thermostat, Wall, as_run,
};
use carom_detect::LARGEST_NUMBER;
use carom_geometry::Vector;
use std::path::Path;

/// Extent of a check of a scene.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum CheckScope {
    /// All written values; generated bodies are not placed, so the scene lacks them.
    Values,
    /// The bodies too, each at its place and all together.
    Everything,
}

/// Returns the scene with all its bodies and stages, or the first rule that it breaks.
pub(super) fn staged_scene<const D: usize>(
    source: &SceneSource,
    written: &WrittenScene,
    folder: &Path,
    watch: PlacementCallback,
    scope: CheckScope,
) -> ValidationResult<Scene<D>> {
    let names = written.stage_names()?;
    let mut scene = match names.is_empty() {
        true => scene(source, written, folder, watch, scope)?,
        false => scene_in_stages(source, (written, names), folder, watch, scope)?,
    };
    scene.unused_materials = UnusedMaterial::all(written, &scene);
    Ok(scene)
}

fn scene_in_stages<const D: usize>(
    source: &SceneSource,
    (written, names): (&WrittenScene, Vec<String>),
    folder: &Path,
    watch: PlacementCallback,
    scope: CheckScope,
) -> ValidationResult<Scene<D>> {
    let read = |number: usize| reading::read::<WrittenScene>(&source.in_stage(number));
    for (number, table) in written.stages.iter().enumerate() {
        let stage = read(number)?;
        let growth = stage.growth.as_ref().map(WrittenGrowth::check).transpose()?;
        if check_end(stage.engine()?, &stage.limits()?, &growth).is_err() {
            return Err(table.refuse("it has no end; give it a duration"));
        }
    }
    let mut scene = scene(source, &read(0)?, folder, watch, scope)?;
    let bodies = known_count(scene.engine, scope, scene.bodies.len());
    for (number, (name, table)) in names.into_iter().zip(&written.stages).enumerate() {
        let changed = stage(&read(number)?, &scene, folder, bodies)?;
        scene.stages.push(Stage { name, scene: changed, release: table.value.release() });
    }
    scene.latest_end = written.limits()?.until;
    scene.limits.until =
        [scene.limits.until, scene.latest_end].into_iter().flatten().reduce(f64::min);
    Ok(scene)
}

/// The parts of a scene that a stage may change.
struct Conditions<const D: usize> {
    limits: Limits,
    gravity: Vector<D>,
    gravity_angular_velocity: Vector<3>,
    field: Option<DragAndTrapField<D>>,
    growth: Option<LubachevskyStillingerGrowth>,
    thermostat: Option<Thermostat>,
    output: OutputSettings,
    materials: Materials,
    contacts: Vec<MaterialPairContact>,
    walls: Vec<Wall>,
    forces: Vec<ForceExpression<D>>,
}

impl<const D: usize> Conditions<D> {
    fn check(written: &WrittenScene, engine: Engine, folder: &Path) -> ValidationResult<Self> {
        let gravity = written.gravity.as_ref();
        let limits = written.limits()?;
        let acceleration = gravity.map_or(Ok(Vector::zeros()), WrittenGravity::check)?;
        let field = written.field.as_ref().map(WrittenField::check).transpose()?;
        let growth = written.growth.as_ref().map(WrittenGrowth::check).transpose()?;
        let thermostat = written.thermostat.as_ref().map(WrittenThermostat::check).transpose()?;
        let output = written.output.check(engine)?;
        let materials = Materials::check(&written.materials)?;
        written.check_engine(engine, materials.list())?;
        Ok(Conditions {
            limits,
            gravity: acceleration,
            gravity_angular_velocity: gravity
                .map_or(Ok(Vector::zeros()), |gravity| gravity.angular_velocity::<D>())?,
            field,
            growth,
            thermostat,
            output,
            contacts: WrittenContact::check_all(&written.contacts, &materials)?,
            walls: WrittenWall::check_all::<D>(&written.walls, &materials, folder)?,
            forces: WrittenForce::check_all(&written.forces, engine, &materials)?,
            materials,
        })
    }
}

/// Returns the scene in a stage, without bodies, or the first rule that it breaks; `bodies` is their number, if it is
/// known.
fn stage<const D: usize>(
    written: &WrittenScene,
    first: &Scene<D>,
    folder: &Path,
    bodies: Option<usize>,
) -> ValidationResult<Scene<D>> {
    let Scene { engine, region, .. } = *first;
    let conditions = Conditions::check(written, engine, folder)?;
    for (table, wall) in written.walls.iter().zip(&conditions.walls) {
        WrittenWall::check_periods(table, wall, &region)?;
    }
    let observe = written.observe.check::<D>(half_period(&region), bodies)?;
    Ok(Scene {
        observe,
        bodies: Vec::new(),
        run_sources: Vec::new(),
        shapes: Vec::new(),
        pours: Vec::new(),
        solids: Vec::new(),
        stages: Vec::new(),
        as_run: String::new(),
        outlets: first.outlets.clone(),
        neighbors: first.neighbors,
        limits: conditions.limits,
        gravity: conditions.gravity,
        gravity_angular_velocity: conditions.gravity_angular_velocity,
        field: conditions.field,
        growth: conditions.growth,
        thermostat: conditions.thermostat,
        output: conditions.output,
        materials: conditions.materials.into_list(),
        unused_materials: Vec::new(),
        contacts: conditions.contacts,
        walls: conditions.walls,
        forces: conditions.forces,
        ..*first
    })
}

/// Returns the scene with all its bodies, or the first rule that it breaks.
fn scene<const D: usize>(
    source: &SceneSource,
    written: &WrittenScene,
    folder: &Path,
    watch: PlacementCallback,
    scope: CheckScope,
) -> ValidationResult<Scene<D>> {
    let (engine, seed) = (written.engine()?, written.seed());
    let contact_time = written.collapse.check()?;
    let neighbors = written.neighbors.check()?;
    let conditions = Conditions::check(written, engine, folder)?;
    let Conditions { limits, materials, walls, growth, .. } = &conditions;
    if scope == CheckScope::Everything {
        check_end(engine, limits, growth)?;
    }
    let shapes = Shapes::check::<D>(&written.shapes, folder)?;
    let (region, start, pours) = match engine {
        Engine::Bonded => (solid_region(written)?, InitialBodies::new(), Vec::new()),
        _ => initial_state(written, engine, (materials, &shapes, walls), folder, watch, scope)?,
    };
    let radii = start.bodies.iter().map(|body| body.radius);
    let poured = pours.iter().flat_map(|pour| pour.radii.iter().copied());
    let largest_radius = radii.chain(poured).fold(0.0, f64::max);
    let outlets = WrittenOutlet::check_all(&written.outlets, &region, folder, largest_radius)?;
    // Solids of another run need not lie in this box where they lay at its start.
    let start_region = written.start.is_none().then_some(&region);
    let solids = WrittenSolid::check_all(&written.solids, materials, start_region, folder)?;
    let solid_start =
        written.start.as_ref().map(|it| it.value.check(&solids, folder)).transpose()?;
    let bodies = known_count(engine, scope, start.bodies.len());
    let observe = written.observe.check::<D>(half_period(&region), bodies)?;
    let step = written.step()?;
    // This error has no place in the text, so nothing could be found behind it: it comes last.
    check_end(engine, limits, growth)?;
    Ok(Scene {
        engine,
        seed,
        limits: conditions.limits,
        gravity: conditions.gravity,
        gravity_angular_velocity: conditions.gravity_angular_velocity,
        field: conditions.field,
        step,
        materials: conditions.materials.into_list(),
        unused_materials: Vec::new(),
        contacts: conditions.contacts,
        walls: conditions.walls,
        given_bodies: start.given,
        bodies: start.bodies,
        run_sources: start.run_sources.into_iter().chain(solid_start).collect(),
        shapes: shapes.into_list(),
        pours,
        outlets,
        forces: conditions.forces,
        solids,
        growth: conditions.growth,
        thermostat: conditions.thermostat,
        contact_time,
        neighbors,
        observe,
        output: conditions.output,
        region,
        stages: Vec::new(),
        latest_end: None,
        as_run: as_run::text(source, seed, folder)?,
    })
}

/// The number of bodies, if it is known: generated ones may not be placed yet, and particles of solids are not counted
/// before the solids are filled.
fn known_count(engine: Engine, scope: CheckScope, bodies: usize) -> Option<usize> {
    (scope == CheckScope::Everything && engine != Engine::Bonded).then_some(bodies)
}

/// Refuses a run that has no end.
fn check_end(
    engine: Engine,
    limits: &Limits,
    growth: &Option<LubachevskyStillingerGrowth>,
) -> ValidationResult<()> {
    if engine == Engine::Bonded && limits.until.is_none() {
        return Err(SceneValidationError::whole("the scene never ends; give it until = a time"));
    }
    let target: Option<GrowthTarget> = growth.and_then(|growth| growth.until);
    if limits.until.is_none() && limits.collisions.is_none() && target.is_none() {
        return Err(SceneValidationError::whole(
            "the scene never ends; give it until = a time or collisions = a number",
        ));
    }
    Ok(())
}

fn half_period<const D: usize>(region: &Region<D>) -> f64 {
    let periodic = (0..D).filter(|&axis| region.is_periodic(axis));
    periodic.map(|axis| 0.5 * region.size[axis]).fold(f64::INFINITY, f64::min)
}

/// Checks the box of a scene with bonded solids.
fn solid_region<const D: usize>(written: &WrittenScene) -> ValidationResult<Region<D>> {
    let size = written.region.size()?;
    let size =
        size.ok_or_else(|| SceneValidationError::whole("the box has no size; give box.size"))?;
    Ok(Region {
        size: size.edges,
        boundary_conditions: written.region.boundary_conditions(Engine::Bonded)?,
    })
}

/// Checks the box, the bodies in it and those that are poured in later.
fn initial_state<const D: usize>(
    written: &WrittenScene,
    engine: Engine,
    (materials, shapes, walls): (&Materials, &Shapes, &[Wall]),
    folder: &Path,
    watch: PlacementCallback,
    scope: CheckScope,
) -> ValidationResult<(Region<D>, InitialBodies<D>, Vec<Pour<D>>)> {
    let kinds = (materials, shapes);
    let (mut start, seed) = (InitialBodies::new(), written.seed());
    for body in &written.bodies {
        WrittenBody::add(body, kinds, folder, &mut start)?;
    }
    start.given = start.bodies.len();
    if engine != Engine::Dem {
        start.stop_turning();
        start.check_event_driven()?;
    }
    let crowds = draw_generated_bodies::<D>(&written.generate, kinds, seed)?;
    let is_empty = start.bodies.is_empty() && crowds.is_empty() && written.pour.is_empty();
    // In the scope of values, bodies that were refused are missing.
    if is_empty && scope == CheckScope::Everything {
        return Err(SceneValidationError::whole(
            "the scene has no bodies; add [[bodies]] or [[generate]]",
        ));
    }
    let size = box_size::<D>(written, &crowds, start.size.take())?;
    let region = Region {
        size: size.edges,
        boundary_conditions: written.region.boundary_conditions(engine)?,
    };
    for (table, wall) in written.walls.iter().zip(walls) {
        WrittenWall::check_periods(table, wall, &region)?;
    }
    let mut pours = WrittenPour::check_all(&written.pour, kinds, (&region, folder), seed)?;
    let poured = pours.iter().flat_map(|pour| pour.radii.iter().copied());
    let radii = crowds.iter().map(UnplacedBodies::largest_radius).chain(poured);
    check_periods(&region, radii.fold(start.largest_radius(), f64::max), 1.0, &size.span)?;
    if scope == CheckScope::Values {
        return Ok((region, start, pours));
    }
    let bodies = crowds.iter().map(|crowd| crowd.radii.len()).sum();
    let none_come = crowds.is_empty() && pours.is_empty();
    let obstacles = Obstacles::new(if none_come { &[] } else { walls }, &region, bodies);
    let vessel = PlacementContainer { region, obstacles, engine, folder };
    place_all(&crowds, &vessel, &mut start, watch)?;
    let has_region = written.pour.iter().map(|table| table.value.region.is_some());
    find_filled_walls(&mut pours, has_region, &vessel, seed);
    check_together(written, engine, &region, &start, kinds.1.list(), &size)?;
    Ok((region, start, pours))
}

fn draw_generated_bodies<'a, const D: usize>(
    tables: &'a [LocatedValue<WrittenGenerator>],
    kinds: (&Materials, &Shapes),
    seed: u64,
) -> ValidationResult<Vec<UnplacedBodies<'a>>> {
    let draw = |(index, table): (usize, &'a LocatedValue<WrittenGenerator>)| {
        table.value.check_keys()?;
        UnplacedBodies::draw::<D>(table, kinds, (seed, index as u64))
    };
    tables.iter().enumerate().map(draw).collect()
}

/// Returns the size of the box: as written, or from the one packing fraction, or that of the first particle file
/// that has one.
fn box_size<const D: usize>(
    written: &WrittenScene,
    crowds: &[UnplacedBodies],
    of_file: Option<BoxSize<D>>,
) -> ValidationResult<BoxSize<D>> {
    if let Some(size) = written.region.size()? {
        return Ok(size);
    }
    let mut size = None;
    for crowd in crowds {
        let Some(found) = crowd.box_size::<D>()? else { continue };
        if size.replace(found).is_some() {
            return Err(SceneValidationError::whole(
                "several [[generate]] tables have a packing_fraction, so the size of the box is \
                 not clear; give box.size, or one of the fractions only",
            ));
        }
    }
    if size.is_none()
        && let Some(size) = &of_file
    {
        let usable = 1.0 / LARGEST_NUMBER..=LARGEST_NUMBER;
        let edges = size.edges.iter().copied().chain([size.edges.product()]);
        if edges.into_iter().any(|edge| !usable.contains(&edge)) {
            let rule = "its Lattice gives the box no size that can be used; give box.size".into();
            return Err(SceneValidationError::Value { span: size.span.clone(), rule });
        }
    }
    let rule = "the box has no size; give box.size, a packing_fraction in [[generate]], or a particle \
                file with a Lattice";
    size.or(of_file).ok_or_else(|| SceneValidationError::whole(rule))
}

/// Checks what must hold of all bodies once they are in the box.
fn check_together<const D: usize>(
    written: &WrittenScene,
    engine: Engine,
    region: &Region<D>,
    start: &InitialBodies<D>,
    shapes: &[Shape],
    size: &BoxSize<D>,
) -> ValidationResult<()> {
    // Bodies in contact overlap a little in DEM.
    let overlap = if engine == Engine::Dem { SOFT } else { ROUNDING };
    start.check_inside(region, overlap, shapes)?;
    start.check_overlaps(region, overlap)?;
    let Some(growth) = &written.growth else { return Ok(()) };
    let factor = growth.value.factor::<D>(start.volume() / region.volume())?;
    check_periods(region, start.largest_radius(), factor, &size.span)
}
