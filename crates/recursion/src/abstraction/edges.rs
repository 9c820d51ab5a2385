//! The edges of a program, prepared for abstraction with the predicates of a round.
//!
//! What was found out about an edge stays as long as the predicates at its ends do, and those of the entries and exits it depends on.

use super::cubes::{Cube, literals};
use super::scopes::Scopes;
use super::site::Site;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use tertium_expr::{Term, Variable};
use tertium_program::{Action, EdgeId, Icfg, PointId, Precision, ProcedureId};
use tertium_support::Id;
use tertium_truth::Kleene;

/// The two ways that a call leads.
pub(crate) struct CallSites {
    /// To the entry of the callee.
    pub(crate) into: Site,
    /// From its exit to behind the call.
    pub(crate) back: Site,
    /// Whether the arguments are in the domains of the formals.
    pub(crate) enters: Site,
    /// Whether what is handed back is in the domains of those who take it.
    pub(crate) fits: Site,
}

/// All edges.
#[derive(Default)]
pub(crate) struct EdgeSites {
    /// The predicates at each point.
    predicates: Vec<Vec<Term>>,
    steps: FxHashMap<EdgeId, Site>,
    calls: FxHashMap<EdgeId, CallSites>,
    /// Whether a step can be taken, or be taken such that the predicates afterwards which depend on inputs have some values. Nothing
    /// where that cannot be said without quantifiers.
    possible: FxHashMap<(EdgeId, Cube), Option<Site>>,
    /// Which predicates after a step depend on inputs.
    dependent: FxHashMap<EdgeId, Vec<usize>>,
}

/// The most comparisons that are looked at to eliminate the inputs of a step.
const MOST_ELIMINATED: usize = 128;

impl EdgeSites {
    /// Takes up the predicates of a round. Forgets what depends on others.
    pub(crate) fn begin(&mut self, icfg: &Icfg, precision: &Precision<Term, PointId>) {
        let at = |point| precision.counting_at([point]).into_iter().map(|id| *precision.get(id)).collect();
        let new: Vec<Vec<Term>> = PointId::first(icfg.points().len()).map(at).collect();
        let old = std::mem::replace(&mut self.predicates, new);
        let changed: Vec<bool> =
            (0..self.predicates.len()).map(|n| old.get(n) != self.predicates.get(n)).collect();
        let is_same = |edge: EdgeId| {
            let edge = icfg.edge(edge);
            let own = icfg.procedure(icfg.point(edge.source).procedure);
            let callee = match &edge.action {
                Action::Step(_) => None,
                Action::Call(call) => Some(icfg.procedure(call.callee)),
            };
            let callee = callee.into_iter().flat_map(|callee| [callee.entry, callee.exit]);
            let points = [edge.source, edge.target, own.entry].into_iter().chain(callee);
            !points.into_iter().any(|point| changed[point.index()])
        };
        self.steps.retain(|&edge, _| is_same(edge));
        self.calls.retain(|&edge, _| is_same(edge));
        self.possible.retain(|&(edge, _), _| is_same(edge));
        self.dependent.retain(|&edge, _| is_same(edge));
    }

    /// The predicates at a point.
    pub(crate) fn at(&self, point: PointId) -> &[Term] {
        &self.predicates[point.index()]
    }

    /// The predicates that tell apart how a procedure begins. Main begins once, and is not told apart by how.
    pub(crate) fn begun(&self, icfg: &Icfg, procedure: ProcedureId) -> &[Term] {
        begun(icfg, &self.predicates, procedure)
    }

    /// The beginning of the program.
    pub(crate) fn start(&self, scopes: &Scopes<'_>) -> Site {
        let entry = scopes.icfg.procedure(scopes.icfg.main).entry;
        Site::new(scopes, &[], scopes.icfg.initial, self.at(entry))
    }

    /// A step.
    pub(crate) fn step(&mut self, scopes: &Scopes<'_>, id: EdgeId) -> &mut Site {
        let Self { predicates, steps, .. } = self;
        steps.entry(id).or_insert_with(|| {
            let edge = scopes.icfg.edge(id);
            let Action::Step(step) = &edge.action else { unreachable!("it was asked for as a step") };
            let mut after = step.substitution();
            let posts = &predicates[edge.target.index()];
            let mut fresh = scopes.where_fresh(edge.source);
            let posts = posts.iter().map(|&post| after.apply(scopes.terms(), post));
            let posts: Vec<Term> = posts.map(|post| fresh.apply(scopes.terms(), post)).collect();
            Site::new(scopes, &before(scopes, predicates, edge.source), step.guard, &posts)
        })
    }

    /// A call.
    pub(crate) fn call(&mut self, scopes: &Scopes<'_>, id: EdgeId) -> &mut CallSites {
        let Self { predicates, calls, .. } = self;
        calls.entry(id).or_insert_with(|| {
            let terms = scopes.terms();
            let edge = scopes.icfg.edge(id);
            let Action::Call(call) = &edge.action else { unreachable!("it was asked for as a call") };
            let callee = scopes.icfg.procedure(call.callee);
            let mut sources = before(scopes, predicates, edge.source);
            let mut into = scopes.entering_callee(call);
            let entry = predicates[callee.entry.index()].iter().map(|&term| into.apply(terms, term));
            let entry: Vec<Term> = entry.collect();
            let taken = scopes.icfg.within(callee.formals.iter().copied());
            let guard = into.apply(terms, taken);
            let enters = Site::new(scopes, &sources, terms.boolean(true), &terms.conjuncts(guard));
            let into = Site::new(scopes, &sources, guard, &entry);
            let mut out = scopes.out_of_callee(call);
            sources.extend(entry);
            sources.extend(predicates[callee.exit.index()].iter().map(|&term| out.apply(terms, term)));
            let mut after = scopes.after_call(call);
            let mut fresh = scopes.where_fresh(edge.source);
            let posts = predicates[edge.target.index()].iter().map(|&post| after.apply(terms, post));
            let posts: Vec<Term> = posts.map(|post| fresh.apply(terms, post)).collect();
            let taken = after.apply(terms, scopes.icfg.within(call.results.iter().flatten().copied()));
            let fits = Site::new(scopes, &sources, terms.boolean(true), &terms.conjuncts(taken));
            let back = Site::new(scopes, &sources, taken, &posts);
            CallSites { into, back, enters, fits }
        })
    }
}

impl EdgeSites {
    /// Which predicates after a step depend on its inputs.
    pub(crate) fn dependent(&mut self, scopes: &Scopes<'_>, id: EdgeId) -> &[usize] {
        let Self { predicates, dependent, .. } = self;
        dependent.entry(id).or_insert_with(|| {
            let edge = scopes.icfg.edge(id);
            let Action::Step(step) = &edge.action else { unreachable!("it was asked for as a step") };
            let mut after = step.substitution();
            let inputs: BTreeSet<Variable> = step.inputs.iter().map(|input| input.variable).collect();
            let posts = predicates[edge.target.index()].iter().enumerate();
            let depends = posts.filter(|&(_, &post)| {
                let post = after.apply(scopes.terms(), post);
                !scopes.terms().variables_of(post).is_disjoint(&inputs)
            });
            depends.map(|(n, _)| n).collect()
        })
    }

    /// Whether a step can be taken such that those predicates afterwards which depend on inputs have these values; with no values, whether
    /// it can be taken at all. Nothing if that cannot be said.
    pub(crate) fn possible(
        &mut self,
        scopes: &Scopes<'_>,
        id: EdgeId,
        values: &[Kleene],
    ) -> Option<&mut Site> {
        let posts = if values.is_empty() { Vec::new() } else { self.dependent(scopes, id).to_vec() };
        let Self { predicates, possible, .. } = self;
        let made = possible.entry((id, values.into())).or_insert_with(|| {
            let terms = scopes.terms();
            let edge = scopes.icfg.edge(id);
            let Action::Step(step) = &edge.action else { unreachable!("it was asked for as a step") };
            let mut after = step.substitution();
            let there = &predicates[edge.target.index()];
            let posts: Vec<Term> = posts.iter().map(|&n| after.apply(terms, there[n])).collect();
            let wanted = terms.and(literals(terms, &posts, values).into_iter().chain([step.guard]));
            let inputs = step.inputs.iter().map(|input| input.variable);
            let wanted = terms.eliminate_all(inputs, wanted, MOST_ELIMINATED)?;
            let wanted = scopes.where_fresh(edge.source).apply(terms, wanted);
            let sources = before(scopes, predicates, edge.source);
            Some(Site::new(scopes, &sources, terms.boolean(true), &terms.conjuncts(wanted)))
        });
        made.as_mut()
    }
}

/// What is known before an edge: the predicates at the entry, said of ghosts, and those at its source.
fn before(scopes: &Scopes<'_>, predicates: &[Vec<Term>], source: PointId) -> Vec<Term> {
    let procedure = scopes.procedure_of(source);
    let mut fresh = scopes.where_fresh(source);
    let begun =
        begun(scopes.icfg, predicates, procedure).iter().map(|&term| scopes.at_entry(procedure, term));
    let begun = begun.map(|term| fresh.apply(scopes.terms(), term));
    begun.chain(predicates[source.index()].iter().copied()).collect()
}

fn begun<'a>(icfg: &Icfg, predicates: &'a [Vec<Term>], procedure: ProcedureId) -> &'a [Term] {
    if procedure == icfg.main { &[] } else { &predicates[icfg.procedure(procedure).entry.index()] }
}
