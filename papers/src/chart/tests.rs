use super::*;

/// Panics unless every tag is closed in order, attributes are quoted and text is escaped.
pub(crate) fn assert_well_formed(svg: &str) {
    let mut open = Vec::new();
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        assert!(!rest[..start].contains('>'), "stray > before {}", &rest[start..]);
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        let name = tag.trim_matches('/').split_whitespace().next().unwrap_or("");
        assert_eq!(tag.matches('"').count() % 2, 0, "quotes in {tag}");
        assert!(!tag.contains("NaN") && !tag.contains("inf"), "{tag}");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "closing {tag}");
        } else if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "left open: {open:?}");
    assert!(rest.trim().is_empty());
    for (index, _) in svg.match_indices('&') {
        assert!(
            ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"]
                .iter()
                .any(|e| svg[index..].starts_with(e))
        );
    }
}

fn series(label: &str, factor: f64, marker: Marker) -> ChartSeries {
    ChartSeries {
        label: label.into(),
        growth: Some(1.0),
        points: vec![(1e2, factor), (1e3, 10.0 * factor), (1e4, 0.0)],
        color: "#0072b2",
        marker,
    }
}

fn chart() -> Chart {
    let guide = PowerLawGuide {
        power: "3/2".into(),
        exponent: 1.5,
        end: (1e3, 50.0),
        start_x: 200.0,
        label_side: GuideLabelSide::Below,
    };
    Chart {
        title: "A < B & C".into(),
        subtitle: "\"quoted\"".into(),
        x_label: "N".into(),
        x_symbol: 'N',
        y_label: "ms".into(),
        legend_note: "fitted".into(),
        series: vec![series("low", 1.0, Marker::Circle), series("high", 3.0, Marker::Cross)],
        guides: vec![guide],
    }
}

#[test]
fn the_picture_is_well_formed() {
    let svg = chart().svg();
    assert_well_formed(&svg);
    assert!(svg.contains("A &lt; B &amp; C"));
    assert!(svg.contains("&quot;quoted&quot;"));
}

#[test]
fn the_legend_follows_the_right_ends_of_the_lines() {
    let svg = chart().svg();
    assert!(svg.find(">high<").unwrap() < svg.find(">low<").unwrap());
}

#[test]
fn an_empty_chart_is_still_a_picture() {
    let empty = Chart { series: Vec::new(), guides: Vec::new(), ..chart() };
    assert_well_formed(&empty.svg());
}

#[test]
fn every_marker_is_well_formed() {
    for marker in [
        Marker::Circle,
        Marker::Square,
        Marker::Triangle,
        Marker::Dot,
        Marker::Block,
        Marker::Wedge,
        Marker::Diamond,
        Marker::Cross,
    ] {
        let chart = Chart { series: vec![series("one", 1.0, marker)], ..chart() };
        assert_well_formed(&chart.svg());
    }
}

#[test]
fn a_guide_stays_in_the_frame() {
    let guide = PowerLawGuide {
        power: String::new(),
        exponent: 1.0,
        end: (1000.0, 50.0),
        start_x: 1e-6,
        label_side: GuideLabelSide::Above,
    };
    let svg = Chart { guides: vec![guide], ..chart() }.svg();
    let line = svg.lines().find(|line| line.contains("stroke-dasharray")).unwrap();
    let number = |name: &str| -> f64 {
        let rest = &line[line.find(name).unwrap() + name.len()..];
        rest[..rest.find('"').unwrap()].parse().unwrap()
    };
    assert!(number(" x1=\"") >= LEFT && number(" y1=\"") <= BOTTOM, "{line}");
}

#[test]
fn a_guide_through_a_time_of_zero_is_left_out() {
    let guide = PowerLawGuide {
        power: String::new(),
        exponent: 1.0,
        end: (1000.0, 0.0),
        start_x: 10.0,
        label_side: GuideLabelSide::Above,
    };
    let svg = Chart { guides: vec![guide], ..chart() }.svg();
    assert_well_formed(&svg);
    assert!(!svg.contains("stroke-dasharray") && !svg.contains("inf") && !svg.contains("NaN"));
}
