//! How much of the evidence is printed.

/// How many lines of evidence are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// About a screenful, then the count of the rest.
    Screen,
    /// Everything.
    Full,
}

impl Detail {
    /// How many entries of a list are shown.
    pub fn limit(self) -> usize {
        match self {
            Detail::Screen => 30,
            Detail::Full => usize::MAX,
        }
    }
}
