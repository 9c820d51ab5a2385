//! Which truth values some terms can have together, under a condition.
//!
//! As in the abstraction of programs without procedures: every call of the solver finds a new vector or excludes a cube, and these are all
//! disjoint. Where there are too many vectors, each term is looked at by itself. Answers are kept by the question, written with
//! the same names of variables wherever it is asked: procedures that are alike share them.

use super::cubes::{Cube, merged};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use tertium_expr::{Sort, Substitution, Term, Terms, Variable};
use tertium_solve::{Answer, Model, Prover};
use tertium_support::{Context, StopReason};
use tertium_truth::Kleene;

/// A condition, and what is asked about.
type Asking = (Vec<Term>, Vec<Term>);

/// What was asked so far, with the answers.
pub(crate) struct Asked<'a, 's> {
    pub(crate) prover: &'a mut Prover<'s>,
    /// For the solver: a question has a bound of its own, and is answered faster without a clock. The clock is looked at between questions.
    quiet: Context,
    known: FxHashMap<Asking, Rc<[Cube]>>,
    /// Names that stand for variables in questions, by sort.
    names: FxHashMap<Sort, Vec<Variable>>,
    /// The most vectors that are listed one by one.
    most: usize,
    /// Whether what can be either is left open, rather than told apart.
    merges: bool,
    /// How often there were more, or the solver gave up.
    pub(crate) n_coarse: u64,
    /// How many questions were asked, and how many of these were new.
    pub(crate) n_questions: (u64, u64),
}

impl<'a, 's> Asked<'a, 's> {
    pub(crate) fn new(context: &Context, prover: &'a mut Prover<'s>, most: usize, merges: bool) -> Self {
        let quiet = context.after_limit(u64::MAX);
        let (known, names) = (FxHashMap::default(), FxHashMap::default());
        Self { prover, quiet, known, names, most, merges, n_coarse: 0, n_questions: (0, 0) }
    }

    /// All values that `posts` can have where all of `condition` hold, or cubes that cover them.
    pub(crate) fn vectors(
        &mut self,
        context: &Context,
        terms: &Terms,
        condition: &[Term],
        posts: &[Term],
    ) -> Result<Rc<[Cube]>, StopReason> {
        let (condition, posts) = self.renamed(terms, condition, posts);
        self.n_questions.0 += 1;
        let key = (condition, posts);
        if let Some(found) = self.known.get(&key) {
            return Ok(Rc::clone(found));
        }
        self.n_questions.1 += 1;
        let (condition, posts) = &key;
        let before = self.quiet.spent();
        let found = match self.listed(context, terms, condition, posts)? {
            Some(found) if self.merges => merged(found),
            Some(found) => found,
            None => {
                self.n_coarse += 1;
                vec![self.single(context, terms, condition, posts)?]
            }
        };
        context.spend(self.quiet.spent() - before)?;
        let found: Rc<[Cube]> = found.into();
        self.known.insert(key, Rc::clone(&found));
        Ok(found)
    }

    /// The same question about variables with standard names, in the order in which they occur.
    fn renamed(&mut self, terms: &Terms, condition: &[Term], posts: &[Term]) -> Asking {
        let mut renaming: FxHashMap<Variable, Variable> = FxHashMap::default();
        let mut used: FxHashMap<Sort, usize> = FxHashMap::default();
        for &term in condition.iter().chain(posts) {
            for variable in terms.variables_of(term) {
                if renaming.contains_key(&variable) {
                    continue;
                }
                let sort = terms.sort_of(variable);
                let n = used.entry(sort.clone()).or_default();
                let names = self.names.entry(sort.clone()).or_default();
                if *n == names.len() {
                    names.push(terms.declare(&format!("{sort} {n}@asked"), &sort));
                }
                renaming.insert(variable, names[*n]);
                *n += 1;
            }
        }
        let pairs = renaming.into_iter().map(|(variable, name)| (variable, terms.variable(name)));
        let mut renaming = Substitution::new(pairs);
        let mut condition: Vec<Term> = condition.iter().map(|&term| renaming.apply(terms, term)).collect();
        condition.sort_unstable();
        condition.dedup();
        (condition, posts.iter().map(|&term| renaming.apply(terms, term)).collect())
    }

    /// All vectors, unless there are too many or the solver gives up.
    fn listed(
        &mut self,
        context: &Context,
        terms: &Terms,
        condition: &[Term],
        posts: &[Term],
    ) -> Result<Option<Vec<Cube>>, StopReason> {
        let mut found: Vec<Cube> = Vec::new();
        // What is fixed of the first terms; these cubes and the vectors found cover everything, and are disjoint.
        let mut open: Vec<Vec<bool>> = vec![Vec::new()];
        while let Some(prefix) = open.pop() {
            context.poll()?;
            let fixed = prefix.iter().zip(posts).map(|(&value, &post)| literal(terms, post, value));
            let together = condition.iter().copied().chain(fixed);
            let (answer, model) = self.prover.find(&self.quiet, terms, together);
            let vector = match answer {
                Answer::Unsatisfiable => continue,
                Answer::Stopped(reason) => return Err(reason),
                Answer::GaveUp => None,
                Answer::Satisfiable => model.and_then(|model| vector(terms, &model, &prefix, posts)),
            };
            let Some(vector) = vector else {
                if prefix.len() == posts.len() && answer == Answer::Satisfiable {
                    found.push(cube(&prefix));
                    continue;
                }
                return Ok(None);
            };
            if found.len() == self.most {
                return Ok(None);
            }
            for at in prefix.len()..posts.len() {
                let mut other = vector[..=at].to_vec();
                other[at] = !other[at];
                open.push(other);
            }
            found.push(cube(&vector));
        }
        Ok(Some(found))
    }

    /// What each term can be by itself.
    fn single(
        &mut self,
        context: &Context,
        terms: &Terms,
        condition: &[Term],
        posts: &[Term],
    ) -> Result<Cube, StopReason> {
        let mut cube = Vec::with_capacity(posts.len());
        for &post in posts {
            context.poll()?;
            let mut can_be = |value| {
                let together = condition.iter().copied().chain([literal(terms, post, value)]);
                let answer = self.prover.check(&self.quiet, terms, together).unless_stopped()?;
                Ok::<bool, StopReason>(answer.may_be_satisfiable())
            };
            cube.push(match (can_be(false)?, can_be(true)?) {
                (false, true) => Kleene::True,
                (true, false) => Kleene::False,
                _ => Kleene::Unknown,
            });
        }
        Ok(cube.into())
    }
}

fn literal(terms: &Terms, post: Term, value: bool) -> Term {
    if value { post } else { terms.not(post) }
}

fn cube(vector: &[bool]) -> Cube {
    vector.iter().map(|&value| if value { Kleene::True } else { Kleene::False }).collect()
}

/// The values of all terms in a model; the first ones are known.
fn vector(terms: &Terms, model: &Model, prefix: &[bool], posts: &[Term]) -> Option<Vec<bool>> {
    let rest = posts[prefix.len()..].iter().map(|&post| model.satisfies(terms, post));
    prefix.iter().map(|&value| Some(value)).chain(rest).collect()
}
