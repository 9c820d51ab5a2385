//! The table of engines: what each needs, takes, and advises.
//!
//! An engine is written once for every model that offers what it needs. It never parses and never prints. Opened on a model it is a
//! session that answers one question after the other and may keep what they share.

use crate::model::is_bounded;
use crate::{Doubts, Halt, Logic, Model, Options, PropertyId, Replay, Situation};
use std::sync::Arc;
use tertium_check::{Record, Semantics};
use tertium_evidence::{Advice, Detail, Document, Names, Origin, Outcome};
use tertium_support::Context;

/// An answer on its way to the door: not yet believed.
pub struct Candidate<'s> {
    /// The outcome.
    pub outcome: Outcome,
    /// Which engine, and how: a few words.
    pub engine: String,
    /// What the numbers in the outcome mean.
    pub names: Arc<dyn Names>,
    /// What its states are.
    pub origin: Origin,
    /// What else there is to say.
    pub details: Vec<Detail>,
    /// What to do where the answer is open, found on the way.
    pub advice: Vec<Advice>,
    /// What has to be confirmed before a definite verdict counts; nothing if there is no way to.
    pub replays: Vec<Box<dyn Replay + 's>>,
    /// Predicates that were found on the way, as text that the model reads.
    pub learnt: Option<String>,
    /// Files that say the same, of the kinds that were asked for.
    pub documents: Vec<Document>,
}

impl Candidate<'_> {
    /// The candidate with what is to be confirmed of it, if this is wanted.
    #[must_use]
    pub(crate) fn with_replays_for(mut self, wanted: Wanted) -> Self {
        if wanted == Wanted::Note {
            self.replays.clear();
        }
        self
    }

    /// What was found is none, because of this.
    pub(crate) fn doubt(&mut self, doubts: Doubts) {
        self.details.extend(doubts.sentences.into_iter().map(Detail::DependsOn));
        self.advice.extend(doubts.advice);
    }

    /// An outcome without states to name.
    pub fn plain(engine: impl Into<String>, outcome: Outcome) -> Self {
        Self {
            outcome,
            engine: engine.into(),
            names: Arc::new(tertium_evidence::Table::default()),
            origin: Origin::Model,
            details: Vec::new(),
            advice: Vec::new(),
            replays: Vec::new(),
            learnt: None,
            documents: Vec::new(),
        }
    }
}

/// A question to a session.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'q> {
    /// Whose propositions and names it has.
    pub property: PropertyId,
    /// What is asked: what the property says, perhaps with other formulas in place of some of its parts.
    pub logic: &'q Logic,
    /// Predicates that other questions led to, as text; they are offered, never imposed.
    pub hints: Option<&'q str>,
    /// What is wanted to know.
    pub wanted: Wanted,
}

/// What is wanted of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The verdict, with evidence and everything that it relies on.
    Everything,
    /// The verdict alone, confirmed where that is possible.
    Verdict,
    /// The verdict alone, for a note on the side: nobody confirms it.
    Note,
}

impl Asked<'_> {
    /// Whether evidence is collected.
    pub fn record(&self, options: &Options) -> Record {
        if self.wanted == Wanted::Everything { options.record } else { Record::Values }
    }
}

/// An engine that was opened on a model.
pub trait Session {
    /// Answers one question.
    fn ask(&mut self, asked: Asked<'_>) -> Result<Candidate<'_>, Halt>;

    /// Whether it can use what it found before a limit was reached, for the questions that come after.
    fn outlives_limits(&self) -> bool {
        false
    }

    /// The order of the variables of its diagrams, where it has such.
    fn order(&mut self) -> Option<Result<String, Halt>> {
        None
    }
}

/// What a session is opened with.
#[derive(Clone, Copy)]
pub struct Opening<'m> {
    /// Limits and progress.
    pub context: &'m Context,
    /// The model.
    pub model: &'m dyn Model,
    /// The properties that will be asked about.
    pub asked: &'m [PropertyId],
    /// How.
    pub options: &'m Options,
    /// Whether a scheduler goes on as long as there is hope, with growing bounds; else the bounds of the options count.
    pub growing: bool,
}

/// What is done with a session.
pub type Work<'w> = dyn FnMut(&mut dyn Session) + 'w;

/// An option that engines take or do not take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// `--states`.
    States,
    /// `--iterations`.
    Iterations,
    /// `--depth`.
    Depth,
    /// `--predicates`, `--save-predicates`.
    Predicates,
    /// `--no-guards`.
    Guards,
    /// `--depth-first`, `--by-location`, `--light`, `--values-after`, `--inputs`, `--threads`.
    Search,
    /// `--nodes`.
    Nodes,
    /// `--order`, `--write-order`, `--keep-order`, `--whole-model`.
    Order,
    /// `--dot`.
    Dot,
}

/// When a scheduler lets an engine work, and how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The lowest comes first in every round.
    pub rank: u8,
    /// The work of a round is divided by this: engines that are seldom the best on a kind of models get less of it.
    pub divisor: u64,
}

impl Turn {
    /// A whole turn.
    pub const fn whole(rank: u8) -> Self {
        Self { rank, divisor: 1 }
    }

    /// A quarter of a turn.
    pub const fn quarter(rank: u8) -> Self {
        Self { rank, divisor: 4 }
    }
}

/// A row of the table.
#[derive(Clone, Copy)]
pub struct Engine {
    /// Its name, as `--engine` takes it.
    pub name: &'static str,
    /// What it is, in a few words.
    pub title: &'static str,
    /// Whether it can take a model: whether the model offers what the engine needs.
    pub fits: fn(&dyn Model) -> bool,
    /// The semantics it has.
    pub semantics: &'static [Semantics],
    /// The options it takes.
    pub takes: &'static [Taken],
    /// Its turns on models that have finitely many states as they are written; none if nothing is said.
    pub on_bounded: Option<Turn>,
    /// Its turns on other models.
    pub on_unbounded: Option<Turn>,
    /// Opens it on a model that it fits, and hands the session to `work`.
    pub open: fn(Opening<'_>, &mut Work<'_>) -> Result<(), Halt>,
    /// Whether it is worth asking about a property of a model that it fits: it takes the property, and is not there to compare only.
    pub suits: fn(&dyn Model, PropertyId) -> bool,
    /// What to do about an unknown answer of this engine, besides asking others and larger limits.
    pub advise: fn(&Situation<'_>) -> Vec<Advice>,
}

impl Engine {
    /// Its turns on a model; nothing if a scheduler never tries it.
    pub fn turn(&self, is_bounded: bool) -> Option<Turn> {
        if is_bounded { self.on_bounded } else { self.on_unbounded }
    }
}

/// The table.
#[derive(Clone)]
pub struct Engines(Vec<Engine>);

impl Engines {
    /// All engines of this crate.
    pub fn standard() -> Self {
        Self(crate::engines::ALL.to_vec())
    }

    /// The table with one more row.
    #[must_use]
    pub fn with(mut self, engine: Engine) -> Self {
        self.0.push(engine);
        self
    }

    /// All rows.
    pub fn iter(&self) -> impl Iterator<Item = &Engine> {
        self.0.iter()
    }

    /// The names, in the order of the table, each with the titles that its engines have.
    pub fn titles(&self) -> Vec<(&'static str, Vec<&'static str>)> {
        let mut all: Vec<(&str, Vec<&str>)> = Vec::new();
        for Engine { name, title, .. } in self.iter() {
            match all.iter_mut().find(|(own, _)| own == name) {
                Some((_, titles)) if titles.contains(title) => {}
                Some((_, titles)) => titles.push(title),
                None => all.push((name, vec![title])),
            }
        }
        all
    }

    /// The engines that can take a model, those that a scheduler tries first first.
    pub fn fitting(&self, model: &dyn Model) -> Vec<&Engine> {
        let mut fitting: Vec<&Engine> = self.iter().filter(|engine| (engine.fits)(model)).collect();
        let is_bounded = is_bounded(model);
        fitting.sort_by_key(|engine| engine.turn(is_bounded).map_or(u8::MAX, |turn| turn.rank));
        fitting
    }

    /// The engines that a scheduler tries on a model, in their order.
    pub fn tried(&self, model: &dyn Model) -> Vec<&Engine> {
        let is_bounded = is_bounded(model);
        let fitting = self.fitting(model).into_iter();
        fitting.filter(|engine| engine.turn(is_bounded).is_some()).collect()
    }

    /// The engine with this name that can take a model; of several the first that takes all options that were given, if one does.
    pub fn named(&self, name: &str, model: &dyn Model, options: &Options) -> Result<&Engine, Halt> {
        let fitting = self.fitting(model);
        let takes_all = |engine: &&Engine| {
            engine.semantics.contains(&options.semantics)
                && options.used.iter().all(|(_, wanted)| engine.takes.contains(wanted))
        };
        let mut named = fitting.iter().filter(|engine| engine.name == name).copied();
        let first = named.clone().next();
        named.find(takes_all).or(first).ok_or_else(|| {
            let names = names_of(fitting.into_iter());
            Halt::Usage(format!(
                "--engine {name} does not take {}: it has --engine {}",
                model.source().name(),
                names.join(", ")
            ))
        })
    }
}

/// The names of engines, each once.
pub(crate) fn names_of<'e>(engines: impl Iterator<Item = &'e Engine>) -> Vec<&'static str> {
    let mut names = Vec::new();
    for engine in engines {
        if !names.contains(&engine.name) {
            names.push(engine.name);
        }
    }
    names
}
