//! Starts of event-driven runs: hard discs and spheres in a periodic box, for papers and benchmarks alike.

use carom::geometry::Vector;
use carom::run;
use carom::scene::{self, AnyScene, Scene};
use carom::simulate::Error;
use carom::simulate::event_driven::{
    BodyStart, GrowthTarget, LubachevskyStillingerGrowth, Region, Settings, Simulation,
};
use std::any::Any;
use std::path::Path;

/// Bodies without overlap and their periodic box.
#[derive(Clone, Debug)]
pub struct HardSphereStart<const D: usize> {
    /// Edges of the box.
    pub size: Vector<D>,
    /// The bodies.
    pub bodies: Vec<BodyStart<D>>,
}

impl<const D: usize> HardSphereStart<D> {
    /// The bodies of a scene.
    ///
    /// # Panics
    ///
    /// If the scene has another dimension.
    pub fn parse(scene: &str) -> Result<Self, scene::Error> {
        let scene: Box<dyn Any> = match AnyScene::parse(scene, "start", Path::new(""), &[])? {
            AnyScene::TwoD(scene) => Box::new(scene),
            AnyScene::ThreeD(scene) => Box::new(scene),
        };
        let scene: Box<Scene<D>> = scene.downcast().expect("a start has the scene's dimension");
        let bodies = run::event_driven::bodies(&scene).expect("a start has few materials");
        Ok(HardSphereStart { size: scene.region.size, bodies })
    }

    /// The bodies of a run as they are now.
    pub fn of(simulation: &Simulation<D>) -> Self {
        let body = |body| BodyStart {
            mass: simulation.mass(body),
            ..BodyStart::new(
                simulation.position(body),
                simulation.velocity(body),
                simulation.radius(body),
            )
        };
        let size = simulation.settings().region.size;
        HardSphereStart { size, bodies: (0..simulation.count()).map(body).collect() }
    }

    /// The settings of runs, the structure left open.
    pub fn settings(&self) -> Settings<D> {
        Settings::new(Region::periodic(self.size))
    }

    /// The bodies after they grew at this rate while they moved, until they cover this part of the box.
    pub fn grown(&self, fraction: f64, rate: f64) -> Result<Self, Error> {
        let until = Some(GrowthTarget::PackingFraction(fraction));
        let growth = Some(LubachevskyStillingerGrowth { rate, until });
        let mut simulation = Simulation::new(&self.bodies, Settings { growth, ..self.settings() })?;
        simulation.advance_to_end_of_growth();
        Ok(HardSphereStart::of(&simulation))
    }
}
