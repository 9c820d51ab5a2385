//! Extracting the prover's strategy from what the checker recorded: evidence that a formula is necessarily true.
//!
//! What a strategy is stands in [`tertium_evidence::Strategy`]; `validate` checks one without this module's help.

use crate::equations::{EquationId, Equations, Operator};
use crate::necessity::{MustStep, Necessity};
use tertium_evidence::{By, PositionId, Stage, Strategy};
use tertium_logic::FormulaGraph;
use tertium_support::{Context, Id, StopReason};
use tertium_system::{Domain, PartialSystem, StateId};

/// What extraction follows.
pub(crate) struct Proof<'a> {
    pub(crate) system: &'a PartialSystem,
    pub(crate) domain: Option<&'a Domain>,
    pub(crate) equations: &'a Equations,
    pub(crate) necessity: &'a Necessity,
}

/// The part of the prover's strategy that is reachable from the root at these states, where it holds. Breadth-first.
pub(crate) fn extract(
    context: &Context,
    proof: &Proof<'_>,
    formula: FormulaGraph,
    states: &[StateId],
) -> Result<Strategy, StopReason> {
    let n = proof.system.n_states();
    let mut ticker = context.ticker("collecting evidence");
    let mut known: Vec<Vec<u32>> = vec![Vec::new(); proof.equations.len()];
    let mut queue: Vec<(EquationId, StateId)> = Vec::new();
    let mut number = |queue: &mut Vec<(EquationId, StateId)>, id: EquationId, state: StateId| {
        let row = &mut known[id.index()];
        if row.is_empty() {
            row.resize(n, u32::MAX);
        }
        if row[state.index()] == u32::MAX {
            row[state.index()] = queue.len() as u32;
            queue.push((id, state));
        }
        PositionId::from_raw(row[state.index()])
    };
    let root = proof.equations.root();
    let roots = states.iter().map(|&state| number(&mut queue, root, state)).collect();
    let mut strategy = Strategy::new(formula, roots);
    let mut support: Vec<(By, EquationId, StateId)> = Vec::new();
    let mut at = 0;
    while at < queue.len() {
        let (id, state) = queue[at];
        at += 1;
        debug_assert!(proof.necessity.contains(id, state), "strategies stay where claims hold");
        let node = proof.equations.node(id);
        let stage = stage(strategy.formula().n_nodes(), proof.equations, id);
        strategy.claim(node, stage, state);
        support.clear();
        proof.support(id, state, &mut support);
        if strategy.n_moves() + support.len() >= u32::MAX as usize {
            return Err(StopReason::MemoryLimit);
        }
        ticker.tick(1 + support.len())?;
        for &(by, operand, target) in &support {
            let to = number(&mut queue, operand, target);
            strategy.support(by, to);
        }
    }
    Ok(strategy)
}

fn stage(n_nodes: usize, equations: &Equations, id: EquationId) -> Stage {
    match equations.operator(id) {
        _ if id.index() < n_nodes => Stage::Node,
        Operator::Cover(_) => Stage::Argument,
        _ => Stage::Modality,
    }
}

impl Proof<'_> {
    /// The claims that support one that holds.
    fn support(&self, id: EquationId, state: StateId, support: &mut Vec<(By, EquationId, StateId)>) {
        let necessity = self.necessity;
        match self.equations.operator(id) {
            Operator::Constant(_) | Operator::Literal { .. } => {}
            Operator::And(operands) => {
                support.extend(operands.iter().map(|&operand| (By::Unfolding, operand, state)));
            }
            Operator::Or(_) => {
                support.push((By::Unfolding, necessity.operand(self.equations, id, state), state));
            }
            Operator::Fixpoint { body, .. } => support.push((By::Unfolding, *body, state)),
            Operator::Diamond(_, body) => match necessity.step(self.system, self.equations, id, state) {
                MustStep::Single(action, target) => support.push((By::Step(action), *body, target)),
                MustStep::Hyper(position) => {
                    let (action, targets) = self.system.hyper_musts().at(position);
                    support.extend(targets.iter().map(|&target| (By::Step(action), *body, target)));
                }
            },
            Operator::Box(set, body) => {
                let actions = self.equations.actions(*set);
                let mays = self.system.may(state).filter(|&(action, _)| actions.contains(action));
                support.extend(mays.map(|(action, target)| (By::Step(action), *body, target)));
            }
            Operator::Cover(body) => {
                let domain = self.domain.expect("covers occur only where a domain is given");
                support.extend(domain.gamma(state).iter().map(|concrete| {
                    let standing = necessity.pick(domain, self.equations, id, concrete);
                    (By::Standing(concrete), *body, standing)
                }));
            }
        }
    }
}
