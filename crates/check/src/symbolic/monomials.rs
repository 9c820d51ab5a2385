//! The mu-calculus on monomial systems: standard and reduced inductive semantics on decision diagrams.
//!
//! A value is a pair ⟨U, O⟩: where the formula is proved, and where it is not refuted. The source \[Wei09, Fig. 5.4\]
//! keeps it as one diagram with a variable to select; here it is two diagrams per location. Nothing is shared between U
//! and O but by chance, negation changes them against each other without any work, and locations whose successors did
//! not change since the last time need no new pre-image.
//!
//! - *Reduced*: sets of minterms. Before a must pre-image, U becomes the set of monomials that lie within it, as far as the step can leave
//!   predicates open. May steps lead into minterms, so nothing is to be done for O.
//! - *Standard*: sets of monomials. A monomial may go where one of its inhabited minterms may.
//!
//! Minterms that stand for nothing count as proved before a reduction, and monomials have no may step because of them.
//!
//! Fixpoints are iterated from the bottom or top on all locations at once. An iteration counts if it changes something,
//! as the source counts.

use crate::Semantics;
use rustc_hash::FxHashMap;
use std::time::Duration;
use tertium_dd::{Bdd, Manager, Renaming, VarSet};
use tertium_logic::{ActionFormula, Formula, FormulaGraph, Node, NodeId, Sign};
use tertium_support::{Context, Id, StopReason};
use tertium_system::ActionId;
use tertium_system::monomials::{
    LocationId, MonomialMove, MonomialSystem, MonomialVariables, Reduction, monomial_must,
};
use tertium_truth::{Belnap, Cause, Verdict};

/// Where a formula is proved and where it is not refuted, by location. Over minterms under reduced semantics, over
/// monomials under standard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonomialLabelling {
    /// Where it is proved.
    pub must: Vec<Bdd>,
    /// Where it is not refuted.
    pub may: Vec<Bdd>,
}

/// A labelling with what it took.
#[derive(Clone, Debug)]
pub struct MonomialOutcome {
    /// The value everywhere.
    pub labelling: MonomialLabelling,
    /// What it says of the initial states.
    pub verdict: Verdict,
    /// How many iterations of fixpoints changed something.
    pub n_iterations: u64,
    /// The time that went into reduction.
    pub reducing: Duration,
}

/// A monomial system made ready for one semantics.
pub struct MonomialChecker<'a> {
    context: &'a Context,
    system: &'a MonomialSystem,
    standard: bool,
    inhabited: Vec<Bdd>,
    steps: Vec<Steps>,
    labels: Vec<MonomialLabelling>,
    reductions: Vec<Reduction>,
    everything: Reduction,
    closed: Closed,
    reducing: Duration,
}

/// The steps that leave a location.
struct Steps {
    may: Vec<Step>,
    must: Vec<Step>,
}

struct Step {
    action: ActionId,
    target: usize,
    relation: Bdd,
    /// From current to next variables of what changes.
    renaming: Renaming,
    /// The next variables of what changes.
    next: VarSet,
    /// The reduction for what the step can leave open.
    reduction: Option<usize>,
}

/// The point where nothing is left open.
struct Closed {
    nothing_open: Bdd,
    openness: VarSet,
}

impl<'a> MonomialChecker<'a> {
    /// Makes the relations ready. Thorough semantics is not for diagrams; it counts as the reduced one.
    pub fn new(
        context: &'a Context,
        system: &'a MonomialSystem,
        semantics: Semantics,
    ) -> Result<Self, StopReason> {
        let frame = &system.frame;
        let manager = frame.manager();
        let standard = semantics == Semantics::Sis;
        let mut numbers: FxHashMap<Vec<usize>, usize> = FxHashMap::default();
        let mut reductions = Vec::new();
        let mut steps = Vec::new();
        for location in &system.locations {
            context.poll()?;
            let may = location.may.iter().map(|step| plain_step(system, step, step.relation.clone(), false));
            let must = location.must.iter().map(|step| {
                if standard {
                    return plain_step(system, step, monomial_must(system, location, step)?, true);
                }
                let (mut made, open) = reducing_step(system, step)?;
                if !open.is_empty() {
                    let fresh = reductions.len();
                    let number = *numbers.entry(open.clone()).or_insert(fresh);
                    if number == fresh {
                        reductions.push(Reduction::new(frame, open));
                    }
                    made.reduction = Some(number);
                }
                Ok(made)
            });
            steps.push(Steps {
                may: may.collect::<Result<_, StopReason>>()?,
                must: must.collect::<Result<_, StopReason>>()?,
            });
        }
        let inhabited =
            system.locations.iter().map(|location| system.inhabited(location)).collect::<Result<_, _>>()?;
        let closed = Closed {
            nothing_open: Bdd::cube(manager, frame.iter().map(|own| (own.open, false)))?,
            openness: manager.var_set(frame.iter().map(|own| own.open))?,
        };
        let mut checker = Self {
            context,
            system,
            standard,
            inhabited,
            steps,
            labels: Vec::new(),
            reductions,
            everything: Reduction::of_all(frame),
            closed,
            reducing: Duration::ZERO,
        };
        for proposition in 0..system.propositions.len() {
            let label = checker.label(proposition)?;
            checker.labels.push(label);
        }
        Ok(checker)
    }

    /// Where a proposition holds.
    fn label(&mut self, proposition: usize) -> Result<MonomialLabelling, StopReason> {
        let mut label = MonomialLabelling { must: Vec::new(), may: Vec::new() };
        for (location, inhabited) in self.system.locations.iter().zip(&self.inhabited) {
            debug_assert_eq!(
                location.labels.len(),
                self.system.propositions.len(),
                "every proposition has a label"
            );
            let own = &location.labels[proposition];
            if self.standard {
                label.must.push(self.everything.within(&own.must.or(&inhabited.not())?)?);
                label.may.push(self.everything.touching(&own.may.and(inhabited)?)?);
            } else {
                label.must.push(own.must.clone());
                label.may.push(own.may.clone());
            }
        }
        Ok(label)
    }

    /// The value of a closed formula everywhere.
    pub fn evaluate(&mut self, formula: &Formula) -> Result<MonomialOutcome, StopReason> {
        let graph = FormulaGraph::new(formula);
        let before = self.reducing;
        let mut evaluation = Evaluation {
            reach: reach(&graph),
            known: vec![None; graph.n_nodes()],
            memories: vec![None; graph.n_nodes()],
            open: FxHashMap::default(),
            n_iterations: 0,
            checker: self,
            graph: &graph,
        };
        let labelling = evaluation.value(graph.root())?;
        let n_iterations = evaluation.n_iterations;
        let verdict = self.verdict(&labelling)?;
        Ok(MonomialOutcome { labelling, verdict, n_iterations, reducing: self.reducing - before })
    }

    /// True if proved at all initial states, false if refuted at one that certainly is one.
    fn verdict(&self, labelling: &MonomialLabelling) -> Result<Verdict, StopReason> {
        let (mut proved, mut refuted, mut perhaps_refuted) = (true, false, false);
        for (at, location) in self.system.locations.iter().enumerate() {
            let must = self.at_minterms(&labelling.must[at])?;
            let may = self.at_minterms(&labelling.may[at])?;
            proved &= location.initial.is_subset(&must)?;
            refuted |= !location.surely_initial.is_subset(&may)?;
            perhaps_refuted |= !location.initial.is_subset(&may)?;
        }
        Ok(match (proved, refuted) {
            (true, true) => Verdict::Unknown(Cause::Inconsistent),
            (true, false) => Verdict::True,
            (false, true) => Verdict::False,
            // It fails where the program may begin, if only the solver knew whether it does.
            (false, false) if perhaps_refuted => Verdict::Unknown(Cause::Solver),
            (false, false) => Verdict::Unknown(Cause::Imprecise),
        })
    }

    /// The value at one minterm of a location.
    pub fn at(&self, labelling: &MonomialLabelling, location: LocationId, values: &[bool]) -> Belnap {
        let by_var: FxHashMap<_, bool> =
            self.system.frame.iter().zip(values).map(|(own, &value)| (own.value, value)).collect();
        let holds = |set: &Bdd| set.eval(|var| by_var.get(&var) == Some(&true));
        Belnap::from_bits(holds(&labelling.must[location.index()]), holds(&labelling.may[location.index()]))
    }

    fn manager(&self) -> &'a Manager {
        self.system.frame.manager()
    }

    fn everywhere(&self, value: bool) -> MonomialLabelling {
        let sets = vec![self.manager().constant(value); self.steps.len()];
        MonomialLabelling { must: sets.clone(), may: sets }
    }

    /// The minterms of a set.
    fn at_minterms(&self, set: &Bdd) -> Result<Bdd, StopReason> {
        if self.standard {
            set.and_exists(&self.closed.nothing_open, &self.closed.openness)
        } else {
            Ok(set.clone())
        }
    }

    /// Where some must step of these actions leads into `must`, and some may step into `may`. What was found `before`
    /// is used where it applies.
    fn diamond(
        &mut self,
        actions: &[bool],
        value: &MonomialLabelling,
        before: Option<&(MonomialLabelling, MonomialLabelling)>,
    ) -> Result<MonomialLabelling, StopReason> {
        let n = self.steps.len();
        debug_assert_eq!(actions.len(), self.system.actions.len(), "every action is chosen or not");
        debug_assert!(value.must.len() == n && value.may.len() == n, "a value has sets for every location");
        let changed = |at: usize, side: fn(&MonomialLabelling) -> &Vec<Bdd>| {
            before.is_none_or(|(old, _)| side(old)[at] != side(value)[at])
        };
        let must_changed: Vec<bool> = (0..n).map(|at| changed(at, |value| &value.must)).collect();
        let may_changed: Vec<bool> = (0..n).map(|at| changed(at, |value| &value.may)).collect();
        let mut result = before.map_or_else(|| self.everywhere(false), |(_, result)| result.clone());
        for at in 0..n {
            if self.steps[at].must.iter().any(|step| must_changed[step.target]) {
                result.must[at] = self.must_diamond(at, actions, &value.must)?;
            }
            if self.steps[at].may.iter().any(|step| may_changed[step.target]) {
                result.may[at] = self.may_diamond(at, actions, &value.may)?;
            }
        }
        Ok(result)
    }

    fn must_diamond(&mut self, at: usize, actions: &[bool], sets: &[Bdd]) -> Result<Bdd, StopReason> {
        let mut any = self.manager().constant(false);
        for step in self.steps[at].must.iter().filter(|step| actions[step.action.index()]) {
            let set = &sets[step.target];
            let reduced = match step.reduction {
                None => set.clone(),
                Some(number) => {
                    let started = self.context.elapsed();
                    let set = set.or(&self.inhabited[step.target].not())?;
                    let reduced = self.reductions[number].within(&set)?;
                    self.reducing += self.context.elapsed().saturating_sub(started);
                    reduced
                }
            };
            any = any.or(&step.before(&reduced)?)?;
        }
        Ok(any)
    }

    fn may_diamond(&mut self, at: usize, actions: &[bool], sets: &[Bdd]) -> Result<Bdd, StopReason> {
        let mut any = self.manager().constant(false);
        for step in self.steps[at].may.iter().filter(|step| actions[step.action.index()]) {
            any = any.or(&step.before(&self.at_minterms(&sets[step.target])?)?)?;
        }
        if self.standard { self.everything.touching(&any.and(&self.inhabited[at])?) } else { Ok(any) }
    }
}

impl Step {
    /// What leads into a set by one step.
    fn before(&self, set: &Bdd) -> Result<Bdd, StopReason> {
        if set.is_false() {
            return Ok(set.clone());
        }
        set.rename(self.renaming)?.and_exists(&self.relation, &self.next)
    }
}

/// A step whose relation says everything about what changes: about values, and about openness if asked.
fn plain_step(
    system: &MonomialSystem,
    step: &MonomialMove,
    relation: Bdd,
    openness: bool,
) -> Result<Step, StopReason> {
    make_step(system, step, relation, |_| openness)
}

/// A must step into monomials, with the predicates that it can leave open. Of the others it need not be said that they are not.
fn reducing_step(system: &MonomialSystem, step: &MonomialMove) -> Result<(Step, Vec<usize>), StopReason> {
    let manager = system.frame.manager();
    let (mut open, mut definite) = (Vec::new(), Vec::new());
    for &predicate in &step.changed {
        let next_open = system.frame.get(predicate).next_open;
        if step.relation.is_disjoint(&manager.var(next_open)?)? {
            definite.push(next_open);
        } else {
            open.push(predicate);
        }
    }
    let relation = step.relation.exists(&manager.var_set(definite)?)?;
    Ok((make_step(system, step, relation, |predicate| open.contains(&predicate))?, open))
}

fn make_step(
    system: &MonomialSystem,
    step: &MonomialMove,
    relation: Bdd,
    openness: impl Fn(usize) -> bool,
) -> Result<Step, StopReason> {
    let manager = system.frame.manager();
    let mut pairs = Vec::new();
    for &predicate in &step.changed {
        let MonomialVariables { open, value, next_open, next_value } = system.frame.get(predicate);
        pairs.push((value, next_value));
        if openness(predicate) {
            pairs.push((open, next_open));
        }
    }
    Ok(Step {
        action: step.action,
        target: step.target.index(),
        relation,
        renaming: manager.renaming(pairs.iter().copied()),
        next: manager.var_set(pairs.iter().map(|&(_, next)| next))?,
        reduction: None,
    })
}

struct Evaluation<'c, 'a> {
    checker: &'c mut MonomialChecker<'a>,
    graph: &'c FormulaGraph,
    /// The fixpoints that each node refers to, directly or not.
    reach: Vec<Vec<NodeId>>,
    /// Values of nodes that refer to no fixpoint that is being iterated.
    known: Vec<Option<MonomialLabelling>>,
    /// By modality, the last argument and result.
    memories: Vec<Option<(MonomialLabelling, MonomialLabelling)>>,
    /// The fixpoints that are being iterated, with the present value.
    open: FxHashMap<NodeId, MonomialLabelling>,
    n_iterations: u64,
}

impl Evaluation<'_, '_> {
    fn value(&mut self, id: NodeId) -> Result<MonomialLabelling, StopReason> {
        if let Some(present) = self.open.get(&id) {
            return Ok(present.clone());
        }
        let is_closed = !self.reach[id.index()].iter().any(|fixpoint| self.open.contains_key(fixpoint));
        if is_closed && let Some(known) = &self.known[id.index()] {
            return Ok(known.clone());
        }
        let value = self.compute(id)?;
        if is_closed {
            self.known[id.index()] = Some(value.clone());
        }
        Ok(value)
    }

    fn compute(&mut self, id: NodeId) -> Result<MonomialLabelling, StopReason> {
        let graph = self.graph;
        match graph.node(id) {
            Node::True => Ok(self.checker.everywhere(true)),
            Node::False => Ok(self.checker.everywhere(false)),
            Node::Literal { proposition, negated } => {
                let name = graph.propositions().name(*proposition);
                let value = match self.checker.system.propositions.get(name) {
                    Some(own) => self.checker.labels[own.index()].clone(),
                    // A proposition that the system does not have is unknown everywhere.
                    None => MonomialLabelling {
                        must: self.checker.everywhere(false).must,
                        may: self.checker.everywhere(true).may,
                    },
                };
                Ok(if *negated { negation(value) } else { value })
            }
            Node::And(parts) => self.fold(parts, true, Bdd::and),
            Node::Or(parts) => self.fold(parts, false, Bdd::or),
            Node::Diamond(actions, body) => {
                let value = self.value(*body)?;
                self.diamond(id, &graph.actions()[*actions], value)
            }
            Node::Box(actions, body) => {
                let value = self.value(*body)?;
                Ok(negation(self.diamond(id, &graph.actions()[*actions], negation(value))?))
            }
            Node::Fixpoint { sign, body, .. } => self.fixpoint(id, *sign, *body),
        }
    }

    fn fold(
        &mut self,
        parts: &[NodeId],
        start: bool,
        join: fn(&Bdd, &Bdd) -> Result<Bdd, StopReason>,
    ) -> Result<MonomialLabelling, StopReason> {
        let mut all = self.checker.everywhere(start);
        for &part in parts {
            let value = self.value(part)?;
            debug_assert_eq!(value.must.len(), all.must.len(), "values have the same locations");
            for (own, other) in all.must.iter_mut().zip(&value.must).chain(all.may.iter_mut().zip(&value.may))
            {
                *own = join(own, other)?;
            }
        }
        Ok(all)
    }

    fn diamond(
        &mut self,
        id: NodeId,
        actions: &ActionFormula,
        value: MonomialLabelling,
    ) -> Result<MonomialLabelling, StopReason> {
        let chosen: Vec<bool> =
            self.checker.system.actions.names().map(|action| actions.contains(action)).collect();
        let before = self.memories[id.index()].take();
        let result = self.checker.diamond(&chosen, &value, before.as_ref())?;
        self.memories[id.index()] = Some((value, result.clone()));
        Ok(result)
    }

    fn fixpoint(&mut self, id: NodeId, sign: Sign, body: NodeId) -> Result<MonomialLabelling, StopReason> {
        let mut present = self.checker.everywhere(sign == Sign::Greatest);
        loop {
            self.checker.context.poll()?;
            self.open.insert(id, present.clone());
            let next = self.value(body)?;
            if next == present {
                break;
            }
            self.n_iterations += 1;
            present = next;
        }
        let iterated = self.open.remove(&id);
        debug_assert!(iterated.as_ref() == Some(&present), "the fixpoint is what its body says of it");
        Ok(present)
    }
}

/// The two sets change places, both complemented.
fn negation(value: MonomialLabelling) -> MonomialLabelling {
    let complements = |sets: Vec<Bdd>| sets.iter().map(Bdd::not).collect();
    MonomialLabelling { must: complements(value.may), may: complements(value.must) }
}

/// The fixpoints that each node reaches, itself included.
fn reach(graph: &FormulaGraph) -> Vec<Vec<NodeId>> {
    let from = |start: NodeId| {
        let mut seen = vec![false; graph.n_nodes()];
        let mut waiting = vec![start];
        let mut found = Vec::new();
        while let Some(id) = waiting.pop() {
            if std::mem::replace(&mut seen[id.index()], true) {
                continue;
            }
            if matches!(graph.node(id), Node::Fixpoint { .. }) {
                found.push(id);
            }
            waiting.extend(graph.node(id).children());
        }
        found
    };
    graph.nodes().map(|(id, _)| from(id)).collect()
}
