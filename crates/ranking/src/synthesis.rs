//! Ranks for a graph of hops, one after the other.
//!
//! In each strongly connected component a rank is looked for that grows on no hop of it and falls on some, as many as it can; these are
//! taken out, and the rest falls into components again \[CS01\]. So a loop in a loop has two ranks. Where no rank is found, the component
//! may go through *phases*: numbers f1 … fk such that f1 falls on all hops, whatever its sign, and each other one does where the one
//! before is negative \[LH14\]. They are ranks where their sign is known, so the conditions fi >= 0 come with them: whoever tells
//! states apart by these finds that the ranks do.
//!
//! The search is over the rationals and sees a hop as cases, so it may miss a rank. What it finds is judged by the solver on the hop
//! itself: only what was judged is given.
//!
//! Cost: for each component a linear system with a multiplier for each row of each case of each hop, solved at most once for each hop and
//! each measure.

use crate::cases::{Case, Form, cases};
use crate::template::{Symbolic, Template};
use crate::{Change, Relation, judge};
use std::collections::{BTreeMap, BTreeSet};
use tertium_expr::{BigInt, Term, Terms};
use tertium_solve::{Comparison, LinearAnswer, LinearSystem, Prover};
use tertium_support::{ComponentSearch, Context, Id, StopReason, define_id};

define_id!(
    /// A node of a graph of hops.
    Node
);

/// A hop between two nodes, by their numbers.
#[derive(Clone, Debug)]
pub struct Hop {
    /// Where it leaves.
    pub source: usize,
    /// Where it leads.
    pub target: usize,
    /// What it does.
    pub relation: Relation,
}

/// A rank: an affine term at each node where it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rank {
    /// The term at a node, over the variables there.
    pub at: BTreeMap<usize, Term>,
}

/// Ranks for a graph.
#[derive(Clone, Debug, Default)]
pub struct Ranking {
    /// The ranks, in the order in which they were found: each takes hops out of what those before left.
    pub ranks: Vec<Rank>,
    /// Conditions at nodes by which states should be told apart: with them the ranks rank what is left.
    pub splits: Vec<(usize, Term)>,
    /// The hops on cycles that no rank takes out, by number.
    pub left: Vec<usize>,
}

/// How much may be done.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Cases of one hop.
    pub cases: usize,
    /// Phases of one component; one or none: only ranks.
    pub phases: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { cases: 64, phases: 4 }
    }
}

/// Looks for ranks of a graph of hops. `measures` are the numbers at each node that a rank is a sum of.
pub fn rank(
    context: &Context,
    terms: &Terms,
    prover: &mut Prover<'_>,
    hops: &[Hop],
    measures: &[Vec<Term>],
    settings: &Settings,
) -> Result<Ranking, StopReason> {
    debug_assert!(
        hops.iter().all(|hop| hop.source.max(hop.target) < measures.len()),
        "every node has its measures"
    );
    let mut search = Search {
        context,
        terms,
        prover,
        hops,
        measures,
        settings: *settings,
        cases: BTreeMap::new(),
        ranking: Ranking::default(),
    };
    let all: Vec<usize> = (0..hops.len()).collect();
    search.all(&all)?;
    search.ranking.left.sort_unstable();
    Ok(search.ranking)
}

struct Search<'a, 'p> {
    context: &'a Context,
    terms: &'a Terms,
    prover: &'a mut Prover<'p>,
    hops: &'a [Hop],
    measures: &'a [Vec<Term>],
    settings: Settings,
    /// The cases of hops that were looked at, with the measures before and after as forms.
    cases: BTreeMap<usize, Option<Vec<Case>>>,
    ranking: Ranking,
}

/// Templates for the nodes of a component.
type Templates = BTreeMap<usize, Template>;

impl Search<'_, '_> {
    /// Ranks the components of these hops.
    fn all(&mut self, hops: &[usize]) -> Result<(), StopReason> {
        for component in components(self.measures.len(), self.hops, hops) {
            self.component(&component)?;
        }
        Ok(())
    }

    fn component(&mut self, hops: &[usize]) -> Result<(), StopReason> {
        self.context.poll()?;
        for &hop in hops {
            self.look_at(hop)?;
        }
        if hops.iter().any(|hop| self.cases[hop].is_none()) {
            self.ranking.left.extend(hops);
            return Ok(());
        }
        // A hop that no state takes needs no rank.
        let (empty, taken): (Vec<usize>, Vec<usize>) =
            hops.iter().partition(|hop| self.cases[hop].as_ref().is_some_and(Vec::is_empty));
        if !empty.is_empty() {
            return self.all(&taken);
        }
        if let Some((rank, falls)) = self.falling(hops)? {
            debug_assert!(!falls.is_empty(), "a rank takes hops out");
            self.ranking.ranks.push(rank);
            let rest: Vec<usize> = hops.iter().copied().filter(|hop| !falls.contains(hop)).collect();
            return self.all(&rest);
        }
        if !self.phases(hops)? {
            self.ranking.left.extend(hops);
        }
        Ok(())
    }

    /// The cases of a hop.
    fn look_at(&mut self, number: usize) -> Result<(), StopReason> {
        if self.cases.contains_key(&number) {
            return Ok(());
        }
        let hop = &self.hops[number];
        let mut after = hop.relation.substitution();
        let before = self.measures[hop.source].iter().copied();
        let then = self.measures[hop.target].iter().map(|&measure| after.apply(self.terms, measure));
        let wanted: Vec<Term> = before.chain(then).collect();
        let found =
            cases(self.context, self.terms, self.prover, &hop.relation.given, &wanted, self.settings.cases)?;
        self.cases.insert(number, found);
        Ok(())
    }

    /// The measures before and after a hop in a case.
    fn measured<'c>(&self, hop: &Hop, case: &'c Case) -> (&'c [Form], &'c [Form]) {
        case.wanted.split_at(self.measures[hop.source].len())
    }

    fn templates(&self, system: &mut LinearSystem, hops: &[usize]) -> Templates {
        let nodes: BTreeSet<usize> = hops.iter().map(|&hop| self.hops[hop].source).collect();
        nodes.into_iter().map(|node| (node, Template::new(system, self.measures[node].len()))).collect()
    }

    /// Demands of every case of a hop that a number, made by `number` of the measures before and after, is at least this.
    fn demand(
        &self,
        system: &mut LinearSystem,
        hop: usize,
        at_least: i32,
        number: impl Fn(&mut Symbolic, &[Form], &[Form]),
    ) {
        for case in self.cases[&hop].iter().flatten() {
            let (before, after) = self.measured(&self.hops[hop], case);
            let mut symbolic = Symbolic::default();
            number(&mut symbolic, before, after);
            symbolic.demand(system, case, at_least);
        }
    }

    /// A rank that grows on none of these hops and falls on some, with the hops that it falls on.
    fn falling(&mut self, hops: &[usize]) -> Result<Option<(Rank, BTreeSet<usize>)>, StopReason> {
        let mut system = LinearSystem::new();
        let templates = self.templates(&mut system, hops);
        let falls_by = |search: &Self, system: &mut LinearSystem, hop: usize, by: i32| {
            let (source, target) =
                (&templates[&search.hops[hop].source], &templates[&search.hops[hop].target]);
            search.demand(system, hop, by, |number, before, after| {
                number.add(1, source, before);
                number.add(-1, target, after);
            });
        };
        hops.iter().for_each(|&hop| falls_by(self, &mut system, hop, 0));
        let mut solution = None;
        for &hop in hops {
            system.push();
            falls_by(self, &mut system, hop, 1);
            let source = &templates[&self.hops[hop].source];
            self.demand(&mut system, hop, 0, |number, before, _| number.add(1, source, before));
            match system.solve(self.context)? {
                LinearAnswer::Solution(found) => solution = Some(found),
                LinearAnswer::None | LinearAnswer::GaveUp => system.pop(),
            }
        }
        let Some(solution) = solution else { return Ok(None) };
        let first = self.judged(hops, &templates, &solution)?;
        let simple = self.simpler(&mut system, &templates, solution)?;
        let second = self.judged(hops, &templates, &simple)?;
        Ok(match (first, second) {
            (Some(first), Some(second)) => Some(if second.1.len() >= first.1.len() { second } else { first }),
            (first, second) => second.or(first),
        })
    }

    /// A solution in which fewer measures count, if there is one.
    fn simpler(
        &self,
        system: &mut LinearSystem,
        templates: &Templates,
        mut solution: Vec<BigInt>,
    ) -> Result<Vec<BigInt>, StopReason> {
        let measures: BTreeSet<Term> =
            templates.keys().flat_map(|&node| self.measures[node].iter().copied()).collect();
        for measure in measures {
            let own = templates.iter().flat_map(|(&node, template)| {
                let known = self.measures[node].iter().zip(&template.coefficients);
                known.filter(|&(&other, _)| other == measure).map(|(_, &unknown)| unknown)
            });
            let own: Vec<_> = own.collect();
            if own.iter().all(|unknown| solution[unknown.number()] == BigInt::ZERO) {
                continue;
            }
            system.push();
            for unknown in own {
                system.require(&[(unknown, BigInt::from(1))], Comparison::Equal, &BigInt::ZERO);
            }
            match system.solve(self.context)? {
                LinearAnswer::Solution(found) => solution = found,
                LinearAnswer::None | LinearAnswer::GaveUp => system.pop(),
            }
        }
        Ok(solution)
    }

    /// The rank of a solution, with the hops on which the solver says that it falls; nothing if it may grow on one, or falls on none.
    fn judged(
        &mut self,
        hops: &[usize],
        templates: &Templates,
        solution: &[BigInt],
    ) -> Result<Option<(Rank, BTreeSet<usize>)>, StopReason> {
        let all = templates.values().flat_map(|template| &template.coefficients);
        let common =
            all.fold(BigInt::ZERO, |common, unknown| gcd(common, solution[unknown.number()].clone()));
        let one = BigInt::from(1);
        // Divided by what all coefficients have in common, it reads best; what rounding spoils is taken as it is.
        for divisor in [common, one.clone()] {
            if divisor == BigInt::ZERO || (divisor != one && divisor < one) {
                continue;
            }
            let rank = self.rank_of(templates, solution, &divisor);
            let mut falls = BTreeSet::new();
            let mut grows = false;
            for &hop in hops {
                match self.change(hop, &rank)? {
                    Change::Falls => drop(falls.insert(hop)),
                    Change::DoesNotGrow => {}
                    Change::MayGrow => {
                        grows = true;
                        break;
                    }
                }
            }
            if !grows && !falls.is_empty() {
                return Ok(Some((rank, falls)));
            }
        }
        Ok(None)
    }

    fn rank_of(&self, templates: &Templates, solution: &[BigInt], divisor: &BigInt) -> Rank {
        let at = templates.iter().map(|(&node, template)| {
            (node, template.term(self.terms, &self.measures[node], solution, divisor))
        });
        Rank { at: at.collect() }
    }

    fn change(&mut self, hop: usize, rank: &Rank) -> Result<Change, StopReason> {
        let Hop { source, target, relation } = &self.hops[hop];
        judge(self.context, self.terms, self.prover, relation, rank.at[source], rank.at[target])
    }

    /// Phases of a component, added to the ranking. Says whether there are any.
    fn phases(&mut self, hops: &[usize]) -> Result<bool, StopReason> {
        for n in 2..=self.settings.phases {
            let mut system = LinearSystem::new();
            let phases: Vec<Templates> = (0..n).map(|_| self.templates(&mut system, hops)).collect();
            for &hop in hops {
                let Hop { source, target, .. } = &self.hops[hop];
                for (at, phase) in phases.iter().enumerate() {
                    self.demand(&mut system, hop, 1, |number, before, after| {
                        number.add(1, &phase[source], before);
                        number.add(-1, &phase[target], after);
                        if at > 0 {
                            number.add(1, &phases[at - 1][source], before);
                        }
                    });
                }
                self.demand(&mut system, hop, 0, |number, before, _| {
                    number.add(1, &phases[n - 1][source], before);
                });
            }
            let LinearAnswer::Solution(solution) = system.solve(self.context)? else { continue };
            let one = BigInt::from(1);
            let ranks: Vec<Rank> = phases.iter().map(|phase| self.rank_of(phase, &solution, &one)).collect();
            if !self.go_through(hops, &ranks)? {
                continue;
            }
            for rank in &ranks[..n - 1] {
                for (&node, &term) in &rank.at {
                    self.ranking.splits.push((node, self.terms.at_most(self.terms.integer(0), term)));
                }
            }
            self.ranking.ranks.extend(ranks);
            return Ok(true);
        }
        Ok(false)
    }

    /// Whether each phase falls on every hop where the ones before are negative, and the last is not negative then. So no run goes round
    /// for ever.
    fn go_through(&mut self, hops: &[usize], ranks: &[Rank]) -> Result<bool, StopReason> {
        let (terms, zero) = (self.terms, self.terms.integer(0));
        for &number in hops {
            let hop = &self.hops[number];
            let mut relation = hop.relation.clone();
            for (at, rank) in ranks.iter().enumerate() {
                let (before, after) = (rank.at[&hop.source], rank.at[&hop.target]);
                let is_last = at + 1 == ranks.len();
                let own = if is_last {
                    relation.clone()
                } else {
                    relation.clone().from(terms.at_most(zero, before))
                };
                if judge(self.context, terms, self.prover, &own, before, after)? != Change::Falls {
                    return Ok(false);
                }
                if is_last {
                    break;
                }
                // It stays negative once it is.
                relation = relation.from(terms.less(before, zero));
                let comes_back = terms.at_most(zero, relation.after(terms, after));
                let together = relation.given.iter().copied().chain([comes_back]);
                let answer = self.prover.check(self.context, terms, together).unless_stopped()?;
                if answer.may_be_satisfiable() {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

/// The strongly connected components of some hops that have a cycle, as the hops inside.
fn components(n_nodes: usize, hops: &[Hop], among: &[usize]) -> Vec<Vec<usize>> {
    let mut targets: Vec<Vec<Node>> = vec![Vec::new(); n_nodes];
    for &hop in among {
        targets[hops[hop].source].push(Node::new(hops[hop].target));
    }
    let all: Vec<Node> = Node::first(n_nodes).collect();
    let found =
        ComponentSearch::new(n_nodes).components(&all, |node: Node| &targets[node.index()][..], |_| true);
    let mut of = vec![0; n_nodes];
    for (number, component) in found.iter().enumerate() {
        component.iter().for_each(|node| of[node.index()] = number);
    }
    let mut inside: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for &hop in among {
        let (source, target) = (of[hops[hop].source], of[hops[hop].target]);
        if source == target {
            inside.entry(source).or_default().push(hop);
        }
    }
    inside.into_values().collect()
}

fn gcd(left: BigInt, right: BigInt) -> BigInt {
    let (mut left, mut right) = (left, right);
    while right != BigInt::ZERO {
        (left, right) = (right.clone(), left % right);
    }
    if left < BigInt::ZERO { -left } else { left }
}
