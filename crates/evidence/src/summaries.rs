//! Proofs about programs with procedures: what holds at places, and what procedures do.
//!
//! Conditions are in the user's words. What a variable was when its procedure was called is written `old(x)`.

/// What a procedure does: whenever it is called, `entry` holds, and whenever it comes back, `exit` does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcedureSummary {
    /// Its name.
    pub name: String,
    /// The line where it is declared.
    pub line: Option<usize>,
    /// Holds when it is called; nothing if it is never called.
    pub entry: Option<String>,
    /// Holds when it comes back; nothing if it never does.
    pub exit: Option<String>,
}

/// What holds whenever control is at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedCondition {
    /// The procedure.
    pub procedure: String,
    /// The line.
    pub line: Option<usize>,
    /// Whether a loop begins each of its rounds there.
    pub is_loop_head: bool,
    /// The condition.
    pub condition: String,
}

/// A proof that some places are never reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summaries {
    /// By procedure, those first that are declared first.
    pub procedures: Vec<ProcedureSummary>,
    /// Where more is known than that control can be there.
    pub places: Vec<PlacedCondition>,
}
