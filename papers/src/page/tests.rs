use super::*;

fn chapter(markdown: &str, figures: &[(&str, &str)]) -> Chapter {
    Chapter {
        paper: Paper::numbered("002").expect("paper 002 is there"),
        markdown: markdown.into(),
        figures: figures.iter().map(|&(name, svg)| (name.into(), svg.into())).collect(),
    }
}

#[test]
fn tables_figures_and_findings_are_on_the_page() {
    let markdown = "# Paper\n\n## Findings\n\n- **does not agree**: a < b. It is 1.\n\n\
                    | N | ms |\n| --- | ---: |\n| 10 | 0.5 |\n\n![Time](figure.svg)\n";
    let page = html(&[chapter(markdown, &[("figure.svg", "<svg/>")])]);
    for part in [
        "<h2>Paper</h2>",
        "<td>10</td><td>0.5</td>",
        "<img src=\"data:image/svg+xml;base64,PHN2Zy8+\" alt=\"Time\" />",
        "1 claim of 1 paper, measured again: 0 borne out, 0 in part, 1 not.",
        "<li><strong class=\"does-not-agree\">does not agree</strong>: a &lt; b.",
        "<code>carom reproduce 004</code> adds it",
    ] {
        assert!(page.contains(part), "{part} in\n{page}");
    }
    assert!(!page.contains("<code>carom reproduce 002</code> adds it"));
}

#[test]
fn nothing_that_a_report_says_becomes_markup() {
    let markdown = "# <img src=x onerror=alert(1)>\n\n<script>alert(1)</script>\n\n\
                    - **agrees**: <b>bold</b>. And [a link](javascript:alert(1)).\n\n\
                    ![\"><script>](https://example.org/picture.svg)\n\n| <i>a</i> |\n|---|\n| \"b\" |\n";
    let page = html(&[chapter(markdown, &[])]);
    for part in ["<script", "<img", "<b>", "<i>", "javascript:", "href=\"http"] {
        assert!(!page.contains(part), "{part}");
    }
    assert!(page.contains("https://example.org/picture.svg is missing"));
}

#[test]
fn cells_have_no_styles_of_their_own() {
    let page = html(&[chapter("| a | b |\n|---|---:|\n| 1 | 2 |\n", &[])]);
    assert!(!page.contains("style=\""));
}

#[test]
fn figures_are_named_in_the_order_of_the_report() {
    let names = Chapter::figures_in("![a](one.svg)\n\ntext ![b](two.svg)\n");
    assert_eq!(names, ["one.svg", "two.svg"]);
}

#[test]
fn quick_runs_are_reported() {
    let quick = html(&[chapter("Made by `carom reproduce 002 --quick`.", &[])]);
    assert!(quick.contains("too small to judge by: 002."));
    assert!(!html(&[chapter("Made by `carom reproduce 002`.", &[])]).contains("too small"));
}
