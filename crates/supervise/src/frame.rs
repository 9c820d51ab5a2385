//! What a worker says to its supervisor: frames on a pipe, one after the other.
//!
//! A frame is a kind, the length of what follows, and that many bytes. It is heard whole or not at all: where a worker is
//! ended in the middle of one, nothing of it is printed.

use std::io::{self, Read, Write};
use std::path::PathBuf;

/// One thing that is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame {
    /// A text for standard output.
    Result(Vec<u8>),
    /// A text for standard error.
    Message(Vec<u8>),
    /// Something that the command of the supervisor understands.
    Event(Vec<u8>),
    /// What is being done.
    Progress(String),
    /// A file is being written, under another name until it is whole.
    Writing(Writing),
    /// No file is being written any more.
    Written,
    /// The worker is done, with this exit status.
    Ended(u8),
}

/// A file that is being written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Writing {
    /// The file.
    pub target: PathBuf,
    /// What it is called until it is whole, if it is not written in place.
    pub part: Option<PathBuf>,
}

const RESULT: u8 = 1;
const MESSAGE: u8 = 2;
const EVENT: u8 = 3;
const PROGRESS: u8 = 4;
const WRITING: u8 = 5;
const WRITTEN: u8 = 6;
const ENDED: u8 = 7;

impl Frame {
    /// Writes the frame.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let (kind, bytes): (u8, &[u8]) = match self {
            Self::Result(text) => (RESULT, text),
            Self::Message(text) => (MESSAGE, text),
            Self::Event(event) => (EVENT, event),
            Self::Progress(text) => (PROGRESS, text.as_bytes()),
            Self::Writing(writing) => (WRITING, &writing.bytes()),
            Self::Written => (WRITTEN, &[]),
            Self::Ended(status) => (ENDED, &[*status]),
        };
        out.write_all(&[kind])?;
        out.write_all(&(bytes.len() as u64).to_le_bytes())?;
        out.write_all(bytes)?;
        out.flush()
    }

    /// Reads the next frame; nothing where the pipe ends, be it in the middle of a frame.
    pub fn read(from: &mut impl Read) -> io::Result<Self> {
        let mut head = [0; 9];
        from.read_exact(&mut head)?;
        let (kind, length) = head.split_first().expect("there are nine bytes");
        let length = u64::from_le_bytes(length.try_into().expect("eight are left"));
        let mut bytes = Vec::new();
        if from.take(length).read_to_end(&mut bytes)? as u64 != length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let wrong = || io::Error::from(io::ErrorKind::InvalidData);
        Ok(match *kind {
            RESULT => Self::Result(bytes),
            MESSAGE => Self::Message(bytes),
            EVENT => Self::Event(bytes),
            PROGRESS => Self::Progress(String::from_utf8(bytes).map_err(|_| wrong())?),
            WRITING => Self::Writing(Writing::from_bytes(&bytes)),
            WRITTEN => Self::Written,
            ENDED => Self::Ended(*bytes.first().ok_or_else(wrong)?),
            _ => return Err(wrong()),
        })
    }
}

impl Writing {
    /// Both names, with a byte between them that no name has.
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.target.as_os_str().as_encoded_bytes().to_vec();
        if let Some(part) = &self.part {
            bytes.push(0);
            bytes.extend(part.as_os_str().as_encoded_bytes());
        }
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        let mut names = bytes.splitn(2, |&byte| byte == 0).map(path);
        Self { target: names.next().unwrap_or_default(), part: names.next() }
    }
}

#[cfg(unix)]
fn path(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    std::ffi::OsStr::from_bytes(bytes).into()
}

#[cfg(not(unix))]
fn path(bytes: &[u8]) -> PathBuf {
    String::from_utf8_lossy(bytes).into_owned().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_what_is_cut_is_not() {
        let writing = Writing { target: "a b.dot".into(), part: Some(".a b.dot.7.part".into()) };
        let frames = [
            Frame::Result(b"TRUE\n".to_vec()),
            Frame::Message(Vec::new()),
            Frame::Event(b"{}".to_vec()),
            Frame::Progress("search".to_owned()),
            Frame::Writing(writing),
            Frame::Writing(Writing { target: "pipe".into(), part: None }),
            Frame::Written,
            Frame::Ended(10),
        ];
        let mut bytes = Vec::new();
        frames.iter().for_each(|frame| frame.write(&mut bytes).expect("memory takes it"));
        let mut rest = bytes.as_slice();
        for frame in &frames {
            assert_eq!(Frame::read(&mut rest).expect("it is whole"), *frame);
        }
        assert!(Frame::read(&mut rest).is_err());
        for length in 0..bytes.len() {
            let mut cut = &bytes[..length];
            while let Ok(frame) = Frame::read(&mut cut) {
                assert!(frames.contains(&frame));
            }
        }
    }
}
