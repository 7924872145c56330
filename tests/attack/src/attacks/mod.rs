//! One file for each kind of attack.

mod arguments;
mod damaged_file;
mod damaged_results;
mod kill;
mod limit;
mod random_scene;
mod request;
pub mod soak;

use crate::campaign::Attack;
use carom_attack::reader::Reader;
use random_scene::AttackedEngine;

/// All attacks of a campaign.
pub fn all() -> Vec<Box<dyn Attack>> {
    let mut attacks: Vec<Box<dyn Attack>> = Vec::new();
    for reader in Reader::ALL {
        attacks.push(Box::new(damaged_file::DamagedFile::new(reader)));
    }
    attacks.push(Box::new(damaged_results::DamagedResults::default()));
    for engine in AttackedEngine::ALL {
        attacks.push(Box::new(random_scene::RandomScene::new(engine)));
    }
    for engine in AttackedEngine::ALL {
        attacks.push(Box::new(kill::Kill::new(engine)));
    }
    attacks.push(Box::new(limit::Limit::default()));
    attacks.push(Box::new(request::Requests::default()));
    attacks.push(Box::new(arguments::RandomArguments));
    attacks
}

/// Whether `--only` means an attack: by its name, or by what stands before its dash.
pub fn is_meant(only: &str, name: &str) -> bool {
    only == name || name.strip_prefix(only).is_some_and(|rest| rest.starts_with('-'))
}
