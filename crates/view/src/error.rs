//! The errors of the viewer.

use thiserror::Error;

/// Why a run cannot be shown; the message is one sentence.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The path is not a folder.
    #[error("{path} is {what}; give the folder that carom run has written, such as drum.run")]
    NoFolder {
        /// The path as the user gave it.
        path: String,
        /// What it is instead.
        what: &'static str,
    },
    /// The folder has no frames.
    #[error("{path} has no frames to show; {remedy}")]
    NoFrames {
        /// The path as the user gave it.
        path: String,
        /// What the user can do.
        remedy: &'static str,
    },
    /// There is no frame of this number.
    #[error("there is no frame {number}; the run has {count}, from 0")]
    NoFrame {
        /// The requested frame.
        number: usize,
        /// Number of frames.
        count: usize,
    },
    /// The run has none of the chosen frames.
    #[error("none of the frames {asked} is there; the run has {count}, and the first is 0")]
    NoneChosen {
        /// The chosen range.
        asked: String,
        /// Number of frames.
        count: usize,
    },
    /// No frame can be read.
    #[error("none of {count} frame{} can be shown; the first: {fault}", if *.count == 1 { "" } else { "s" })]
    AllDamaged {
        /// Number of chosen frames.
        count: usize,
        /// Fault of the first one.
        fault: String,
    },
    /// A triangulation of a frame cannot be computed.
    #[error("{overlay} of frame {frame} cannot be computed: {reason}")]
    Overlay {
        /// Name of the overlay.
        overlay: &'static str,
        /// Number of the frame.
        frame: usize,
        /// The reason.
        reason: String,
    },
    /// The server cannot be started.
    #[error("cannot listen on 127.0.0.1:{port}: {source}; take another --port, or none")]
    Port {
        /// The requested port.
        port: u16,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// There are no random numbers for the token, without which every user of the machine could see the run.
    #[error("the operating system gives no random numbers for the token of the address: {reason}")]
    NoToken {
        /// Error of the operating system.
        reason: String,
    },
    /// The operating system refuses a thread for the server.
    #[error("no thread can be started to answer the browser: {source}")]
    Thread {
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// A file of the run, or the page, cannot be read or written.
    #[error(transparent)]
    Io(#[from] carom::io::Error),
}
