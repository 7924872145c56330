use super::*;

const DICE: &str = "engine = 'dem'\ndimension = 3\nuntil = 1\nbox.size = 10\nbox.boundary = 'wall'\n\
     [shapes.brick]\nbox = [1, 2, 4]\n\
     [[walls]]\nkind = 'plane'\npoint = [0, 0, 5]\nnormal = [0, 0, 1]\nvelocity = [0, 0, 1]\n\
     [[bodies]]\nposition = [2, 3, 4]\nshape = 'brick'\norientation = [0.6, 0.8, 0, 0]\n\
     [[bodies]]\nposition = [5, 5, 5]\nradius = 1\n";

fn assert_near(found: &[f64], given: &[f64], most: f64) {
    assert_eq!(found.len(), given.len());
    for (found, given) in found.iter().zip(given) {
        assert!((found - given).abs() <= most, "{found} {given} {most}");
    }
}

#[test]
fn a_frame_comes_back_within_half_a_step_whatever_its_format() {
    let frame = scattered::<3>(500, 0.25);
    for format in FrameFormat::ALL {
        let (_results, run) = opened(SCENE, std::slice::from_ref(&frame), &[format]);
        let found = ContainerContents::of(&run.frame(0).unwrap());
        assert_eq!(found.head["time"], 0.25);
        assert_eq!(found.head["bodies"], 500);
        let positions: Vec<f64> =
            frame.positions.iter().flat_map(|&at| <[f64; 3]>::from(at)).collect();
        let half = 0.5 * 10.0 / 65535.0 * 1.000_001;
        assert_eq!(found.entry("position").unwrap()["type"], "u16");
        assert_near(&found.values("position"), &positions, half);
        assert_near(&found.values("radius"), &frame.radii, half / 100.0);
        let speeds: Vec<f64> = (0..500).map(|body| frame.speed(body)).collect();
        assert_near(&found.values("speed"), &speeds, half * 2.0);
        assert_near(&found.values("charge"), &frame.columns[0].1, half / 10.0);
        let ids: Vec<f64> = (0..500).map(f64::from).collect();
        assert_eq!(found.values("id"), ids);
        assert!(found.entry("shape").is_none() && found.entry("spring").is_none());
    }
}

#[test]
fn arrays_lie_one_behind_the_other_and_fill_the_container() {
    let frame = scattered::<2>(33, 0.0);
    let (_results, run) = opened(SCENE, &[frame], &[FrameFormat::Vtk]);
    let found = ContainerContents::of(&run.frame(0).unwrap());
    let mut end = 0;
    for entry in found.head["arrays"].as_array().unwrap() {
        let number = |key: &str| entry[key].as_u64().unwrap() as usize;
        assert_eq!(number("offset"), end, "{entry}");
        let bits: usize = entry["type"].as_str().unwrap()[1..].parse().unwrap();
        let bytes = number("count") * number("components") * bits / 8;
        assert_eq!(number("count"), 33);
        end = (number("offset") + bytes).next_multiple_of(8);
    }
    assert_eq!(found.bytes.len().next_multiple_of(8), end);
}

#[test]
fn shapes_turn_and_walls_move() {
    let scene = carom::scene::AnyScene::parse(DICE, "dice.toml", "".as_ref(), &[]).unwrap();
    let carom::scene::AnyScene::ThreeD(scene) = scene else { panic!("in space") };
    let bodies = &scene.bodies;
    let shaped = carom::io::FrameShapes {
        list: scene.shapes.clone(),
        shape_of_body: bodies.iter().map(|body| body.shape).collect(),
        orientations: bodies.iter().map(|body| body.orientation).collect(),
    };
    let frame = Frame {
        shapes: Some(shaped),
        region: AxisExtent::of_region(&scene.region),
        ..scattered::<3>(2, 2.0)
    };
    for format in FrameFormat::ALL {
        let (_results, run) = opened(DICE, std::slice::from_ref(&frame), &[format]);
        let found = ContainerContents::of(&run.frame(0).unwrap());
        assert_eq!(found.values("shape"), [0.0, 65535.0]);
        let turns: Vec<f64> = found.values("orientation").iter().map(|it| it / 32767.0).collect();
        assert_near(&turns, &[0.8, 0.0, 0.0, 0.6, 0.0, 0.0, 0.0, 1.0], 2e-5);
        // The plane has moved from five to seven.
        let wall = found.values("wall");
        assert_eq!(wall.len(), 2 * 9);
        assert!(wall.iter().skip(2).step_by(3).all(|&z| (z - 7.0).abs() < 1e-5), "{wall:?}");
        let json = manifest(&run);
        assert_eq!(json["engine"], "dem");
        let shapes: serde_json::Value = serde_json::from_str(&run.shapes_json()).unwrap();
        assert_eq!(shapes[0]["vertices"].as_array().unwrap().len(), 8 * 3);
        assert_eq!(shapes[0]["triangles"].as_array().unwrap().len(), 12 * 3);
        assert_eq!(json["box"]["high"], serde_json::json!([10.0, 10.0, 10.0]));
        assert_eq!(json["box"]["periodic"], serde_json::json!([false, false, false]));
    }
}

#[test]
fn springs_go_from_body_to_body() {
    let springs = carom::io::FrameSprings {
        ends: vec![[0, 1], [1, 2], [2, 0]],
        strains: vec![-0.5, 0.25, 1.0],
        are_broken: vec![false, true, false],
    };
    let frame = Frame { springs: Some(springs), ..scattered::<2>(3, 0.0) };
    let scene = SCENE.replace("event-driven", "bonded").replace("dimension = 3", "dimension = 2");
    let (_results, run) = opened(&scene, &[frame], &[FrameFormat::Vtk]);
    let found = ContainerContents::of(&run.frame(0).unwrap());
    assert_eq!(found.values("spring"), [0.0, 1.0, 1.0, 2.0, 2.0, 0.0]);
    assert_near(&found.values("spring.strain"), &[-0.5, 0.25, 1.0], 1.2e-5);
    assert_eq!(found.values("spring.broken"), [0.0, 1.0, 0.0]);
    let json = manifest(&run);
    assert_eq!((&json["dimension"], &json["engine"]), (&2.into(), &"bonded".into()));
}

#[test]
fn a_column_that_is_not_finite_is_left_out_and_reported() {
    let mut frame = scattered::<3>(9, 0.0);
    frame.columns[0].1[4] = f64::NAN;
    let (_results, run) = opened(SCENE, &[frame], &[FrameFormat::Vtk]);
    let found = ContainerContents::of(&run.frame(0).unwrap());
    assert!(found.entry("charge").is_none());
    let json = manifest(&run);
    let message = json["messages"][0].as_str().unwrap();
    assert_eq!(message, "frame 0: \"charge\" has numbers that are not finite and is left out");
    assert!(!json["columns"].to_string().contains("charge"));
}

#[test]
fn an_empty_frame_is_a_frame() {
    let (_results, run) = opened(SCENE, &[scattered::<3>(0, 1.0)], &[FrameFormat::Xyz]);
    let found = ContainerContents::of(&run.frame(0).unwrap());
    assert!(found.values("position").is_empty());
    assert_eq!(manifest(&run)["frames"][0], serde_json::json!({"time": 1.0, "bodies": 0}));
}
