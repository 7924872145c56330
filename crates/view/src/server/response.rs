//! Answers of the server, with the headers that keep a page to itself.

use std::sync::Arc;

/// An HTTP response.
#[derive(Debug)]
pub struct HttpResponse {
    status: u16,
    content_type: &'static str,
    body: HttpBody,
}

#[derive(Debug)]
enum HttpBody {
    Owned(Vec<u8>),
    Shared(Arc<Vec<u8>>),
}

/// Content security policy: the page may run its own script and style, request from its own server, draw, and nothing
/// else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                      img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

impl HttpResponse {
    pub fn text(content_type: &'static str, text: impl Into<String>) -> Self {
        HttpResponse { status: 200, content_type, body: HttpBody::Owned(text.into().into_bytes()) }
    }

    /// A response with a packed container.
    pub fn arrays(bytes: Arc<Vec<u8>>) -> Self {
        HttpResponse {
            status: 200,
            content_type: "application/octet-stream",
            body: HttpBody::Shared(bytes),
        }
    }

    /// An error response with a sentence.
    pub fn error_response(status: u16, sentence: impl Into<String>) -> Self {
        let sentence = sentence.into() + "\n";
        HttpResponse {
            status,
            content_type: "text/plain; charset=utf-8",
            body: HttpBody::Owned(sentence.into_bytes()),
        }
    }

    pub fn body(&self) -> &[u8] {
        match &self.body {
            HttpBody::Owned(bytes) => bytes,
            HttpBody::Shared(bytes) => bytes,
        }
    }

    /// Status line and header fields.
    pub fn head(&self) -> Vec<u8> {
        let HttpResponse { status, content_type: kind, .. } = self;
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
