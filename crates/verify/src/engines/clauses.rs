//! Questions about programs with procedures as Horn clauses, for other solvers.

use crate::{Asked, Goal, Halt, Opening};
use tertium_evidence::{Document, DocumentKind};
use tertium_recursion::{Entries, Horn};
use tertium_support::Span;

/// The clauses of a question, if they are wanted. They can be satisfied iff no run leads to what is asked for.
pub(super) fn documents(opening: Opening<'_>, asked: Asked<'_>) -> Result<Vec<Document>, Halt> {
    let Opening { context, model, options, .. } = opening;
    if !options.documents.contains(&DocumentKind::Clauses) {
        return Ok(Vec::new());
    }
    let Some(offer) = model.procedures() else { return Ok(Vec::new()) };
    let Some(posed) = offer.pose(context, asked.property, asked.logic)? else { return Ok(Vec::new()) };
    let Goal::Reach { targets, .. } = &posed.goal else { return Ok(Vec::new()) };
    let all: Vec<_> = targets.iter().chain(&posed.unsupported).copied().collect();
    let clauses = Horn::new(&posed.icfg, &Entries::new(&posed.icfg), &all);
    let place = |span: Span| offer.place(span);
    Ok(vec![Document { kind: DocumentKind::Clauses, text: clauses.text(&posed.icfg, &place) }])
}
