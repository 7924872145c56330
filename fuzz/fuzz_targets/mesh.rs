//! Any bytes as a mesh of any format: no panic, only usable faces, and writing then reading gives the
//! same.
#![no_main]

use carom_scene::files::{MeshFormat, parse_mesh, write_mesh_as};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let format = MeshFormat::ALL[usize::from(first) % MeshFormat::ALL.len()];
    match parse_mesh(rest, "file", format) {
        Err(error) => assert!(!error.to_string().contains(char::is_control), "{error:?}"),
        Ok(mesh) => {
            let mut text = Vec::new();
            write_mesh_as(&mut text, &mesh, MeshFormat::Ply).expect("memory takes every byte");
            let again = parse_mesh(&text, "again", MeshFormat::Ply);
            assert_eq!(again.expect("what was written can be read"), mesh);
        }
    }
});
