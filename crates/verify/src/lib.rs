//! The middle: between languages and engines, and between both and whoever asks.
//!
//! | file | holds |
//! |---|---|
//! | `format`, `formats` | the table of formats: how files become models, and what each model offers |
//! | `model` | what a model is: properties with names and places, and what it offers to engines |
//! | `engine`, `engines` | the table of engines: what each needs, takes and advises |
//! | `procedures` | what a program with procedures offers |
//! | `advice` | what to do about an unknown answer: other engines, other options, larger limits |
//! | `door` | every definite outcome passes its validators here |
//! | `check` | all questions about a file |
//! | `clauses` | questions as Horn clauses |
//! | `schedule` | several engines in turn, by budgets counted in work |
//! | `refusal` | options that nobody takes |
//! | `vacuity` | which parts of properties do not matter |
//! | `query` | what can stand for the placeholder of a formula |
//! | `suite` | runs that cover a program |
//! | `replay` | runs that were written down, on the same or a changed model |
//! | `witnesses` | witnesses that were written about programs, judged |
//! | `simulate` | runs that are made step by step, at random or as somebody wants |
//! | `specification` | property files and task definitions for C programs |
//!
//! Adding a language is a reader, names, and a row; adding an engine is the algorithm, its validator, and a row. Nothing here prints.

mod advice;
mod check;
mod claim_along;
mod clauses;
mod door;
mod engine;
mod engines;
mod format;
mod formats;
mod halt;
mod model;
mod options;
mod procedures;
mod query;
mod question;
mod refusal;
mod replay;
mod schedule;
mod simulate;
pub mod specification;
mod suite;
mod vacuity;
mod witnesses;
mod written_claim;

pub use advice::{Prospects, Situation};
pub use check::{Left, Listener, NO_PROPERTY, Request, Tables, check, may_refuse, read, refuse};
pub use door::{Admitted, admit};
pub use engine::{Asked, Candidate, Engine, Engines, Opening, Session, Taken, Turn, Wanted, Work};
pub use format::{
    DataModel, Format, Formats, Input, Integers, Machine, Parameter, Preprocessing, Read, ReadOptions,
};
pub use halt::Halt;
pub use model::{
    Encodings, Flaw, FoundSystem, ListedStates, Logic, Model, OffersProgram, OffersStates, OffersSymbolic,
    OffersSystem, OffersTerms, PartTerms, Property, PropertyId, Replay, Shown, TermClaim, found_system,
};
pub use options::{Options, SearchOptions, SymbolicOptions, VacuityCheck};
pub use procedures::{Doubts, Executed, Followed, Goal, OffersExecution, OffersProcedures, Posed, ShownRun};
pub use query::{
    AskedOf, Initial, Notation, OffersQueries, QueriedDiagrams, QueriedSystem, QueryColumn, QueryFound,
    QueryMethod, QueryWanted, ReadQuery, Sort, Within, solve_query,
};
pub use question::{Chosen, Given, Question, questions};
pub use replay::{Misfit, OffersRuns, Replayed, WrittenEvidence, WrittenTrace, replay};
pub use simulate::{Simulation, Steps};
pub use suite::{TestsFound, TestsOptions, find_tests};
pub use tertium_solve::answer_aside;
pub use vacuity::{PropertyVacuity, VacuityAnswers, VacuityMethod, VacuityOptions, check_vacuity};
pub use witnesses::{Conditioned, Led, OffersWitnesses, is_witness, read_witness_file, replay_witnesses};
