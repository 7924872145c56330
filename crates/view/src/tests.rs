//! Runs written into a folder, and what a page gets of them.

mod exported;
mod overlays;
mod packed;
mod results;

use crate::Run;
use carom::geometry::Vector;
use carom::io::{AxisExtent, Frame, FrameFormat, FrameSeries};
use flate2::read::GzDecoder;
use serde_json::Value;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Random numbers between zero and one.
pub fn random(index: usize, salt: usize) -> f64 {
    let hash = ((index * 16 + salt + 1) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let hash = (hash ^ (hash >> 31)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    ((hash ^ (hash >> 29)) >> 11) as f64 / (1u64 << 53) as f64
}

/// Bodies scattered in a periodic box of ten.
pub fn scattered<const D: usize>(bodies: usize, time: f64) -> Frame<D> {
    let vector =
        |index: usize, salt: usize| Vector::from_fn(|axis, _| 10.0 * random(index, salt + axis));
    Frame {
        time,
        step: 0,
        number: 0,
        region: [AxisExtent::Periodic(10.0); D],
        positions: (0..bodies).map(|index| vector(index, 0)).collect(),
        velocities: (0..bodies).map(|index| vector(index, 3)).collect(),
        radii: (0..bodies).map(|index| 0.1 + 0.1 * random(index, 6)).collect(),
        masses: Some((0..bodies).map(|index| 1.0 + random(index, 7)).collect()),
        materials: None,
        shapes: None,
        springs: None,
        contacts: None,
        walls: None,
        ids: None,
        color_by: None,
        columns: vec![(
            "charge".to_owned(),
            (0..bodies).map(|index| random(index, 8) - 0.5).collect(),
        )],
    }
}

pub const SCENE: &str = "engine = 'event-driven'\ndimension = 3\nuntil = 1\nbox.size = 10\n\
                         [[bodies]]\nposition = [1, 1, 1]\nradius = 0.5\n";

/// A results folder.
pub struct ResultsFixture {
    pub folder: TempDir,
    name: String,
}

impl ResultsFixture {
    pub fn new<const D: usize>(scene: &str, frames: &[Frame<D>], formats: &[FrameFormat]) -> Self {
        ResultsFixture::named("box.run", scene, frames, formats)
    }

    pub fn named<const D: usize>(
        name: &str,
        scene: &str,
        frames: &[Frame<D>],
        formats: &[FrameFormat],
    ) -> Self {
        let results =
            ResultsFixture { folder: tempfile::tempdir().unwrap(), name: name.to_owned() };
        fs::create_dir(results.path()).unwrap();
        fs::write(results.path().join("scene.toml"), scene).unwrap();
        let mut series = FrameSeries::create(&results.path(), formats).unwrap();
        frames.iter().for_each(|frame| series.write(frame).unwrap());
        results
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join(&self.name)
    }

    pub fn frame(&self, name: &str) -> PathBuf {
        self.path().join("frames").join(name)
    }

    pub fn open(&self) -> Run {
        Run::open(&self.path()).unwrap()
    }
}

/// A run of these frames, with its folder, which is removed when it is dropped.
pub fn opened<const D: usize>(
    scene: &str,
    frames: &[Frame<D>],
    formats: &[FrameFormat],
) -> (ResultsFixture, Run) {
    let results = ResultsFixture::new(scene, frames, formats);
    let run = results.open();
    (results, run)
}

/// The header of a container, and the numbers of an array in the units of the run.
pub struct ContainerContents {
    pub head: Value,
    bytes: Vec<u8>,
}

impl ContainerContents {
    pub fn of(packed: &[u8]) -> Self {
        let mut all = Vec::new();
        GzDecoder::new(packed).read_to_end(&mut all).unwrap();
        let length = u32::from_le_bytes(all[..4].try_into().unwrap()) as usize;
        assert_eq!((4 + length) % 8, 0, "arrays begin at a multiple of eight");
        let head = serde_json::from_slice(&all[4..4 + length]).unwrap();
        ContainerContents { head, bytes: all.split_off(4 + length) }
    }

    pub fn entry(&self, name: &str) -> Option<&Value> {
        self.head["arrays"].as_array().unwrap().iter().find(|entry| entry["name"] == name)
    }

    pub fn values(&self, name: &str) -> Vec<f64> {
        let entry = self.entry(name).unwrap_or_else(|| panic!("there is {name}"));
        let number = |key: &str| entry[key].as_u64().unwrap() as usize;
        let (components, offset) = (number("components"), number("offset"));
        let count = number("count") * components;
        assert_eq!(offset % 8, 0, "{entry}");
        let kind = entry["type"].as_str().unwrap();
        let size: usize = kind[1..].parse::<usize>().unwrap() / 8;
        let bytes = &self.bytes[offset..offset + count * size];
        let raw = |index: usize| {
            let bytes = &bytes[index * size..(index + 1) * size];
            match kind {
                "u8" => f64::from(bytes[0]),
                "u16" => f64::from(u16::from_le_bytes(bytes.try_into().unwrap())),
                "i16" => f64::from(i16::from_le_bytes(bytes.try_into().unwrap())),
                "u32" => f64::from(u32::from_le_bytes(bytes.try_into().unwrap())),
                "f32" => f64::from(f32::from_le_bytes(bytes.try_into().unwrap())),
                other => panic!("{other}"),
            }
        };
        let scale = |key: &str, component: usize, other| match &entry[key] {
            Value::Null => other,
            list => list[component].as_f64().unwrap(),
        };
        let value = |index: usize| {
            let component = index % components;
            scale("low", component, 0.0) + scale("step", component, 1.0) * raw(index)
        };
        (0..count).map(value).collect()
    }
}

pub fn manifest(run: &Run) -> Value {
    run.refresh();
    let frames: Vec<usize> = (0..run.frame_count()).collect();
    serde_json::from_str(&run.manifest(&frames, run.is_finished()).json()).unwrap()
}

pub fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}
