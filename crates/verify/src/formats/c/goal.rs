//! Questions about C programs as goals in their graph: can a place be reached, does a run go on for ever?

use super::meaning::{Atom, END, Meaning};
use crate::{Goal, Logic};
use std::collections::BTreeMap;
use tertium_expr::Term;
use tertium_logic::{Formula, FormulaKind, PathOperator, PathQuantifier, as_claim};
use tertium_program::{Action, Icfg, PointId, Step};
use tertium_support::Id;

/// What a question asks: where something must not be, or whether runs end.
#[derive(Clone, Debug)]
pub(super) enum Asked {
    /// Whether a state satisfies this can be reached; `holds` if so.
    Reach { state: Formula, holds: bool },
    /// Whether a run goes on for ever; `holds` if so.
    Diverge { holds: bool },
    /// Something else.
    Else,
}

/// What a formula asks.
pub(super) fn asked(logic: &Logic) -> Asked {
    let other = Asked::Else;
    let formula = match logic {
        Logic::Branching(formula) => formula,
        Logic::Invariant(formula) => {
            return Asked::Reach { state: as_claim(formula, false), holds: false };
        }
        _ => return other,
    };
    let claim = as_claim(formula, true);
    let FormulaKind::Path(quantifier, operator) = &claim.kind else { return other };
    match (quantifier, operator) {
        (PathQuantifier::Some, PathOperator::Finally(inner)) if tertium_logic::is_boolean(inner) => {
            Asked::Reach { state: (**inner).clone(), holds: true }
        }
        (PathQuantifier::All, PathOperator::Globally(inner)) if tertium_logic::is_boolean(inner) => {
            Asked::Reach { state: as_claim(inner, false), holds: false }
        }
        (PathQuantifier::Some, PathOperator::Globally(inner)) if is_end(inner, false) => {
            Asked::Diverge { holds: true }
        }
        (PathQuantifier::All, PathOperator::Finally(inner)) if is_end(inner, true) => {
            Asked::Diverge { holds: false }
        }
        _ => other,
    }
}

/// Whether a formula says that the end is there, or that it is not.
fn is_end(formula: &Formula, positive: bool) -> bool {
    match &formula.kind {
        FormulaKind::Proposition(name) => positive && name == END,
        FormulaKind::Not(inner) => is_end(inner, !positive),
        _ => false,
    }
}

/// A goal, and where values decide whether it is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    /// The goal, without the states that the conditions are about.
    pub(super) goal: Goal,
    /// It is also reached at these points where the conditions hold.
    pub(super) watched: Vec<(PointId, Term)>,
}

/// The goal in a graph; nothing if something else is asked.
pub(super) fn plan(icfg: &Icfg, meaning: &Meaning, asked: &Asked) -> Option<Plan> {
    let (state, holds) = match asked {
        Asked::Reach { state, holds } => (state, *holds),
        Asked::Diverge { holds } => {
            return Some(Plan { goal: Goal::Diverge { holds: *holds }, watched: Vec::new() });
        }
        Asked::Else => return None,
    };
    let (mut targets, mut watched) = (Vec::new(), Vec::new());
    for number in 0..icfg.points().len() {
        let point = PointId::new(number);
        let condition = condition_at(icfg, meaning, state, point);
        match icfg.terms.as_bool(condition) {
            Some(false) => {}
            Some(true) => targets.push(point),
            None => watched.push((point, condition)),
        }
    }
    Some(Plan { goal: Goal::Reach { targets, holds }, watched })
}

impl Plan {
    /// Why a condition cannot be asked where it matters, if that is so.
    pub(super) fn unseen(&self, icfg: &Icfg) -> Option<String> {
        self.watched.iter().find_map(|&(point, condition)| unseen(icfg, point, condition))
    }

    /// The goal in the graph with an edge to a point of its own wherever values decide. Those points have no edges, so nothing else
    /// changes. An error says where a condition cannot be asked.
    pub(super) fn watch(self, icfg: &mut Icfg) -> Result<Goal, String> {
        let Self { mut goal, watched } = self;
        for (point, condition) in watched {
            let target = watch(icfg, point, condition)?;
            if let Goal::Reach { targets, .. } = &mut goal {
                targets.push(target);
            }
        }
        Ok(goal)
    }
}

/// What a state formula says of states at a point.
fn condition_at(icfg: &Icfg, meaning: &Meaning, state: &Formula, point: PointId) -> Term {
    let terms = &icfg.terms;
    let known = |name: &str| {
        Some(match meaning.atoms.get(name)? {
            Atom::Points(points) => terms.boolean(points.binary_search(&point).is_ok()),
            Atom::Condition(term, _) => *term,
        })
    };
    tertium_program::state_claim(terms, state, &known).unwrap_or_else(|| terms.boolean(false))
}

/// Why a condition cannot be asked at a point, if that is so.
pub(super) fn unseen(icfg: &Icfg, point: PointId, condition: Term) -> Option<String> {
    let procedure = icfg.point(point).procedure;
    let name = &icfg.procedure(procedure).name;
    let cells = icfg.terms.variables_of(condition).into_iter().filter_map(|variable| icfg.cell(variable));
    for cell in cells {
        if let Some(owner) = cell.owner.filter(|&owner| owner != procedure) {
            let owner = &icfg.procedure(owner).name;
            return Some(format!(
                "`{}` is a variable of {owner}, and this speaks of places in {name} too: tie it to a place, such as `at(LABEL) -> …`",
                cell.name
            ));
        }
    }
    None
}

/// A new point that is reached from a point where the condition holds.
fn watch(icfg: &mut Icfg, point: PointId, condition: Term) -> Result<PointId, String> {
    if let Some(why) = unseen(icfg, point, condition) {
        return Err(why);
    }
    let (procedure, span) = (icfg.point(point).procedure, icfg.point(point).span);
    // No edge leaves from an exit: values are the same just before it.
    let is_exit = point == icfg.procedure(procedure).exit;
    let from = if is_exit { icfg.add_point_before_exit(procedure) } else { point };
    let target = icfg.add_point(procedure, span);
    let step = Step { guard: condition, inputs: Vec::new(), updates: BTreeMap::new() };
    icfg.add_edge(from, target, Action::Step(step), true, span);
    Ok(target)
}
