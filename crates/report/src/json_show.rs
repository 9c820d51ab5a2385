//! From evidence to its JSON form.

use crate::Detail;
use crate::blocking::{culprit_text, remedy, way};
use crate::evidence::Role;
use crate::formula_text::FormulaText;
use crate::json_evidence::{
    CulpritReport, EvidenceReport, FormulaReport, MoveReport, PositionReport, RankReport,
};
use crate::json_path::{claim_reports, path_report, state_report};
use crate::names::state_name;
use crate::summaries::summaries_report;
use tertium_evidence::{
    Blocking, By, Culprit, Evidence, Move, Names, Origin, PositionId, Ranking, Stage, Strategy, as_trace,
    claim_as_trace,
};
use tertium_logic::NodeId;
use tertium_support::Id;

/// Strategies with more claims than this are given in full only on demand: each takes some 300 bytes.
const MANY_CLAIMS: usize = 10_000;

/// Evidence as data.
pub(crate) fn evidence_report(
    names: &dyn Names,
    origin: Origin,
    evidence: &Evidence,
    role: Role,
    detail: Detail,
) -> EvidenceReport {
    let (word, view) = (role.word(), JsonView { names, detail });
    match evidence {
        Evidence::Trace(trace) => EvidenceReport::Trace { role: word, path: path_report(names, trace) },
        Evidence::Tree(claim) => match claim_as_trace(claim) {
            Some(trace) => EvidenceReport::Trace { role: word, path: path_report(names, &trace) },
            None => EvidenceReport::Tree {
                role: word,
                initial: state_report(names, claim.state),
                claims: claim_reports(names, claim),
            },
        },
        Evidence::Proof(strategy) | Evidence::Refutation(strategy) => view.strategy(word, strategy),
        Evidence::Contradiction { proof, refutation } => EvidenceReport::Contradiction {
            proof: Box::new(view.strategy(Role::Witness.word(), proof)),
            refutation: Box::new(view.strategy(Role::Counterexample.word(), refutation)),
        },
        Evidence::Invariant(conditions) => EvidenceReport::Invariant { conditions: conditions.clone() },
        Evidence::InductiveSet { nodes } => EvidenceReport::InductiveSet { nodes: *nodes },
        Evidence::Summaries(summaries) => summaries_report(summaries),
        Evidence::WholeRun { instructions } => EvidenceReport::WholeRun { instructions: *instructions },
        Evidence::Enumeration { refinements } => EvidenceReport::Enumeration { refinements: *refinements },
        Evidence::Open(blocking) => open(names, origin, blocking),
    }
}

fn open(names: &dyn Names, origin: Origin, blocking: &Blocking) -> EvidenceReport {
    EvidenceReport::Open {
        way: path_report(names, &way(blocking)),
        culprit: match blocking.culprit {
            Culprit::MayOnly { source, action, target } => CulpritReport::MayOnly {
                source: state_name(names, source),
                action: names.step_between(source, action, target).action,
                target: state_name(names, target),
            },
            Culprit::Label { state, proposition } => CulpritReport::Label {
                state: state_name(names, state),
                proposition: names.proposition(proposition),
            },
            Culprit::MissingProposition { state } => {
                CulpritReport::MissingProposition { state: state_name(names, state) }
            }
        },
        text: culprit_text(names, blocking.culprit),
        next: remedy(names, blocking.culprit, origin),
    }
}

fn rank_reports(ranking: &Ranking) -> Vec<RankReport> {
    let name = |&rank: &usize| ranking.steps.name(rank).to_owned();
    let report = |(fixpoint, ranks): &(NodeId, Vec<usize>)| RankReport {
        formula: fixpoint.index(),
        ranks: ranks.iter().map(name).collect(),
    };
    ranking.uses.iter().map(report).collect()
}

struct JsonView<'a> {
    names: &'a dyn Names,
    detail: Detail,
}

impl JsonView<'_> {
    fn strategy(&self, role: &'static str, strategy: &Strategy) -> EvidenceReport {
        if let Some(trace) = as_trace(strategy) {
            return EvidenceReport::Trace { role, path: path_report(self.names, &trace) };
        }
        let text = FormulaText::new(strategy.formula());
        let is_fixpoint: Vec<NodeId> = text.fixpoints().collect();
        let formula = |id: NodeId| FormulaReport {
            text: text.node(id),
            definition: is_fixpoint.binary_search(&id).is_ok().then(|| text.definition(id)),
        };
        EvidenceReport::Strategy {
            role,
            formulas: NodeId::first(strategy.formula().n_nodes()).map(formula).collect(),
            roots: strategy.roots().iter().map(|root| root.index()).collect(),
            ranks: strategy.ranking().map_or(Vec::new(), rank_reports),
            n_claims: strategy.n_positions(),
            claims: self.claims(strategy),
        }
    }

    fn claims(&self, strategy: &Strategy) -> Option<Vec<PositionReport>> {
        let n = strategy.n_positions();
        let wanted = n <= MANY_CLAIMS || self.detail == Detail::Full;
        wanted.then(|| PositionId::first(n).map(|id| self.claim(strategy, id)).collect())
    }

    fn claim(&self, strategy: &Strategy, id: PositionId) -> PositionReport {
        let position = strategy.position(id);
        PositionReport {
            state: state_name(self.names, position.state),
            formula: position.node.index(),
            stage: match position.stage {
                Stage::Node => "node",
                Stage::Modality => "modality",
                Stage::Argument => "argument",
            },
            moves: strategy.moves(id).iter().map(|step| self.step(strategy, id, step)).collect(),
        }
    }

    fn step(&self, strategy: &Strategy, from: PositionId, step: &Move) -> MoveReport {
        let state = |position| strategy.position(position).state;
        let (by, action, concrete) = match step.by {
            By::Unfolding => ("unfolding", None, None),
            By::Step(action) => {
                ("step", Some(self.names.step_between(state(from), action, state(step.to)).action), None)
            }
            By::Standing(concrete) => ("standing", None, Some(self.names.concrete(concrete))),
        };
        MoveReport { by, action, concrete, to: step.to.index() }
    }
}
