//! HTML documents that load nothing from elsewhere and run no script but their own.
//!
//! For a page without scripts take [`HtmlDocument`]; put text from elsewhere into it by [`escaped`] and pictures by
//! [`data_url`].

use base64::prelude::{BASE64_STANDARD, Engine};
use sha2::{Digest, Sha256};

/// A document without scripts.
#[derive(Clone, Copy, Debug)]
pub struct HtmlDocument<'a> {
    /// Title of the window and heading of the page.
    pub title: &'a str,
    /// The complete style sheet of the page.
    pub style: &'a str,
    /// Allowed sources of images in the content security policy: `data:` or `'self'`.
    pub images: &'a str,
    /// HTML that follows the heading.
    pub body: &'a str,
}

impl HtmlDocument<'_> {
    /// The text of the file.
    pub fn html(&self) -> String {
        let HtmlDocument { style, body, .. } = self;
        let (title, policy) = (escaped(self.title), escaped(&self.policy()));
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<style>{style}</style>\n</head>\n\
             <body>\n<h1>{title}</h1>\n{body}<footer>Made by carom {}.</footer>\n</body>\n</html>\n",
            env!("CARGO_PKG_VERSION")
        )
    }

    fn policy(&self) -> String {
        format!(
            "default-src 'none'; img-src {}; style-src {}; base-uri 'none'; form-action 'none'",
            self.images,
            source_hash(self.style)
        )
    }
}

/// The source expression of a content security policy that allows an inline script or style.
pub(crate) fn source_hash(text: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text.as_bytes())))
}

/// Escapes text for HTML content and attributes.
///
/// ```
/// assert_eq!(carom_view::html::escaped("a < b"), "a &lt; b");
/// ```
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            other => out.push(other),
        }
    }
    out
}

/// A `data:` URL with a media type such as `image/svg+xml`.
pub fn data_url(kind: &str, bytes: &[u8]) -> String {
    format!("data:{kind};base64,{}", BASE64_STANDARD.encode(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        assert_eq!(escaped("a<b>\"&'"), "a&lt;b&gt;&quot;&amp;&#39;");
        let empty = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";
        assert_eq!(source_hash(""), empty);
    }

    #[test]
    fn a_document_allows_its_own_style_and_nothing_else() {
        let document = HtmlDocument {
            title: "a < b",
            style: "p { color: red }",
            images: "data:",
            body: "<p>",
        };
        let html = document.html();
        assert!(html.contains("<h1>a &lt; b</h1>\n<p>"), "{html}");
        let hash = escaped(&source_hash(document.style));
        let policy =
            format!("content=\"default-src &#39;none&#39;; img-src data:; style-src {hash};");
        assert!(html.contains(&policy), "{html}");
    }
}
