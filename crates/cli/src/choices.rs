//! Options with few possible values: each word, what it means, and what it stands for in the library.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use tertium_check::Semantics;
use tertium_search::Cover;
use tertium_system::format::SystemFormat;
use tertium_system::relation::Equivalence;
use tertium_verify::{DataModel, Engines, Integers, QueryMethod, VacuityMethod};

/// A word that the user can write.
pub(crate) struct Choice<T: 'static>(&'static str, &'static str, T);

/// Reads one of these words.
pub(crate) fn one_of<T: Copy + Send + Sync>(
    choices: &'static [Choice<T>],
) -> impl TypedValueParser<Value = T> {
    let shown = choices.iter().map(|Choice(word, meaning, _)| PossibleValue::new(word).help(meaning));
    PossibleValuesParser::new(shown).map(|written| {
        let chosen = choices.iter().find(|Choice(word, ..)| word.eq_ignore_ascii_case(&written));
        chosen.expect("no other word is possible").2
    })
}

/// Reads the name of an engine in the table, or the word for all that fit.
pub(crate) fn one_engine() -> PossibleValuesParser {
    let auto = PossibleValue::new("auto").help("All that fit, in turn, until one has an answer");
    let named = Engines::standard().titles().into_iter();
    let shown = named.map(|(name, titles)| PossibleValue::new(name).help(titles.join("; or ")));
    PossibleValuesParser::new(std::iter::once(auto).chain(shown))
}

/// How partial systems are read.
pub(crate) const SEMANTICS: &[Choice<Semantics>] = &[
    Choice("sis", "Standard inductive: operator by operator", Semantics::Sis),
    Choice("ris", "Reduced inductive: uses what states stand for at every modality", Semantics::Ris),
    Choice(
        "thorough",
        "Thorough: true or false iff so in every refinement, by enumeration; for small systems",
        Semantics::Thorough,
    ),
];

/// How many bits types have.
pub(crate) const DATA_MODELS: &[Choice<DataModel>] = &[
    Choice("ilp32", "32 bits for int, long and pointers", DataModel::Ilp32),
    Choice("lp64", "32 bits for int, 64 for long and pointers", DataModel::Lp64),
];

/// What integers are.
pub(crate) const INTEGERS: &[Choice<Integers>] = &[
    Choice("machine", "Those of the machine: with bounds, signed overflow ends a run", Integers::Machine),
    Choice("math", "Mathematical integers, without bounds", Integers::Mathematical),
];

/// How vacuous parts are found.
pub(crate) const VACUITY: &[Choice<VacuityMethod>] = &[
    Choice("naive", "Atoms, one check for each replacement", VacuityMethod::Naive),
    Choice("vaquot", "Atoms, all replacements in one pass", VacuityMethod::Vaquot),
    Choice("mutual", "Atoms, and the sets of them that do not matter even together", VacuityMethod::Mutual),
    Choice("refine", "The largest parts, level by level", VacuityMethod::Refine),
];

/// How queries are solved.
pub(crate) const QUERY: &[Choice<QueryMethod>] = &[
    Choice("tlq", "All combinations of values at once", QueryMethod::Tlq),
    Choice("naive", "One check for each combination of values, for cross-checking", QueryMethod::Naive),
    Choice("refine", "Variable by variable, for positive queries", QueryMethod::Refine),
    Choice(
        "general",
        "The strongest formulas, or for negative queries the weakest; for few variables",
        QueryMethod::General,
    ),
];

/// What has a test.
pub(crate) const COVER: &[Choice<Cover>] = &[
    Choice(
        "branches",
        "Every way through every command, and both sides of the conditions in it",
        Cover::Branches,
    ),
    Choice("states", "Every abstract state", Cover::States),
    Choice("steps", "Every abstract state, and every step between two of them", Cover::Steps),
];

/// When states are merged.
pub(crate) const EQUIVALENCES: &[Choice<Equivalence>] = &[
    Choice("bisimulation", "They are bisimilar: every verdict is kept", Equivalence::Bisimulation),
    Choice(
        "simulation",
        "They simulate each other, or refine each other if something is open",
        Equivalence::Simulation,
    ),
];

/// Formats that systems are written in.
pub(crate) const FORMATS: &[Choice<SystemFormat>] = &[
    Choice("pts", "Partial transition systems", SystemFormat::Pts),
    Choice("aut", "Aldebaran; may-only transitions are written may:a", SystemFormat::Aut),
    Choice("dot", "Pictures for Graphviz", SystemFormat::Dot),
];
