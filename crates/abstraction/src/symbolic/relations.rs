//! May and must of the moves at one location, as decision diagrams.
//!
//! *May*: each group says which vectors its predicates can have afterwards, for each valuation of its sources; a move
//! is the conjunction of its groups and of what is fixed or copied.
//!
//! *Must*, into monomials: the states of a valuation can all be led to a vector that may leave predicates open. If a
//! command has one move to a control, that is again group by group, since groups share neither variables nor inputs. If
//! it has several, they can lead somewhere together though none does alone, and they are asked about together.
//!
//! Where there are too many valuations, less is said: anything may happen in such a group, and nothing must.

use super::musts::{differing, must_vectors};
use crate::PredicateAbstraction;
use crate::branches::Branch;
use crate::group::GroupAnswer;
use crate::site::{Group, Move, Post};
use crate::sources::{Sources, Valuation, domains};
use fixedbitset::FixedBitSet;
use std::collections::BTreeSet;
use std::rc::Rc;
use tertium_dd::Bdd;
use tertium_expr::{Term, Value, Variable};
use tertium_program::CommandId;
use tertium_support::{Context, StopReason};
use tertium_system::monomials::MonomialFrame;
use tertium_truth::{Kleene, TriVector};

/// A move as diagrams see it.
pub(super) struct Made {
    pub(super) command: CommandId,
    pub(super) control: Box<[Value]>,
    pub(super) changed: Vec<usize>,
    pub(super) relation: Bdd,
}

pub(super) struct Relations<'a, 'p> {
    pub(super) context: &'a Context,
    pub(super) abstraction: &'a mut PredicateAbstraction<'p>,
    pub(super) frame: &'a MonomialFrame,
    pub(super) sources: &'a Sources,
}

/// What a group says for each valuation of its sources; nothing if there are too many.
type GroupTable = Option<Vec<(Valuation, Rc<GroupAnswer>)>>;

impl Relations<'_, '_> {
    /// The may and the must moves at a control.
    pub(super) fn at(&mut self, control: &[Value]) -> Result<(Vec<Made>, Vec<Made>), StopReason> {
        let sites = self.abstraction.sites(self.context, control)?;
        let mut may = Vec::new();
        let mut possible: Vec<(&Move, Vec<GroupTable>)> = Vec::new();
        for (at, site) in sites.iter().enumerate() {
            let tables = (0..site.groups.len()).map(|number| self.table(control, at, site, number));
            let tables: Vec<GroupTable> = tables.collect::<Result<_, _>>()?;
            let relation = self.may(site, &tables)?;
            if !relation.is_false() {
                let changed = changed(site);
                may.push(Made { command: site.command, control: site.control.clone(), changed, relation });
                possible.push((site, tables));
            }
        }
        let mut must = Vec::new();
        while !possible.is_empty() {
            let (command, target) = (possible[0].0.command, possible[0].0.control.clone());
            let (bundle, others) =
                possible.into_iter().partition(|(site, _)| site.command == command && site.control == target);
            possible = others;
            must.extend(self.musts(&bundle)?);
        }
        Ok((may, must))
    }

    /// The must moves of a command to one control.
    fn musts(&mut self, bundle: &[(&Move, Vec<GroupTable>)]) -> Result<Vec<Made>, StopReason> {
        let mut made = Vec::new();
        let moves: Vec<&Move> = bundle.iter().map(|&(site, _)| site).collect();
        if moves.len() > 1
            && let Some((changed, relation)) = self.together(&moves)?
        {
            made.push((moves[0], changed, relation));
        } else {
            for (site, tables) in bundle {
                made.push((*site, changed(site), self.alone(site, tables)?));
            }
        }
        made.retain(|(_, _, relation)| !relation.is_false());
        let made = made.into_iter().map(|(site, changed, relation)| Made {
            command: site.command,
            control: site.control.clone(),
            changed,
            relation,
        });
        Ok(made.collect())
    }

    fn table(
        &mut self,
        control: &[Value],
        at: usize,
        site: &Move,
        number: usize,
    ) -> Result<GroupTable, StopReason> {
        let group = &site.groups[number];
        let components = self.sources.of(group.sources.iter().map(|&(predicate, _)| predicate));
        let most = self.abstraction.most_asked.valuations;
        let Some(valuations) = self.sources.valuations(&components, most) else {
            self.abstraction.left_out.groups += 1;
            return Ok(None);
        };
        let mut table = Vec::new();
        for valuation in valuations {
            let mut seen = FixedBitSet::with_capacity(group.sources.len());
            for (n, &(predicate, _)) in group.sources.iter().enumerate() {
                seen.set(n, valuation.contains(&(predicate, true)));
            }
            let answer = self.abstraction.answer(self.context, control, at, number, group, seen)?;
            table.push((valuation, answer));
        }
        Ok(Some(table))
    }

    fn may(&self, site: &Move, tables: &[GroupTable]) -> Result<Bdd, StopReason> {
        let mut all = self.frame.manager().constant(true);
        for (number, table) in tables.iter().enumerate() {
            let Some(table) = table else { continue };
            let posts = solved(site, number);
            let mut group = self.frame.manager().constant(false);
            for (valuation, answer) in table {
                let mut any = self.frame.manager().constant(false);
                for vector in &answer.vectors {
                    let values =
                        posts.iter().enumerate().map(|(at, &predicate)| (predicate, vector.contains(at)));
                    any = any.or(&self.frame.next_minterms(values)?)?;
                }
                group = group.or(&self.frame.minterms(valuation.iter().copied())?.and(&any)?)?;
            }
            all = all.and(&group)?;
        }
        for (predicate, &post) in site.posts.iter().enumerate() {
            if let Some(value) = self.plain(predicate, post)? {
                let next = self.frame.manager().var(self.frame.get(predicate).next_value)?;
                all = all.and(&next.iff(&value)?)?;
            }
        }
        Ok(all)
    }

    /// What a predicate becomes that is fixed or copied, unless it stays what it was.
    fn plain(&self, predicate: usize, post: Post) -> Result<Option<Bdd>, StopReason> {
        let manager = self.frame.manager();
        Ok(match post {
            Post::Solved { .. } => None,
            Post::Copied(source, true) if source == predicate => None,
            Post::Fixed(value) => Some(manager.constant(value)),
            Post::Copied(source, same) => {
                let source = manager.var(self.frame.get(source).value)?;
                Some(if same { source } else { source.not() })
            }
        })
    }

    /// The same, for monomials: it is not left open.
    fn plain_must(&self, predicate: usize, post: Post) -> Result<Bdd, StopReason> {
        let manager = self.frame.manager();
        let own = self.frame.get(predicate);
        match self.plain(predicate, post)? {
            None => Ok(manager.constant(true)),
            Some(value) => manager.var(own.next_value)?.iff(&value)?.diff(&manager.var(own.next_open)?),
        }
    }

    /// The must relation of a single move.
    fn alone(&mut self, site: &Move, tables: &[GroupTable]) -> Result<Bdd, StopReason> {
        debug_assert_eq!(tables.len(), site.groups.len(), "every group has a table");
        let mut all = self.frame.manager().constant(true);
        for (number, table) in tables.iter().enumerate() {
            let group = self.group_must(&site.groups[number], &solved(site, number), table)?;
            all = all.and(&group)?;
            if all.is_false() {
                return Ok(all);
            }
        }
        for (predicate, &post) in site.posts.iter().enumerate() {
            all = all.and(&self.plain_must(predicate, post)?)?;
        }
        Ok(all)
    }

    fn group_must(&mut self, group: &Group, posts: &[usize], table: &GroupTable) -> Result<Bdd, StopReason> {
        let mut relation = self.frame.manager().constant(false);
        let program = self.abstraction.program();
        let terms = &program.terms;
        let branch = Branch {
            guard: terms.and(group.guard.iter().copied()),
            after: group.posts.clone(),
            inputs: group.inputs.clone(),
        };
        for (valuation, answer) in table.iter().flatten().filter(|(_, answer)| answer.always) {
            let exact = || answer.vectors.iter().map(|vector| exact(vector, posts.len()));
            let vectors: Vec<TriVector> = if group.inputs.is_empty() {
                // One successor each: what all of them agree on.
                TriVector::align_all(&exact().collect::<Vec<_>>()).into_iter().collect()
            } else if posts.len() <= self.abstraction.most_asked.searched {
                let mut psi = self.sources.literals(terms, valuation);
                psi.extend(&group.within);
                let may = exact().collect();
                must_vectors(self.context, self.abstraction, &psi, std::slice::from_ref(&branch), Some(may))?
            } else {
                self.abstraction.left_out.steps += 1;
                exact().zip(&answer.musts).filter(|&(_, &must)| must).map(|(vector, _)| vector).collect()
            };
            relation = relation.or(&self.row(valuation, posts, &vectors)?)?;
        }
        Ok(relation)
    }

    /// Steps from a valuation into some vectors of predicates.
    fn row(&self, valuation: &Valuation, posts: &[usize], vectors: &[TriVector]) -> Result<Bdd, StopReason> {
        let mut any = self.frame.manager().constant(false);
        for vector in vectors {
            debug_assert_eq!(vector.len(), posts.len(), "a component for each predicate");
            let values = posts.iter().copied().zip(vector.components().iter().copied());
            any = any.or(&self.frame.next_monomials(values)?)?;
        }
        self.frame.minterms(valuation.iter().copied())?.and(&any)
    }

    /// What several moves of one command to the same control change, and their must relation together; nothing if that
    /// is too much to find out.
    fn together(&mut self, moves: &[&Move]) -> Result<Option<(Vec<usize>, Bdd)>, StopReason> {
        let program = self.abstraction.program();
        let terms = &program.terms;
        let (searched, common) = differing(moves);
        let branches: Vec<Branch> = moves.iter().map(|site| Branch::new(site, &searched)).collect();
        let mut variables: BTreeSet<Variable> =
            branches.iter().flat_map(Branch::terms).flat_map(|term| terms.variables_of(term)).collect();
        let components = self.sources.about(&variables);
        variables.extend(components.iter().flat_map(|&number| &self.sources.components[number].variables));
        let within = domains(program, &variables);
        let most = self.abstraction.most_asked;
        let valuations = self.sources.valuations(&components, most.valuations);
        let Some(valuations) = valuations.filter(|_| searched.len() <= most.searched) else {
            self.abstraction.left_out.steps += 1;
            return Ok(None);
        };
        let mut relation = self.frame.manager().constant(false);
        for valuation in &valuations {
            let psi: Vec<Term> =
                self.sources.literals(terms, valuation).into_iter().chain(within.iter().copied()).collect();
            let vectors = must_vectors(self.context, self.abstraction, &psi, &branches, None)?;
            relation = relation.or(&self.row(valuation, &searched, &vectors)?)?;
        }
        let mut changed = searched;
        for (predicate, post) in common {
            if post != Post::Copied(predicate, true) {
                relation = relation.and(&self.plain_must(predicate, post)?)?;
                changed.push(predicate);
            }
        }
        changed.sort_unstable();
        debug_assert!(
            changed.is_sorted_by(|one, other| one < other),
            "a predicate is searched for or common to all moves"
        );
        Ok(Some((changed, relation)))
    }
}

/// The predicates that a move does not leave as they are.
fn changed(site: &Move) -> Vec<usize> {
    let changes = |&predicate: &usize| site.posts[predicate] != Post::Copied(predicate, true);
    (0..site.posts.len()).filter(changes).collect()
}

/// The predicates that a group is asked about, in the order of its vectors.
fn solved(site: &Move, number: usize) -> Vec<usize> {
    let own = |post: &&Post| matches!(post, Post::Solved { group, .. } if *group == number);
    debug_assert_eq!(
        site.posts.iter().filter(own).count(),
        site.groups[number].posts.len(),
        "a group is asked about its predicates"
    );
    let mut solved = vec![0; site.groups[number].posts.len()];
    for (predicate, post) in site.posts.iter().enumerate() {
        if let Post::Solved { group, at } = *post
            && group == number
        {
            solved[at] = predicate;
        }
    }
    solved
}

/// A vector of bits as one without stars.
fn exact(vector: &FixedBitSet, length: usize) -> TriVector {
    TriVector::new((0..length).map(|at| Kleene::from(vector.contains(at))).collect())
}
