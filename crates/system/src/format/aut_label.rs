//! The labels of an `.aut` file, interned as bytes: looking one up again neither allocates nor validates.

use super::AutMode;
use crate::{ActionId, Modality, SystemBuilder};
use rustc_hash::FxHashMap;

/// Labels seen so far. `last` answers runs of equal labels, which are common, without hashing.
#[derive(Debug)]
pub(super) struct LabelTable<'b> {
    mode: AutMode,
    known: FxHashMap<&'b [u8], (ActionId, Modality)>,
    last: Option<(&'b [u8], (ActionId, Modality))>,
}

impl<'b> LabelTable<'b> {
    pub(super) fn new(mode: AutMode) -> Self {
        Self { mode, known: FxHashMap::default(), last: None }
    }

    /// What a label means; `Err` holds the offset of the first byte that is not UTF-8.
    #[inline]
    pub(super) fn get_or_intern(
        &mut self,
        label: &'b [u8],
        builder: &mut SystemBuilder,
    ) -> Result<(ActionId, Modality), usize> {
        if let Some((last, meaning)) = self.last
            && last == label
        {
            return Ok(meaning);
        }
        let meaning = match self.known.get(label) {
            Some(&meaning) => meaning,
            None => self.intern(label, builder)?,
        };
        self.last = Some((label, meaning));
        Ok(meaning)
    }

    #[cold]
    fn intern(
        &mut self,
        label: &'b [u8],
        builder: &mut SystemBuilder,
    ) -> Result<(ActionId, Modality), usize> {
        let text = std::str::from_utf8(label).map_err(|error| error.valid_up_to())?;
        let (name, modality) = match self.mode {
            AutMode::Plain => (text, Modality::Both),
            AutMode::Modal => split(text),
        };
        let meaning = (builder.action(name), modality);
        self.known.insert(label, meaning);
        Ok(meaning)
    }
}

/// The prefix of a may-only transition.
pub(super) const MAY: &str = "may:";
/// The prefix of a guaranteed transition; optional, but needed before a name that begins with a prefix itself.
pub(super) const MUST: &str = "must:";

/// Action and modality of a label in the modal mode.
fn split(text: &str) -> (&str, Modality) {
    match (text.strip_prefix(MAY), text.strip_prefix(MUST)) {
        (Some(name), _) => (name, Modality::May),
        (_, Some(name)) => (name, Modality::Both),
        _ => (text, Modality::Both),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_prefix_counts() {
        assert_eq!(split("may:a"), ("a", Modality::May));
        assert_eq!(split("must:may:a"), ("may:a", Modality::Both));
        assert_eq!(split("maybe"), ("maybe", Modality::Both));
    }
}
