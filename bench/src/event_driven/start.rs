//! Where the bodies are at first: made by carom, the same each time.
//!
//! Bodies are inserted at random; where that does not fill the box enough they are inserted smaller
//! and grow while they move.

use super::system::FluidRun;
use crate::error::Error;
use carom::scene::generate::DEFAULT_SEED;
use carom_papers::hard_spheres::HardSphereStart;

/// Random insertion is quick up to here, in two and three dimensions.
const FULLEST_BY_INSERTION: f64 = 0.3;
/// Growth of the radii per time: each body collides some ten or twenty times meanwhile.
const GROWTH_RATE: f64 = 0.2;

/// The start of a case: bodies without overlap, at temperature one.
pub fn bodies<const D: usize>(case: &FluidRun) -> Result<HardSphereStart<D>, Error> {
    let wanted = case.system.packing_fraction;
    let fraction = wanted.min(FULLEST_BY_INSERTION);
    let scale = (fraction / wanted).powf(1.0 / D as f64);
    let inserted = HardSphereStart::parse(&scene(case, fraction, 0.5 * scale))?;
    if wanted <= FULLEST_BY_INSERTION {
        return Ok(inserted);
    }
    let mut grown = inserted.grown(wanted, GROWTH_RATE)?;
    at_temperature_one(&mut grown);
    Ok(grown)
}

/// Bodies at random with these radii of the larger ones, which fill a part of the box.
fn scene(case: &FluidRun, fraction: f64, radius: f64) -> String {
    let radii = match case.system.small_diameter {
        None => format!("{radius}"),
        Some(small) => format!(
            "{{ values = [{radius}, {}], weights = [1, 1], by = \"volume\" }}",
            radius * small
        ),
    };
    format!(
        "engine = \"event-driven\"\ndimension = {}\nseed = {DEFAULT_SEED}\ncollisions = 1\n\
         [[generate]]\nkind = \"random\"\ncount = {}\nradius = {radii}\n\
         packing_fraction = {fraction}\ntemperature = 1.0\nmass = 1.0\n",
        case.system.dimension, case.bodies
    )
}

/// Growth heats; all masses are one, and the whole does not move.
fn at_temperature_one<const D: usize>(start: &mut HardSphereStart<D>) {
    let squares: f64 = start.bodies.iter().map(|body| body.velocity.norm_squared()).sum();
    let factor = ((D * (start.bodies.len() - 1)) as f64 / squares).sqrt();
    start.bodies.iter_mut().for_each(|body| body.velocity *= factor);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases;
    use carom::geometry::unit_ball_volume;

    fn filled<const D: usize>(start: &HardSphereStart<D>) -> f64 {
        let powers: f64 = start.bodies.iter().map(|body| body.radius.powi(D as i32)).sum();
        unit_ball_volume(D) * powers / start.size.product()
    }

    fn tiny(system: &str, bodies: usize) -> FluidRun {
        FluidRun { bodies, ..FluidRun::of(&cases::tiny(system)) }
    }

    fn assert_as_named<const D: usize>(system: &str, count: usize) {
        let run = tiny(system, count);
        let (start, system) = (bodies::<D>(&run).unwrap(), run.system);
        assert_eq!(start.bodies.len(), count);
        assert!((filled(&start) / system.packing_fraction - 1.0).abs() < 1e-9, "{}", system.name);
        let widest = start.bodies.iter().map(|body| 2.0 * body.radius).fold(0.0, f64::max);
        assert!((widest - 1.0).abs() < 1e-9, "{}: {widest}", system.name);
        let squares: f64 = start.bodies.iter().map(|body| body.velocity.norm_squared()).sum();
        assert!((squares / (D * (count - 1)) as f64 - 1.0).abs() < 1e-9, "{}", system.name);
        assert!(start.bodies.iter().all(|body| body.mass == 1.0));
    }

    #[test]
    fn starts_are_as_full_and_as_warm_as_they_should_be() {
        assert_as_named::<3>("mono-0.1", 500);
        assert_as_named::<3>("mono-0.49", 500);
        assert_as_named::<3>("binary-1:5", 1008);
        assert_as_named::<2>("discs-0.7", 500);
    }

    #[test]
    fn a_mixture_has_equal_volumes_of_both_sizes() {
        let start = bodies::<3>(&tiny("binary-1:5", 1260)).unwrap();
        assert_eq!(start.bodies.iter().filter(|body| body.radius == 0.5).count(), 10);
    }
}
