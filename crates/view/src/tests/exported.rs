use super::*;
use crate::html::source_hash;
use crate::{ExportOptions, FrameOverlay, export, page};
use base64::prelude::{BASE64_STANDARD, Engine};

fn page_of(results: &ResultsFixture, wanted: &ExportOptions) -> String {
    let file = results.folder.path().join("page.html");
    let done = export(&results.open(), wanted, &file).unwrap();
    let text = text(&file);
    assert_eq!(done.bytes, text.len() as u64);
    assert_eq!(text.matches("<script type=\"text/plain\" data-frame=").count(), done.frames);
    text
}

/// The text between the tags of a script.
fn script<'a>(page: &'a str, tag: &str) -> &'a str {
    let rest = &page[page.find(tag).unwrap_or_else(|| panic!("there is {tag}")) + tag.len()..];
    let rest = &rest[rest.find('>').unwrap() + 1..];
    &rest[..rest.find("</script>").unwrap()]
}

fn decoded(text: &str) -> Vec<u8> {
    BASE64_STANDARD.decode(text).unwrap()
}

fn ten() -> ResultsFixture {
    let frames: Vec<Frame<3>> = (0..10).map(|number| scattered(20, number as f64)).collect();
    ResultsFixture::new(SCENE, &frames, &[FrameFormat::Vtk])
}

#[test]
fn a_page_has_frames_overlays_log_and_manifest() {
    let results = ten();
    fs::write(results.path().join("log.csv"), "time,energy\n0,1\n").unwrap();
    let overlays = vec![FrameOverlay::Voronoi];
    let page = page_of(&results, &ExportOptions { frames: 3..8, every: 2, overlays });
    let json: Value = serde_json::from_str(script(&page, "id=\"carom-run\"")).unwrap();
    let times: Vec<f64> =
        json["frames"].as_array().unwrap().iter().map(|it| it["time"].as_f64().unwrap()).collect();
    assert_eq!(times, [3.0, 5.0, 7.0]);
    assert_eq!(
        (&json["finished"], &json["overlays"]),
        (&true.into(), &serde_json::json!(["voronoi"]))
    );
    assert_eq!(script(&page, "id=\"carom-log\""), "time,energy\n0,1\n");
    assert_eq!(script(&page, "id=\"carom-shapes\""), "[]");
    let frame = ContainerContents::of(&decoded(script(&page, "data-frame=\"2\"")));
    assert_eq!(frame.head["time"], 7.0);
    let overlay =
        ContainerContents::of(&decoded(script(&page, "data-overlay=\"voronoi\" data-frame=\"0\"")));
    assert!(overlay.entry("segment").is_some());
}

#[test]
fn a_page_refers_to_nothing_outside_and_allows_only_itself() {
    let page = page_of(&ten(), &ExportOptions::default());
    for part in
        ["http:", "https:", "src=", "@import", "url(", "viewer.js\"", "style.css\"", "//cdn"]
    {
        let code = page.replace("http-equiv", "");
        assert!(!code.contains(part), "the page has {part}");
    }
    assert!(page.contains(&format!("script-src {};", source_hash(&page::script()))));
    assert!(page.contains(&format!("style-src {};", source_hash(page::STYLE))));
    assert!(page.contains("default-src 'none'"));
    // The hashed text is that of the page.
    assert!(page.contains(&format!("<script>{}</script>", page::script())));
    assert!(page.contains(&format!("<style>{}</style>", page::STYLE)));
    let policy = page.find("Content-Security-Policy").unwrap();
    assert!(policy < page.find("<style>").unwrap() && policy < page.find("<script").unwrap());
}

#[cfg(unix)]
#[test]
fn names_are_text_wherever_they_stand() {
    let name = "<b>a&\"'<!--<script>.run";
    let frames = [scattered::<3>(5, 0.0), scattered(5, 1.0)];
    let results = ResultsFixture::named(name, "x = '</script><b>'", &frames, &[FrameFormat::Vtk]);
    fs::write(results.frame("frame_000001.vtp"), "").unwrap();
    fs::write(results.path().join("log.csv"), "time\n</script><b>\n").unwrap();
    let page = page_of(&results, &ExportOptions::default());
    let plain = page.replace(&page::script(), "");
    assert!(
        plain.contains("<title>&lt;b&gt;a&amp;&quot;&#39;&lt;!--&lt;script&gt; · carom</title>")
    );
    for part in ["<b>", "<!--", "<script>.run"] {
        assert!(!plain.contains(part), "{part}");
    }
    let json: Value = serde_json::from_str(script(&page, "id=\"carom-run\"")).unwrap();
    assert_eq!(json["title"], "<b>a&\"'<!--<script>");
    let fault = &page[page.find("data-frame=\"1\" data-fault=\"").unwrap()..];
    assert!(
        fault.split("\"></script>").next().unwrap().contains("&lt;script&gt;.run/frames"),
        "{}",
        &fault[..200]
    );
    assert!(json["messages"].to_string().contains("is empty"));
}

#[test]
fn frames_that_are_not_there_cannot_be_chosen() {
    let results = ten();
    let file = results.folder.path().join("page.html");
    let wanted = ExportOptions { frames: 20..30, ..ExportOptions::default() };
    let message = export(&results.open(), &wanted, &file).unwrap_err().to_string();
    assert_eq!(message, "none of the frames 20..30 is there; the run has 10, and the first is 0");
    assert!(!file.exists());
    let lost = results.folder.path().join("no/page.html");
    let message =
        export(&results.open(), &ExportOptions::default(), &lost).unwrap_err().to_string();
    assert!(message.contains("cannot be written: its folder does not exist"), "{message}");
}

#[test]
fn a_page_with_nothing_to_show_is_not_written() {
    let results = ten();
    let file = results.folder.path().join("page.html");
    fs::write(&file, "an older page").unwrap();
    fs::write(results.frame("frame_000003.vtp"), "").unwrap();
    let wanted = ExportOptions { frames: 3..4, overlays: vec![FrameOverlay::Voronoi], every: 1 };
    let message = export(&results.open(), &wanted, &file).unwrap_err().to_string();
    assert!(message.starts_with("none of 1 frame can be shown; the first: "), "{message}");
    assert!(message.contains("frame_000003.vtp is empty"), "{message}");
    assert_eq!(text(&file), "an older page");
    let both = export(&results.open(), &ExportOptions { frames: 3..5, ..wanted }, &file).unwrap();
    assert_eq!((both.frames, both.faults.len()), (2, 1));
}

#[test]
fn the_page_is_the_same_for_any_number_of_threads() {
    let results = ten();
    let pages = [1, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let overlays = FrameOverlay::ALL.to_vec();
        pool.install(|| page_of(&results, &ExportOptions { overlays, ..ExportOptions::default() }))
    });
    assert!(pages[0] == pages[1]);
}
