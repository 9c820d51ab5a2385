//! What properties of C programs speak of: places, and values there.
//!
//! A proposition is `error` (the error function is called, or an assertion fails), `call(f)` (`f` is about to be called), `end` (the
//! program has ended), `at(LABEL)` or `at(f.LABEL)`, or a comparison of variables: `x` is a global, `f.x` a variable of `f`. At a place, a
//! property speaks of globals and of the activation that runs there. The lines of property files are read as formulas, too.

use super::linear::{LINEAR, NOT_DETERMINISTIC, branching, in_letters};
use crate::specification::{Specification, SpecificationLogic, is_property_text, read_properties};
use indexmap::IndexMap;
use tertium_expr::{Expression, Scope, Sort, Term, name_length, read_comparison};
use tertium_front_c::ir::Unit;
use tertium_logic::{Formula, parse_ltl_with_atoms, parse_with_atoms};
use tertium_program::{Icfg, PointId, ProcedureId};
use tertium_support::{Diagnostic, Diagnostics, Id, Source, Span, nearest_names};

/// What a proposition means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Atom {
    /// Control is at one of these points.
    Points(Vec<PointId>),
    /// A condition on globals, and on variables of the procedure if one is named.
    Condition(Term, Option<ProcedureId>),
}

/// A formula with the meanings of its propositions.
#[derive(Clone, Debug)]
pub(super) struct Meaning {
    pub(super) formula: Formula,
    pub(super) atoms: IndexMap<String, Atom>,
}

/// The proposition of errors.
pub(super) const ERROR: &str = "error";
/// Where programs begin.
const MAIN: &str = "main";
/// The proposition of the end.
pub(super) const END: &str = "end";
/// The word before labels, and that before functions.
const PLACES: [&str; 2] = ["at", "call"];
/// What the graph calls the points where the error function is called.
pub(super) const ERROR_CALL: &str = "reach_error";
/// What it calls those where an assertion fails.
pub(super) const ASSERTION: &str = "assert";
/// What the graph calls points where the program ends before main does.
const ENDINGS: [&str; 4] = ["exit", "abort", ERROR_CALL, ASSERTION];
/// The functions whose calls are errors.
pub(super) const ERROR_FUNCTIONS: [&str; 2] = ["reach_error", "__VERIFIER_error"];

/// Whether a proposition is that the error function is called.
pub(super) fn is_error_call(name: &str) -> bool {
    let inside =
        name.strip_prefix("call").and_then(|rest| rest.trim_start().strip_prefix('(')?.strip_suffix(')'));
    inside.is_some_and(|function| ERROR_FUNCTIONS.contains(&function.trim()))
}

/// The points that have one of these names in the graph.
pub(super) fn points_of<'n>(icfg: &Icfg, names: impl IntoIterator<Item = &'n str>) -> Vec<PointId> {
    let found = names.into_iter().filter_map(|name| icfg.labels.get(name));
    let mut points: Vec<PointId> = found.flatten().copied().collect();
    points.sort_unstable();
    points.dedup();
    points
}

/// The points where the program has ended: main is left, `exit` or `abort` is called, or the error function, or an assertion fails.
/// Labels of the program can have the same names; these are known by their function as well.
pub(super) fn ends(icfg: &Icfg) -> Vec<PointId> {
    let mut points = points_of(icfg, ENDINGS);
    points.retain(|&point| {
        let function = &icfg.procedure(icfg.point(point).procedure).name;
        let is_label = |name: &str| {
            let own = icfg.labels.get(&format!("{function}.{name}"));
            own.is_some_and(|points| points.contains(&point))
        };
        !ENDINGS.into_iter().any(is_label)
    });
    points.push(icfg.procedure(icfg.main).exit);
    points.sort_unstable();
    points
}

/// Reads what is asked of a program: a formula, or a line of a property file.
pub(super) fn read_meaning(icfg: &Icfg, unit: &Unit, source: &Source) -> Result<Meaning, Diagnostics> {
    if is_property_text(source.text()) {
        read_line(icfg, unit, source)
    } else {
        read_formula(icfg, unit, source)
    }
}

/// Reads a formula about a program.
fn read_formula(icfg: &Icfg, unit: &Unit, source: &Source) -> Result<Meaning, Diagnostics> {
    let text = source.text();
    let start = text.len() - text.trim_start().len();
    if text[start..start + name_length(&text[start..])] == *LINEAR {
        return read_linear(icfg, unit, source, Span::new(start + LINEAR.len(), text.len()));
    }
    meaning_of(icfg, unit, parse_with_atoms(source, Span::new(0, text.len()), &atom_end)?)
}

/// Reads a formula of linear time in a part of a text, as the one of branching time that says the same.
fn read_linear(icfg: &Icfg, unit: &Unit, source: &Source, part: Span) -> Result<Meaning, Diagnostics> {
    let linear = parse_ltl_with_atoms(source, part, &atom_end)?;
    let formula =
        branching(&linear).ok_or_else(|| vec![Diagnostic::error(linear.span, NOT_DETERMINISTIC)])?;
    meaning_of(icfg, unit, formula)
}

/// A formula with the meanings of its propositions.
fn meaning_of(icfg: &Icfg, unit: &Unit, formula: Formula) -> Result<Meaning, Diagnostics> {
    let mut atoms = IndexMap::new();
    let mut complaints = Vec::new();
    for (name, span) in formula.propositions() {
        if atoms.contains_key(name) {
            continue;
        }
        match atom(icfg, unit, name) {
            Ok(atom) => {
                atoms.insert(name.to_owned(), atom);
            }
            Err(found) => complaints.extend(found.into_iter().map(|own| Diagnostic { span, ..own })),
        }
    }
    for (_, span) in formula.action_labels() {
        complaints
            .push(Diagnostic::error(span, "steps of a program have no names here: leave the action out"));
    }
    if complaints.is_empty() { Ok(Meaning { formula, atoms }) } else { Err(complaints) }
}

/// Reads a line of a property file, as the formula that it means.
fn read_line(icfg: &Icfg, unit: &Unit, source: &Source) -> Result<Meaning, Diagnostics> {
    let lines = read_properties(source)?;
    let [line] = lines.as_slice() else {
        let span = lines.get(1).map_or(Span::new(0, 0), |line| line.span);
        return Err(vec![Diagnostic::error(span, "one property at a time: these are several")]);
    };
    let refused = |what: String| Err(vec![Diagnostic::error(line.span, what)]);
    if let Some(why) = line.specification.not_supported() {
        return refused(why);
    }
    if line.entry != MAIN {
        return refused(format!("programs begin with `{MAIN}`, not with `{}`", line.entry));
    }
    let text = match &line.specification {
        Specification::UnreachCall { function } => format!("AG !call({function})"),
        Specification::UnreachLabel { label } => format!("AG !at({label})"),
        Specification::Termination => format!("AF {END}"),
        Specification::Formula { logic: SpecificationLogic::Ctl | SpecificationLogic::Mu, text } => {
            text.clone()
        }
        Specification::Formula { logic: SpecificationLogic::Ltl, text } => {
            format!("{LINEAR} {}", in_letters(text))
        }
        Specification::Named(_) => {
            return refused(format!(
                "`{}` is not supported for programs in C yet",
                line.specification.line()
            ));
        }
    };
    let inner = Source::new(source.name(), text);
    read_formula(icfg, unit, &inner).map_err(|found| {
        let placed = found.into_iter().map(|own| Diagnostic { span: line.span, related: Vec::new(), ..own });
        placed.collect()
    })
}

/// Where the atom that begins at `start` ends, if one does.
fn atom_end(text: &str, start: usize) -> Option<usize> {
    let rest = &text[start..];
    let name = &rest[..name_length(rest)];
    if PLACES.contains(&name) && rest[name.len()..].trim_start().starts_with('(') {
        return rest.find(')').map(|end| start + end + 1);
    }
    read_comparison(text, start)
}

/// What a proposition means.
fn atom(icfg: &Icfg, unit: &Unit, name: &str) -> Result<Atom, Diagnostics> {
    let here = Span::new(0, 0);
    if name == ERROR {
        return Ok(Atom::Points(points_of(icfg, [ERROR_CALL, ASSERTION])));
    }
    if name == END {
        return Ok(Atom::Points(ends(icfg)));
    }
    let inside = |word| {
        let rest: &str = name.strip_prefix(word)?;
        rest.trim_start().strip_prefix('(')?.strip_suffix(')').map(str::trim)
    };
    if let Some(function) = inside("call") {
        return calls(icfg, unit, function).map_err(|complaint| vec![complaint]);
    }
    if let Some(label) = inside("at") {
        let points = points_of(icfg, [label]);
        // Control need not come to a label that the program has.
        if points.is_empty() && !unit.labels.contains(label) {
            let known = icfg.labels.keys().chain(&unit.labels).map(String::as_str);
            let complaint = Diagnostic::error(here, format!("there is no label `{label}`"));
            return Err(vec![with_near(complaint, label, known)]);
        }
        return Ok(Atom::Points(points));
    }
    let (expression, end) = tertium_expr::read(name, 0).map_err(|complaint| vec![*complaint])?;
    if end != name.len() {
        return Err(vec![Diagnostic::error(here, format!("`{name}` is neither a place nor a condition"))]);
    }
    condition(icfg, &expression)
}

/// The places where a function is about to be called.
fn calls(icfg: &Icfg, unit: &Unit, function: &str) -> Result<Atom, Diagnostic> {
    if ERROR_FUNCTIONS.contains(&function) {
        return Ok(Atom::Points(points_of(icfg, [ERROR_CALL])));
    }
    let all = (0..icfg.procedures().len()).map(ProcedureId::new);
    let Some(found) = all.clone().find(|&own| icfg.procedure(own).name == function) else {
        // Nobody calls a function that has a body and is not in the graph.
        if unit.functions.iter().any(|own| own.name == function && own.body.is_some()) {
            return Ok(Atom::Points(Vec::new()));
        }
        let complaint = Diagnostic::error(
            Span::new(0, 0),
            format!("there is no function `{function}` that can be called and has a body"),
        );
        return Err(with_near(complaint, function, all.map(|own| icfg.procedure(own).name.as_str())));
    };
    let mut points: Vec<PointId> = icfg.calls_of(found).iter().map(|&call| icfg.edge(call).source).collect();
    points.sort_unstable();
    points.dedup();
    Ok(Atom::Points(points))
}

fn condition(icfg: &Icfg, expression: &Expression) -> Result<Atom, Diagnostics> {
    let names = VariableNames { icfg };
    let term = expression.lower_to(&icfg.terms, &names, &Sort::Bool)?;
    let mut owners: Vec<ProcedureId> = Vec::new();
    for variable in icfg.terms.variables_of(term) {
        owners.extend(icfg.cell(variable).and_then(|cell| cell.owner));
    }
    owners.sort_unstable();
    owners.dedup();
    if owners.len() > 1 {
        let names: Vec<&str> = owners.iter().map(|&own| icfg.procedure(own).name.as_str()).collect();
        return Err(vec![Diagnostic::error(
            Span::new(0, 0),
            format!("it speaks of variables of {}, which are not seen at one place", names.join(" and ")),
        )]);
    }
    Ok(Atom::Condition(term, owners.first().copied()))
}

/// The variables of a program by the names that properties use.
struct VariableNames<'a> {
    icfg: &'a Icfg,
}

impl VariableNames<'_> {
    fn all(&self) -> impl Iterator<Item = (String, Term)> + '_ {
        let icfg = self.icfg;
        let globals = icfg.globals().iter().filter_map(|&variable| icfg.cell(variable));
        let globals = globals.map(|cell| (cell.name.clone(), icfg.terms.variable(cell.variable)));
        let locals = (0..icfg.procedures().len()).flat_map(move |number| {
            let own = icfg.procedure(ProcedureId::new(number));
            let cells = own.variables.iter().filter_map(|&variable| icfg.cell(variable));
            cells.map(move |cell| (format!("{}.{}", own.name, cell.name), icfg.terms.variable(cell.variable)))
        });
        globals.chain(locals)
    }
}

impl Scope for VariableNames<'_> {
    fn term(&self, name: &str) -> Option<Term> {
        self.all().find(|(own, _)| own == name).map(|(_, term)| term)
    }

    fn sort(&self, _: &str) -> Option<Sort> {
        None
    }

    fn names(&self) -> Vec<String> {
        self.all().map(|(name, _)| name).collect()
    }
}

fn with_near<'n>(
    complaint: Diagnostic,
    unknown: &str,
    known: impl IntoIterator<Item = &'n str>,
) -> Diagnostic {
    match nearest_names(unknown, known)[..] {
        [] => complaint,
        ref near => complaint.with_note(format!("similar names: `{}`", near.join("`, `"))),
    }
}
