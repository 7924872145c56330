use super::*;

#[test]
fn a_card_has_picture_link_figures_and_commands() {
    let card = Card {
        name: "drum".into(),
        description: "A drum turns.".into(),
        picture: Some("drum.run/picture.png".into()),
        page: Some("drum.html".into()),
        figures: vec![("bodies".into(), "800".into())],
        commands: vec!["carom run drum.toml".into(), "carom export drum.run".into()],
        fault: None,
    };
    let page = html("Scenes", &[card]);
    for part in [
        "<a href=\"drum.html\"><img loading=\"lazy\" src=\"drum.run/picture.png\" alt=\"drum\"></a>",
        "<dt>bodies</dt><dd>800</dd>",
        "carom run drum.toml\ncarom export drum.run",
    ] {
        assert!(page.contains(part), "{part} in\n{page}");
    }
}

#[test]
fn nothing_that_a_card_says_becomes_markup() {
    let text = || "\"><script>alert(1)</script>".to_owned();
    let card = Card {
        name: text(),
        description: text(),
        picture: Some(text()),
        page: Some(text()),
        figures: vec![(text(), text())],
        commands: vec![text()],
        fault: Some(text()),
    };
    let page = html(&text(), &[card]);
    assert!(!page.contains("<script") && !page.contains("\"\">"), "{page}");
}
