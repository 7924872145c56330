use super::*;
use carom_geometry::Sphere;

fn discs(text: &str) -> Vec<Sphere<2>> {
    match parse_csv(text.as_bytes(), "grains.csv").unwrap() {
        Particles::Discs(set) => set.spheres,
        Particles::Spheres(_) => panic!("discs expected"),
    }
}

fn spheres(text: &str) -> Vec<Sphere<3>> {
    match parse_csv(text.as_bytes(), "grains.csv").unwrap() {
        Particles::Spheres(set) => set.spheres,
        Particles::Discs(_) => panic!("spheres expected"),
    }
}

fn message(text: impl AsRef<[u8]>) -> String {
    parse_csv(text.as_ref(), "grains.csv").unwrap_err().to_string()
}

#[test]
fn columns_may_stand_in_any_order_and_others_are_ignored() {
    let expected = vec![Sphere::new([1.0, 2.0, 3.0], 0.5)];
    assert_eq!(spheres("x,y,z,r\n1,2,3,0.5\n"), expected);
    assert_eq!(spheres("r,z,y,x\n0.5,3,2,1\n"), expected);
    assert_eq!(spheres("id,x,name,y,vx,vy,z,r,note\n7,1,a b,2,,9,3,0.5,\n"), expected);
    assert_eq!(spheres(" X , Y,Z ,Radius\n 1, 2 ,3,\t0.5 \n"), expected);
}

#[test]
fn no_z_means_discs() {
    assert_eq!(
        discs("x,y,r\n1,2,0.5\n-1e-3,+4,.25"),
        [Sphere::new([1.0, 2.0], 0.5), Sphere::new([-0.001, 4.0], 0.25)]
    );
}

#[test]
fn a_diameter_is_halved_unless_there_is_a_radius() {
    assert_eq!(discs("x,y,d\n1,2,3\n"), [Sphere::new([1.0, 2.0], 1.5)]);
    assert_eq!(discs("x,y,Diameter\n1,2,3\n"), [Sphere::new([1.0, 2.0], 1.5)]);
    assert_eq!(discs("x,d,y,r\n1,density,2,3\n"), [Sphere::new([1.0, 2.0], 3.0)]);
}

#[test]
fn line_ends_marks_comments_and_blank_lines_at_the_end_do_not_matter() {
    let expected = discs("x,y,r\n1,2,3\n4,5,6\n");
    for text in [
        "x,y,r\n1,2,3\n4,5,6",
        "x,y,r\r\n1,2,3\r\n4,5,6\r\n",
        "x,y,r\r\n1,2,3\r\n4,5,6",
        "\u{feff}x,y,r\n1,2,3\n4,5,6\n\n \r\n\n",
        "# from a sieve\n#,,\n\nx,y,r\n1,2,3\n4,5,6\n",
    ] {
        assert_eq!(discs(text), expected, "{text:?}");
    }
}

#[test]
fn quotes_are_honored_in_every_column() {
    let expected = [Sphere::new([1.0, 2.0], 3.0)];
    assert_eq!(discs("name,\"x\",y,r\n\"a, \"\"b\"\", c\",\"1\", \"2\" ,3\n"), expected);
    assert_eq!(discs("x,y,r,note\n1,2,3,\"a,b\"\n"), expected);
    assert_eq!(discs("x,y,r,note\n1,2,3,5\" pipe\n"), expected);
}

#[test]
fn the_header_shows_what_separates_fields() {
    let expected = [Sphere::new([1.0, 2.0], 0.5), Sphere::new([-4.0, 5e-3], 0.25)];
    for text in [
        "x;y;r\n1;2;0.5\n-4; 5e-3 ;0.25\n",
        "x\ty\tr\r\n1\t2\t0.5\r\n-4\t5e-3\t.25\r\n",
        "x y r\n1 2 0.5\n-4 5e-3 0.25\n",
        "  X   Y\t R \n  1  2   0.5 \n-4\t 5e-3 0.25",
        "\"x\" \"y\" \"diameter\"\n1 2 \"1\"\n-4 5e-3 0.5\n",
        "x , y , r\n1,2,0.5\n-4,5e-3,0.25\n",
        "x,\ty,\tr\n1,\t2,\t0.5\n-4,5e-3,0.25\n",
        "x;y;r;name, place\n1;2;0.5;\n-4;5e-3;0.25;a,b\n",
        "x\ty\tr\tnote\n1\t2\t0.5\t\n-4\t5e-3\t0.25\t\n",
        "note\tx\ty\tr\n\t1\t2\t0.5\n\t-4\t5e-3\t0.25\n\n",
        "# from a sieve\n# x y r\n1 2 0.5\n-4 5e-3 0.25\n",
        "# x,y,r\n1,2,0.5\n-4,5e-3,0.25\n",
    ] {
        assert_eq!(discs(text), expected, "{text:?}");
    }
}

#[test]
fn rows_may_be_numbered_by_a_first_column() {
    let expected = [Sphere::new([1.0, 2.0, 3.0], 0.5), Sphere::new([4.0, 5.0, 6.0], 0.25)];
    for text in [
        ",x,y,z,r\n0,1,2,3,0.5\n1,4,5,6,0.25\n",
        ";X;Y;Z;R\n0;1;2;3;0.5\n1;4;5;6;0.25\n",
        "\tx\ty\tz\tradius\n0\t1\t2\t3\t0.5\n1\t4\t5\t6\t0.25\n",
        "   x  y  z     r\n0  1  2  3  0.50\n1  4  5  6  0.25\n",
        "\"x\" \"y\" \"z\" \"r\"\n\"1\" 1 2 3 0.5\n\"2\" 4 5 6 0.25\n",
        "index,x,y,z,d\n0,1,2,3,1\n1,4,5,6,0.5\n",
        "Unnamed: 0,x,y,z,d\n0,1,2,3,1\n1,4,5,6,0.5\n",
    ] {
        assert_eq!(spheres(text), expected, "{text:?}");
        let bodies = parse_bodies(text.as_bytes(), "grains.csv").unwrap();
        assert_eq!(bodies.particles.len(), 2, "{text:?}");
        let points = parse_csv_points(text.as_bytes(), "grains.csv").unwrap();
        assert_eq!(points[1].as_slice(), [4.0, 5.0, 6.0], "{text:?}");
    }
    assert!(parse_bodies(b"x,,y,r\n1,2,3,4\n", "grains.csv").is_err());
    // A surplus field at the end of rows does not shift the others.
    for text in ["x y z r\n0 0 0 1 5\n3 0 0 1 5\n", "x y z r\n7 0 0 1 5\n8 0 0 1 5\n"] {
        assert!(parse_csv(text.as_bytes(), "grains.csv").is_err(), "{text:?}");
    }
}

#[test]
fn a_header_that_can_be_read_in_two_ways_is_refused() {
    for (header, first, second) in [
        ("x,y;r", "commas", "semicolons"),
        ("x\ty;r", "semicolons", "tabs"),
        ("x,y,r;x;y;r", "commas", "semicolons"),
    ] {
        assert_eq!(
            message(format!("{header}\n1,2,3\n")),
            format!(
                "grains.csv:1: the names in the header may be separated by {first} or by {second}; put one \
                 of these between all names"
            )
        );
    }
}

#[test]
fn decimal_commas_are_refused_with_the_remedy() {
    let point = "decimals are written with a point, such as 0.5, and not with a comma";
    for text in
        ["x;y;r\n1;0,5;1\n", "x y r\n1 0,5 1\n", "x\ty\tr\n1\t0,5\t1\n", "x,y,r\n1,\"0,5\",1\n"]
    {
        assert_eq!(message(text), format!("grains.csv:2: column \"y\" is \"0,5\"; {point}"));
    }
    let more = "column \"y\" is \"-1,5e-3\"; ";
    assert_eq!(message("x;y;r\n1;-1,5e-3;1\n"), format!("grains.csv:2: {more}{point}"));
    assert_eq!(
        message("x,y,r\n1,0,0,5,1,0\n"),
        "grains.csv:2: 6 fields where 3 are expected; if these are decimal commas, write decimals with a \
         point, such as 0.5"
    );
    for word in ["1,2,3", "a,5", "1,x"] {
        let text = format!("x;y;r\n1;{word};1\n");
        assert!(message(text).ends_with("a coordinate must be a number"), "{word}");
    }
}

#[test]
fn a_header_without_rows_is_no_particles() {
    assert!(discs("x,y,r").is_empty());
    assert!(spheres("x,y,z,r\n\n").is_empty());
}

#[test]
fn every_wrong_cell_is_named_with_its_rule() {
    for (cell, sentence) in [
        ("abc", "column \"x\" is \"abc\"; a coordinate must be a number"),
        ("1.2.3", "column \"x\" is \"1.2.3\"; a coordinate must be a number"),
        ("1e", "column \"x\" is \"1e\"; a coordinate must be a number"),
        ("0x10", "column \"x\" is \"0x10\"; a coordinate must be a number"),
        ("", "column \"x\" is empty; a coordinate must be a number"),
        ("\"\"", "column \"x\" is empty; a coordinate must be a number"),
        ("nan", "column \"x\" is \"nan\"; a coordinate must be finite"),
        ("-inf", "column \"x\" is \"-inf\"; a coordinate must be finite"),
        ("2e100", "column \"x\" is \"2e100\"; a coordinate must lie between -1e100 and 1e100"),
        ("-1e999", "column \"x\" is \"-1e999\"; a coordinate must lie between -1e100 and 1e100"),
        ("a\tb\u{1b}", "column \"x\" is \"a\\tb\\u{1b}\"; a coordinate must be a number"),
    ] {
        let text = format!("x,y,r\n0,0,1\n{cell},0,1\n0,0,1\n");
        assert_eq!(message(text), format!("grains.csv:3: {sentence}"));
    }
}

#[test]
fn every_wrong_size_is_named_with_its_rule() {
    for (name, cell, sentence) in [
        ("r", "-0.2", "column \"r\" is \"-0.2\"; a radius must be finite and not negative"),
        ("r", "inf", "column \"r\" is \"inf\"; a radius must be finite and not negative"),
        ("Radius", "NaN", "column \"Radius\" is \"NaN\"; a radius must be finite and not negative"),
        ("r", "1e101", "column \"r\" is \"1e101\"; a radius must not exceed 1e100"),
        ("r", "big", "column \"r\" is \"big\"; a radius must be a number"),
        ("d", "-1", "column \"d\" is \"-1\"; a diameter must be finite and not negative"),
        ("d", "1e200", "column \"d\" is \"1e200\"; a diameter must not exceed 1e100"),
        ("d", "", "column \"d\" is empty; a diameter must be a number"),
    ] {
        let text = format!("x,y,{name}\n0,0,{cell}\n");
        assert_eq!(message(text), format!("grains.csv:2: {sentence}"));
    }
}

#[test]
fn long_values_are_shortened() {
    let text = format!("x,y,r\n0,0,{}z\n", "9".repeat(5000));
    let nines = "9".repeat(40);
    assert_eq!(
        message(text),
        format!("grains.csv:2: column \"r\" is \"{nines}…\"; a radius must be a number")
    );
}

#[test]
fn ragged_and_blank_rows_are_refused() {
    let ragged = "fields where 3 are expected; every row must have one per column";
    assert_eq!(message("x,y,r\n1,2,3\n1,2\n"), format!("grains.csv:3: 2 {ragged}"));
    assert_eq!(message("x,y,r\n1,2,3,\n"), format!("grains.csv:2: 4 {ragged}"));
    assert_eq!(message("x,y,r\n1 2 3\n"), format!("grains.csv:2: 1 {ragged}"));
    assert_eq!(
        message("x,y,r\n1,2,3\n\n1,2,3\n"),
        "grains.csv:3: blank line between the rows; blank lines may stand only at the end"
    );
}

#[test]
fn broken_quotes_are_refused() {
    assert_eq!(
        message("x,y,r,note\n1,2,3,\"over\nlines\"\n"),
        "grains.csv:2: a quote is not closed on this line; a quoted field must not run over lines"
    );
    assert_eq!(
        message("x,y,r,note\n1,2,3,\"a\"b\n"),
        "grains.csv:2: \"b\" follows a closing quote; a separator or the end of the line must follow"
    );
}

#[test]
fn a_header_that_lacks_a_column_lists_those_it_has() {
    let rule = "the header must name x, y and r, or x, y, z and r, separated by commas, semicolons, tabs \
                or blanks";
    assert_eq!(
        message("x,y,z\n1,2,3\n"),
        format!("grains.csv:1: no column \"r\" (found \"x\", \"y\", \"z\"); {rule}")
    );
    assert_eq!(
        message("# note\n1;2;3\n"),
        format!("grains.csv:2: no column \"x\" (found \"1\", \"2\", \"3\"); {rule}")
    );
}

#[test]
fn columns_that_mean_the_same_are_refused() {
    assert_eq!(
        message("x,y,X,r\n1,2,3,4\n"),
        "grains.csv:1: columns \"x\" and \"X\" both give the x coordinate; keep one"
    );
    assert_eq!(
        message("x,y,z,r,radius\n"),
        "grains.csv:1: columns \"r\" and \"radius\" both give the radius; keep one"
    );
    assert_eq!(
        message("x,y,d,diameter\n"),
        "grains.csv:1: columns \"d\" and \"diameter\" both give the diameter; keep one"
    );
    assert_eq!(discs("id,id,,x,y,r,\n1,1,1,1,2,3,1\n"), [Sphere::new([1.0, 2.0], 3.0)]);
}

#[test]
fn files_without_content_are_refused() {
    for text in ["", "\n \r\n", "\u{feff}"] {
        assert_eq!(
            message(text),
            "grains.csv is empty; particles are read from CSV, extended XYZ, VTK and LAMMPS dumps"
        );
    }
    assert_eq!(
        message("# one\n# two"),
        "grains.csv holds only comments; after them a header such as x,y,z,r is needed"
    );
}

#[test]
fn what_is_not_text_is_refused_where_it_starts() {
    let rule = "this does not look like text; particles are read from CSV, extended XYZ, VTK and LAMMPS dumps";
    assert_eq!(message(b"\x89PNG\r\n\x1a\n\0\0"), format!("grains.csv:1: {rule}"));
    assert_eq!(message(b"x,y,r\n0,0,1\n0,\0,1\n"), format!("grains.csv:3: {rule}"));
    assert_eq!(message(b"x,y,r,n\n0,0,1,\xff\n"), format!("grains.csv:2: {rule}"));
    assert_eq!(message(b"x,y,r\n0,0,1\n0,0,1\0"), format!("grains.csv:3: {rule}"));
}

#[test]
fn an_earlier_wrong_row_comes_before_bytes_that_are_not_text() {
    let text = b"x,y,r\n0,0,-1\n0,\xff,1\n";
    assert!(message(text).starts_with("grains.csv:2: column \"r\""));
}

#[test]
fn a_name_over_lines_stays_on_one() {
    let error = parse_csv(b"", "a\nb.csv").unwrap_err().to_string();
    assert!(error.starts_with("a\\nb.csv is empty"), "{error}");
}

/// Rows that fill several pieces.
fn many_rows(count: usize) -> String {
    let mut text = String::from("x,y,z,r\n");
    for row in 0..count {
        let x = row as f64;
        text.push_str(&format!("{},{},{},{}\n", x.sqrt(), x.sin(), 1.0 / (x + 1.0), x.cos().abs()));
    }
    text
}

fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

#[test]
fn the_order_of_rows_is_kept_for_any_number_of_threads() {
    let text = many_rows(60_000);
    assert!(text.len() > 3 << 20);
    let one = with_threads(1, || spheres(&text));
    let three = with_threads(3, || spheres(&text));
    assert_eq!(one.len(), 60_000);
    assert_eq!(one, three);
    assert_eq!(one[59_999].center.x, 59_999f64.sqrt());
}

#[test]
fn the_first_error_is_reported_for_any_number_of_threads() {
    let mut lines: Vec<String> = many_rows(60_000).lines().map(str::to_owned).collect();
    lines[50_000] = "nonsense".to_owned();
    lines[40_000] = "1,2,3,-4".to_owned();
    lines[59_000] = "1,2".to_owned();
    let text = lines.join("\n");
    for threads in [1, 3] {
        let expected =
            "grains.csv:40001: column \"r\" is \"-4\"; a radius must be finite and not negative";
        assert_eq!(with_threads(threads, || message(&text)), expected);
    }
}
