//! One formula and many variants of it in one pass, each variant by what is different.
//!
//! A *switch* is a proposition that is false everywhere, but true everywhere in one variant: the one with its number. The value of
//! a term is a set of states for every variant. Most variants have the set of the formula itself, since a switch matters
//! only above its place and often no longer a little further up; so that set is kept, and those that differ from it. This is a set
//! over a finite distributive lattice, given by its join-irreducible elements \[Bir37\].
//!
//! Operators are monotone or antitone in each operand, so where the operands of a variant are smaller or larger than those of the
//! formula itself, so is the result, and a fixpoint can start from what is known:
//! for f ⊆ f₀ and g ⊆ g₀, E\[f U g\] goes through E\[f₀ U g₀\] only, and EG f stays in EG f₀; for larger ones, E\[f₀ U g₀\] is part
//! of the goal.
//!
//! Cost: for each term at most one operation for each different set of operands; that is never more than one check for
//! each variant with all sets of sub-formulas kept.

use super::ctl::{Sets, globally};
use super::term::{Term, TermId, Terms};
use super::universe::Universe;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use tertium_dd::Bdd;
use tertium_support::StopReason;

/// A set of states for every variant.
#[derive(Debug)]
pub(crate) struct Varied {
    /// The set of the formula itself.
    pub(crate) own: Bdd,
    /// The variants with other sets, by their switches, sorted. No set is equal to `own`.
    pub(crate) others: Vec<(usize, Bdd)>,
}

impl Varied {
    fn at(&self, variant: usize) -> &Bdd {
        let found = self.others.binary_search_by_key(&variant, |(own, _)| *own);
        found.map_or(&self.own, |place| &self.others[place].1)
    }
}

/// One pass over terms with switches.
pub(crate) struct Pass<'a, 'm> {
    universe: &'a Universe<'m>,
    terms: &'a mut Terms,
    sets: &'a mut Sets,
    switches: &'a [String],
    numbers: FxHashMap<&'a str, usize>,
    /// Terms with all switches off.
    plain: FxHashMap<TermId, TermId>,
    known: FxHashMap<TermId, Rc<Varied>>,
}

impl<'a, 'm> Pass<'a, 'm> {
    pub(crate) fn new(
        universe: &'a Universe<'m>,
        terms: &'a mut Terms,
        sets: &'a mut Sets,
        switches: &'a [String],
    ) -> Self {
        let numbers: FxHashMap<&str, usize> =
            switches.iter().enumerate().map(|(number, name)| (name.as_str(), number)).collect();
        debug_assert_eq!(numbers.len(), switches.len(), "switches have different names");
        let (plain, known) = (FxHashMap::default(), FxHashMap::default());
        Self { universe, terms, sets, switches, numbers, plain, known }
    }

    pub(crate) fn terms(&mut self) -> &mut Terms {
        self.terms
    }

    /// The states of the universe where the term holds, for every variant. Propositions are known to exist or to be switches.
    pub(crate) fn evaluate(&mut self, id: TermId) -> Result<Rc<Varied>, StopReason> {
        if let Some(known) = self.known.get(&id) {
            return Ok(Rc::clone(known));
        }
        let plain = self.plain(id);
        let own = self.sets.evaluate(self.universe, self.terms, plain)?;
        let others = if plain == id { Vec::new() } else { self.others(id, &own)? };
        debug_assert!(
            others.is_sorted_by(|(one, _), (other, _)| one < other),
            "variants are sorted, for they are looked up"
        );
        debug_assert!(others.iter().all(|(_, set)| *set != own), "only variants that differ are kept");
        let varied = Rc::new(Varied { own, others });
        self.known.insert(id, Rc::clone(&varied));
        Ok(varied)
    }

    /// The sets of the variants that differ from `own`, of a term with switches.
    fn others(&mut self, id: TermId, own: &Bdd) -> Result<Vec<(usize, Bdd)>, StopReason> {
        let universe = self.universe;
        if let Some(switched) = self.switched(id) {
            let value = if switched.value { universe.states.clone() } else { universe.nothing() };
            let mut others = self.evaluate(switched.inner)?.others.clone();
            others.retain(|(variant, _)| *variant != switched.number);
            let place = others.partition_point(|(variant, _)| *variant < switched.number);
            others.insert(place, (switched.number, value));
            others.retain(|(_, set)| set != own);
            return Ok(others);
        }
        let mut others = match self.terms.term(id).clone() {
            Term::Proposition(name) => vec![(self.numbers[name.as_str()], universe.states.clone())],
            Term::Not(f) => {
                let f = self.evaluate(f)?;
                each(&f.others, |set| universe.without(set))?
            }
            Term::Diamond(f) => {
                let f = self.evaluate(f)?;
                each(&f.others, |set| universe.before(set))?
            }
            Term::And(parts) => {
                let parts = parts.iter().map(|&part| self.evaluate(part)).collect::<Result<Vec<_>, _>>()?;
                conjunctions(universe, &parts, own)?
            }
            Term::Globally(f) => {
                let fair = self.terms.fair();
                let (f, fair) = (self.evaluate(f)?, self.evaluate(fair)?);
                each(&f.others, |set| {
                    let smaller = set.is_subset(&f.own)?;
                    let set = if smaller { set.and(own)? } else { set.clone() };
                    globally(universe, &set, &fair.own)
                })?
            }
            Term::Until(f, g) => {
                let (f, g) = (self.evaluate(f)?, self.evaluate(g)?);
                untils(universe, &f, &g, own)?
            }
            Term::Fixpoint(..) => self.one_by_one(id)?,
            Term::True | Term::Fair | Term::Variable(_) => unreachable!("these have no switches inside"),
        };
        others.retain(|(_, set)| set != own);
        Ok(others)
    }

    /// The term as `inner | s` or `inner & !s`, if it is one of these with a switch s.
    fn switched(&mut self, id: TermId) -> Option<Switched> {
        let (conjunction, value) = match self.terms.term(id) {
            &Term::Not(f) => (f, true),
            _ => (id, false),
        };
        let Term::And(parts) = self.terms.term(conjunction) else { return None };
        let off = |&part: &TermId| match self.terms.term(part) {
            &Term::Not(f) => match self.terms.term(f) {
                Term::Proposition(name) => self.numbers.get(name.as_str()).copied(),
                _ => None,
            },
            _ => None,
        };
        let (place, number) = parts.iter().enumerate().find_map(|(place, part)| Some((place, off(part)?)))?;
        let mut rest = parts.clone();
        rest.remove(place);
        let rest = self.terms.and(rest);
        let inner = if value { self.terms.not(rest) } else { rest };
        Some(Switched { inner, number, value })
    }

    /// The sets of the variants of a closed term by evaluating each.
    fn one_by_one(&mut self, id: TermId) -> Result<Vec<(usize, Bdd)>, StopReason> {
        let manager = &self.universe.model.manager;
        let mut others = Vec::new();
        for number in 0..self.switches.len() {
            let value = |(other, name): (usize, &String)| (name.clone(), manager.constant(other == number));
            let values: Vec<(String, Bdd)> = self.switches.iter().enumerate().map(value).collect();
            let before = self.sets.assume(&values);
            let set = self.sets.evaluate(self.universe, self.terms, id);
            self.sets.forget(before);
            others.push((number, set?));
        }
        Ok(others)
    }

    /// The term with all switches off.
    fn plain(&mut self, id: TermId) -> TermId {
        if let Some(&known) = self.plain.get(&id) {
            return known;
        }
        let plain = match self.terms.term(id).clone() {
            Term::Proposition(name) if self.numbers.contains_key(name.as_str()) => {
                let yes = self.terms.make(Term::True);
                self.terms.not(yes)
            }
            Term::True | Term::Fair | Term::Proposition(_) | Term::Variable(_) => id,
            Term::Not(f) => {
                let f = self.plain(f);
                self.terms.not(f)
            }
            Term::And(parts) => {
                let parts: Vec<TermId> = parts.iter().map(|&part| self.plain(part)).collect();
                self.terms.and(parts)
            }
            Term::Diamond(f) => {
                let f = self.plain(f);
                self.terms.make(Term::Diamond(f))
            }
            Term::Globally(f) => {
                let f = self.plain(f);
                self.terms.make(Term::Globally(f))
            }
            Term::Until(f, g) => {
                let (f, g) = (self.plain(f), self.plain(g));
                self.terms.make(Term::Until(f, g))
            }
            Term::Fixpoint(sign, level, body) => {
                let body = self.plain(body);
                self.terms.make(Term::Fixpoint(sign, level, body))
            }
        };
        self.plain.insert(id, plain);
        plain
    }
}

/// A term with a switch that replaces it by a constant.
struct Switched {
    /// What it is with the switch off.
    inner: TermId,
    number: usize,
    /// What it is with the switch on.
    value: bool,
}

/// The results for all variants; equal sets have one.
fn each(
    others: &[(usize, Bdd)],
    mut work: impl FnMut(&Bdd) -> Result<Bdd, StopReason>,
) -> Result<Vec<(usize, Bdd)>, StopReason> {
    let mut done: Vec<(usize, Bdd)> = Vec::with_capacity(others.len());
    for (place, (variant, set)) in others.iter().enumerate() {
        let same = others[..place].iter().position(|(_, other)| other == set);
        let result = match same {
            Some(same) => done[same].1.clone(),
            None => work(set)?,
        };
        done.push((*variant, result));
    }
    Ok(done)
}

/// The variants that some of the operands have sets of their own for.
fn variants<'o>(operands: impl Iterator<Item = &'o Rc<Varied>>) -> Vec<usize> {
    let mut variants: Vec<usize> =
        operands.flat_map(|operand| operand.others.iter().map(|(variant, _)| *variant)).collect();
    variants.sort_unstable();
    variants.dedup();
    variants
}

/// The intersections for all variants, if `all` is that of the formula itself.
fn conjunctions(
    universe: &Universe<'_>,
    parts: &[Rc<Varied>],
    all: &Bdd,
) -> Result<Vec<(usize, Bdd)>, StopReason> {
    let everything = all.manager().constant(true);
    let mut rests: Option<Vec<Bdd>> = None;
    let mut others = Vec::new();
    for variant in variants(parts.iter()) {
        let is_changed = |place: &usize| *parts[*place].at(variant) != parts[*place].own;
        let changed: Vec<usize> = (0..parts.len()).filter(is_changed).collect();
        let mut smaller = true;
        for &place in &changed {
            smaller = smaller && parts[place].at(variant).is_subset(&parts[place].own)?;
        }
        let start = match changed.as_slice() {
            // Taking away more is quick.
            _ if smaller => all.clone(),
            &[only] => match &rests {
                Some(rests) => rests[only].clone(),
                None => rests.insert(all_but_one(parts, &everything)?)[only].clone(),
            },
            _ => {
                let same = (0..parts.len()).filter(|place| !is_changed(place));
                same.map(|place| &parts[place].own).try_fold(everything.clone(), |rest, own| rest.and(own))?
            }
        };
        let set = changed.iter().try_fold(start, |set, &place| {
            let other = parts[place].at(variant);
            // Sets are inside of the universe already.
            if *other == universe.states && !set.is_true() { Ok(set) } else { set.and(other) }
        })?;
        others.push((variant, set));
    }
    Ok(others)
}

/// For each operand the intersection of the others, in the formula itself: those before it, and those behind.
fn all_but_one(parts: &[Rc<Varied>], everything: &Bdd) -> Result<Vec<Bdd>, StopReason> {
    let mut rests = Vec::with_capacity(parts.len());
    let mut before = everything.clone();
    for part in parts {
        rests.push(before.clone());
        before = before.and(&part.own)?;
    }
    let mut behind = everything.clone();
    for (rest, part) in rests.iter_mut().zip(parts).rev() {
        *rest = rest.and(&behind)?;
        behind = behind.and(&part.own)?;
    }
    Ok(rests)
}

/// E\[f U g\] for all variants, if `own` is that of the formula itself.
fn untils(
    universe: &Universe<'_>,
    f: &Rc<Varied>,
    g: &Rc<Varied>,
    own: &Bdd,
) -> Result<Vec<(usize, Bdd)>, StopReason> {
    let by_any_step = universe.model.manager.constant(true);
    let mut done: Vec<(usize, Bdd)> = Vec::new();
    for variant in variants([f, g].into_iter()) {
        let (through, goal) = (f.at(variant), g.at(variant));
        let same = done.iter().find(|(other, _)| f.at(*other) == through && g.at(*other) == goal);
        let set = if let Some((_, set)) = same {
            set.clone()
        } else if goal.is_false() || *goal == universe.states {
            goal.clone()
        } else if through.is_subset(&f.own)? && goal.is_subset(&g.own)? {
            universe.until(&by_any_step, &through.and(own)?, goal)?
        } else if *through == f.own && g.own.is_subset(goal)? {
            // What leads to the former goal is known, so only the way to what is new is looked for.
            let new = universe.until(&by_any_step, &through.diff(own)?, &goal.diff(own)?)?;
            new.or(own)?
        } else if f.own.is_subset(through)? && g.own.is_subset(goal)? {
            universe.until(&by_any_step, through, &goal.or(own)?)?
        } else {
            universe.until(&by_any_step, through, goal)?
        };
        done.push((variant, set));
    }
    Ok(done)
}
