use super::*;
use carom_geometry::{Boundary, Sphere};

const PROPERTIES: &str = "Properties=species:S:1:pos:R:3:radius:R:1";

fn parse(text: &str) -> Particles {
    parse_xyz(text.as_bytes(), "grains.xyz").unwrap()
}

fn spheres(text: &str) -> ParticleSet<3> {
    match parse(text) {
        Particles::Spheres(set) => set,
        Particles::Discs(_) => panic!("spheres expected"),
    }
}

fn discs(text: &str) -> ParticleSet<2> {
    match parse(text) {
        Particles::Discs(set) => set,
        Particles::Spheres(_) => panic!("discs expected"),
    }
}

fn message(text: impl AsRef<[u8]>) -> String {
    parse_xyz(text.as_ref(), "grains.xyz").unwrap_err().to_string()
}

/// The message about the comment line of a file without atoms.
fn comment_message(comment: &str) -> String {
    let text = message(format!("0\n{comment}\n"));
    text.strip_prefix("grains.xyz:2: ").expect("the comment is on line 2").to_owned()
}

#[test]
fn properties_say_what_the_columns_are() {
    let expected = [Sphere::new([1.0, 2.0, 3.0], 0.5)];
    for text in [
        format!("1\n{PROPERTIES}\nP 1 2 3 0.5\n"),
        format!(" 1 \r\n{PROPERTIES}\r\n\tP  1\t2 3 0.5 \r\n\r\n"),
        "1\nProperties=R:R:1:velo:R:3:POS:R:3:id:I:1\n0.5 9 9 9 1 2 3 77".to_owned(),
        "1\nproperties=\"pos:R:3:Diameter:R:1\"\n1 2 3 1\n".to_owned(),
        "1\ntime=3 title=\"a b\" Properties=pos:R:3:d:R:1:r:R:1 step\n1 2 3 9 0.5\n".to_owned(),
    ] {
        assert_eq!(spheres(&text).spheres, expected, "{text:?}");
    }
}

#[test]
fn two_coordinates_or_dimension_2_mean_discs() {
    let expected = [Sphere::new([1.0, 2.0], 0.5)];
    assert_eq!(discs("1\nProperties=pos:R:2:radius:R:1\n1 2 0.5\n").spheres, expected);
    assert_eq!(discs(&format!("1\n{PROPERTIES} dimension=2\nP 1 2 0 0.5\n")).spheres, expected);
    assert_eq!(parse(&format!("0\n{PROPERTIES} dimension=3\n")).dimension(), 3);
}

#[test]
fn an_axis_is_periodic_where_pbc_says_so() {
    let boundary = |rest: &str| spheres(&format!("0\n{PROPERTIES} {rest}\n")).boundary;
    let lattice = "Lattice=\"5 0 0 0 6 0 0 0 7\"";
    let mixed = Boundary::periodic([Some(5.0), Some(6.0), None]).unwrap();
    assert_eq!(boundary(&format!("{lattice} pbc=\"T T F\"")), mixed);
    assert_eq!(boundary(&format!("{lattice} PBC={{true 1 0}} Origin=\"1 2 3\"")), mixed);
    assert_eq!(boundary(&format!("{lattice} pbc=\"F F F\"")), Boundary::open());
    let whole = Boundary::periodic([Some(5.0), Some(6.0), Some(7.0)]).unwrap();
    assert_eq!(boundary(lattice), whole, "as other programs read a Lattice without pbc");
    assert_eq!(boundary(""), Boundary::open());
    assert_eq!(boundary("Lattice=\"5 1 0 0 6 0 0 0 7\" pbc=\"F F F\""), Boundary::open());
    let flat = discs("0\nProperties=pos:R:2:r:R:1 Lattice=\"5 0 0 6\" pbc=\"F T\"\n").boundary;
    assert_eq!(flat, Boundary::periodic([None, Some(6.0)]).unwrap());
}

#[test]
fn senseless_boundaries_are_refused() {
    for (rest, sentence) in [
        (
            "Lattice=\"5 1 0 0 6 0 0 0 7\" pbc=\"T F F\"",
            "Lattice is \"5 1 0 0 6 0 0 0 7\"; only rectangular boxes with edges along the axes \
             are supported",
        ),
        ("pbc=\"T F F\"", "pbc is \"T F F\"; a periodic axis needs a Lattice"),
        (
            "Lattice=\"5 0 0\" pbc=\"T F F\"",
            "Lattice is \"5 0 0\"; it must be the nine numbers of three edges",
        ),
        (
            "Lattice=\"-5 0 0 0 6 0 0 0 7\" pbc=\"T F F\"",
            "Lattice is \"-5 0 0 0 6 0 0 0 7\"; a period must be between 1e-100 and 1e100",
        ),
        (
            "pbc=\"T maybe F\"",
            "pbc is \"T maybe F\"; it must be T or F for each axis, for example \"T T F\"",
        ),
        ("pbc=\"T T\" pbc=\"T F\"", "pbc is \"T F\"; it is given twice; keep one"),
        ("dimension=4", "dimension is \"4\"; it must be 2 or 3"),
    ] {
        assert_eq!(comment_message(&format!("{PROPERTIES} {rest}")), sentence);
    }
}

#[test]
fn senseless_properties_are_refused() {
    for (comment, sentence) in [
        (
            "just a comment",
            "no Properties, so no radius; write an extended XYZ comment, for example \
             Properties=species:S:1:pos:R:3:radius:R:1",
        ),
        (
            "Properties=species:S:1:pos:R:3",
            "Properties names no radius (found \"species\", \"pos\"); add radius:R:1",
        ),
        ("Properties=radius:R:1", "Properties names no pos (found \"radius\"); add pos:R:3"),
        ("Properties=pos:R", "Properties is \"pos:R\"; it must be a list of name:type:count"),
        ("Properties=pos:Q:3", "Properties is \"pos:Q:3\"; a type must be S, I, R or L"),
        (
            "Properties=pos:R:-3",
            "Properties is \"pos:R:-3\"; a count must be between 1 and 1000000",
        ),
        (
            "Properties=pos:R:4:r:R:1",
            "Properties is \"pos:R:4:r:R:1\"; pos must have 2 or 3 columns",
        ),
        (
            "Properties=pos:R:3:r:R:2",
            "Properties is \"pos:R:3:r:R:2\"; the radius must have one column",
        ),
        (
            "Properties=pos:R:3:r:R:1:R:R:1",
            "Properties is \"pos:R:3:r:R:1:R:R:1\"; pos, radius, velo, mass and the like may each appear only once",
        ),
        ("Properties=pos:R:2:r:R:1 dimension=3", "dimension is \"3\"; pos has only 2 columns"),
        (
            "Properties=pos:R:3:r:R:1 title=\"open",
            "a quote is not closed on this line; a quoted field must not run over lines",
        ),
    ] {
        assert_eq!(comment_message(comment), sentence);
    }
}

#[test]
fn the_first_line_must_be_a_count() {
    for (first, shown) in [("abc", "abc"), ("-3", "-3"), ("1.5", "1.5"), ("1 2", "1 2")] {
        assert_eq!(
            message(format!("{first}\n{PROPERTIES}\n")),
            format!(
                "grains.xyz:1: the first line is \"{shown}\"; in XYZ it must be the number of atoms"
            )
        );
    }
    assert_eq!(
        message(""),
        "grains.xyz is empty; particles are read from CSV, extended XYZ, VTK and LAMMPS dumps"
    );
}

#[test]
fn a_huge_count_costs_no_memory() {
    assert_eq!(
        message(format!("4294967295\n{PROPERTIES}\nP 1 2 3 4\n")),
        "grains.xyz:1: 4294967295 atoms are promised, but 1 follow the comment line"
    );
    assert_eq!(
        message(format!("99999999999999999999999\n{PROPERTIES}\n")),
        "grains.xyz holds 18446744073709551615 particles; at most 4294967295 can be read"
    );
    assert!(message("5").starts_with("grains.xyz:2: no Properties"));
}

#[test]
fn only_one_frame_is_allowed() {
    let frame = format!("2\n{PROPERTIES}\nP 1 2 3 4\nP 1 2 3 4\n");
    let sentence =
        "grains.xyz:5: more lines after the 2 atoms of the first frame; give one frame only";
    assert_eq!(message(format!("{frame}{frame}")), sentence);
    assert_eq!(message(format!("{frame}P 1 2 3 4\n")), sentence);
    assert_eq!(message(format!("{frame}\n\nrest")), sentence.replace(":5:", ":7:"));
    assert_eq!(spheres(&format!("{frame}\n \n")).spheres.len(), 2);
}

#[test]
fn a_wrong_atom_comes_before_a_second_frame() {
    let text = format!("1\n{PROPERTIES}\nP 1 2 3 -4\n1\n{PROPERTIES}\nP 1 2 3 4\n");
    assert_eq!(
        message(text),
        "grains.xyz:3: column \"radius\" is \"-4\"; a radius must be finite and not negative"
    );
}

#[test]
fn wrong_atoms_are_named_with_line_column_and_rule() {
    let at = |atom: &str| message(format!("2\n{PROPERTIES}\nP 1 2 3 4\n{atom}\n"));
    assert_eq!(
        at("P 1 b 3 4"),
        "grains.xyz:4: column \"y\" is \"b\"; a coordinate must be a number"
    );
    assert_eq!(
        at("P 1 2 inf 4"),
        "grains.xyz:4: column \"z\" is \"inf\"; a coordinate must be finite"
    );
    assert_eq!(
        at("P 1 2 3"),
        "grains.xyz:4: 4 fields where 5 are expected; every row must have one per column"
    );
    assert_eq!(
        message(format!("2\n{PROPERTIES}\n\nP 1 2 3 4\n")),
        "grains.xyz:3: blank line between the rows; blank lines may stand only at the end"
    );
    let rule = "this does not look like text; particles are read from CSV, extended XYZ, VTK and LAMMPS dumps";
    let text = [format!("1\n{PROPERTIES}\n").as_bytes(), b"P\xff 1 2 3 4\n"].concat();
    assert_eq!(message(text), format!("grains.xyz:3: {rule}"));
    assert_eq!(message(b"1\n\0\n"), format!("grains.xyz:2: {rule}"));
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    let atom = |row: u32| {
        let x = f64::from(row);
        format!("Quartz {} {} {} 0.125", x.sqrt(), x.sin(), x.cos())
    };
    let mut lines = vec!["70000".to_owned(), PROPERTIES.to_owned()];
    lines.extend((0..70_000).map(atom));
    let text = lines.join("\n");
    for line in [45_003, 50_000, 60_000] {
        lines[line - 1].push('x');
    }
    let broken = lines.join("\n");
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| (spheres(&text), message(&broken)))
    };
    let one = run(1);
    assert_eq!(one.0.spheres.len(), 70_000);
    assert!(one.1.starts_with("grains.xyz:45003: column \"radius\" is \"0.125x\""), "{}", one.1);
    assert_eq!(one, run(3));
}

/// ASE keeps columns that it does not know as they were, and changes its own.
#[test]
fn momenta_and_masses_of_ase_are_taken_and_may_not_contradict() {
    let text = |properties: &str, values: &str| {
        format!("1\nProperties=pos:R:3:radius:R:1:{properties}\n1 2 3 0.5 {values}\n")
    };
    let read = |text: &str| super::parse_bodies(text.as_bytes(), "a.xyz");
    let found = read(&text("masses:R:1:momenta:R:3", "2 4 6 8")).unwrap();
    assert_eq!(found.velocities, Some(vec![[2.0, 3.0, 4.0]]));
    assert_eq!(found.masses, Some(vec![2.0]));
    let all = "velo:R:3:mass:R:1:masses:R:1:momenta:R:3";
    assert!(read(&text(all, "2 3 4 2 2 4 6 8")).is_ok());
    // As ASE rounds them.
    assert!(read(&text(all, "2 3 4 2 2 4.00000001 6 8")).is_ok());
    for (properties, values, rule) in [
        (all, "2 3 4 2 2 0 0 0", "it must be mass times velo"),
        (all, "2 3 4 2 5 4 6 8", "it must be that of the column mass"),
        ("momenta:R:3", "1 1 1", "momenta need a column masses"),
    ] {
        let refused = read(&text(properties, values)).unwrap_err().to_string();
        assert!(refused.starts_with("a.xyz:3: ") && refused.contains(rule), "{refused}");
    }
}
