use super::*;
use proptest::prelude::*;

const TWO: &str = "Two discs, the text is skipped.\n$\n-1 -2 0 lower extents\n1 2 0\n2 objects\n\
                   400 intervals\n1\n$\nleft 7 first\n-0.5 0 0 0.25 center and radius\n1 0 0\n\
                   21 grid\n1e3 2e3 springs\n3 0 0\n1.5\n0.3\n2e9\n$\nright 8\n0.5 0 0\n0.25\n\
                   0 0 1\n20\n1e3 2e3\n-3 0 0\n1.5\n0.3\n2e9\n";

fn message(text: &str) -> String {
    parse_koti1989(text.as_bytes(), "two.dat").unwrap_err().to_string()
}

/// The file with a piece of its text replaced.
fn changed(from: &str, to: &str) -> String {
    assert!(TWO.contains(from), "{from}");
    TWO.replacen(from, to, 1)
}

#[test]
fn koti1989_fields_are_read_in_the_order_of_the_listing() {
    let scene = parse_koti1989(TWO.as_bytes(), "two.dat").unwrap();
    assert_eq!((scene.lower, scene.upper), ([-1.0, -2.0, 0.0], [1.0, 2.0, 0.0]));
    assert_eq!((scene.intervals, scene.is_shown_at_once, scene.objects.len()), (400, true, 2));
    let left = &scene.objects[0];
    assert_eq!((left.name.as_str(), left.id, left.center), ("left", 7, [-0.5, 0.0, 0.0]));
    assert_eq!((left.radius, left.color, left.grid), (0.25, [1.0, 0.0, 0.0], 21));
    assert_eq!((left.stiffness_compressed, left.stiffness_extended), (1e3, 2e3));
    assert_eq!((left.velocity, left.mass), ([3.0, 0.0, 0.0], 1.5));
    assert_eq!((left.poisson_ratio, left.young_modulus), (0.3, 2e9));
    // A group may run over lines, as with fscanf.
    assert_eq!(scene.objects[1].radius, 0.25);
    assert_eq!(scene.invalid_field(), None);
}

#[test]
fn koti1989_bad_fields_are_named_with_their_line() {
    let cases = [
        (
            "21 grid",
            "odd grid",
            "two.dat:12: grid of object 1 is \"odd\"; it must be a whole number between 2 and 2000",
        ),
        (
            "1.5\n0.3\n2e9\n$",
            "-1.5\n0.3\n2e9\n$",
            "two.dat:15: mass of object 1 is \"-1.5\"; it must be a number between 1e-100 and 1e100",
        ),
        (
            "400 intervals",
            "0 intervals",
            "two.dat:6: number of intervals is \"0\"; it must be a whole number between 1 and 1000000000",
        ),
        (
            "0.3\n2e9\n$",
            "0.7\n2e9\n$",
            "two.dat:16: Poisson's ratio of object 1 is \"0.7\"; it must be a number above -1 and at most 0.5",
        ),
        (
            "1e3 2e3 springs",
            "1e3 nan springs",
            "two.dat:13: stiffness in extension of object 1 is \"nan\"; it must be a number between 0 and 1e100",
        ),
        (
            "left 7",
            "left seven",
            "two.dat:9: id of object 1 is \"seven\"; it must be a whole number",
        ),
    ];
    for (from, to, expected) in cases {
        assert_eq!(message(&changed(from, to)), expected);
    }
}

#[test]
fn koti1989_missing_fields_are_named_with_the_line_on_which_the_file_ends() {
    let without_end = TWO.strip_suffix("0.3\n2e9\n").unwrap();
    let expected = "two.dat:27: the file ends before Poisson's ratio of object 2; add it";
    assert_eq!(message(without_end), expected);
    assert!(message("").contains("the file ends before a line that is a lone $"));
    assert!(message("$\n1 2").contains("the file ends before lower extent z of the scene"));
    // One number too few: the $ of the next object is taken for it.
    let shifted = changed("0.3\n2e9\n$", "2e9\n$");
    assert!(message(&shifted).starts_with("two.dat:16: Poisson's ratio of object 1 is \"2e9\""));
    let fewer = changed("2e9\n$\nright", "2e9\nright");
    let expected =
        "two.dat:18: $ before object 2 is \"right\"; each object follows a line that is a lone $";
    assert_eq!(message(&fewer), expected);
}

#[test]
fn koti1989_scenes_made_by_programs_are_held_to_the_same_rules() {
    let mut scene = parse_koti1989(TWO.as_bytes(), "two.dat").unwrap();
    scene.objects[1].mass = f64::NAN;
    let (object, broken) = scene.invalid_field().unwrap();
    assert_eq!((object, broken.name), (Some(2), "mass"));
    scene.intervals = 0;
    let (object, broken) = scene.invalid_field().unwrap();
    assert_eq!((object, broken.name), (None, "number of intervals"));
}

proptest! {
    #[test]
    fn koti1989_damaged_files_give_a_scene_or_one_line(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut bytes = TWO.as_bytes().to_vec();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        match parse_koti1989(&bytes, "file") {
            Ok(scene) => prop_assert_eq!(scene.invalid_field(), None),
            Err(error) => {
                let text = error.to_string();
                prop_assert!(text.starts_with("file:") && !text.contains(char::is_control), "{}", text);
            }
        }
    }
}
