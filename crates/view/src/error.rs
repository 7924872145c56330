use thiserror::Error;

/// Why there is nothing to show; the message is one sentence.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// Not a folder.
    #[error("{path} is {what}; give the folder that carom run has written, such as drum.run")]
    NoFolder {
        /// The path as the user gave it.
        path: String,
        /// What it is instead.
        what: &'static str,
    },
    /// A folder without frames.
    #[error("{path} has no frames to show; {remedy}")]
    NoFrames {
        /// The path as the user gave it.
        path: String,
        /// What to do.
        remedy: &'static str,
    },
    /// A frame that there is not.
    #[error("there is no frame {number}; the run has {count}, from 0")]
    NoFrame {
        /// The frame asked for.
        number: usize,
        /// How many there are.
        count: usize,
    },
    /// Frames were chosen that there are not.
    #[error("none of the frames {asked} is there; the run has {count}, and the first is 0")]
    NoneChosen {
        /// As they were asked for.
        asked: String,
        /// How many there are.
        count: usize,
    },
    /// No frame can be read, so that there is nothing to show.
    #[error("none of {count} frame{} can be shown; the first: {fault}", if *.count == 1 { "" } else { "s" })]
    AllDamaged {
        /// How many were chosen.
        count: usize,
        /// What is wrong with the first.
        fault: String,
    },
    /// A triangulation of a frame cannot be had.
    #[error("{overlay} of frame {frame} cannot be had: {reason}")]
    Overlay {
        /// Which one.
        overlay: &'static str,
        /// The frame.
        frame: usize,
        /// Why not.
        reason: String,
    },
    /// The server cannot be started.
    #[error("127.0.0.1:{port} cannot be listened at: {source}; take another --port, or none")]
    Port {
        /// The port asked for.
        port: u16,
        /// What the system said.
        source: std::io::Error,
    },
    /// There is no token to be had, without which everybody on the machine could see the run.
    #[error("the operating system gives no random numbers for the token of the address: {reason}")]
    NoToken {
        /// What the system said.
        reason: String,
    },
    /// The system lets the program have no thread to listen with.
    #[error("no thread can be started to answer the browser: {source}")]
    Thread {
        /// What the system said.
        source: std::io::Error,
    },
    /// A file of the run, or of the page.
    #[error(transparent)]
    Scene(#[from] carom::scene::Error),
}
