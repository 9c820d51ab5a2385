//! Questions about programs with procedures as Horn clauses, for other solvers.

use crate::{Goal, Halt, Model, PropertyId};
use tertium_evidence::{Document, DocumentKind};
use tertium_recursion::{Entries, Horn};
use tertium_support::{Context, Id, Span};

/// The clauses of a question; they can be satisfied iff no run leads to what is asked for. Nothing if clauses cannot ask this.
pub(crate) fn clauses(
    context: &Context,
    model: &dyn Model,
    property: PropertyId,
) -> Result<Option<Document>, Halt> {
    let Some(offer) = model.procedures() else { return Ok(None) };
    let logic = &model.properties()[property.index()].logic;
    let Some(posed) = offer.pose(context, property, logic)? else { return Ok(None) };
    let Goal::Reach { targets, .. } = &posed.goal else { return Ok(None) };
    let all: Vec<_> = targets.iter().chain(&posed.unsupported).copied().collect();
    let clauses = Horn::new(&posed.icfg, &Entries::new(&posed.icfg), &all);
    let place = |span: Span| offer.place(span);
    Ok(Some(Document { kind: DocumentKind::Clauses, text: Ok(clauses.text(&posed.icfg, &place)) }))
}
