//! Files that say the same as an answer, for other programs.

/// What a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DocumentKind {
    /// A picture of the evidence, for Graphviz.
    Picture,
    /// A witness that other verifiers of C programs can check.
    Witness,
    /// A C program that does what the counterexample does.
    Harness,
    /// The question as Horn clauses.
    Clauses,
}

impl DocumentKind {
    /// A few words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Picture => "evidence to draw",
            Self::Witness => "witness to write",
            Self::Harness => "counterexample to make a program of",
            Self::Clauses => "question that Horn clauses can ask",
        }
    }
}

/// A file that says the same as an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// What it is for.
    pub kind: DocumentKind,
    /// What is in it, or why it was not made.
    pub text: Result<String, String>,
}
