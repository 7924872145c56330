use std::sync::Arc;

/// What a client is told.
#[derive(Debug)]
pub struct Answer {
    status: u16,
    kind: &'static str,
    body: Body,
}

#[derive(Debug)]
enum Body {
    Own(Vec<u8>),
    Kept(Arc<Vec<u8>>),
}

/// The page may run its own script and style, ask its own server, draw, and nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                      img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

impl Answer {
    pub fn text(kind: &'static str, text: impl Into<String>) -> Self {
        Answer { status: 200, kind, body: Body::Own(text.into().into_bytes()) }
    }

    /// Arrays for the page.
    pub fn arrays(bytes: Arc<Vec<u8>>) -> Self {
        Answer { status: 200, kind: "application/octet-stream", body: Body::Kept(bytes) }
    }

    /// Why not, in a sentence.
    pub fn refusal(status: u16, sentence: impl Into<String>) -> Self {
        let sentence = sentence.into() + "\n";
        Answer { status, kind: "text/plain; charset=utf-8", body: Body::Own(sentence.into_bytes()) }
    }

    pub fn body(&self) -> &[u8] {
        match &self.body {
            Body::Own(bytes) => bytes,
            Body::Kept(bytes) => bytes,
        }
    }

    /// Everything before the body.
    pub fn head(&self) -> Vec<u8> {
        let Answer { status, kind, .. } = self;
        let allow = if *status == 405 { "Allow: GET, HEAD\r\n" } else { "" };
        let head = format!(
            "HTTP/1.1 {status} {}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\
             Content-Security-Policy: {POLICY}\r\nX-Content-Type-Options: nosniff\r\n\
             Cross-Origin-Resource-Policy: same-origin\r\nReferrer-Policy: no-referrer\r\n\
             Cache-Control: no-store\r\n{allow}Connection: close\r\n\r\n",
            reason(*status),
            self.body().len()
        );
        head.into_bytes()
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        422 => "Unprocessable Content",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        505 => "HTTP Version Not Supported",
        _ => "Error",
    }
}
