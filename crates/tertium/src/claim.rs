//! Trees of claims in the user's names.

use crate::{Path, State};
use std::borrow::Cow;
use std::fmt;
use tertium_evidence::{Claim, Names, Support};

/// A formula that holds at a state, with what shows it.
///
/// ```
/// use tertium::{Model, check};
///
/// let model = Model::read(
///     "light.smv",
///     "MODULE main VAR light : {red, green}; ASSIGN init(light) := red; next(light) := {red, green};
///      CTLSPEC AG (light = red -> AF light = green)",
/// )?;
/// let answer = check(&model, &model.properties()[0])?;
/// let claim = answer.claim().expect("a tree refutes it");
/// // The negation is claimed: somewhere the light is red, and may stay so.
/// assert!(claim.formula().starts_with("EF"), "{}", claim.formula());
/// assert!(claim.path().is_some());
/// let (_, inner) = claim.along().next().expect("a claim about a state of the path");
/// let paths = inner.parts().filter_map(|part| part.path()).count();
/// assert_eq!(paths, 1);
/// # Ok::<(), tertium::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct ClaimAt<'a> {
    names: &'a dyn Names,
    claim: &'a Claim,
}

impl<'a> ClaimAt<'a> {
    pub(crate) fn new(names: &'a dyn Names, claim: &'a Claim) -> Self {
        Self { names, claim }
    }

    /// What is claimed.
    pub fn formula(self) -> String {
        self.claim.formula.to_string()
    }

    /// Where it holds.
    pub fn state(self) -> State<'a> {
        State::new(self.names, self.claim.state)
    }

    /// Claims about the same state that together imply it.
    pub fn parts(self) -> impl Iterator<Item = ClaimAt<'a>> {
        let parts = match &self.claim.support {
            Support::Parts(parts) => parts.as_slice(),
            _ => &[],
        };
        parts.iter().map(move |part| Self::new(self.names, part))
    }

    /// The path that shows it, if one does.
    pub fn path(self) -> Option<Path<'a>> {
        match &self.claim.support {
            Support::Path { trace, .. } => Some(Path::new(self.names, Cow::Borrowed(trace))),
            _ => None,
        }
    }

    /// Claims about states of that path, by their numbers.
    pub fn along(self) -> impl Iterator<Item = (usize, ClaimAt<'a>)> {
        let along = match &self.claim.support {
            Support::Path { at, .. } => at.as_slice(),
            _ => &[],
        };
        along.iter().map(move |(place, claim)| (*place, Self::new(self.names, claim)))
    }

    /// Whether it is only stated: it speaks of all paths, or the tree is large enough already.
    pub fn is_only_stated(self) -> bool {
        matches!(self.claim.support, Support::AllPaths | Support::Omitted)
    }
}

impl fmt::Debug for ClaimAt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ClaimAt({} at {})", self.claim.formula, self.state())
    }
}
