//! Answers for people and for programs: outcomes and evidence as text, as JSON, as DOT.
//!
//! Everything is said in the names of the user's own files. Nothing here decides anything: what is printed comes from
//! the checkers, and [`check_trace`] and [`check_blocking`] replay on the system what is about to be shown.
//!
//! | what | as text | as JSON | as DOT |
//! |---|---|---|---|
//! | answer to a property | [`answer_text`] | [`Answer`], [`RunReport`] | [`evidence_dot`] |
//! | answer about a model with variables | [`VariableAnswer`] | [`Answer`] | [`variable_evidence_dot`] |
//! | refinement between systems | [`refinement_text`] | [`ModelReport`] | |
//! | consistency | [`consistency_text`] | [`ModelReport`] | |
//! | classification | [`classification_text`] | [`ClassificationReport`] | |
//! | solution of a game | PGSolver's form, in `tertium-check` | [`GameReport`] | [`game_dot`] |

mod answer;
mod assumption;
mod blocking;
mod cause;
mod classification;
mod consistency;
mod detail;
mod dot;
mod evidence;
mod formula_text;
mod game;
mod json;
mod json_evidence;
mod model;
mod names;
mod query;
mod refinement;
mod relevance;
mod replay;
mod station;
mod strategy;
mod suite;
mod trace;
mod vacuity;
mod variable_answer;
mod variable_dot;
mod variable_run;

pub use answer::{Origin, Question, answer_text, one_line, verdict_line, verdict_word};
pub use assumption::assumption_report;
pub use cause::{cause_text, next_step};
pub use classification::{ClassificationReport, classification_text};
pub use consistency::{consistency_evidence, consistency_text};
pub use detail::Detail;
pub use dot::evidence_dot;
pub use game::{GameReport, VertexReport, game_dot};
pub use json::{
    Answer, AssumptionReport, CauseReport, Message, RunReport, SCHEMA, StateValue, ToolInfo, answer_json,
    counters,
};
pub use json_evidence::{
    ClaimReport, CulpritReport, EvidenceReport, FormulaReport, MoveReport, OpenStepReport, StepReport,
};
pub use model::{ModelEvidence, ModelReport};
pub use names::state_text;
pub use query::{ClassReport, QueryReport, SolutionReport, ValuesReport};
pub use refinement::{refinement_evidence, refinement_text};
pub use relevance::Relevance;
pub use replay::{check_blocking, check_trace};
pub use suite::{
    CoverageReport, SearchRound, TestReport, TestStep, TestsReport, UntakenCommand, WrittenTests, rounds_text,
};
pub use vacuity::{Comments, PlacedPart, VacuityAnswer, VacuityReport, underlined, written_text};
pub use variable_answer::VariableAnswer;
pub use variable_dot::variable_evidence_dot;
pub use variable_run::{
    Claim, ClaimAlongReport, ClaimTreeReport, RunEvidenceReport, Shown, Valuation, VariableEvidence,
    VariableRun,
};
