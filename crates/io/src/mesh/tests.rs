//! Meshes written and read again, texts of other programs, and what is refused with which sentence.

use super::*;
use carom_geometry::Vector;

/// A cube of six squares at places that decimals and `f32` cannot hold, but for `exact`.
pub(super) fn cube(exact: bool) -> PolygonMesh {
    let place = |bit: bool| match (bit, exact) {
        (true, true) => 1.5,
        (true, false) => 1.0 / 3.0,
        (false, _) => -0.125,
    };
    let vertex = |k: u32| Vector::from([k & 1 != 0, k & 2 != 0, k & 4 != 0].map(place));
    let faces =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    PolygonMesh {
        vertices: (0..8).map(vertex).collect(),
        faces: faces.map(|face| face.to_vec()).to_vec(),
    }
}

pub(super) fn written(mesh: &PolygonMesh, format: MeshFormat) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_mesh_as(&mut bytes, mesh, format).unwrap();
    bytes
}

fn parsed(text: impl AsRef<[u8]>, format: MeshFormat) -> PolygonMesh {
    parse_mesh(text.as_ref(), "file", format).unwrap()
}

fn refused(text: impl AsRef<[u8]>, format: MeshFormat) -> String {
    parse_mesh(text.as_ref(), "file", format).unwrap_err().to_string()
}

/// Every face's corners as points.
fn corners(mesh: &PolygonMesh) -> Vec<Vec<Vector<3>>> {
    let point = |&corner: &u32| mesh.vertices[corner as usize];
    mesh.faces.iter().map(|face| face.iter().map(point).collect()).collect()
}

#[test]
fn obj_ply_and_off_give_back_the_same_bits() {
    for format in [MeshFormat::Obj, MeshFormat::Ply, MeshFormat::Off] {
        assert_eq!(parsed(written(&cube(false), format), format), cube(false), "{format:?}");
    }
}

#[test]
fn stl_gives_back_triangles_that_share_their_vertices() {
    let mesh = parsed(written(&cube(true), MeshFormat::Stl), MeshFormat::Stl);
    assert_eq!((mesh.vertices.len(), mesh.faces.len()), (8, 12));
    let squares = corners(&cube(true));
    for (pair, square) in corners(&mesh).chunks(2).zip(squares) {
        assert_eq!(pair[0], square[..3]);
        assert_eq!(pair[1], [square[0], square[2], square[3]]);
    }
    let again = parsed(written(&mesh, MeshFormat::Stl), MeshFormat::Stl);
    assert_eq!(again, mesh);
}

#[test]
fn stl_has_normals_that_point_outwards() {
    let bytes = written(&cube(true), MeshFormat::Stl);
    let number = |at: usize| f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    assert_eq!([84, 88, 92].map(number), [0.0, 0.0, -1.0]);
    assert!(!bytes.starts_with(b"solid"));
}

#[test]
fn a_polygon_with_more_than_255_corners_goes_into_ply() {
    let place = |k: u32| Vector::from([f64::from(k), f64::from(k * k), 0.0]);
    let mesh =
        PolygonMesh { vertices: (0..300).map(place).collect(), faces: vec![(0..300).collect()] };
    assert_eq!(parsed(written(&mesh, MeshFormat::Ply), MeshFormat::Ply), mesh);
}

#[test]
fn files_are_read_and_written_by_their_extension() {
    let folder = tempfile::tempdir().unwrap();
    for format in MeshFormat::ALL {
        let path = folder.path().join(format!("cube.{}", format.extension().to_uppercase()));
        write_mesh(&path, &cube(true)).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), written(&cube(true), format));
        assert_eq!(read_mesh(&path).unwrap().vertices.len(), 8);
    }
    let message = |name: &str| read_mesh(name.as_ref()).unwrap_err().to_string();
    let known = "does not end like a mesh; .stl, .obj, .ply and .off are known";
    assert_eq!(message("rock.step"), format!("rock.step {known}"));
    assert_eq!(message("rock"), format!("rock {known}"));
    assert_eq!(message("none.stl"), "none.stl cannot be read: there is no such file");
    let refused = write_mesh("rock.step".as_ref(), &cube(true)).unwrap_err();
    assert_eq!(refused.to_string(), format!("rock.step {known}"));
}

#[test]
fn what_cannot_be_written_is_refused_and_leaves_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.stl");
    std::fs::write(&path, "old").unwrap();
    let message = |change: &dyn Fn(&mut PolygonMesh)| {
        let mut mesh = cube(true);
        change(&mut mesh);
        let text = write_mesh(&path, &mesh).unwrap_err().to_string();
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        text.replace(folder.path().to_str().unwrap(), "DIR")
    };
    let start = "DIR/a.stl cannot be written: ";
    assert_eq!(
        message(&|mesh| mesh.faces[3][1] = 8),
        format!("{start}a face names vertex 8, but there are 8 vertices, numbered from 0")
    );
    assert_eq!(
        message(&|mesh| mesh.faces[3] = vec![0, 1]),
        format!("{start}a face has 2 corners; it needs at least three")
    );
    assert_eq!(
        message(&|mesh| mesh.vertices[2].y = f64::NAN),
        format!("{start}y is \"NaN\"; a coordinate must be finite")
    );
    assert_eq!(
        message(&|mesh| mesh.vertices[2].y = 1e39),
        format!("{start}STL holds coordinates up to 3.4e38; take .ply, .obj or .off")
    );
}

const SOLID: &str = "solid rock #1\n facet normal 0 0 nan\n  OUTER LOOP\n   vertex 0 0 0\r\n   \
    vertex 1e0 -0 0\n\n   vertex 0 1 0\n  endloop\n endfacet\n facet normal 0 0 1\n  outer loop\n   \
    vertex 1 0 0\n   vertex 1 1 0\n   vertex 0 1 0\n  endloop\n endfacet\nendsolid rock #1\n";

#[test]
fn stl_of_text_is_read_and_minus_zero_is_zero() {
    let mesh = parsed(SOLID, MeshFormat::Stl);
    assert_eq!(mesh.faces, [[0, 1, 2], [1, 3, 2]]);
    assert_eq!(mesh.vertices[3], Vector::from([1.0, 1.0, 0.0]));
    let two = format!("{SOLID}{SOLID}");
    assert_eq!(parsed(two, MeshFormat::Stl).faces.len(), 4);
}

#[test]
fn a_binary_stl_may_start_with_solid() {
    let mut bytes = written(&cube(true), MeshFormat::Stl);
    bytes[..5].copy_from_slice(b"solid");
    assert_eq!(parsed(&bytes, MeshFormat::Stl).faces.len(), 12);
    bytes[30] = 0;
    bytes.pop();
    assert!(refused(&bytes, MeshFormat::Stl).starts_with("file: the file has 683 bytes; a binary"));
}

#[test]
fn obj_has_many_ways_to_write_a_corner() {
    let text = "# made by hand\nmtllib a.mtl\no one\nv 0 0 0 1.0\nv 1 0 0 # corner\nv 1 1 0\nv 0 1 0\n\
        vt 0 0\nvn 0 0 1\ng a b\nf 1/1/1 2//1 3/1 4 # square\nf -4 -3 \\\n -2\nf 1 5 2\nv 9 9 9\nl 1 2\n";
    let mesh = parsed(text, MeshFormat::Obj);
    assert_eq!(mesh.vertices.len(), 5);
    assert_eq!(mesh.faces, [vec![0, 1, 2, 3], vec![0, 1, 2], vec![0, 4, 1]]);
}

#[test]
fn off_may_have_comments_colors_and_counts_on_its_first_line() {
    for text in [
        "OFF 3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
        "# a\n\nOFF # b\n# c\n3 1 0 # d\n\n0 0 0 # e\n1 0 0\n0 1 0\n# f\n3 0 1 2 # g\n# h\n",
        "CNOFF\n3 1\n0 0 0 0 0 1 9 9 9 9\n1 0 0 0 0 1\n0 1 0\n3 0 1 2 255 0 0\n",
        "STOFF\r\n3 1 3\r\n0 0 0 1 1\r\n1 0 0 1 1\r\n0 1 0 1 1\r\n3 0 1 2",
    ] {
        let mesh = parsed(text, MeshFormat::Off);
        assert_eq!((mesh.vertices.len(), mesh.faces), (3, vec![vec![0, 1, 2]]), "{text}");
    }
}

const PLY: &str = "ply\nformat ascii 1.0\ncomment by hand\nelement camera 1\nproperty float view\n\
    element face 2\nproperty uchar red\nproperty list uchar int vertex_index\nproperty list int float more\n\
    element nothing 7\nelement vertex 4\nproperty float x\nproperty float y\nproperty float nx\n\
    property float z\nend_header\n0.5\n9 3 0 1 2 0\n9 4 0 1 2 3 2 0.5 0.5\n0 0 nan 0\n1 0 1 0\n1 1 1 0\n0 1 1 0.1\n";

/// The same as [`PLY`] in binary.
fn binary_ply(big: bool) -> Vec<u8> {
    let name = if big { "binary_big_endian" } else { "binary_little_endian" };
    let head = PLY.split("0.5\n9").next().unwrap().replace("ascii", name);
    let mut bytes = head.into_bytes();
    let mut put = |number: &[u8]| match big {
        true => bytes.extend(number.iter().rev()),
        false => bytes.extend(number),
    };
    put(&0.5f32.to_le_bytes());
    for (face, more) in [(&[0i32, 1, 2][..], 0i32), (&[0, 1, 2, 3], 2)] {
        put(&[9]);
        put(&[face.len() as u8]);
        face.iter().for_each(|corner| put(&corner.to_le_bytes()));
        put(&more.to_le_bytes());
        (0..more).for_each(|_| put(&0.5f32.to_le_bytes()));
    }
    let rows = [
        [0.0, 0.0, f32::NAN, 0.0],
        [1.0, 0.0, 1.0, 0.0],
        [1.0, 1.0, 1.0, 0.0],
        [0.0, 1.0, 1.0, 0.1],
    ];
    rows.iter().flatten().for_each(|number| put(&number.to_le_bytes()));
    bytes
}

#[test]
fn ply_is_read_in_three_encodings_and_the_rest_is_passed_over() {
    let text = parsed(PLY, MeshFormat::Ply);
    assert_eq!(text.faces, [vec![0, 1, 2], vec![0, 1, 2, 3]]);
    assert_eq!(text.vertices[3], Vector::from([0.0, 1.0, 0.1]));
    for big in [false, true] {
        let mesh = parsed(binary_ply(big), MeshFormat::Ply);
        assert_eq!(mesh.faces, text.faces);
        assert_eq!(mesh.vertices[3], Vector::from([0.0, 1.0, f64::from(0.1f32)]));
    }
}

#[test]
fn an_empty_file_and_points_alone_are_no_mesh() {
    for format in MeshFormat::ALL {
        let sentence = "file: the file is empty; a mesh has vertices and faces";
        assert_eq!(refused("", format), sentence);
        assert_eq!(refused(" \n", format), sentence);
    }
    let none = "file: there is no face; a mesh needs at least one";
    assert_eq!(refused("v 1 2 3\n", MeshFormat::Obj), none);
    assert_eq!(refused("OFF\n1 0 0\n1 2 3\n", MeshFormat::Off), none);
    assert_eq!(refused("solid\nendsolid\n", MeshFormat::Stl), none);
    assert_eq!(refused([0; 84], MeshFormat::Stl), none);
}

#[test]
fn bad_stl_is_refused_by_line_or_byte() {
    let after = |from: &str, to: &str| refused(SOLID.replacen(from, to, 1), MeshFormat::Stl);
    assert_eq!(
        after("1e0", "1,5"),
        "file:5: x is \"1,5\"; decimals are written with a point, such as 0.5, and not with a comma"
    );
    assert_eq!(
        after("1e0", "1e999"),
        "file:5: x is \"1e999\"; a coordinate must lie between -1e100 and 1e100"
    );
    assert_eq!(after("1e0", "inf"), "file:5: x is \"inf\"; a coordinate must be finite");
    assert_eq!(after("1e0 -0 0", "1 0"), "file:5: z is missing; a vertex has three coordinates");
    assert_eq!(
        after("1e0", "1 1"),
        "file:5: what follows is \"0\"; a vertex has three coordinates"
    );
    assert_eq!(
        after("1e0 -0 0\n", "1 0 0\nvertex 2 2 2\n"),
        "file:9: the loop has 4 vertices; a facet of STL is a triangle"
    );
    assert_eq!(
        after("  endloop\n", ""),
        "file:8: the first word is \"endfacet\"; here \"vertex\" or \"endloop\" must start a line"
    );
    assert_eq!(
        after("endsolid rock #1\n", ""),
        "file:17: endsolid is missing; every solid must end with it"
    );
    assert_eq!(
        refused("solid\nendsolid\nmore\n", MeshFormat::Stl),
        "file:3: the first word is \"more\"; here only \"solid\" may start a line"
    );
    assert_eq!(
        refused("hello", MeshFormat::Stl),
        "file: the file has 5 bytes; a binary STL file has 84 and 50 for each of its triangles, and \
         one of text starts with \"solid\""
    );
    let mut bytes = written(&cube(true), MeshFormat::Stl);
    bytes[84 + 50 + 12 + 4..][..4].copy_from_slice(&f32::NAN.to_le_bytes());
    assert_eq!(
        refused(&bytes, MeshFormat::Stl),
        "file, byte 150: y is \"NaN\"; a coordinate must be finite"
    );
    bytes[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(
        refused(&bytes, MeshFormat::Stl),
        "file: the file has 684 bytes; a binary STL file has 84 and 50 for each of its triangles (it \
         promises 4294967295), and one of text starts with \"solid\""
    );
}

#[test]
fn bad_obj_is_refused_by_line() {
    let face =
        |line: &str| refused(format!("v 0 0 0\nv 1 0 0\nv 0 1 0\n{line}\n"), MeshFormat::Obj);
    assert_eq!(
        face("f 1 2 4"),
        "file:4: a face names vertex 4, but there are 3 vertices, numbered from 1"
    );
    assert_eq!(
        face("f 1 2 -4"),
        "file:4: a face names vertex -4, but there are 3 vertices, numbered from 1"
    );
    assert_eq!(face("f 1 2"), "file:4: a face has 2 corners; it needs at least three");
    for corner in ["0", "x", "/1", "1.5", "99999999999999999999", "-9223372036854775809"] {
        let message = face(&format!("f 1 2 {corner}"));
        assert!(
            message.starts_with(&format!("file:4: a corner is \"{corner}\"; a corner must be a")),
            "{message}"
        );
    }
    for corner in ["4294967296", "9223372036854775807", "-9223372036854775807"] {
        assert!(face(&format!("f 1 2 {corner}")).contains(&format!("names vertex {corner}, but")));
    }
    assert_eq!(face("v 1 2"), "file:4: z is missing; a vertex has three coordinates");
}

#[test]
fn bad_off_is_refused_by_line() {
    let off = |text: &str| refused(text, MeshFormat::Off);
    let rule = "an OFF file of text starts with OFF (or STOFF, COFF, NOFF, CNOFF)";
    assert_eq!(off("8 6 0\n"), format!("file:1: the file starts with \"8\"; {rule}"));
    assert_eq!(off("4OFF\n"), format!("file:1: the file starts with \"4OFF\"; {rule}"));
    assert_eq!(off("OFF BINARY\n"), format!("file:1: the file starts with \"OFF BINARY\"; {rule}"));
    let rule = "after OFF the numbers of vertices, faces and edges must follow";
    assert_eq!(off("OFF\n"), format!("file:2: the number of vertices is missing; {rule}"));
    assert_eq!(off("OFF\n3\n"), format!("file:2: the number of faces is missing; {rule}"));
    assert_eq!(off("OFF\n3 -1 0\n"), format!("file:2: the number of faces is \"-1\"; {rule}"));
    assert_eq!(
        off("OFF\n999999999 1 0\n0 0 0\n"),
        "file:2: 999999999 vertices are promised, but only 9 bytes follow"
    );
    assert_eq!(
        off("OFF\n1 999999999999 0\n0 0 0\n"),
        "file:2: 999999999999 faces are too many; at most 4294967295 can be read"
    );
    let face = |line: &str| off(&format!("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n{line}"));
    assert_eq!(
        face("3 0 1 3\n"),
        "file:6: a face names vertex 3, but there are 3 vertices, numbered from 0"
    );
    assert_eq!(face("2 0 1\n"), "file:6: a face has 2 corners; it needs at least three");
    let rule = "a face is the number of its corners and the vertices, from zero";
    assert_eq!(face("4 0 1 2\n"), format!("file:6: a corner is missing; {rule}"));
    assert_eq!(face("3 0 1 x\n"), format!("file:6: a corner is \"x\"; {rule}"));
    assert_eq!(face(""), "file:6: the file ends after 0 of 1 faces");
    assert_eq!(
        face("3 0 1 2\n3 0 1 2\n"),
        "file:7: what follows is \"3\"; nothing may stand after the faces that were promised"
    );
}

#[test]
fn bad_headers_of_ply_are_refused_by_line() {
    let after = |from: &str, to: &str| refused(PLY.replacen(from, to, 1), MeshFormat::Ply);
    assert_eq!(
        after("ply", "plywood"),
        "file:1: the file starts with \"plywood\"; a PLY file starts with ply"
    );
    let rule = "it must be ascii, binary_little_endian or binary_big_endian, and 1.0";
    assert_eq!(after("ascii", "morse"), format!("file:2: the format is \"morse\"; {rule}"));
    assert_eq!(after("1.0", "2.0"), format!("file:2: the version is \"2.0\"; {rule}"));
    assert_eq!(
        after("format ascii 1.0\n", ""),
        "file:15: the header names no format; after the line ply it must say how the rows are written"
    );
    assert!(
        after("comment", "remark").starts_with("file:3: the first word is \"remark\"; a line of")
    );
    assert!(
        after("property float x", "property real x")
            .starts_with("file:12: the type is \"real\"; it")
    );
    let rule = "lists are counted by whole numbers, and corners are whole numbers";
    assert_eq!(
        after("list uchar int", "list float int"),
        format!("file:8: the type is \"float\"; {rule}")
    );
    assert_eq!(
        after("list uchar int", "list uchar float"),
        format!("file:8: the list is \"vertex_index\"; {rule}")
    );
    let rule = "a mesh needs vertex with x, y and z, and face with a list vertex_indices";
    assert_eq!(
        after("float z", "float w"),
        format!("file:11: the header names no property z; {rule}")
    );
    assert_eq!(
        after("vertex_index", "indices"),
        format!("file:6: the header names no property list vertex_indices; {rule}")
    );
    assert_eq!(
        after("element face", "element fase"),
        format!("file:16: the header names no element face; {rule}")
    );
    assert_eq!(
        after("element camera 1", "element vertex 1"),
        "file:11: \"vertex\" is in the header twice; keep one"
    );
    assert_eq!(after("float nx", "float x"), "file:14: \"x\" is in the header twice; keep one");
    assert_eq!(
        after("vertex 4", "vertex 99999999999999"),
        "file:11: 99999999999999 vertices are promised, but only 74 bytes follow"
    );
    assert_eq!(
        refused("ply\nproperty int x\n", MeshFormat::Ply),
        "file:2: the property is \"x\"; an element must stand before it"
    );
    assert_eq!(
        refused("ply\n", MeshFormat::Ply),
        "file:2: end_header is missing; the header must end with it"
    );
}

#[test]
fn promised_faces_need_bytes_for_three_corners_each() {
    let head = "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty uchar x\n\
        property uchar y\nproperty uchar z\nelement face 26\nproperty list uchar int vertex_indices\n\
        end_header\n";
    let file = [head.as_bytes(), &[0; 336]].concat();
    assert_eq!(
        refused(&file, MeshFormat::Ply),
        "file:7: 26 faces are promised, but only 336 bytes follow"
    );
}

#[test]
fn a_header_of_ply_may_have_very_many_names() {
    let elements: String = (0..300_000).map(|k| format!("element e{k} 0\n")).collect();
    let properties: String = (0..300_000).map(|k| format!("property char p{k}\n")).collect();
    let much = format!("{elements}element more 0\n{properties}element camera");
    let mesh = parsed(PLY.replacen("element camera", &much, 1), MeshFormat::Ply);
    assert_eq!(mesh.faces.len(), 2);
    let twice = format!("{much}s 0\nproperty char p7\nproperty char p7\nelement camera");
    assert_eq!(
        refused(PLY.replacen("element camera", &twice, 1), MeshFormat::Ply),
        "file:600007: \"p7\" is in the header twice; keep one"
    );
}

#[test]
fn bad_rows_of_ply_are_refused_by_line_or_byte() {
    let after = |from: &str, to: &str| refused(PLY.replacen(from, to, 1), MeshFormat::Ply);
    let rule = "a row is a line with a number for each property; a list starts with its count";
    assert_eq!(after("0.1\n", "0.1 7\n"), format!("file:23: what follows is \"7\"; {rule}"));
    assert_eq!(after("0.1\n", "none\n"), "file:23: z is \"none\"; a coordinate must be a number");
    assert_eq!(
        after("9 3 0 1 2 0", "9 3 0 1 4 0"),
        "file:18: a face names vertex 4, but there are 4 vertices, numbered from 0"
    );
    assert_eq!(
        after("9 3 0 1 2 0", "9 2 0 1 0"),
        "file:18: a face has 2 corners; it needs at least three"
    );
    assert_eq!(after("9 3 0 1 2 0", "9 3 0 1"), format!("file:18: a corner is missing; {rule}"));
    assert_eq!(
        after("9 3 0 1 2 0", "9 -3"),
        format!("file:18: the count of a list is \"-3\"; {rule}")
    );
    assert_eq!(after("0 1 1 0.1\n", ""), "file:23: the file ends after 3 of 4 vertices");
    let bytes = binary_ply(true);
    let head = bytes.len() - (4 + 2 + 12 + 4 + 2 + 16 + 4 + 8 + 64);
    let changed = |at: usize, byte: u8| {
        let mut bytes = bytes.clone();
        bytes[head + at] = byte;
        refused(&bytes, MeshFormat::Ply)
    };
    assert_eq!(
        changed(5, 1),
        format!("file, byte {}: a face has 1 corners; it needs at least three", head + 5)
    );
    assert_eq!(
        changed(6, 0x80),
        format!(
            "file, byte {}: a face names vertex -2147483648, but there are 4 vertices, numbered from 0",
            head + 6
        )
    );
    assert_eq!(
        changed(18, 0xff),
        format!(
            "file, byte {}: the count of a list is \"-16777216\"; it must not be negative",
            head + 18
        )
    );
    assert_eq!(
        changed(18, 0x7f),
        format!(
            "file, byte {}: a number is missing; the file ends in the middle of a row",
            head + 22
        )
    );
    assert_eq!(
        refused(&bytes[..bytes.len() - 3], MeshFormat::Ply),
        format!(
            "file, byte {}: a number is missing; the file ends in the middle of a row",
            bytes.len() - 4
        )
    );
    assert_eq!(
        refused(&bytes[..bytes.len() - 16], MeshFormat::Ply),
        format!("file, byte {}: the file ends after 3 of 4 vertices", bytes.len() - 16)
    );
    assert_eq!(
        refused([&bytes[..], b"x"].concat(), MeshFormat::Ply),
        format!(
            "file, byte {}: what follows is \"x\"; nothing may stand after the rows that the header \
             promises",
            bytes.len()
        )
    );
}
