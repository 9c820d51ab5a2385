//! Evidence as JSON. The fields are described in docs/formats/json.md.

use crate::blocking::{culprit_text, remedy};
use crate::formula_text::FormulaText;
use crate::names::{changed, value_word};
use crate::variable_run::{ClaimTreeReport, RunEvidenceReport};
use crate::{Detail, Origin};
use serde::Serialize;
use serde_json::{Map, Value};
use tertium_evidence::{Blocking, By, Culprit, Evidence, Move, PositionId, Stage, Strategy, Trace, as_trace};
use tertium_logic::NodeId;
use tertium_support::Id;
use tertium_system::{ActionId, PartialSystem, StateId};

/// Evidence of any kind; `kind` says which.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum EvidenceReport {
    /// A path or a lasso.
    Trace {
        /// `witness` or `counterexample`.
        role: &'static str,
        /// The first state.
        start: String,
        /// Its labels.
        labels: Map<String, Value>,
        /// The steps.
        steps: Vec<StepReport>,
        /// For a lasso: the number of steps before the loop.
        loop_start: Option<usize>,
    },
    /// A graph of claims.
    Strategy {
        /// `witness` or `counterexample`.
        role: &'static str,
        /// What claims speak of, by number.
        formulas: Vec<FormulaReport>,
        /// The numbers of the claims that answer the question.
        roots: Vec<usize>,
        /// How many claims there are.
        n_claims: usize,
        /// The claims; none if there are very many and not all were asked for.
        claims: Option<Vec<ClaimReport>>,
    },
    /// What leaves the answer open.
    Open {
        /// The initial state.
        start: String,
        /// The steps from there.
        steps: Vec<OpenStepReport>,
        /// What is open.
        culprit: CulpritReport,
        /// A sentence.
        text: String,
        /// What would settle it.
        next: String,
    },
    /// A proof and a refutation.
    Contradiction {
        /// The proof.
        proof: Box<EvidenceReport>,
        /// The refutation.
        refutation: Box<EvidenceReport>,
    },
    /// A run of a model with variables.
    Run {
        /// `witness` or `counterexample`.
        role: &'static str,
        /// The run.
        #[serde(flatten)]
        run: RunEvidenceReport,
    },
    /// A tree of claims about a model with variables.
    Tree {
        /// `witness` or `counterexample`.
        role: &'static str,
        /// The values in the initial state.
        initial: Map<String, Value>,
        /// The claim about it.
        claim: ClaimTreeReport,
    },
    /// All refinements were looked at.
    Enumeration {
        /// How many there are.
        refinements: u64,
    },
}

/// One step of a trace.
#[derive(Clone, Debug, Serialize)]
pub struct StepReport {
    /// The action; empty for a step without one.
    pub action: String,
    /// The state it leads to.
    pub state: String,
    /// The labels that changed.
    pub labels: Map<String, Value>,
}

/// One step towards what is open.
#[derive(Clone, Debug, Serialize)]
pub struct OpenStepReport {
    /// The action; empty for a step without one.
    pub action: String,
    /// The state it leads to.
    pub state: String,
}

/// A sub-formula that claims speak of.
#[derive(Clone, Debug, Serialize)]
pub struct FormulaReport {
    /// The sub-formula, with fixpoints by the names of their variables.
    pub text: String,
    /// For a fixpoint: the variable with what it unfolds to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub definition: Option<String>,
}

/// One claim of a strategy.
#[derive(Clone, Debug, Serialize)]
pub struct ClaimReport {
    /// The state.
    pub state: String,
    /// The number of the sub-formula that is claimed to hold there.
    pub formula: usize,
    /// `node`, or under reduced semantics `modality` or `argument`.
    pub stage: &'static str,
    /// What supports it.
    pub moves: Vec<MoveReport>,
}

/// A supporting claim.
#[derive(Clone, Debug, Serialize)]
pub struct MoveReport {
    /// `unfolding`, `step` or `standing`.
    pub by: &'static str,
    /// The action of a step; empty for a step without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// The concrete state that both stand for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub concrete: Option<String>,
    /// The number of the supporting claim.
    pub to: usize,
}

/// What is open.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum CulpritReport {
    /// A step that is possible and not guaranteed.
    MayOnly {
        /// Its source.
        source: String,
        /// Its action; empty for none.
        action: String,
        /// Its target.
        target: String,
    },
    /// A label that is not known.
    Label {
        /// The state.
        state: String,
        /// The proposition.
        proposition: String,
    },
    /// A proposition that the system does not have.
    MissingProposition {
        /// The state where it mattered.
        state: String,
    },
}

/// Strategies with more claims than this are given in full only on demand: each takes some 300 bytes.
const MANY_CLAIMS: usize = 10_000;

/// Evidence as data.
pub(crate) fn evidence_report(
    system: &PartialSystem,
    origin: Origin,
    evidence: &Evidence,
    detail: Detail,
) -> EvidenceReport {
    let names = Names(system, detail, origin);
    match evidence {
        Evidence::Proof(strategy) => names.strategy("witness", strategy),
        Evidence::Refutation(strategy) => names.strategy("counterexample", strategy),
        Evidence::Open(blocking) => names.open(blocking),
        Evidence::Contradiction { proof, refutation } => EvidenceReport::Contradiction {
            proof: Box::new(names.strategy("witness", proof)),
            refutation: Box::new(names.strategy("counterexample", refutation)),
        },
        Evidence::Enumeration { refinements } => EvidenceReport::Enumeration { refinements: *refinements },
    }
}

struct Names<'a>(&'a PartialSystem, Detail, Origin);

impl Names<'_> {
    fn state(&self, state: StateId) -> String {
        self.0.state_name(state).into_owned()
    }

    fn action(&self, action: ActionId) -> String {
        self.0.actions().name(action).to_owned()
    }

    fn labels(&self, before: Option<StateId>, state: StateId) -> Map<String, Value> {
        let names = self.0.labels().names();
        changed(self.0, before, state)
            .map(|(prop, value)| (names.name(prop).to_owned(), value_word(value).into()))
            .collect()
    }

    fn strategy(&self, role: &'static str, strategy: &Strategy) -> EvidenceReport {
        if let Some(trace) = as_trace(strategy) {
            return self.trace(role, &trace);
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
            n_claims: strategy.n_positions(),
            claims: self.claims(strategy),
        }
    }

    fn claims(&self, strategy: &Strategy) -> Option<Vec<ClaimReport>> {
        let n = strategy.n_positions();
        let wanted = n <= MANY_CLAIMS || self.1 == Detail::Full;
        wanted.then(|| PositionId::first(n).map(|id| self.claim(strategy, id)).collect())
    }

    fn claim(&self, strategy: &Strategy, id: PositionId) -> ClaimReport {
        let position = strategy.position(id);
        ClaimReport {
            state: self.state(position.state),
            formula: position.node.index(),
            stage: match position.stage {
                Stage::Node => "node",
                Stage::Modality => "modality",
                Stage::Argument => "argument",
            },
            moves: strategy.moves(id).iter().map(|step| self.step(step)).collect(),
        }
    }

    fn step(&self, step: &Move) -> MoveReport {
        let (by, action, concrete) = match step.by {
            By::Unfolding => ("unfolding", None, None),
            By::Step(action) => ("step", Some(self.action(action)), None),
            By::Standing(concrete) => {
                let domain = self.0.domain_or_flat();
                ("standing", None, Some(domain.concrete().name(concrete).to_owned()))
            }
        };
        MoveReport { by, action, concrete, to: step.to.index() }
    }

    fn trace(&self, role: &'static str, trace: &Trace) -> EvidenceReport {
        let states: Vec<StateId> = trace.states().collect();
        let step = |(index, &(action, state)): (usize, &(ActionId, StateId))| StepReport {
            action: self.action(action),
            state: self.state(state),
            labels: self.labels(Some(states[index]), state),
        };
        EvidenceReport::Trace {
            role,
            start: self.state(trace.start),
            labels: self.labels(None, trace.start),
            steps: trace.steps.iter().enumerate().map(step).collect(),
            loop_start: trace.loop_start,
        }
    }

    fn open(&self, blocking: &Blocking) -> EvidenceReport {
        let step =
            |&(action, state)| OpenStepReport { action: self.action(action), state: self.state(state) };
        EvidenceReport::Open {
            start: self.state(blocking.start),
            steps: blocking.steps.iter().map(step).collect(),
            culprit: match blocking.culprit {
                Culprit::MayOnly { source, action, target } => CulpritReport::MayOnly {
                    source: self.state(source),
                    action: self.action(action),
                    target: self.state(target),
                },
                Culprit::Label { state, proposition } => CulpritReport::Label {
                    state: self.state(state),
                    proposition: self.0.labels().names().name(proposition).to_owned(),
                },
                Culprit::MissingProposition { state } => {
                    CulpritReport::MissingProposition { state: self.state(state) }
                }
            },
            text: culprit_text(self.0, blocking.culprit),
            next: remedy(self.0, blocking.culprit, self.2),
        }
    }
}
