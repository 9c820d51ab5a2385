//! One way on, prepared for abstraction: which values predicates can have after it, by the values of those before it.
//!
//! Many predicates are plainly true, false, or what one before was. For the rest, conjunctions fall into groups that share no
//! variables, so that a question about all of them is one question about each group, and the answer of a group depends only on the
//! predicates before that are in it.

use super::cubes::Cube;
use super::scopes::Scopes;
use super::vectors::Asked;
use indexmap::IndexSet;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;
use tertium_expr::{Term, Variable};
use tertium_support::{Context, StopReason};
use tertium_truth::Kleene;

/// The most values left open that are told apart.
const MOST_SPLIT: usize = 8;

/// What a predicate is afterwards.
#[derive(Clone, Copy, Debug)]
enum Post {
    Fixed(bool),
    /// What this one before was, or the opposite if false.
    Copied(usize, bool),
    Solved {
        group: usize,
        at: usize,
    },
}

#[derive(Debug, Default)]
struct Group {
    /// Which of those before belong here.
    sources: Vec<(usize, Term)>,
    /// Parts of the guard, and domains.
    given: Vec<Term>,
    posts: Vec<Term>,
    answers: FxHashMap<Cube, Rc<[Cube]>>,
}

/// A way on.
#[derive(Debug)]
pub(crate) struct Site {
    posts: Vec<Post>,
    groups: Vec<Group>,
    /// Those before that are copied, and that a group depends on too: what they are is told apart.
    split: Vec<usize>,
    /// The guard is plainly false.
    is_blocked: bool,
}

impl Site {
    /// From `sources` before, where `guard` holds, to `posts`, all said of the same state.
    pub(crate) fn new(scopes: &Scopes<'_>, sources: &[Term], guard: Term, posts: &[Term]) -> Self {
        let terms = scopes.terms();
        if terms.as_bool(guard) == Some(false) {
            return Self { posts: Vec::new(), groups: Vec::new(), split: Vec::new(), is_blocked: true };
        }
        let guard = terms.conjuncts(guard);
        let places: FxHashMap<Term, usize> = sources.iter().enumerate().map(|(n, &term)| (term, n)).collect();
        let known = |term: Term| {
            if let Some(value) = terms.as_bool(term) {
                return Some(Post::Fixed(value));
            }
            let same = places.get(&term).map(|&n| Post::Copied(n, true));
            same.or_else(|| places.get(&terms.not(term)).map(|&n| Post::Copied(n, false)))
        };
        let mut together = Together::default();
        let mut variables: FxHashMap<Term, BTreeSet<Variable>> = FxHashMap::default();
        let mut made: Vec<Option<Post>> = posts.iter().map(|&term| known(term)).collect();
        let open = posts.iter().zip(&made).filter(|(_, post)| post.is_none()).map(|(&term, _)| term);
        for term in guard.iter().chain(sources).copied().chain(open) {
            let own = variables.entry(term).or_insert_with(|| terms.variables_of(term));
            together.join(own);
        }
        let mut numbers: FxHashMap<Variable, usize> = FxHashMap::default();
        let mut groups: Vec<Group> = Vec::new();
        let mut constant = None;
        for &part in &guard {
            let Some(&first) = variables[&part].first() else {
                // A condition without variables that is not plainly true: a group by itself.
                constant.get_or_insert_with(Group::default).given.push(part);
                continue;
            };
            let group = number(&mut numbers, &mut groups, together.root(first));
            groups[group].given.push(part);
        }
        for (post, &term) in made.iter_mut().zip(posts) {
            if post.is_none() {
                let Some(&first) = variables[&term].first() else {
                    let group = constant.get_or_insert_with(Group::default);
                    *post = Some(Post::Solved { group: usize::MAX, at: group.posts.len() });
                    group.posts.push(term);
                    continue;
                };
                let group = number(&mut numbers, &mut groups, together.root(first));
                *post = Some(Post::Solved { group, at: groups[group].posts.len() });
                groups[group].posts.push(term);
            }
        }
        for (n, &term) in sources.iter().enumerate() {
            let Some(&first) = variables[&term].first() else { continue };
            if let Some(&group) = numbers.get(&together.root(first)) {
                groups[group].sources.push((n, term));
            }
        }
        for variable in together.all() {
            let Some(&group) = numbers.get(&together.root(variable)) else { continue };
            groups[group].given.extend(scopes.within(variable));
        }
        let last = groups.len();
        groups.extend(constant);
        let posts = made.into_iter().map(|post| match post.expect("all are known by now") {
            Post::Solved { group: usize::MAX, at } => Post::Solved { group: last, at },
            post => post,
        });
        let posts: Vec<Post> = posts.collect();
        let copied = posts.iter().filter_map(|post| match post {
            Post::Copied(n, _) => Some(*n),
            _ => None,
        });
        let used: BTreeSet<usize> =
            groups.iter().flat_map(|group| group.sources.iter().map(|&(n, _)| n)).collect();
        let mut split: Vec<usize> = copied.filter(|n| used.contains(n)).collect();
        split.sort_unstable();
        split.dedup();
        Self { posts, groups, split, is_blocked: false }
    }

    /// All values afterwards, by the values before. `most` bounds how many are told apart.
    pub(crate) fn targets(
        &mut self,
        context: &Context,
        scopes: &Scopes<'_>,
        asked: &mut Asked<'_, '_>,
        source: &[Kleene],
        most: usize,
    ) -> Result<Vec<Cube>, StopReason> {
        if self.is_blocked {
            return Ok(Vec::new());
        }
        let open: Vec<usize> = self.split.iter().copied().filter(|&n| source[n] == Kleene::Unknown).collect();
        if open.is_empty() || open.len() > MOST_SPLIT {
            asked.n_coarse += u64::from(!open.is_empty());
            return self.targets_of(context, scopes, asked, source, most);
        }
        let mut all = IndexSet::new();
        let mut own: Cube = source.into();
        for values in 0..1usize << open.len() {
            for (bit, &n) in open.iter().enumerate() {
                own[n] = Kleene::from(values >> bit & 1 == 1);
            }
            all.extend(self.targets_of(context, scopes, asked, &own, most)?);
        }
        Ok(all.into_iter().collect())
    }

    fn targets_of(
        &mut self,
        context: &Context,
        scopes: &Scopes<'_>,
        asked: &mut Asked<'_, '_>,
        source: &[Kleene],
        most: usize,
    ) -> Result<Vec<Cube>, StopReason> {
        let mut found: Vec<Rc<[Cube]>> = Vec::with_capacity(self.groups.len());
        for group in &mut self.groups {
            let vectors = group.vectors(context, scopes, asked, source)?;
            if vectors.is_empty() {
                return Ok(Vec::new());
            }
            found.push(vectors);
        }
        // Groups with many vectors count as one cube where the product gets too large.
        loop {
            let product = found.iter().try_fold(1usize, |product, own| product.checked_mul(own.len()));
            if product.is_some_and(|product| product <= most) {
                break;
            }
            let largest =
                found.iter_mut().max_by_key(|own| own.len()).expect("their product is more than one");
            *largest = vec![hull(largest)].into();
            asked.n_coarse += 1;
        }
        let mut targets = Vec::new();
        let mut chosen = vec![0; found.len()];
        loop {
            targets.push(self.target(source, &found, &chosen));
            let Some(next) = (0..found.len()).find(|&n| chosen[n] + 1 < found[n].len()) else { break };
            chosen[next] += 1;
            chosen[..next].fill(0);
        }
        Ok(targets)
    }

    /// Whether all of `posts` hold for sure, by the values before.
    pub(crate) fn must_hold(
        &mut self,
        context: &Context,
        scopes: &Scopes<'_>,
        asked: &mut Asked<'_, '_>,
        source: &[Kleene],
    ) -> Result<bool, StopReason> {
        if self.is_blocked {
            return Ok(true);
        }
        let is_known = |post: &Post| match *post {
            Post::Fixed(value) => value,
            Post::Copied(n, true) => source[n] == Kleene::True,
            Post::Copied(n, false) => source[n] == Kleene::False,
            Post::Solved { .. } => true,
        };
        if !self.posts.iter().all(is_known) {
            return Ok(false);
        }
        for group in self.groups.iter_mut().filter(|group| !group.posts.is_empty()) {
            let vectors = group.vectors(context, scopes, asked, source)?;
            if vectors.iter().any(|vector| vector.iter().any(|&value| value != Kleene::True)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn target(&self, source: &[Kleene], found: &[Rc<[Cube]>], chosen: &[usize]) -> Cube {
        let value = |post: &Post| match *post {
            Post::Fixed(value) => Kleene::from(value),
            Post::Copied(n, true) => source[n],
            Post::Copied(n, false) => source[n].not(),
            Post::Solved { group, at } => found[group][chosen[group]][at],
        };
        self.posts.iter().map(value).collect()
    }
}

fn number(numbers: &mut FxHashMap<Variable, usize>, groups: &mut Vec<Group>, root: Variable) -> usize {
    *numbers.entry(root).or_insert_with(|| {
        groups.push(Group::default());
        groups.len() - 1
    })
}

impl Group {
    fn vectors(
        &mut self,
        context: &Context,
        scopes: &Scopes<'_>,
        asked: &mut Asked<'_, '_>,
        source: &[Kleene],
    ) -> Result<Rc<[Cube]>, StopReason> {
        let key: Cube = self.sources.iter().map(|&(n, _)| source[n]).collect();
        if let Some(known) = self.answers.get(&key) {
            return Ok(Rc::clone(known));
        }
        let terms = scopes.terms();
        let mut condition = self.given.clone();
        for (&(_, term), &value) in self.sources.iter().zip(&key) {
            match value {
                Kleene::True => condition.push(term),
                Kleene::False => condition.push(terms.not(term)),
                Kleene::Unknown => {}
            }
        }
        let vectors = asked.vectors(context, terms, &condition, &self.posts)?;
        self.answers.insert(key, Rc::clone(&vectors));
        Ok(vectors)
    }
}

/// The smallest cube around some.
fn hull(cubes: &[Cube]) -> Cube {
    let mut hull = cubes[0].clone();
    for cube in cubes {
        for (own, other) in hull.iter_mut().zip(cube) {
            if *own != *other {
                *own = Kleene::Unknown;
            }
        }
    }
    hull
}

/// Sets of variables that occur together.
#[derive(Default)]
struct Together(FxHashMap<Variable, Variable>);

impl Together {
    /// The variable that stands for all that occur together with this one.
    fn root(&mut self, variable: Variable) -> Variable {
        let mut root = variable;
        while let Some(&parent) = self.0.get(&root).filter(|&&parent| parent != root) {
            root = parent;
        }
        let mut at = variable;
        while at != root {
            at = self.0.insert(at, root).expect("it is on the way to the root");
        }
        self.0.entry(root).or_insert(root);
        root
    }

    fn join(&mut self, variables: &BTreeSet<Variable>) {
        let mut variables = variables.iter();
        let Some(&first) = variables.next() else { return };
        self.root(first);
        for &other in variables {
            let (one, other) = (self.root(first), self.root(other));
            // The one declared first stands for both, so that nothing depends on the order of questions.
            self.0.insert(one.max(other), one.min(other));
        }
    }

    /// All variables, in order.
    fn all(&self) -> Vec<Variable> {
        let mut all: Vec<Variable> = self.0.keys().copied().collect();
        all.sort_unstable();
        all
    }
}
