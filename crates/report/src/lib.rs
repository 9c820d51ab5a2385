//! Answers for people and for programs: outcomes and evidence as text, as JSON, as DOT.
//!
//! What is shown of an answer is a function of [`tertium_evidence::Answer`] alone: one layout for all engines and formats, in the
//! names of the user's own files. Nothing here decides or validates anything.
//!
//! | what | as text | as JSON | as DOT |
//! |---|---|---|---|
//! | answer to a property | [`verdict_line`], [`answer_text`], [`statistics_text`] | [`AnswerReport`], [`RunReport`] | [`answer_dot`] |
//! | refinement between systems | [`refinement_text`] | [`ModelReport`] | |
//! | consistency | [`consistency_text`] | [`ModelReport`] | |
//! | classification | [`classification_text`] | [`ClassificationReport`] | |
//! | vacuity | [`vacuity_text()`] | [`VacuityReport`] | |
//! | answer to a query | [`QueryReport::text`] | [`QueryReport`] | |
//! | runs that were replayed | [`ReplayReport::text`] | [`ReplayReport`] | |
//! | solution of a game | PGSolver's form, in `tertium-check` | [`GameReport`] | [`game_dot`] |
//! | witness of an answer about a C program | YAML, in [`witness`] | | |
//! | run of a C program, to be compiled | C, in [`harness`] | | |

mod advice;
mod answer;
mod assumption;
mod blocking;
mod cause;
mod claim;
mod classification;
mod colour;
mod consistency;
mod detail;
mod document;
mod dot;
mod evidence;
mod fit;
mod formula_text;
mod further;
mod game;
pub mod harness;
mod json;
mod json_answer;
mod json_evidence;
mod json_path;
mod json_show;
mod json_text;
mod listing;
mod manual;
mod model;
mod names;
mod open_question;
mod page;
mod progress;
mod query;
mod query_csv;
mod refinement;
mod relevance;
mod replay;
mod simulation;
mod station;
mod stored;
mod strategy;
mod suite;
mod summaries;
mod summary;
#[cfg(test)]
mod tests;
mod trace;
mod vacuity;
mod vacuity_text;
pub mod verdict_text;
pub mod witness;
mod written;

/// The JSON Schema (draft 2020-12) of every object that a command prints or writes: one file, beside the records it describes.
pub const JSON_SCHEMA: &str = include_str!("schema.json");

pub use advice::{AdviceReport, PartReport, WayReport, advice_text};
pub use answer::{
    answer_text, answer_word, one_line, plain_verdict_line, statistics_text, verdict_line,
    verdict_line_among_files, verdict_word,
};
pub use assumption::{assumption_report, assumption_text};
pub use cause::{cause_text, next_step};
pub use classification::{ClassificationReport, classification_text};
pub use colour::paint;
pub use consistency::{consistency_evidence, consistency_text};
pub use detail::Detail;
pub use document::answer_document;
pub use dot::answer_dot;
pub use fit::fit;
pub use further::{AbstractionReport, FurtherReport, ProductReport};
pub use game::{GameReport, VertexReport, game_dot};
pub use json::{
    AnswerReport, AssumptionReport, CauseReport, FailureReport, Message, PropertyReport, RunReport, SCHEMA,
    StateValue, ToolInfo, counters,
};
pub use json_answer::answer_json;
pub use json_evidence::{
    CulpritReport, EvidenceReport, FormulaReport, MoveReport, PositionReport, RankReport,
};
pub use json_path::{ClaimAlongReport, ClaimReport, PathReport, StateReport, StepReport};
pub use json_text::write_json;
pub use listing::states_text;
pub use manual::{EXPLAIN, FORMATS, Manual};
pub use model::{ModelEvidence, ModelReport};
pub use names::state_text;
pub use open_question::OpenQuestion;
pub use progress::progress_text;
pub use query::{ClassReport, QueryReport, SolutionReport, ValuesReport};
pub use query_csv::query_csv;
pub use refinement::{refinement_evidence, refinement_text};
pub use relevance::Relevance;
pub use replay::{MisfitReport, ReplayEntry, ReplayReport};
pub use simulation::{Choice, Offer, SimulationReport, choices_text, place_text, state_in_full};
pub use suite::{
    BranchReport, CoverageReport, SearchRound, TestReport, TestsReport, UntakenCommand, rounds_text,
};
pub use summaries::summaries_text;
pub use summary::summary_table;
pub use vacuity::{Comments, PlacedPart, VacuityAnswer, VacuityReport, underlined, written_text};
pub use vacuity_text::vacuity_text;
pub use written::{WrittenProperty, WrittenRun, WrittenRuns, WrittenTree, cut, read_written};
