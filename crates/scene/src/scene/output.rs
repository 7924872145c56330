//! Observables and output files.

use super::bounds::Positive;
use super::check_name;
use super::problem::{SceneProblem, SceneValidationError, ValidationResult};
use super::values::{LocatedValue, NumberOr, POSITIVE, PositiveWholeNumber, optional_positive};
use super::written_scene::Engine;
use carom_geometry::{Aabb, Vector};
use carom_io::{FrameColumns, FrameFormat, excerpt};
use carom_simulate::observe::{self, Observable};
use schemars::JsonSchema;
use serde::de::{self, Deserialize, Deserializer, Visitor};
use std::fmt;
use std::time::Duration;

/// Quantities that are measured during a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observables {
    /// Settings of the radial distribution function g(r), if it is measured.
    pub radial_distribution: Option<RadialDistribution>,
    /// Whether the mean square displacement over time is measured.
    pub mean_square_displacement: bool,
    /// Regions in which bodies are counted.
    pub regions: Vec<CountedRegion>,
    /// Ids of bodies whose positions are logged.
    pub bodies: Vec<u32>,
    /// Whether force, torque, power and contacts of every wall are logged.
    pub wall_loads: bool,
}

impl Observables {
    /// Creates the observables of all engines; `volume` is that of the box.
    pub fn observables<const D: usize>(&self, volume: f64) -> Vec<Box<dyn Observable<D>>> {
        let mut observables: Vec<Box<dyn Observable<D>>> = Vec::new();
        if self.mean_square_displacement {
            observables.push(Box::new(observe::MeanSquareDisplacement::default()));
        }
        if !self.regions.is_empty() {
            let named = self.regions.iter().map(|region| (region.name.clone(), region.bounds));
            observables.push(Box::new(observe::RegionCounts { regions: named.collect() }));
        }
        if !self.bodies.is_empty() {
            observables.push(Box::new(observe::FollowedBodies { ids: self.bodies.clone() }));
        }
        if let Some(RadialDistribution { to, bins }) = self.radial_distribution {
            let observable = observe::RadialDistribution::new(to, bins as usize, volume)
                .expect("distance, bins and box of a scene were checked");
            observables.push(Box::new(observable));
        }
        observables
    }

    /// Whether the observable of a name has the same settings here and there.
    pub fn has_same_settings(&self, other: &Self, name: &str) -> bool {
        match name {
            "regions" => self.regions == other.regions,
            "radial_distribution" => self.radial_distribution == other.radial_distribution,
            _ => true,
        }
    }
}

/// A region in which bodies are counted; in 2D the third coordinates have no meaning.
#[derive(Clone, Debug, PartialEq)]
pub struct CountedRegion {
    /// Name of the region, `NAME` of its column `in_NAME` in the log.
    pub name: String,
    /// Bounds of the region in which bodies are counted.
    pub bounds: Aabb<3>,
}

/// Sampling of the radial distribution function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RadialDistribution {
    /// Largest distance r at which pairs are counted.
    pub to: f64,
    /// Number of bins from zero to there.
    pub bins: u32,
}

/// Quantities that are measured during a run.
#[derive(Clone, Debug, Default, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Observe")]
pub(super) struct WrittenObserve {
    /// Radial distribution function.
    radial_distribution: Option<WrittenRadialDistribution>,
    /// Whether the mean square displacement over time is measured; false if left out.
    mean_square_displacement: Option<LocatedValue<bool>>,
    /// Regions in which bodies, or particles of solids, are counted by their centers.
    #[serde(default)]
    regions: Vec<LocatedValue<WrittenCountedRegion>>,
    /// Ids of bodies, from zero, whose positions are logged; in solids those of particles.
    bodies: Option<LocatedValue<Vec<u32>>>,
    /// Whether the log has force, torque, power and number of contacts of every wall; false if left out.
    wall_loads: Option<LocatedValue<bool>>,
}

/// A region in which bodies are counted.
#[derive(Clone, Debug, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Region")]
struct WrittenCountedRegion {
    /// Name in the log, of letters, digits and _.
    name: LocatedValue<String>,
    /// Corner with the smallest coordinates, in length; unbounded if left out.
    low: Option<LocatedValue<Vec<f64>>>,
    /// Corner with the largest coordinates, in length; unbounded if left out.
    high: Option<LocatedValue<Vec<f64>>>,
}

impl WrittenCountedRegion {
    fn check<const D: usize>(&self) -> ValidationResult<CountedRegion> {
        check_name(&self.name)?;
        let name = &self.name.value;
        let corner =
            |key: &Option<LocatedValue<Vec<f64>>>, otherwise: f64| -> ValidationResult<Vector<3>> {
                let Some(key) = key else { return Ok(Vector::repeat(otherwise)) };
                let corner = key.vector::<D>()?;
                Ok(Vector::from_fn(|axis, _| if axis < D { corner[axis] } else { otherwise }))
            };
        let bounds = Aabb {
            low: corner(&self.low, f64::NEG_INFINITY)?,
            high: corner(&self.high, f64::INFINITY)?,
        };
        if let (Some(high), true) = (&self.high, (0..3).any(|k| bounds.low[k] >= bounds.high[k])) {
            return Err(high.refuse("it must be above low on every axis"));
        }
        Ok(CountedRegion { name: name.clone(), bounds })
    }
}

/// Sampling of the radial distribution function.
#[derive(Clone, Debug, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "RadialDistribution")]
struct WrittenRadialDistribution {
    /// Largest distance, in length.
    #[schemars(with = "Positive")]
    to: LocatedValue<f64>,
    /// Number of bins from zero to there; 100 if left out.
    bins: Option<LocatedValue<PositiveWholeNumber>>,
}

impl WrittenObserve {
    /// Checks the table. `half_period` is half the shortest period, beyond which images would be missed; `count` is
    /// the number of bodies, if it is known.
    pub(super) fn check<const D: usize>(
        &self,
        half_period: f64,
        count: Option<usize>,
    ) -> ValidationResult<Observables> {
        let distribution = self.radial_distribution.as_ref();
        let mut regions: Vec<CountedRegion> = Vec::new();
        for written in &self.regions {
            let region = written.value.check::<D>()?;
            if regions.iter().any(|other| other.name == region.name) {
                return Err(written.value.name.refuse("another region has this name"));
            }
            regions.push(region);
        }
        let bodies = self.bodies.as_ref().map_or(Vec::new(), |bodies| bodies.value.clone());
        if let Some(count) = count
            && let Some(wrong) = bodies.iter().find(|&&body| body as usize >= count)
            && let Some(key) = &self.bodies
        {
            return Err(
                key.refuse(format!("there is no body {wrong} among the {count} of the start"))
            );
        }
        let repeated = (1..bodies.len()).find(|&k| bodies[..k].contains(&bodies[k]));
        if let (Some(k), Some(key)) = (repeated, &self.bodies) {
            return Err(key.refuse(format!("body {} is named twice", bodies[k])));
        }
        Ok(Observables {
            regions,
            bodies,
            wall_loads: self.wall_loads.as_ref().is_some_and(|loads| loads.value),
            radial_distribution: distribution.map(|it| it.check(half_period)).transpose()?,
            mean_square_displacement: (self.mean_square_displacement.as_ref())
                .is_some_and(|asked| asked.value),
        })
    }
}

impl WrittenRadialDistribution {
    fn check(&self, half_period: f64) -> ValidationResult<RadialDistribution> {
        let to = self.to.positive(POSITIVE)?;
        if to > half_period {
            return Err(self.to.refuse(format!(
                "it must not exceed half the shortest period of the box, {half_period:?}"
            )));
        }
        let bins = match &self.bins {
            None => 100,
            Some(LocatedValue { value: PositiveWholeNumber(bins @ 1..=100_000), .. }) => {
                *bins as u32
            }
            Some(bins) => return Err(bins.refuse("it must lie between 1 and 100000")),
        };
        Ok(RadialDistribution { to, bins })
    }
}

/// Files that a run writes.
#[derive(Clone, Debug, PartialEq)]
pub struct OutputSettings {
    /// Simulated time from one frame to the next; without it only the first and the last are written.
    pub interval: Option<f64>,
    /// Simulated time from one row of the log to the next, if the scene states it.
    pub log_interval: Option<f64>,
    /// Number of collisions from one row of the log to the next, if the scene states it.
    pub log_collisions: Option<u64>,
    /// Formats in which every frame is written.
    pub formats: Vec<FrameFormat>,
    /// Columns that every frame has besides positions and radii.
    pub columns: FrameColumns,
    /// Whether the arrays of frames are compressed.
    pub compression: bool,
    /// Whether contacts are written with every frame.
    pub contacts: bool,
    /// Whether a picture of the final state is drawn.
    pub picture: bool,
    /// Quantity that the colors of pictures show.
    pub color: ColorQuantity,
    /// Wall-clock time from one checkpoint to the next.
    pub checkpoint_interval: Duration,
}

/// Quantity that the colors of pictures show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ColorQuantity {
    /// Speed of bodies or particles.
    Speed,
    /// Mean strain of a particle's springs.
    Strain,
    /// Fraction of a particle's springs that are broken.
    Damage,
    /// Fragment that a particle belongs to.
    Fragment,
    /// Pressure on a body from its contacts, or on a particle from its springs.
    Pressure,
    /// Cluster of bodies connected by contacts.
    Cluster,
}

impl ColorQuantity {
    /// Returns its name in scenes and frames.
    pub fn name(self) -> &'static str {
        match self {
            ColorQuantity::Speed => "speed",
            ColorQuantity::Strain => "strain",
            ColorQuantity::Damage => "damage",
            ColorQuantity::Fragment => "fragment",
            ColorQuantity::Pressure => "pressure",
            ColorQuantity::Cluster => "cluster",
        }
    }

    /// Returns the additional column of frames that it shows; `None` for speed, which every frame has.
    pub fn column(self) -> Option<String> {
        (self != ColorQuantity::Speed).then(|| self.name().to_owned())
    }

    /// Checks that frames of an engine have it; the error says what they have.
    fn check(self, engine: Engine) -> Result<(), &'static str> {
        match (self, engine) {
            (ColorQuantity::Speed, _) => Ok(()),
            (ColorQuantity::Cluster, Engine::Bonded) => {
                Err("engine = \"bonded\" has no clusters; take \"fragment\"")
            }
            (_, Engine::Bonded) => Ok(()),
            (ColorQuantity::Pressure | ColorQuantity::Cluster, Engine::Dem) => Ok(()),
            (ColorQuantity::Pressure | ColorQuantity::Cluster, _) => {
                Err("only bodies that touch have it; take \"speed\" or leave it out")
            }
            _ => Err("only engine = \"bonded\" has it; take \"speed\" or leave it out"),
        }
    }
}

/// Files that a run writes.
#[derive(Clone, Debug, Default, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Output")]
pub(super) struct WrittenOutput {
    /// Simulated time from one frame to the next; if left out, only the first and the last are written.
    #[schemars(with = "Option<Positive>")]
    interval: Option<LocatedValue<f64>>,
    /// Simulated time from one row of log.csv to the next; if left out, a hundredth of `until`, of the time that
    /// growth will take, or of `collisions`.
    #[schemars(with = "Option<Positive>")]
    log_interval: Option<LocatedValue<f64>>,
    /// Number of collisions from one row of log.csv to the next, instead of log_interval (engine event-driven).
    log_collisions: Option<LocatedValue<PositiveWholeNumber>>,
    /// Formats of the frames; ["vtk"] if left out, [] for none.
    formats: Option<LocatedValue<Vec<FrameFormat>>>,
    /// Columns of frames besides position and radius, such as ["velocity", "mass"]; all if left out.
    columns: Option<LocatedValue<Vec<String>>>,
    /// Whether frames are compressed: the arrays of VTK by zlib, XYZ and LAMMPS by gzip, as .xyz.gz and .dump.gz;
    /// false if left out.
    compression: Option<bool>,
    /// Whether contacts with their forces are written with every frame, as lines of VTK in contacts.pvd (engines dem and
    /// bonded); false if left out.
    contacts: Option<LocatedValue<bool>>,
    /// Whether a picture of the final state is drawn; true if left out.
    picture: Option<bool>,
    /// Quantity that the colors of pictures show; if left out, strain in engine bonded and speed in the others.
    /// Engine dem has speed, pressure and cluster, engine bonded all but cluster, engine event-driven only speed.
    color: Option<LocatedValue<ColorQuantity>>,
    /// Wall-clock time from one checkpoint to the next, such as 30, "30s", "5min" or "1h"; 60s if left out.
    #[schemars(with = "Option<NumberOr<String>>")]
    checkpoint_interval: Option<LocatedValue<WallClockTime>>,
}

/// Wall-clock time in seconds.
#[derive(Clone, Copy, Debug)]
struct WallClockTime(f64);

impl WrittenOutput {
    /// Refuses keys that do not apply to DEM.
    pub(super) fn check_dem(&self) -> ValidationResult<()> {
        let rule = "contacts last in a time-stepped run; give log_interval instead";
        self.log_collisions.as_ref().map_or(Ok(()), |count| Err(count.refuse(rule)))
    }

    fn check_color(&self, engine: Engine) -> ValidationResult<ColorQuantity> {
        match (&self.color, engine) {
            (Some(color), _) => {
                let color_of = |()| color.value;
                color.value.check(engine).map(color_of).map_err(|rule| color.refuse(rule))
            }
            (None, Engine::Bonded) => Ok(ColorQuantity::Strain),
            _ => Ok(ColorQuantity::Speed),
        }
    }

    pub(super) fn check(&self, engine: Engine) -> ValidationResult<OutputSettings> {
        let checkpoint = self.checkpoint_interval.as_ref().map_or(Ok(60.0), check_wall_time)?;
        let log_collisions = self.log_collisions.as_ref().map(check_log_collisions).transpose()?;
        if let (Some(_), Some(collisions)) = (&self.log_interval, &self.log_collisions) {
            let (table, remedy) = ("output".to_owned(), "keep one of them");
            let (first, second) = ("log_interval", "log_collisions");
            let problem = SceneProblem::Conflict { table, first, second, remedy };
            return Err(SceneValidationError::at(&collisions.span, problem));
        }
        let formats = self.formats.as_ref().map_or(Ok(vec![FrameFormat::Vtk]), check_formats)?;
        Ok(OutputSettings {
            interval: optional_positive(&self.interval)?,
            log_interval: optional_positive(&self.log_interval)?,
            log_collisions,
            formats,
            columns: match &self.columns {
                Some(columns) => check_columns(columns, engine)?,
                None => FrameColumns::all(),
            },
            compression: self.compression.unwrap_or(false),
            contacts: self.contacts.as_ref().map_or(Ok(false), |it| check_contacts(it, engine))?,
            picture: self.picture.unwrap_or(true),
            color: self.check_color(engine)?,
            checkpoint_interval: Duration::from_secs_f64(checkpoint),
        })
    }
}

fn check_contacts(contacts: &LocatedValue<bool>, engine: Engine) -> ValidationResult<bool> {
    match engine {
        Engine::EventDriven if contacts.value => {
            Err(contacts.refuse("collisions of an event-driven run have no duration and no force"))
        }
        _ => Ok(contacts.value),
    }
}

fn check_log_collisions(count: &LocatedValue<PositiveWholeNumber>) -> ValidationResult<u64> {
    if count.value.0 > 0 { Ok(count.value.0) } else { Err(count.refuse("it must be at least 1")) }
}

fn check_formats(formats: &LocatedValue<Vec<FrameFormat>>) -> ValidationResult<Vec<FrameFormat>> {
    let list = &formats.value;
    let twice = list.iter().enumerate().any(|(index, format)| list[..index].contains(format));
    if twice { Err(formats.refuse("every format may stand there once")) } else { Ok(list.clone()) }
}

/// Returns the columns that frames of an engine may have.
fn known_columns(engine: Engine) -> Vec<&'static str> {
    let own: &[&str] = match engine {
        Engine::Dem => {
            &["shape", "orientation", "angular_velocity", "pressure", "contacts", "cluster"]
        }
        Engine::Bonded => &["solid", "strain", "damage", "fragment", "pressure"],
        _ => &[],
    };
    let all = ["position", "radius", "velocity", "speed", "id", "mass", "material"];
    all.iter().chain(own).copied().collect()
}

fn check_columns(
    columns: &LocatedValue<Vec<String>>,
    engine: Engine,
) -> ValidationResult<FrameColumns> {
    let known = known_columns(engine);
    let unknown = columns.value.iter().filter(|name| !known.contains(&name.as_str()));
    let unknown: Vec<String> = unknown.map(|name| excerpt::truncated(name)).collect();
    if unknown.is_empty() {
        return Ok(FrameColumns::only(columns.value.iter().cloned()));
    }
    let (unknown, known) = (unknown.join(", "), known.join(", "));
    Err(columns.refuse(format!("frames have no column {unknown}; there are {known}")))
}

fn check_wall_time(time: &LocatedValue<WallClockTime>) -> ValidationResult<f64> {
    let seconds = time.value.0;
    let rule = "it must lie between one second and 1000 hours, such as \"30s\" or \"5min\"";
    if (1.0..=3.6e6).contains(&seconds) { Ok(seconds) } else { Err(time.refuse(rule)) }
}

struct WallClockTimeVisitor;

impl Visitor<'_> for WallClockTimeVisitor {
    type Value = WallClockTime;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a time such as 30, \"30s\", \"5min\" or \"1h\"")
    }

    fn visit_i64<E: de::Error>(self, seconds: i64) -> Result<WallClockTime, E> {
        Ok(WallClockTime(seconds as f64))
    }

    fn visit_f64<E: de::Error>(self, seconds: f64) -> Result<WallClockTime, E> {
        Ok(WallClockTime(seconds))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<WallClockTime, E> {
        let time = carom_io::parse_duration(text).map(|time| WallClockTime(time.as_secs_f64()));
        time.ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
    }
}

impl<'de> Deserialize<'de> for WallClockTime {
    fn deserialize<R: Deserializer<'de>>(reader: R) -> Result<Self, R::Error> {
        reader.deserialize_any(WallClockTimeVisitor)
    }
}
