//! Queries from text, and one ordinary check per candidate.

use tertium_check::symbolic::{Options, SymbolicChecker};
use tertium_dd::Bdd;
use tertium_front_smv::{EncodeOptions, SpecificationKind, encode, read, read_query};
use tertium_logic::Formula;
use tertium_query::{Placeholder, Question};
use tertium_support::{Context, Source};
use tertium_system::SymbolicModel;
use tertium_truth::Verdict;

/// Runs `work` on a query about a model; nothing if the model has no meaning.
pub(crate) fn with_query(model: &str, query: &str, work: impl FnOnce(&Question<'_>)) -> bool {
    let context = Context::default();
    let (flat, _) = read(Source::new("m.smv", model)).unwrap_or_else(|errors| panic!("{model}\n{errors:?}"));
    let read = read_query(&flat, &Source::new("<query>", query));
    let read = read.unwrap_or_else(|errors| panic!("{model}\n{query}\n{errors:?}"));
    let SpecificationKind::Ctl(formula) = &read.specification.kind else { panic!("{query} is of CTL") };
    let Ok(mut encoded) = encode(&context, &flat, &EncodeOptions::default()) else { return false };
    if encoded.register(&read.specification).is_err() {
        return false;
    }
    let places: Vec<usize> = read.variables.iter().filter_map(|&id| encoded.symbolic(id)).collect();
    let placeholder = Placeholder::new(&mut encoded.model, &read.placeholder, &places).unwrap();
    let model = &encoded.model;
    work(&Question {
        context: &context,
        model,
        formula,
        placeholder: &placeholder,
        options: Options::default(),
    });
    true
}

/// The codes of the combinations in a set.
pub(crate) fn codes(question: &Question<'_>, set: &Bdd) -> Vec<Vec<u64>> {
    candidates(question)
        .into_iter()
        .filter(|codes| {
            let point = question.placeholder.minterm(&question.model.manager, codes).unwrap();
            !point.is_disjoint(set).unwrap()
        })
        .collect()
}

/// All combinations of codes.
pub(crate) fn candidates(question: &Question<'_>) -> Vec<Vec<u64>> {
    let columns = question.placeholder.columns(question.model);
    columns.iter().fold(vec![Vec::new()], |all, column| {
        let with = |codes: &Vec<u64>| {
            let codes = codes.clone();
            (0..=column.last_code).map(move |code| [codes.as_slice(), &[code]].concat()).collect::<Vec<_>>()
        };
        all.iter().flat_map(with).collect()
    })
}

/// Whether the formula holds when the placeholder is this set of combinations: an ordinary check.
pub(crate) fn holds_with(question: &Question<'_>, formula: &Formula, combinations: &[Vec<u64>]) -> bool {
    let mut model: SymbolicModel = question.model.clone();
    let mut set = model.manager.constant(false);
    for codes in combinations {
        let literals = question.placeholder.copies.iter().zip(codes).flat_map(|(copy, &code)| {
            let bits = &question.model.variables[copy.variable].current;
            bits.iter().enumerate().map(move |(place, &bit)| (bit, code >> place & 1 == 1))
        });
        set = set.or(&Bdd::cube(&model.manager, literals).unwrap()).unwrap();
    }
    model.propositions.insert(question.placeholder.name.clone(), set);
    let outcome =
        SymbolicChecker::new(question.context, &model, question.options).check_ctl(formula).unwrap();
    outcome.verdict == Verdict::True
}
