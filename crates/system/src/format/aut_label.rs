//! The labels of an `.aut` file, interned as bytes: looking one up again neither allocates nor validates.
//!
//! Most labels are short. Those of up to 15 bytes are packed into one integer with their length, so that looking one
//! up compares integers and never goes back to the text where the label was first seen: with many labels that place
//! is out of the cache.

use super::AutMode;
use crate::{ActionId, Modality, SystemBuilder};
use rustc_hash::FxHashMap;

/// Labels seen so far. `last` answers runs of equal labels, which are common, without hashing.
#[derive(Debug)]
pub(super) struct LabelTable<'b> {
    mode: AutMode,
    short: FxHashMap<u128, (ActionId, Modality)>,
    long: FxHashMap<&'b [u8], (ActionId, Modality)>,
    last: Option<(u128, (ActionId, Modality))>,
}

impl<'b> LabelTable<'b> {
    pub(super) fn new(mode: AutMode) -> Self {
        Self { mode, short: FxHashMap::default(), long: FxHashMap::default(), last: None }
    }

    /// What a label means; `Err` holds the offset of the first byte that is not UTF-8.
    #[inline]
    pub(super) fn get_or_intern(
        &mut self,
        label: &'b [u8],
        builder: &mut SystemBuilder,
    ) -> Result<(ActionId, Modality), usize> {
        let Some(key) = packed(label) else {
            return match self.long.get(label) {
                Some(&meaning) => Ok(meaning),
                None => self.intern(label, builder),
            };
        };
        if let Some((last, meaning)) = self.last
            && last == key
        {
            return Ok(meaning);
        }
        let meaning = match self.short.get(&key) {
            Some(&meaning) => meaning,
            None => self.intern(label, builder)?,
        };
        self.last = Some((key, meaning));
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
        match packed(label) {
            Some(key) => self.short.insert(key, meaning),
            None => self.long.insert(label, meaning),
        };
        Ok(meaning)
    }
}

/// A label of up to 15 bytes with its length, as one integer: equal for equal labels only.
#[inline]
fn packed(label: &[u8]) -> Option<u128> {
    let mut bytes = [0u8; 16];
    bytes.get_mut(..label.len()).filter(|_| label.len() < 16)?.copy_from_slice(label);
    bytes[15] = label.len() as u8;
    Some(u128::from_le_bytes(bytes))
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
    fn short_labels_are_told_apart_by_bytes_and_length() {
        let labels: [&[u8]; 6] = [b"", b"\0", b"\0\0", b"a", b"a\0", b"abcdefghijklmno"];
        let keys: std::collections::HashSet<_> = labels.iter().map(|label| packed(label).unwrap()).collect();
        assert_eq!(keys.len(), labels.len());
        assert_eq!(packed(b"abcdefghijklmnop"), None);
    }

    #[test]
    fn only_the_first_prefix_counts() {
        assert_eq!(split("may:a"), ("a", Modality::May));
        assert_eq!(split("must:may:a"), ("may:a", Modality::Both));
        assert_eq!(split("maybe"), ("maybe", Modality::Both));
    }
}
