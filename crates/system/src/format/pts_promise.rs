//! The promises a `.pts` file makes: by the family it declares, and by the concretisations it gives.

use super::faults::quoted;
use super::pts_lexer::written;
use super::pts_resolve::Resolved;
use super::{DomainFault, Family, domain_faults};
use crate::{Modality, PropId, StateId};
use tertium_support::{Complaints, Diagnostic, Id, Span};
use tertium_truth::Belnap;

/// Complains where the system is not of the declared family.
pub(super) fn check_family(resolved: &Resolved, faults: &mut Complaints) {
    let Some(family) = resolved.draft.family else { return };
    check_edges(resolved, family, faults);
    if !family.admits_hyper_musts() {
        for hyper in &resolved.draft.hyper_musts {
            let fault = Diagnostic::error(
                hyper.span,
                format!("the family `{}` has no hyper-musts", family.keyword()),
            );
            faults.push(fault.with_note("declare the family `gkmts`, or name one target"));
        }
    }
    for &(value, span) in resolved.draft.defaults.iter().flatten() {
        if !family.admits_label(value) {
            faults.push(wrong_value(family, value, span));
        }
    }
    for label in resolved.draft.labels.iter().filter(|label| !family.admits_label(label.value)) {
        faults.push(wrong_value(family, label.value, label.span));
    }
}

/// An edge is judged by what all statements about it say together: `may` and `must` make both.
fn check_edges(resolved: &Resolved, family: Family, faults: &mut Complaints) {
    if [Modality::May, Modality::Must].iter().all(|&m| family.admits_edge(m)) {
        return;
    }
    let Resolved { draft, system } = resolved;
    for edge in draft.edges.iter().filter(|edge| edge.modality != Modality::Both) {
        let found = system.transitions().find(edge.source, edge.action, edge.target);
        let modality = found.expect("every edge of the file is in the system");
        if family.admits_edge(modality) {
            continue;
        }
        let source = written(&system.state_name(edge.source)).into_owned();
        let target = written(&system.state_name(edge.target)).into_owned();
        let arrow = match system.actions().name(edge.action) {
            crate::UNLABELLED => "->".to_owned(),
            action => format!("-{}->", written(action)),
        };
        let (message, missing) = match modality {
            Modality::Must => (
                format!("this must is outside may, which the family `{}` does not allow", family.keyword()),
                "may",
            ),
            _ => (
                format!(
                    "this transition is may only, which the family `{}` does not allow",
                    family.keyword()
                ),
                "must",
            ),
        };
        let note = if source.len() + arrow.len() + target.len() < 200 {
            format!("add `{missing} {source} {arrow} {target};`, or write `both`")
        } else {
            "write `both`".to_owned()
        };
        faults.push(Diagnostic::error(edge.span, message).with_note(note));
        if faults.is_full() {
            return;
        }
    }
}

fn wrong_value(family: Family, value: Belnap, span: Span) -> Diagnostic {
    let allowed: Vec<String> =
        Belnap::ALL.into_iter().filter(|&v| family.admits_label(v)).map(|v| v.letter().to_string()).collect();
    Diagnostic::error(span, format!("the family `{}` has no {value} labels", family.keyword()))
        .with_note(format!("the values of a label are {}", allowed.join(", ")))
}

/// Complains where the domain does not fit the system.
pub(super) fn check_domain(resolved: &Resolved, faults: &mut Complaints) {
    let Resolved { draft, system } = resolved;
    let set_of = |state: StateId| {
        draft.gamma.iter().find(|gamma| gamma.state == state).map_or(Span::point(0), |gamma| gamma.span)
    };
    for fault in domain_faults(system) {
        let diagnostic = match fault {
            DomainFault::SameConcretisation(first, second) => {
                let (s, t) = (system.state_name(first), system.state_name(second));
                let message = format!("states {} and {} stand for the same set", quoted(&s), quoted(&t));
                Diagnostic::error(set_of(second), message)
                    .with_related(set_of(first), "the same set")
                    .with_note("precision has to be a partial order: make them one state")
            }
            DomainFault::Uncovered(concrete) => {
                let declared = draft.concretes.order[concrete.index()];
                let place = draft.concretes.declared[declared.index()].unwrap_or_default();
                let name = quoted(draft.concretes.names.name(declared));
                Diagnostic::error(place, format!("no state stands for the concrete state {name}"))
                    .with_note("the abstraction has to be total: put it into the set of some state")
            }
            DomainFault::Disputed(state, prop) => {
                let (s, p) = (system.state_name(state), system.labels().names().name(prop));
                let message = format!(
                    "state {} stands for something, but proposition {} is inconsistent there",
                    quoted(&s),
                    quoted(p)
                );
                Diagnostic::error(value_place(resolved, state, prop), message)
                    .with_related(set_of(state), "this set is not empty")
            }
        };
        faults.push(diagnostic);
        if faults.is_full() {
            return;
        }
    }
}

/// Where the value of a proposition at a state comes from: its literal, else the default.
fn value_place(resolved: &Resolved, state: StateId, prop: PropId) -> Span {
    let draft = &resolved.draft;
    let literal = draft.labels.iter().find(|label| label.state == state && label.prop == prop);
    let default = draft.defaults[prop.index()].map(|(_, span)| span);
    literal.map(|label| label.span).or(default).unwrap_or_default()
}
