//! Evidence as JSON. The fields are described in docs/formats/json.md.

use crate::json_path::{ClaimReport, PathReport, StateReport};
use serde::Serialize;

/// Evidence of any kind; `kind` says which.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum EvidenceReport {
    /// A path or a lasso.
    Trace {
        /// `witness` or `counterexample`.
        role: &'static str,
        /// The path.
        #[serde(flatten)]
        path: PathReport,
    },
    /// A tree of claims.
    Tree {
        /// `witness` or `counterexample`.
        role: &'static str,
        /// The initial state.
        initial: StateReport,
        /// The claim about it, then those that it rests on.
        claims: Vec<ClaimReport>,
    },
    /// A graph of claims.
    Strategy {
        /// `witness` or `counterexample`.
        role: &'static str,
        /// What claims speak of, by number.
        formulas: Vec<FormulaReport>,
        /// The numbers of the claims that answer the question.
        roots: Vec<usize>,
        /// The ranks that it relies on, for each fixpoint that needs some.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        ranks: Vec<RankReport>,
        /// How many claims there are.
        n_claims: usize,
        /// The claims; none if there are very many and not all were asked for.
        claims: Option<Vec<PositionReport>>,
    },
    /// A proof and a refutation.
    Contradiction {
        /// The proof.
        proof: Box<EvidenceReport>,
        /// The refutation.
        refutation: Box<EvidenceReport>,
    },
    /// An inductive set.
    Invariant {
        /// Conditions that hold together there.
        conditions: Vec<String>,
    },
    /// An inductive set as a decision diagram.
    InductiveSet {
        /// How many nodes it has.
        nodes: usize,
    },
    /// What procedures do, and what holds at places.
    Summaries {
        /// The procedures.
        procedures: Vec<SummaryReport>,
        /// The places.
        places: Vec<PlaceReport>,
    },
    /// The only run of a program without inputs.
    WholeRun {
        /// How many instructions it has.
        instructions: u64,
    },
    /// All refinements were looked at.
    Enumeration {
        /// How many there are.
        refinements: u64,
    },
    /// What leaves the answer open.
    Open {
        /// The way to it from an initial state.
        #[serde(flatten)]
        way: PathReport,
        /// What is open.
        culprit: CulpritReport,
        /// A sentence.
        text: String,
        /// What would settle it.
        next: Option<String>,
    },
}

/// What a procedure does.
#[derive(Clone, Debug, Serialize)]
pub struct SummaryReport {
    /// Its name.
    pub procedure: String,
    /// The line where it is declared.
    pub line: Option<usize>,
    /// What holds whenever it is called; `null` if it is never called.
    pub entry: Option<String>,
    /// What holds whenever it comes back, where `old(x)` is what `x` was at the beginning; `null` if it never comes back.
    pub exit: Option<String>,
}

/// What holds at a place.
#[derive(Clone, Debug, Serialize)]
pub struct PlaceReport {
    /// The procedure.
    pub procedure: String,
    /// The line.
    pub line: Option<usize>,
    /// Whether a loop begins each of its rounds there.
    pub loop_head: bool,
    /// The condition.
    pub condition: String,
}

/// A sub-formula that claims speak of.
#[derive(Clone, Debug, Serialize)]
pub struct FormulaReport {
    /// The sub-formula, with fixpoints by the names of their variables.
    pub text: String,
    /// For a fixpoint: the variable with what it unfolds to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub definition: Option<String>,
}

/// The ranks of the cycles of a fixpoint.
#[derive(Clone, Debug, Serialize)]
pub struct RankReport {
    /// The number of the fixpoint among the formulas.
    pub formula: usize,
    /// The ranks, in the order in which they are needed.
    pub ranks: Vec<String>,
}

/// One claim of a strategy.
#[derive(Clone, Debug, Serialize)]
pub struct PositionReport {
    /// The state.
    pub state: String,
    /// The number of the sub-formula that is claimed to hold there.
    pub formula: usize,
    /// `node`, or under reduced semantics `modality` or `argument`.
    pub stage: &'static str,
    /// What supports it.
    pub moves: Vec<MoveReport>,
}

/// A supporting claim.
#[derive(Clone, Debug, Serialize)]
pub struct MoveReport {
    /// `unfolding`, `step` or `standing`.
    pub by: &'static str,
    /// The action of a step; empty for a step without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// The concrete state that both stand for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub concrete: Option<String>,
    /// The number of the supporting claim.
    pub to: usize,
}

/// What is open.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum CulpritReport {
    /// A step that is possible and not guaranteed.
    MayOnly {
        /// Its source.
        source: String,
        /// Its action; empty for none.
        action: String,
        /// Its target.
        target: String,
    },
    /// A label that is not known.
    Label {
        /// The state.
        state: String,
        /// The proposition.
        proposition: String,
    },
    /// A proposition that the system does not have.
    MissingProposition {
        /// The state where it mattered.
        state: String,
    },
}
