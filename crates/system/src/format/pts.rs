//! Reading `.pts`, our own text format for partial transition systems of every family. Described for users in
//! docs/formats/pts.md.
//!
//! Three steps: the parser collects what the file says, names are looked up and the system is built, then the
//! promises are checked that the file makes by declaring a family or an abstract domain. Linear in the size of the
//! file, up to hashing.

use super::faults::{check, no_faults};
use super::{Family, StepLines, pts_parser, pts_promise, pts_resolve};
use crate::PartialSystem;
use tertium_support::{Context, ReadError, Source, Span};

/// What a `.pts` file holds.
#[derive(Clone, Debug, Eq)]
pub struct PtsFile {
    /// The name of the system, if the file gives one.
    pub name: Option<String>,
    /// The family the file declares, if it does. The system keeps its promise.
    pub family: Option<Family>,
    /// The system.
    pub system: PartialSystem,
    /// Where its steps stand.
    pub lines: StepLines,
}

/// Files are equal that say the same, wherever it stands in them.
impl PartialEq for PtsFile {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.family, &self.system) == (&other.name, &other.family, &other.system)
    }
}

/// Reads a `.pts` file.
pub fn read_pts(context: &Context, source: &Source) -> Result<PtsFile, ReadError> {
    let (draft, mut faults) = pts_parser::parse(context, source.text())?;
    let resolved = pts_resolve::resolve(context, draft, &mut faults)?;
    check(faults)?;
    let mut faults = no_faults();
    let resolved = resolved.expect("what cannot be built is a fault");
    pts_promise::check_family(&resolved, &mut faults);
    pts_promise::check_domain(&resolved, &mut faults);
    check(faults)?;
    let pts_resolve::Resolved { draft, system } = resolved;
    let line = |span: Span| source.line(span.start) as u32;
    let single = draft.edges.iter().map(|edge| (edge.source, edge.action, edge.target, line(edge.span)));
    let several = draft.hyper_musts.iter().flat_map(|hyper| {
        hyper.targets.iter().map(|&target| (hyper.source, hyper.action, target, line(hyper.span)))
    });
    let lines = StepLines::new(single.chain(several).collect());
    Ok(PtsFile { name: draft.name, family: draft.family, system, lines })
}
