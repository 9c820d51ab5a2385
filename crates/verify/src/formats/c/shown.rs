//! Places, assumptions and proofs of C programs in the user's words.

use std::collections::BTreeMap;
use tertium_evidence::{Assumption, PlacedCondition, ProcedureSummary, Summaries};
use tertium_expr::{Substitution, Term, Variable};
use tertium_front_c::ir::{DataModel, Undefined, Unit};
use tertium_front_c::lower::{self, Construct, Lowered, Representation};
use tertium_program::{Icfg, PointId, ProcedureId};
use tertium_recursion::{Entries, Invariants};
use tertium_support::{Id, Source, Span};

/// Longer conditions are cut on their way to a screen, but for the full report.
const LONGEST: usize = 4_000;

/// The line of the user's file where something stands.
pub(super) fn line_of(source: &Source, unit: &Unit, span: Span) -> Option<usize> {
    let place = unit.origins.start(span);
    // Line marks may name other files, such as headers: their lines are none of the user's.
    let is_own = place.file.as_deref().is_none_or(|file| file == "<stdin>" || source.name().ends_with(file));
    is_own.then_some(place.line)
}

/// What every answer relies on.
pub(super) fn assumptions(unit: &Unit, lowered: &Lowered) -> Vec<Assumption> {
    let mut kinds: BTreeMap<Representation, Vec<&str>> = BTreeMap::new();
    let (mut ends, mut missing) = (Vec::new(), Vec::new());
    for own in &lowered.assumptions {
        match own {
            lower::Assumption::Ends(what) => ends.push(undefined_words(*what)),
            lower::Assumption::MissingBody(name) => missing.push(name.clone()),
            lower::Assumption::Integers(function, kind) => kinds.entry(*kind).or_default().push(function),
        }
    }
    let mut found = Vec::new();
    if !missing.is_empty() {
        found.push(Assumption::MissingBodies(missing));
    }
    let model = match unit.data_model {
        DataModel::Ilp32 => "ILP32",
        DataModel::Lp64 => "LP64",
    };
    let alone = kinds.len() == 1;
    for (kind, functions) in kinds {
        let whose = if alone { String::new() } else { format!(" in {}", functions.join(", ")) };
        found.push(Assumption::Integers(match kind {
            Representation::Ranges => format!("integers{whose} are those of the machine, {model}"),
            Representation::Bits => format!("integers{whose} are those of the machine, {model}, bit by bit"),
            Representation::Unbounded => format!("integers{whose} are mathematical, without bounds"),
        }));
    }
    if !ends.is_empty() {
        found.push(Assumption::UndefinedEnds(format!("undefined behaviour ends a run: {}", ends.join(", "))));
    }
    found
}

/// What undefined behaviour is called.
pub(super) fn undefined_words(what: Undefined) -> &'static str {
    match what {
        Undefined::Overflow => "overflow of signed integers",
        Undefined::DivisionByZero => "division by zero",
        Undefined::Shift => "shifts by too much",
        Undefined::NullAccess => "access through null",
        Undefined::OutOfBounds => "access out of bounds",
        Undefined::DeadAccess => "access to what is gone",
        Undefined::InvalidFree => "invalid free",
        Undefined::PointerArithmetic => "arithmetic with unrelated pointers",
        Undefined::InvalidCall => "calls through bad pointers",
        Undefined::MissingReturn => "use of a result that was not returned",
        Undefined::FloatConversion => "conversion of floating numbers without room",
        Undefined::Unreachable => "coming to places that are said not to be reached",
    }
}

/// What is not supported at these points, each once.
pub(super) fn unsupported(
    source: &Source,
    unit: &Unit,
    constructs: &[(PointId, Construct)],
    points: &[PointId],
) -> Vec<String> {
    let mut found = Vec::new();
    for (_, own) in constructs.iter().filter(|(point, _)| points.contains(point)) {
        let line = line_of(source, unit, own.span);
        let place = line.map_or(String::new(), |line| format!(" (line {line})"));
        let text = format!("what is not supported can be reached: {}{place}", own.what);
        if !found.contains(&text) {
            found.push(text);
        }
    }
    found
}

/// Invariants in the user's words: variables by their names, values at the beginning of a call as `old(x)`.
pub(super) fn summaries(source: &Source, unit: &Unit, icfg: &Icfg, invariants: &Invariants) -> Summaries {
    let entries = Entries::new(icfg);
    let mut summaries = Summaries::default();
    for number in 0..icfg.procedures().len() {
        let id = ProcedureId::new(number);
        let own = icfg.procedure(id);
        let words = Words::of(icfg, &entries, id);
        let line = line_of(source, unit, own.span);
        let summary = invariants.summary(icfg, &entries, id);
        let text = |term: Term| (icfg.terms.as_bool(term) != Some(false)).then(|| words.text(icfg, term));
        summaries.procedures.push(ProcedureSummary {
            name: own.name.clone(),
            line,
            entry: text(summary.entry),
            exit: text(summary.exit),
        });
        for &point in &own.points {
            let condition = invariants.get(icfg, point);
            let is_told = point == own.entry || point == own.exit;
            if is_told || icfg.terms.as_bool(condition).is_some() {
                continue;
            }
            summaries.places.push(PlacedCondition {
                procedure: own.name.clone(),
                line: line_of(source, unit, icfg.point(point).span),
                is_loop_head: icfg.point(point).is_loop_head,
                condition: words.text(icfg, condition),
            });
        }
    }
    summaries
}

/// Names for the variables of a procedure.
struct Words {
    names: BTreeMap<Variable, Variable>,
}

impl Words {
    /// Variables under the names that the user gave them. They are only printed.
    fn of(icfg: &Icfg, entries: &Entries, procedure: ProcedureId) -> Self {
        let terms = &icfg.terms;
        let mut names = BTreeMap::new();
        for variable in icfg.in_scope(procedure) {
            let Some(cell) = icfg.cell(variable) else { continue };
            let sort = terms.sort_of(variable);
            names.insert(variable, terms.declare(&cell.name, &sort));
            if let Some(ghost) = entries.ghost(variable) {
                names.insert(ghost, terms.declare(&format!("old({})", cell.name), &sort));
            }
        }
        Self { names }
    }

    fn text(&self, icfg: &Icfg, term: Term) -> String {
        let terms = &icfg.terms;
        let pairs = self.names.iter().map(|(&variable, &name)| (variable, terms.variable(name)));
        let text = terms.print(Substitution::new(pairs).apply(terms, term)).to_string();
        match text.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{} …", &text[..end]),
            None => text,
        }
    }
}
