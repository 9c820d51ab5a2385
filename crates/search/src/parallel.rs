//! Many states followed at once by several threads, with the same outcome as one after the other.
//!
//! A batch is a part of the queue. Each thread finds the successors of the states in its part of the batch. Then the candidates are shared out by the tables
//! that they belong to: equal ones belong to the same table, whose thread goes through them in the order in which one thread alone would have found them, so the
//! first one wins. At last the winners are numbered in that order. Until then they stand in the tables with what they are in the batch.
//!
//! A batch ends early at a state where the goal holds, and before one that the interpreter has to be asked about: only one thread can do that.

use crate::moves::Scratch;
use crate::store::{AT_ONCE, MOST, Store, hash, is_same, set_parent, table_of};
use crate::view::{Successor, View};
use std::ops::Range;
use tertium_support::{Context, StopReason};

/// So many states has each thread in a batch at most.
const LARGEST: usize = if cfg!(test) { 5 } else { 1 << 13 };
/// So many states are in a batch of one thread alone: what they lead to should stay in the caches.
const ALONE: usize = if cfg!(test) { 4 } else { 1 << 6 };
/// For fewer states it is not worth while to start threads.
const SMALLEST: usize = if cfg!(test) { 1 } else { 1 << 8 };
/// So many words of candidates are enough for each thread.
const MOST_WORDS: usize = if cfg!(test) { 20 } else { 1 << 20 };
/// Of so many candidates a thread remembers where it has them.
const RECENT: usize = if cfg!(test) { 8 } else { 1 << 14 };
/// Between so many states threads look at the limits.
const BETWEEN: usize = 1 << 7;

/// What came of a batch.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Batch {
    /// So many states were followed.
    pub(crate) n_followed: usize,
    /// So many were generated.
    pub(crate) n_generated: usize,
    /// Whether the goal holds at the last one that was followed.
    pub(crate) goal: bool,
    /// Whether the interpreter has to be asked about the one after it.
    pub(crate) unknown: bool,
}

/// How large batches are.
pub(crate) struct Batches {
    threads: usize,
    size: usize,
    /// What each thread finds; their memory is used again. One thread alone has the first.
    parts: Vec<Part>,
}

impl Batches {
    /// For so many threads.
    pub(crate) fn new(threads: usize) -> Self {
        let size = if threads == 1 { ALONE } else { LARGEST * threads };
        let parts = (0..threads).map(|_| Part::new()).collect();
        Self { threads, size, parts }
    }

    /// The next batch.
    pub(crate) fn next(&self, waiting: Range<usize>) -> Range<usize> {
        let n = waiting.len().min(self.size);
        let n = if n >= SMALLEST * self.threads { n } else { n.min(ALONE) };
        waiting.start..waiting.start + n
    }

    /// Follows the states of a batch, perhaps not all.
    pub(crate) fn follow(
        &mut self,
        context: &Context,
        view: &View,
        store: &mut Store,
        batch: Range<usize>,
    ) -> Result<Batch, StopReason> {
        if self.threads == 1 || batch.len() < SMALLEST * self.threads {
            let alone = &mut self.parts[0];
            alone.follow(context, view, store, batch, 1)?;
            store.insert_all(context, &alone.records)?;
            let Part { n_followed, n_generated, end, .. } = *alone;
            return Ok(Batch {
                n_followed,
                n_generated,
                goal: end == End::Goal,
                unknown: end == End::Unknown,
            });
        }
        let each = batch.len().div_ceil(self.threads);
        let ranges = batch.clone().step_by(each).map(|first| first..(first + each).min(batch.end));
        let n_ranges = ranges.len();
        {
            let (store, threads) = (&*store, self.threads);
            std::thread::scope(|scope| {
                let running: Vec<_> = self
                    .parts
                    .iter_mut()
                    .zip(ranges)
                    .map(|(part, range)| {
                        scope.spawn(move || part.follow(context, view, store, range, threads))
                    })
                    .collect();
                running.into_iter().try_for_each(|thread| thread.join().expect("no thread panics"))
            })?;
        }
        // Parts after one that ended early are not in order.
        let parts = &self.parts[..n_ranges];
        let n_parts =
            parts.iter().position(|part| part.end != End::Whole).map_or(parts.len(), |last| last + 1);
        let parts = &parts[..n_parts];
        let mut outcome = Batch::default();
        for part in parts {
            outcome.n_followed += part.n_followed;
            outcome.n_generated += part.n_generated;
            outcome.goal = part.end == End::Goal;
            outcome.unknown = part.end == End::Unknown;
        }
        // Where the interpreter is asked often, large batches are in vain.
        self.size = match outcome.n_followed == batch.len() {
            true => (2 * self.size).min(LARGEST * self.threads),
            false => outcome.n_followed.max(SMALLEST * self.threads),
        };
        self.insert(context, store, parts)?;
        Ok(outcome)
    }

    /// Adds those candidates that are not known.
    fn insert(&self, context: &Context, store: &mut Store, parts: &[Part]) -> Result<(), StopReason> {
        let n_candidates: usize = parts.iter().map(Part::len).sum();
        let candidates = Candidates::new(parts);
        store.make_room(context, n_candidates, self.threads)?;
        let per_thread = store.tables.len().div_ceil(self.threads);
        let (records, key) = (&store.records, &store.key);
        let fresh: Vec<Vec<u32>> = std::thread::scope(|scope| {
            let running: Vec<_> = store
                .tables
                .chunks_mut(per_thread)
                .enumerate()
                .map(|(thread, tables)| {
                    let candidates = &candidates;
                    scope.spawn(move || {
                        let mut fresh = Vec::new();
                        let key_of = |number: u32| match number.checked_sub(MOST) {
                            Some(candidate) => &candidates.get(candidate)[key.clone()],
                            None => &records.get(number)[key.clone()],
                        };
                        // In passes over a few at a time, as in `Store::insert_all`.
                        let mut likely = [(0, None); AT_ONCE];
                        for (part, first) in parts.iter().zip(&candidates.firsts) {
                            for few in part.shares[thread].chunks(AT_ONCE) {
                                for (&local, likely) in few.iter().zip(&mut likely) {
                                    let hash = hash(&part.record(local)[key.clone()]);
                                    let table = &tables[table_of(hash) - thread * per_thread];
                                    *likely = (hash, table.find(hash, |_| true).copied());
                                }
                                for (&local, likely) in few.iter().zip(&mut likely) {
                                    let own = &part.record(local)[key.clone()];
                                    likely.1 = likely.1.filter(|&number| is_same(key_of(number), own));
                                }
                                for (&local, &(hash, known)) in few.iter().zip(&likely) {
                                    let own = &part.record(local)[key.clone()];
                                    let same = |&number: &u32| is_same(key_of(number), own);
                                    let table = &mut tables[table_of(hash) - thread * per_thread];
                                    if known.is_none() && table.find(hash, same).is_none() {
                                        let hasher = |&number: &u32| crate::store::hash(key_of(number));
                                        table.insert_unique(hash, MOST + first + local, hasher);
                                        fresh.push(first + local);
                                    }
                                }
                            }
                        }
                        fresh
                    })
                })
                .collect();
            running.into_iter().map(|thread| thread.join().expect("no thread panics")).collect()
        });
        // Numbers, in the order of the candidates.
        let mut numbers = vec![MOST; n_candidates];
        fresh.iter().flatten().for_each(|&candidate| numbers[candidate as usize] = 0);
        let mut stopped = None;
        for (part, first) in parts.iter().zip(&candidates.firsts) {
            for local in 0..part.len() as u32 {
                let number = &mut numbers[(first + local) as usize];
                if *number == 0 && stopped.is_none() {
                    match store.records.push(context, part.record(local)) {
                        Ok(new) => *number = new,
                        Err(reason) => stopped = Some(reason),
                    }
                }
            }
        }
        if let Some(reason) = stopped {
            // The tables name candidates that are no records.
            store.fill(self.threads);
            return Err(reason);
        }
        let numbers = &numbers;
        std::thread::scope(|scope| {
            for (thread, (tables, fresh)) in store.tables.chunks_mut(per_thread).zip(&fresh).enumerate() {
                let candidates = &candidates;
                scope.spawn(move || {
                    for &candidate in fresh {
                        let hash = hash(&candidates.get(candidate)[key.clone()]);
                        let table = &mut tables[table_of(hash) - thread * per_thread];
                        let entry = table.find_mut(hash, |&number| number == MOST + candidate);
                        *entry.expect("it was added") = numbers[candidate as usize];
                    }
                });
            }
        });
        Ok(())
    }
}

/// Why a part of a batch ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// All its states were followed.
    Whole,
    /// The goal holds at the last one.
    Goal,
    /// There are many candidates already.
    Full,
    /// The interpreter has to be asked about the next one.
    Unknown,
}

/// What one thread found.
struct Part {
    n_words: usize,
    /// The candidates in order. Where there are several threads, those that were known before the batch are left out.
    records: Vec<u64>,
    /// Candidates that were not looked up yet.
    pending: Vec<u64>,
    /// Where candidates are that were kept not long ago, by some bits of their hash; `u32::MAX` is nowhere.
    recent: Vec<u32>,
    /// For each thread the candidates that belong to its tables.
    shares: Vec<Vec<u32>>,
    scratch: Scratch,
    n_followed: usize,
    n_generated: usize,
    end: End,
}

/// The interpreter has to be asked.
struct Unknown;

impl Part {
    fn len(&self) -> usize {
        self.records.len() / self.n_words
    }

    #[inline]
    fn record(&self, local: u32) -> &[u64] {
        &self.records[local as usize * self.n_words..][..self.n_words]
    }

    fn new() -> Self {
        let (records, pending, recent, shares) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let scratch = Scratch::default();
        Self {
            n_words: 1,
            records,
            pending,
            recent,
            shares,
            scratch,
            n_followed: 0,
            n_generated: 0,
            end: End::Whole,
        }
    }

    /// Finds the candidates of states, after those of others are forgotten.
    fn follow(
        &mut self,
        context: &Context,
        view: &View,
        store: &Store,
        range: Range<usize>,
        threads: usize,
    ) -> Result<(), StopReason> {
        let per_thread = store.tables.len().div_ceil(threads);
        let n_words = view.n_words();
        self.n_words = n_words;
        self.records.clear();
        self.pending.clear();
        self.shares.resize_with(threads, Vec::new);
        self.shares.iter_mut().for_each(Vec::clear);
        if threads > 1 {
            self.recent.clear();
            self.recent.resize(RECENT, u32::MAX);
        }
        (self.n_followed, self.n_generated, self.end) = (0, 0, End::Whole);
        let mut scratch = std::mem::take(&mut self.scratch);
        let part = self;
        for at in range {
            if part.n_followed.is_multiple_of(BETWEEN) {
                context.poll()?;
            }
            if threads > 1 && part.pending.len() >= AT_ONCE * n_words {
                part.look_up(store, per_thread);
            }
            let found = if threads > 1 { &mut part.pending } else { &mut part.records };
            let before = found.len();
            let record = store.records.get(at as u32);
            let followed = view.successors(record, &mut scratch, |successor| match successor {
                Successor::Known(transition, next) => {
                    set_parent(next, Some((at as u32, transition)));
                    found.extend_from_slice(next);
                    Ok(())
                }
                Successor::Unknown(_) => Err(Unknown),
            });
            let goal = view.is_goal(record, &mut scratch);
            match (followed, goal) {
                (Err(Unknown), _) | (Ok(()), None) => {
                    // One thread begins with this state anew.
                    found.truncate(before);
                    part.end = End::Unknown;
                    break;
                }
                (Ok(()), Some(goal)) => {
                    part.n_followed += 1;
                    part.n_generated += (found.len() - before) / n_words;
                    if goal || part.records.len() > MOST_WORDS {
                        part.end = if goal { End::Goal } else { End::Full };
                        break;
                    }
                }
            }
        }
        part.scratch = scratch;
        if threads > 1 {
            part.look_up(store, per_thread);
        }
        Ok(())
    }

    /// Keeps those of the pending candidates that are not in the tables, and not among those that were kept just before. In passes over a few at a time, as in `Store::insert_all`.
    fn look_up(&mut self, store: &Store, per_thread: usize) {
        let key = &store.key;
        let mut likely = [(0, None); AT_ONCE];
        for few in self.pending.chunks(AT_ONCE * self.n_words) {
            for (record, likely) in few.chunks_exact(self.n_words).zip(&mut likely) {
                let hash = hash(&record[key.clone()]);
                *likely = (hash, store.tables[table_of(hash)].find(hash, |_| true).copied());
            }
            for (record, (hash, likely)) in few.chunks_exact(self.n_words).zip(&likely) {
                let own = &record[key.clone()];
                let same = |&number: &u32| is_same(&store.records.get(number)[key.clone()], own);
                let known = likely.as_ref().is_some_and(same)
                    || likely.is_some() && store.tables[table_of(*hash)].find(*hash, same).is_some();
                let recent = &mut self.recent[*hash as usize % RECENT];
                let kept = self
                    .records
                    .get(*recent as usize * self.n_words..)
                    .is_some_and(|kept| kept.len() >= self.n_words && is_same(&kept[key.clone()], own));
                if !known && !kept {
                    let local = (self.records.len() / self.n_words) as u32;
                    self.shares[table_of(*hash) / per_thread].push(local);
                    *recent = local;
                    self.records.extend_from_slice(record);
                }
            }
        }
        self.pending.clear();
    }
}

/// The candidates of all parts, numbered through.
struct Candidates<'a> {
    parts: &'a [Part],
    firsts: Vec<u32>,
}

impl<'a> Candidates<'a> {
    fn new(parts: &'a [Part]) -> Self {
        let mut next = 0;
        let firsts = parts.iter().map(|part| {
            let first = next;
            next += part.len() as u32;
            first
        });
        Self { parts, firsts: firsts.collect() }
    }

    fn get(&self, candidate: u32) -> &[u64] {
        let part = self.firsts.partition_point(|&first| first <= candidate) - 1;
        self.parts[part].record(candidate - self.firsts[part])
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        Identity, Machine, Matching, Order, Precision, Round, RoundSettings, Scope, Written, search_once,
    };
    use tertium_expr::Term;
    use tertium_program::{Program, State, initial_states};
    use tertium_support::{Cancel, Context, Limits, Source, StopReason};
    use tertium_testkit::{ProgramShape, random_atom, random_cases, random_gcl, random_program};

    fn search(
        program: &Program,
        start: &[State],
        matching: Matching<'_>,
        goal: Option<Term>,
        threads: usize,
    ) -> Round {
        let machine = Machine::new(program).expect("few inputs");
        let settings = RoundSettings { order: Order::Breadth, threads, ..RoundSettings::default() };
        search_once(&Context::default(), &machine, start, matching, goal, settings).expect("no limits")
    }

    /// That rounds by more threads are the same as by one. Says how many visits there are.
    fn compare(program: &Program, precision: &Precision, goal: Option<Term>, more: &[usize]) -> usize {
        let start = initial_states(&Context::default(), program, 5).states;
        let machine = Machine::new(program).expect("few inputs");
        let mut n_visits = 0;
        for matching in [Matching::Predicates(precision), Matching::States] {
            if matches!(matching, Matching::States) && is_endless(program) {
                continue;
            }
            let alone = search(program, &start, matching, goal, 1);
            for &threads in more {
                let round = search(program, &start, matching, goal, threads);
                assert_eq!(round.n_visits(), alone.n_visits());
                for visit in 0..round.n_visits() {
                    assert_eq!(round.state(visit), alone.state(visit));
                    assert_eq!(round.key(visit), alone.key(visit));
                    assert_eq!(round.parent(visit), alone.parent(visit));
                }
                assert!(round.followed().eq(alone.followed()));
                assert_eq!(round.edges(&machine), alone.edges(&machine));
                assert_eq!((round.n_generated, round.goal), (alone.n_generated, alone.goal));
            }
            n_visits += alone.n_visits();
        }
        n_visits
    }

    fn is_endless(program: &Program) -> bool {
        program.variables().iter().any(|own| own.domain == tertium_program::Domain::Int)
    }

    fn precision(program: &Program, terms: impl IntoIterator<Item = Term>) -> Precision {
        let mut precision = Precision::new(Identity::Normal);
        for atom in terms.into_iter().flat_map(|term| program.terms.atoms_of(term)) {
            precision.add(program, Written::new(&program.terms, atom), Scope::Everywhere);
        }
        precision
    }

    fn read(text: &str) -> Program {
        let read = tertium_front_gcl::read(&Context::default(), &Source::new("test", text));
        read.unwrap_or_else(|complaints| panic!("{complaints:?}")).0.program
    }

    #[test]
    fn rounds_do_not_depend_on_the_number_of_threads() {
        let mut n_visits = 0;
        let run = random_cases(30, |rng| {
            let shape = ProgramShape { n_commands: 6, bounded: rng.chance(0.7), choices: rng.chance(0.5) };
            let program = random_program(rng, shape);
            let variables: Vec<_> = program.variables().iter().map(|own| own.variable).collect();
            let mut atom = || random_atom(rng, &program.terms, &variables);
            let (terms, goal) = ([atom(), atom(), atom()], atom());
            n_visits +=
                compare(&program, &precision(&program, terms), rng.chance(0.3).then_some(goal), &[2, 3]);
            let program = read(&random_gcl(rng));
            let terms: Vec<Term> = program.propositions.values().copied().collect();
            let goal = rng.chance(0.3).then(|| terms[0]);
            n_visits += compare(&program, &precision(&program, terms), goal, &[2, 3]);
        });
        run.enough(n_visits > 1000, format_args!("{n_visits}"));
    }

    #[test]
    fn states_that_only_one_thread_can_follow_do_not_disturb_the_order() {
        let text = "control n: 0..70 = 0;\ncontrol m: 0..3 = 0;\nvar x: int = 1;\nprop far = x > 7000000000000000000000;\n\
            [up] n < 70 -> n := n + 1, x := 2*x + 1;\n[other] m < 3 -> m := m + 1;\n[down] n > 0 && m = 2 -> n := n - 1, x := x - 7;\n";
        let program = read(text);
        let far = program.propositions["far"];
        for goal in [None, Some(far)] {
            assert!(compare(&program, &precision(&program, [far]), goal, &[2, 17]) > 100);
        }
    }

    #[test]
    fn threads_stop_at_limits_and_leave_what_was_found() {
        let program = read("var x, y: int = 0;\n[a] true -> x := x + 1;\n[b] true -> y := y + 1;\n");
        let machine = Machine::new(&program).expect("no inputs");
        let start = initial_states(&Context::default(), &program, 1).states;
        let time = Limits { time: Some(std::time::Duration::from_millis(20)), ..Limits::default() };
        let mut round = Round::default();
        let settings = RoundSettings { order: Order::Breadth, threads: 2, ..RoundSettings::default() };
        let context = Context::new(time, Cancel::default());
        let matching = Matching::States;
        let stopped = crate::round::search_open(
            &context,
            &machine,
            &start,
            matching,
            None,
            settings,
            &mut |_| Ok(Vec::new()),
            &mut round,
        );
        assert_eq!(stopped, Err(StopReason::TimeLimit));
        let n_followed = round.followed().len();
        assert_eq!(round.edges(&machine).len(), 2 * n_followed);
        assert!(round.n_visits() >= n_followed);
    }
}
