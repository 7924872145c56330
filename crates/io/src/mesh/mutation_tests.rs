//! Valid mesh files with random bytes changed must never panic, and errors must stay on one line.

use super::tests::{cube, written};
use super::{MeshFormat, parse_mesh};
use proptest::prelude::*;

const SOLID: &[u8] = b"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1e-3 0 0\n\
    vertex 0 1 0\nendloop\nendfacet\nendsolid a\n";
const PLY: &[u8] = b"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty double y\n\
    property int z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n\
    0 1 0\n3 0 1 2\n";

/// Counts at the ends of number types, and some beyond.
const LARGE: [&str; 7] = [
    "255",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "99999999999999999999999",
];

/// A file of each kind.
fn originals() -> Vec<(MeshFormat, Vec<u8>)> {
    let mut files: Vec<_> =
        MeshFormat::ALL.map(|format| (format, written(&cube(false), format))).to_vec();
    files.push((MeshFormat::Stl, SOLID.to_vec()));
    files.push((MeshFormat::Ply, PLY.to_vec()));
    // A small header, so that changes fall into it.
    let tiny = b"ply\nformat binary_big_endian 1.0\nelement vertex 1\nproperty uchar x\nproperty \
        char y\nproperty short z\nelement face 1\nproperty list char uchar vertex_index\nend_header\n\
        \x01\x02\x00\x03\x03\x00\x00\x00";
    files.push((MeshFormat::Ply, tiny.to_vec()));
    files
}

/// Changes, insertions and removals at random places.
fn mutated() -> impl Strategy<Value = (MeshFormat, Vec<u8>)> {
    let telling = prop::sample::select(b" \n\r#\\/-+.e019\0\x7f\x80\xff".to_vec());
    let byte = prop_oneof![any::<u8>(), telling];
    let change = (0usize..5, any::<prop::sample::Index>(), byte);
    let changes = prop::collection::vec(change, 1..8);
    (prop::sample::select(originals()), changes).prop_map(|((format, mut bytes), changes)| {
        for (kind, index, byte) in changes {
            if bytes.is_empty() {
                break;
            }
            let at = index.index(bytes.len());
            match kind {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                2 => drop(bytes.remove(at)),
                3 => put_number(&mut bytes, at, byte),
                _ if byte < 16 => bytes.truncate(at),
                _ => {}
            }
        }
        (format, bytes)
    })
}

/// Puts a large number where digits are, or four bytes of it where none are.
fn put_number(bytes: &mut Vec<u8>, at: usize, which: u8) {
    let digits = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits > 0 {
        let number = LARGE[which as usize % LARGE.len()];
        bytes.splice(at..at + digits, number.bytes());
    } else {
        let end = bytes.len().min(at + 4);
        bytes[at..end].fill(if which < 128 { 0xff } else { 0x7f });
    }
}

fn check(bytes: &[u8], format: MeshFormat) -> Result<(), TestCaseError> {
    match parse_mesh(bytes, "file", format) {
        Err(error) => {
            let text = error.to_string();
            prop_assert!(text.starts_with("file"), "{}", text);
            prop_assert!(!text.contains(char::is_control), "{:?}", text);
        }
        Ok(mesh) => {
            let count = mesh.vertices.len() as u32;
            prop_assert!(mesh.vertices.iter().all(|vertex| vertex.norm() < 2e100));
            prop_assert!(mesh.faces.iter().all(|face| face.len() >= 3));
            prop_assert!(mesh.faces.iter().flatten().all(|&corner| corner < count));
            for format in [MeshFormat::Obj, MeshFormat::Ply, MeshFormat::Off] {
                let again = parse_mesh(&written(&mesh, format), "again", format);
                prop_assert_eq!(again.unwrap(), mesh.clone());
            }
        }
    }
    Ok(())
}

#[test]
fn the_originals_are_valid() {
    for (format, bytes) in originals() {
        assert!(parse_mesh(&bytes, "file", format).is_ok(), "{format:?}");
    }
}

#[test]
fn a_file_cut_anywhere_is_a_mesh_or_one_line() {
    for (format, bytes) in originals() {
        for length in 0..bytes.len() {
            check(&bytes[..length], format).unwrap();
        }
    }
}

#[test]
fn every_number_of_a_file_may_be_much_too_large() {
    for (format, bytes) in originals() {
        for at in 0..bytes.len() {
            for which in 0..14 {
                let mut changed = bytes.clone();
                put_number(&mut changed, at, which * 10);
                check(&changed, format).unwrap();
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn a_damaged_mesh_is_a_mesh_or_one_line((format, bytes) in mutated()) {
        check(&bytes, format)?;
    }

    #[test]
    fn random_bytes_are_a_mesh_or_one_line(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for format in MeshFormat::ALL {
            check(&bytes, format)?;
        }
    }
}
