//! Systems in one of the formats that they are written in.

use super::{AutError, AutMode, DotOptions, print_dot, print_pts, write_aut};
use crate::{Family, PartialSystem};
use std::io::{self, Write};
use std::path::Path;

/// A format that systems are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SystemFormat {
    /// Partial transition systems, which carry everything.
    Pts,
    /// Aldebaran, with modalities where there are some.
    Aut,
    /// A picture for Graphviz.
    Dot,
}

impl SystemFormat {
    /// The one that the name of a file says.
    pub fn by_name(path: &Path) -> Option<Self> {
        match path.extension()?.to_string_lossy().to_lowercase().as_str() {
            "pts" => Some(Self::Pts),
            "aut" => Some(Self::Aut),
            "dot" | "gv" => Some(Self::Dot),
            _ => None,
        }
    }

    /// Writes a system with a name, which promises to belong to a family. Refuses, with a sentence, what the format cannot carry.
    pub fn write(
        self,
        system: &PartialSystem,
        name: Option<&str>,
        family: Option<Family>,
        out: &mut impl Write,
    ) -> Result<(), Unwritten> {
        let text = match self {
            Self::Pts => {
                print_pts(system, name, family).map_err(|error| Unwritten::Refused(error.to_string()))?
            }
            Self::Dot => {
                print_dot(system, &DotOptions { name: name.map(str::to_owned), ..DotOptions::default() })
            }
            Self::Aut => {
                return write_aut(system, aut_mode(system), out).map_err(|error| match error {
                    AutError::Io(error) => Unwritten::Io(error),
                    refusal => Unwritten::Refused(format!("{refusal}; .pts can carry it: --format pts")),
                });
            }
        };
        Ok(out.write_all(text.as_bytes())?)
    }
}

/// Why a system was not written.
#[derive(Debug)]
pub enum Unwritten {
    /// The operating system said no.
    Io(io::Error),
    /// The format cannot carry the system.
    Refused(String),
}

impl From<io::Error> for Unwritten {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Modalities are written only where there are some to write.
fn aut_mode(system: &PartialSystem) -> AutMode {
    let ordinary = system.transitions().labels().iter().all(|label| label.is_must());
    if ordinary { AutMode::Plain } else { AutMode::Modal }
}
