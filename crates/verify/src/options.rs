//! How a question is to be answered, as plain data that threads can share.

use crate::Taken;
use tertium_check::{Record, Semantics};
use tertium_evidence::DocumentKind;
use tertium_search::{InputSettings, LossSettings, Order, Start};
use tertium_support::Source;

/// How models become decision diagrams.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SymbolicOptions {
    /// The most nodes.
    pub nodes: Option<usize>,
    /// Whether the order of the variables stays as it is at first.
    pub keep_order: bool,
    /// Whether every property is checked on the whole model.
    pub whole_model: bool,
    /// The order to start with: a text with one name on each line.
    pub order: Option<Source>,
    /// Whether the order at the end is wanted.
    pub give_order: bool,
}

/// How programs are searched by matching states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchOptions {
    /// Whether the state found last is followed first.
    pub depth_first: bool,
    /// Whether predicates count where they are needed only.
    pub by_location: bool,
    /// Whether the solver is left alone.
    pub light: bool,
    /// After how many rounds values become predicates.
    pub values_after: Option<usize>,
    /// Which values of inputs are tried.
    pub inputs: InputSettings,
    /// How many threads.
    pub threads: usize,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            depth_first: false,
            by_location: false,
            light: false,
            values_after: Some(3),
            inputs: InputSettings::default(),
            threads: 1,
        }
    }
}

/// What is looked for besides the verdict of a true property.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VacuityCheck {
    /// Nobody looks for vacuity.
    Off,
    /// As far as it is cheap to find out.
    #[default]
    Cheap,
    /// Whatever it takes.
    Full,
}

/// How questions are answered.
#[derive(Clone, Debug)]
pub struct Options {
    /// The name of an engine, or none for the scheduler to choose.
    pub engine: Option<String>,
    /// Which semantics of partial systems.
    pub semantics: Semantics,
    /// Whether evidence is collected.
    pub record: Record,
    /// Whether evidence is validated.
    pub validate: bool,
    /// Whether vacuity is looked for.
    pub vacuity: VacuityCheck,
    /// How many states are looked at.
    pub states: Option<usize>,
    /// How many rounds of refinement.
    pub iterations: usize,
    /// How many predicates a question about a target looks at together.
    pub depth: Option<usize>,
    /// Whether atoms of guards are predicates from the start.
    pub guards: bool,
    /// Predicates to start with.
    pub predicates: Option<Source>,
    /// How programs are searched.
    pub search: SearchOptions,
    /// How models become decision diagrams.
    pub symbolic: SymbolicOptions,
    /// Files that are wanted besides the answer.
    pub documents: Vec<DocumentKind>,
    /// The options that the user gave and not every engine takes, as they are written.
    pub used: Vec<(&'static str, Taken)>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            engine: None,
            semantics: Semantics::Sis,
            record: Record::Moves,
            validate: true,
            vacuity: VacuityCheck::default(),
            states: None,
            iterations: 50,
            depth: None,
            guards: true,
            predicates: None,
            search: SearchOptions::default(),
            symbolic: SymbolicOptions::default(),
            documents: Vec::new(),
            used: Vec::new(),
        }
    }
}

impl Options {
    /// How a search by matching goes about it.
    pub fn search_settings(&self) -> tertium_search::Settings {
        let own = &self.search;
        tertium_search::Settings {
            order: if own.depth_first { Order::Depth } else { Order::Breadth },
            losses: LossSettings { by_location: own.by_location, unasked: own.light },
            start: if self.guards { Start::Guards } else { Start::Goal },
            values_after: own.values_after,
            inputs: own.inputs,
            threads: own.threads,
            states: self.states.unwrap_or(usize::MAX),
            iterations: self.iterations,
            ..tertium_search::Settings::default()
        }
    }
}
