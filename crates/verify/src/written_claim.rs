//! A tree of claims that was written, read back in the formulas of a property.
//!
//! The file has claims as texts. Which formulas can stand in a tree about a property is known: its parts, in the form of claims, and
//! for equivalences their parts with both truth values. So texts are looked up, not parsed. Cost: the size of the formula, and of the
//! tree.

use std::collections::BTreeMap;
use tertium_evidence::{Claim, Support};
use tertium_logic::{Formula, FormulaKind, PathOperator, PathQuantifier, as_claim};
use tertium_report::{ClaimReport, StateReport, StepReport, WrittenTree};
use tertium_support::Span;

/// A claim about states as they were written.
pub(crate) type WrittenClaim<'w> = Claim<&'w StateReport, &'w StepReport>;

/// The tree below a claim; nothing if its claims are not all parts of this one. `text` is how formulas are written.
pub(crate) fn written_claim<'w>(
    tree: &'w WrittenTree,
    claim: &Formula,
    text: &dyn Fn(&Formula) -> String,
) -> Option<WrittenClaim<'w>> {
    let mut parts = BTreeMap::new();
    collect(claim, text, &mut parts);
    // That a fair path goes on from the end of one is a claim of its own.
    collect(&lasting(), text, &mut parts);
    let most = parts.len();
    let reader = Reader { claims: &tree.claims, parts };
    reader.claim(0, &tree.initial, most).filter(|root| root.formula == *claim)
}

/// The claims in a tree that nothing shows, since they were computed.
pub(crate) fn computed<'c, 'w>(claim: &'c WrittenClaim<'w>) -> Vec<&'c WrittenClaim<'w>> {
    match &claim.support {
        Support::Here => Vec::new(),
        Support::AllPaths | Support::Omitted => vec![claim],
        Support::Parts(parts) => parts.iter().flat_map(computed).collect(),
        Support::Path { at, .. } => at.iter().flat_map(|(_, claim)| computed(claim)).collect(),
    }
}

/// All claims that a claim may rest on, by their texts: as the user writes them, and as they are written where no language is known.
fn collect(claim: &Formula, text: &dyn Fn(&Formula) -> String, found: &mut BTreeMap<String, Formula>) {
    if found.insert(claim.to_string(), claim.clone()).is_some() {
        return;
    }
    found.insert(text(claim), claim.clone());
    let mut both = |f: &Formula, g: &Formula| {
        for (side, holds) in [(f, true), (f, false), (g, true), (g, false)] {
            collect(&as_claim(side, holds), text, found);
        }
    };
    match &claim.kind {
        FormulaKind::And(parts) | FormulaKind::Or(parts) => {
            parts.iter().for_each(|part| collect(part, text, found));
        }
        FormulaKind::Iff(f, g) => both(f, g),
        FormulaKind::Not(inner) => {
            if let FormulaKind::Iff(f, g) = &inner.kind {
                both(f, g);
            }
        }
        FormulaKind::Modal(_, _, f) => collect(f, text, found),
        FormulaKind::Path(_, operator) => match operator {
            PathOperator::Next(f) | PathOperator::Finally(f) | PathOperator::Globally(f) => {
                collect(f, text, found);
            }
            PathOperator::Until(f, g) | PathOperator::WeakUntil(f, g) | PathOperator::Release(f, g) => {
                collect(&Formula::all(vec![(**f).clone(), (**g).clone()]), text, found);
                [f, g].into_iter().for_each(|part| collect(part, text, found));
            }
        },
        _ => {}
    }
}

/// That some path goes on for ever.
fn lasting() -> Formula {
    let at = |kind| Formula { kind, span: Span::default() };
    let always = PathOperator::Globally(Box::new(at(FormulaKind::True)));
    at(FormulaKind::Path(PathQuantifier::Some, always))
}

struct Reader<'w> {
    claims: &'w [ClaimReport],
    parts: BTreeMap<String, Formula>,
}

impl<'w> Reader<'w> {
    /// The claim of this number, about this state. A claim rests on smaller ones, so it nests no deeper than there are parts.
    fn claim(&self, number: usize, state: &'w StateReport, depth: usize) -> Option<WrittenClaim<'w>> {
        let written = self.claims.get(number)?;
        let depth = depth.checked_sub(1)?;
        debug_assert!(written.parts.iter().all(|&part| part > number), "a tree was read");
        let support = match (&*written.shown_by, &written.path) {
            ("state", _) => Support::Here,
            ("all_paths", _) => Support::AllPaths,
            ("omitted", _) => Support::Omitted,
            ("parts", _) => {
                let parts = written.parts.iter().map(|&part| self.claim(part, state, depth));
                Support::Parts(parts.collect::<Option<_>>()?)
            }
            ("path", Some(path)) => {
                let along = written.along.iter().map(|along| {
                    let about = path.states.get(along.state)?;
                    Some((along.state, self.claim(along.claim, about, depth)?))
                });
                Support::Path { trace: path.written(), at: along.collect::<Option<_>>()? }
            }
            _ => return None,
        };
        Some(Claim { formula: self.parts.get(&written.formula)?.clone(), state, support })
    }
}
