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

fn chart() -> Chart {
    let series = |label: &str, factor: f64| ChartSeries {
        label: label.into(),
        points: vec![(1e2, factor), (1e3, 10.0 * factor), (1e4, 0.0)],
    };
    let guide = |side| PowerLawGuide { power: "3/2", side };
    Chart {
        title: "A < B & C".into(),
        subtitle: "\"quoted\"".into(),
        x_symbol: Some('N'),
        series: vec![series("low", 1.0), series("high", 3.0)],
        guides: vec![guide(GuideSide::Above), guide(GuideSide::Below)],
        ..Chart::default()
    }
}

#[test]
fn the_picture_is_well_formed_and_its_legend_follows_the_right_ends_of_the_lines() {
    let svg = chart().svg();
    assert_well_formed(&svg);
    assert!(svg.contains("A &lt; B &amp; C"));
    assert!(svg.contains("&quot;quoted&quot;"));
    assert!(svg.find(">high<").unwrap() < svg.find(">low<").unwrap());
    assert_eq!(svg.matches("stroke-dasharray").count(), 2);
}

#[test]
fn every_marker_is_well_formed() {
    let one = chart().series[0].clone();
    assert_well_formed(&Chart { series: vec![one; 12], ..chart() }.svg());
}

#[test]
fn charts_without_points_or_with_one_are_still_pictures_without_guides() {
    let single = ChartSeries { label: "one".into(), points: vec![(8.0, 1.0)] };
    for series in [Vec::new(), vec![single]] {
        let svg = Chart { series, ..chart() }.svg();
        assert_well_formed(&svg);
        assert!(!svg.contains("stroke-dasharray"));
    }
}

#[test]
fn guides_keep_clear_of_the_lines() {
    let [above, below] = chart().guides.try_into().unwrap();
    let [(start, low), (end, high)] = chart().guide_ends(&above).unwrap();
    assert_eq!((start, end), (1e2, 1e3));
    assert!(low >= 6.0 && high > 60.0, "{low} {high}");
    assert!(chart().guide_ends(&below).unwrap()[1].1 <= 5.0 + 1e-9);
}
