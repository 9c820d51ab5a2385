//! Several engines in turn, each in a thread of its own that waits while it is not its turn.
//!
//! Cheap engines come first, then rounds of growing budgets. A budget is counted in work, so who wins is the same in every run, on
//! any machine; the first engine in the order of the table that has a definite and confirmed answer at the end of its turn wins, and
//! the others are stopped. Engines that end without an answer are out.
//!
//! A thread reads the model for itself: terms belong to one thread. The thread of a winner is kept for the next question, and so
//! are those that ended without an answer after little work, since they hold little. All others end, and their memory is given
//! back. Questions about a property that was changed follow the question about itself: they
//! begin with the predicates that it led to, and engines that have answered one are kept for the next, as are those whose work on
//! it was ended although they hold much.

use crate::advice::{Prospects, advise};
use crate::check::{deadline, is_limit, learn};
use crate::vacuity::VacuityNotes;
use crate::{
    Admitted, Asked, Engine, Halt, Left, Listener, Logic, Model, Opening, Property, PropertyId, Question,
    Request, Wanted, admit, questions,
};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, Scope, ScopedJoinHandle, scope};
use std::time::Duration;
use tertium_evidence::{Detail, Evidence};
use tertium_support::{Cancel, Context, Id, Progress, Share, StopReason};
use tertium_truth::{Cause, Verdict};

/// The stack of a thread: formulas and texts nest.
const STACK: usize = 64 << 20;
/// The work that the first engine gets before all others: some milliseconds.
const FIRST: u64 = 1 << 20;
/// Half the work that every engine gets in the first round of all; each round has twice as much as the one before.
const ROUND: u64 = 1 << 20;
/// How often the scheduler looks at the limits while somebody works.
const LOOK: Duration = Duration::from_millis(20);
/// How long a thread may take to notice that it should stop.
const GRACE: Duration = Duration::from_millis(1_000);
/// An engine that did no more work than this holds so little that it is kept for the next question.
const LITTLE: u64 = 1 << 24;
/// In this round, what other questions led to is tried as well.
const HINTS_FROM: u32 = 3;

/// All questions about one model, by several engines.
pub(crate) struct Schedule<'a> {
    pub(crate) request: &'a Request<'a>,
    /// In the order in which they are tried.
    pub(crate) engines: &'a [Engine],
    /// Whether the model has finitely many states as it is written.
    pub(crate) is_bounded: bool,
    pub(crate) asked: &'a [Question],
    /// What they are about, by id.
    pub(crate) properties: Vec<Property>,
    /// What else could be tried on each, by id.
    pub(crate) prospects: Vec<Prospects>,
}

/// What a thread is asked.
struct Order {
    property: PropertyId,
    /// What is asked instead of what the property says, if it was changed.
    changed: Option<Logic>,
    hints: Option<String>,
    wanted: Wanted,
}

/// What a thread says: how a question ended, or why it can answer none at all.
type Reply = Result<Result<Admitted, Halt>, Halt>;

/// A question about a property that was changed.
#[derive(Clone, Copy)]
pub(crate) struct Changed<'q> {
    /// Whose propositions it has.
    pub(crate) property: PropertyId,
    /// What is asked.
    pub(crate) logic: &'q Logic,
    /// Predicates to begin with, as text.
    pub(crate) hints: &'q str,
    /// What is wanted to know.
    pub(crate) wanted: Wanted,
}

/// An engine in its thread.
struct Worker<'s> {
    engine: Engine,
    share: Share,
    cancel: Cancel,
    progress: Progress,
    orders: Sender<Order>,
    replies: Receiver<Reply>,
    thread: ScopedJoinHandle<'s, ()>,
}

impl Worker<'_> {
    fn holds_little(&self) -> bool {
        self.share.spent() <= LITTLE
    }

    /// Has the work on a question end where it is, so that the thread with all that it keeps can be asked the next one. What it says,
    /// unless it does not notice in time.
    fn recall(&self) -> Option<Reply> {
        self.share.limit_work(Some(0));
        self.share.grant(u64::MAX);
        let noticed = self.share.pause(GRACE);
        self.share.limit_work(None);
        noticed.then(|| self.replies.try_recv().ok()).flatten()
    }
}

/// An engine at work on a question.
struct Attempt<'s> {
    worker: Worker<'s>,
    hinted: bool,
    /// What it said, if it ended without a definite answer.
    ended: Option<Result<Admitted, Halt>>,
}

/// How a question ended.
struct Settled {
    answer: Result<Admitted, Halt>,
    /// How much work it took.
    work: u64,
}

impl Schedule<'_> {
    pub(crate) fn run(&self, notes: &mut VacuityNotes, listener: &mut dyn Listener) -> Result<Left, Halt> {
        let mut left = Left::default();
        scope(|scope| -> Result<(), Halt> {
            let mut kept: Vec<Worker<'_>> = Vec::new();
            for (at, question) in self.asked.iter().enumerate() {
                let property = match &question.property {
                    Ok(property) => *property,
                    Err(halt) => {
                        listener.trouble(&question.name, halt.clone());
                        continue;
                    }
                };
                let deadline = deadline(self.request, self.asked.len() - at);
                let hints = &left.predicates;
                let work = self.request.work_each;
                let engines = self.engines;
                self.request.context.progress().turn_to(at + 1, self.asked.len());
                let race = Race {
                    schedule: self,
                    scope,
                    engines,
                    property,
                    changed: None,
                    wanted: Wanted::Everything,
                    deadline,
                    work,
                    hints,
                };
                let settled = race.run(&mut kept)?;
                notes.checked(settled.work);
                match settled.answer {
                    Ok(mut admitted) => {
                        let most = work.map(|work| work.saturating_sub(settled.work));
                        self.note_vacuity(&race, most, notes, &mut admitted, &mut kept);
                        learn(&mut left, &admitted);
                        listener.answer(admitted);
                    }
                    Err(halt) => listener.trouble(&question.name, halt),
                }
            }
            drop(kept);
            Ok(())
        })?;
        Ok(left)
    }

    /// Lets `work` ask as many changed questions as it likes. It says how many properties are still to come, itself included: each
    /// has its share of the time.
    pub(crate) fn with_oracle<T>(
        &self,
        work: impl FnOnce(&mut dyn FnMut(Changed<'_>, usize) -> Result<Admitted, Halt>) -> T,
    ) -> T {
        scope(|scope| {
            let mut kept: Vec<Worker<'_>> = Vec::new();
            work(&mut |changed, n_left| {
                let race = Race {
                    schedule: self,
                    scope,
                    engines: self.engines,
                    property: changed.property,
                    changed: Some(changed.logic),
                    wanted: changed.wanted,
                    deadline: deadline(self.request, n_left),
                    work: self.request.work_each,
                    hints: changed.hints,
                };
                race.run(&mut kept)?.answer
            })
        })
    }

    /// Looks for vacuity of a property that was answered. What the winner keeps is there for the next property, too.
    fn note_vacuity<'s, 'e: 's>(
        &'e self,
        race: &Race<'_, 's, 'e>,
        most: Option<u64>,
        notes: &mut VacuityNotes,
        admitted: &mut Admitted,
        kept: &mut Vec<Worker<'s>>,
    ) {
        let winner = kept.last().map(|worker| worker.engine.name);
        // A cheap one finds what changes the verdict, the winner what does not; later ones would have to share the work with them.
        let at = self.engines.iter().position(|engine| Some(engine.name) == winner);
        let few = &self.engines[..at.map_or(self.engines.len(), |at| at + 1)];
        let wanted = notes.wanted();
        let learnt = admitted.learnt.clone().unwrap_or_default();
        let own = &self.properties[race.property.index()];
        notes.look(own, admitted, most, &mut |logic, work| {
            let engines = if work.is_some() { few } else { self.engines };
            let race = Race { engines, changed: Some(logic), wanted, work, hints: &learnt, ..*race };
            match race.run(kept) {
                Ok(settled) => (settled.answer, settled.work),
                Err(halt) => (Err(halt), 0),
            }
        });
        kept.retain(|worker| Some(worker.engine.name) == winner || worker.holds_little());
    }

    /// Starts an engine in a thread; nothing if there is no room for one more.
    fn hire<'s, 'e: 's>(&'e self, scope: &'s Scope<'s, 'e>, engine: Engine) -> Option<Worker<'s>> {
        let (context, share, cancel) = self.request.context.share();
        let (orders, todo) = channel();
        let (done, replies) = channel();
        let own = share.clone();
        let progress = context.progress().clone();
        let work = move || {
            self.serve(&context, engine, &todo, &done, &own);
            own.rest();
        };
        let thread = Builder::new().name(engine.name.to_owned()).stack_size(STACK);
        let thread = thread.spawn_scoped(scope, work).ok()?;
        Some(Worker { engine, share, cancel, progress, orders, replies, thread })
    }

    /// What a thread does: reads the model, and answers what it is asked until nobody asks any more.
    fn serve(
        &self,
        context: &Context,
        engine: Engine,
        todo: &Receiver<Order>,
        done: &Sender<Reply>,
        share: &Share,
    ) {
        let mut answered = 0;
        let served = self.reread(context).and_then(|model| {
            let asked: Vec<PropertyId> =
                self.asked.iter().filter_map(|question| question.property.clone().ok()).collect();
            let options = self.request.options;
            let opening = Opening { context, model: model.as_ref(), asked: &asked, options, growing: true };
            (engine.open)(opening, &mut |session| {
                while let Ok(order) = todo.recv() {
                    let own = &model.properties()[order.property.index()];
                    let started = context.elapsed();
                    let asked = Asked {
                        property: order.property,
                        logic: order.changed.as_ref().unwrap_or(&own.logic),
                        hints: order.hints.as_deref(),
                        wanted: order.wanted,
                    };
                    let reply = session.ask(asked).map(|candidate| {
                        let candidate = candidate.with_replays_for(order.wanted);
                        let time = context.elapsed() - started;
                        let mut admitted = admit(context, options, own, candidate, time);
                        let prospects = &self.prospects[order.property.index()];
                        advise(&engine, self.engines, self.request, prospects, &mut admitted);
                        admitted
                    });
                    answered += 1;
                    if done.send(Ok(reply)).is_err() {
                        return;
                    }
                    share.rest();
                }
            })
        });
        if let (0, Err(halt)) = (answered, served) {
            // Whoever asked hears why there is no session.
            let _ = done.send(Err(halt));
        }
    }

    /// What a round's work is divided by for an engine.
    fn divisor(&self, engine: &Engine) -> u64 {
        engine.turn(self.is_bounded).map_or(1, |turn| turn.divisor)
    }

    /// The model again, with the same properties.
    fn reread(&self, context: &Context) -> Result<Box<dyn Model>, Halt> {
        let read = crate::ReadOptions { warnings: false, ..self.request.read.clone() };
        let request = Request { context, read: &read, ..*self.request };
        let (mut model, _) = crate::check::read(&request)?;
        questions(model.as_mut(), self.request.given, self.request.chosen)?;
        Ok(model)
    }
}

/// One question, several engines.
#[derive(Clone, Copy)]
struct Race<'r, 's, 'e> {
    schedule: &'e Schedule<'e>,
    scope: &'s Scope<'s, 'e>,
    /// In the order in which they are tried.
    engines: &'r [Engine],
    property: PropertyId,
    /// What is asked instead of what the property says, if it was changed.
    changed: Option<&'r Logic>,
    wanted: Wanted,
    deadline: Option<Duration>,
    /// How much work all engines may do together.
    work: Option<u64>,
    hints: &'r str,
}

impl<'s, 'e: 's> Race<'_, 's, 'e> {
    /// Uses the engines that were kept, and keeps others for later. An error is about all questions.
    fn run(&self, kept: &mut Vec<Worker<'s>>) -> Result<Settled, Halt> {
        let mut attempts: Vec<Attempt<'s>> = Vec::new();
        let all_work = self.work.unwrap_or(u64::MAX);
        let mut work_left = all_work;
        let (first, each) = self.turns();
        let engines = self.engines;
        for round in 0u32.. {
            let n = if round == 0 { 1 } else { engines.len() };
            while attempts.iter().filter(|attempt| !attempt.hinted).count() < n {
                let engine = engines[attempts.len()];
                let known = kept.iter().position(|worker| worker.engine.name == engine.name);
                let worker = known.map(|at| kept.swap_remove(at));
                let hints = self.changed.map(|_| self.hints).filter(|hints| !hints.is_empty());
                let Some(attempt) = self.begin(engine, worker, hints, false) else {
                    self.dismiss(attempts, kept);
                    let answer = Err(Halt::Stopped(StopReason::MemoryLimit));
                    return Ok(Settled { answer, work: all_work - work_left });
                };
                attempts.push(attempt);
            }
            if self.changed.is_none() && round == HINTS_FROM && !self.hints.is_empty() {
                let refining =
                    engines.iter().filter(|engine| engine.takes.contains(&crate::Taken::Predicates));
                let hinted = refining.take(1).map(|&engine| self.begin(engine, None, Some(self.hints), true));
                attempts.extend(hinted.flatten());
            }
            let budget = if round == 0 { first } else { each << round.min(40) };
            for at in 0..attempts.len() {
                if attempts[at].ended.is_some() {
                    continue;
                }
                let before = attempts[at].worker.share.spent();
                let own = (budget / self.schedule.divisor(&attempts[at].worker.engine)).max(1);
                let turn = self.turn(&mut attempts[at], own.min(work_left));
                work_left = work_left.saturating_sub(attempts[at].worker.share.spent() - before);
                match turn {
                    Turn::Waiting => {}
                    Turn::Over(reply) => match *reply {
                        Ok(mut admitted) if admitted.answer.outcome.is_definite() => {
                            let winner = attempts.swap_remove(at);
                            admitted.bug = admitted.bug.or_else(|| bug(&attempts));
                            self.dismiss(attempts, kept);
                            kept.push(winner.worker);
                            return Ok(Settled { answer: Ok(admitted), work: all_work - work_left });
                        }
                        // What is wrong with a text is wrong for everybody.
                        Err(halt @ (Halt::Faulty(..) | Halt::Usage(_))) => {
                            self.dismiss(attempts, kept);
                            return Ok(Settled { answer: Err(halt), work: all_work - work_left });
                        }
                        open => attempts[at].ended = Some(open),
                    },
                    Turn::Unusable(halt) => {
                        self.dismiss(attempts, kept);
                        return Err(halt);
                    }
                    Turn::Stopped => {
                        return Ok(Settled {
                            answer: self.give_up(attempts, kept),
                            work: all_work - work_left,
                        });
                    }
                }
                if work_left == 0 {
                    for attempt in attempts.iter_mut().filter(|attempt| attempt.ended.is_none()) {
                        attempt.ended = attempt.worker.recall().map(|reply| reply.unwrap_or_else(Err));
                    }
                    return Ok(Settled { answer: self.give_up(attempts, kept), work: all_work });
                }
            }
            if attempts.len() >= engines.len() && attempts.iter().all(|attempt| attempt.ended.is_some()) {
                return Ok(Settled { answer: self.give_up(attempts, kept), work: all_work - work_left });
            }
        }
        unreachable!("rounds end with the work or with a limit")
    }

    /// How much work the first engine may do alone, and all engines in the first round. A changed question has little work to share out,
    /// and everybody should have a turn.
    fn turns(&self) -> (u64, u64) {
        match (self.changed, self.work) {
            (Some(_), Some(work)) => (FIRST.min(work / 8), ROUND.min(work / 16).max(1)),
            _ => (FIRST, ROUND),
        }
    }

    /// Stops engines. Those that have ended by themselves are kept for the next question if they hold little, or if this one was about
    /// a changed property. After such a question one that holds much is kept even if it has not ended: to make that again is dear.
    fn dismiss(&self, attempts: Vec<Attempt<'s>>, kept: &mut Vec<Worker<'s>>) {
        for mut attempt in attempts {
            if self.changed.is_some() && attempt.ended.is_none() && !attempt.worker.holds_little() {
                attempt.ended = attempt.worker.recall().map(|reply| reply.unwrap_or_else(Err));
            }
            let ended = matches!(attempt.ended, Some(Ok(_) | Err(Halt::Stopped(_))));
            if ended && (self.changed.is_some() || attempt.worker.holds_little()) {
                kept.push(attempt.worker);
            } else {
                attempt.worker.cancel.cancel();
                attempt.worker.share.close();
            }
        }
    }

    fn begin(
        &self,
        engine: Engine,
        worker: Option<Worker<'s>>,
        hints: Option<&str>,
        hinted: bool,
    ) -> Option<Attempt<'s>> {
        let worker = worker.or_else(|| self.schedule.hire(self.scope, engine))?;
        worker.share.last_until(self.deadline);
        worker.share.grant(0);
        let order = Order {
            property: self.property,
            changed: self.changed.cloned(),
            hints: hints.map(str::to_owned),
            wanted: self.wanted,
        };
        // A thread that ended has said why.
        let _ = worker.orders.send(order);
        Some(Attempt { worker, hinted, ended: None })
    }

    /// Lets an engine work until its budget is used up, it has an answer, or a limit of the run is reached.
    fn turn(&self, attempt: &mut Attempt<'s>, budget: u64) -> Turn {
        let worker = &attempt.worker;
        self.schedule.request.context.progress().follow(worker.engine.name, &worker.progress);
        worker.share.grant(budget);
        loop {
            let paused = worker.share.pause(LOOK);
            // What a thread says before it ends is still there afterwards.
            let is_finished = worker.thread.is_finished();
            match worker.replies.try_recv() {
                Ok(Err(halt @ (Halt::Faulty(..) | Halt::Usage(_)))) => return Turn::Unusable(halt),
                Ok(reply) => return Turn::Over(Box::new(reply.unwrap_or_else(Err))),
                Err(_) => {}
            }
            if self.is_over() {
                return Turn::Stopped;
            }
            if is_finished {
                let broken = Halt::Bug(format!("the engine {} broke down", worker.engine.name));
                return Turn::Over(Box::new(Err(broken)));
            }
            if paused {
                return Turn::Waiting;
            }
        }
    }

    fn is_over(&self) -> bool {
        let context = self.schedule.request.context;
        context.poll().is_err() || self.deadline.is_some_and(|deadline| context.elapsed() >= deadline)
    }

    /// No engine has an answer: tells what the one says that tried hardest, once all have had time to notice a limit.
    fn give_up(&self, attempts: Vec<Attempt<'s>>, kept: &mut Vec<Worker<'s>>) -> Result<Admitted, Halt> {
        let context = self.schedule.request.context;
        let waited_from = context.elapsed();
        let of_the_share = match self.work {
            Some(_) if !self.is_over() => StopReason::WorkLimit,
            _ => StopReason::TimeLimit,
        };
        let cause = context.poll().err().unwrap_or(of_the_share);
        let mut said: Vec<Result<Admitted, Halt>> = Vec::new();
        for attempt in &attempts {
            said.push(attempt.ended.clone().unwrap_or_else(|| {
                attempt.worker.share.close();
                let patience = GRACE.saturating_sub(context.elapsed() - waited_from);
                let reply = attempt.worker.replies.recv_timeout(patience);
                // Who says nothing in time was stopped by the limit all the same.
                reply.map_or(Err(Halt::Stopped(cause)), |reply| reply.unwrap_or_else(Err))
            }));
        }
        let bug = said.iter().find_map(|ended| bug_in(Some(ended)));
        let depth = said.iter().flatten().filter_map(clear_depth).max();
        let mut best: Option<Result<Admitted, Halt>> = None;
        for ended in said {
            // A definite answer that came just in time counts.
            let definite = matches!(&ended, Ok(found) if found.answer.outcome.is_definite());
            if definite || best.as_ref().is_none_or(|best| says_more(&ended, best)) {
                best = Some(ended);
            }
            if definite {
                break;
            }
        }
        self.dismiss(attempts, kept);
        match (best, bug) {
            (Some(Ok(mut admitted)), bug) => {
                if let (Some(depth), false) = (depth, admitted.answer.outcome.is_definite()) {
                    // Whoever looked furthest is right for all.
                    let details = &mut admitted.answer.details;
                    details.retain(|detail| !matches!(detail, Detail::NoViolationWithin(_)));
                    details.push(Detail::NoViolationWithin(depth));
                }
                Ok(Admitted { bug: admitted.bug.or(bug), ..admitted })
            }
            (_, Some(bug)) => Err(Halt::Bug(bug)),
            (best, None) => best.unwrap_or(Err(Halt::Stopped(cause))),
        }
    }
}

/// Within how many steps an engine saw no violation.
fn clear_depth(admitted: &Admitted) -> Option<usize> {
    admitted.answer.details.iter().find_map(|detail| match detail {
        Detail::NoViolationWithin(depth) => Some(*depth),
        _ => None,
    })
}

enum Turn {
    /// The budget is used up.
    Waiting,
    /// It has an answer, or none.
    Over(Box<Result<Admitted, Halt>>),
    /// It can answer nothing, since an input is wrong: nobody can.
    Unusable(Halt),
    /// A limit of the run was reached.
    Stopped,
}

/// A mistake of ours that some attempt came upon. It is told, whoever answers.
fn bug(attempts: &[Attempt<'_>]) -> Option<String> {
    attempts.iter().find_map(|attempt| bug_in(attempt.ended.as_ref()))
}

fn bug_in(ended: Option<&Result<Admitted, Halt>>) -> Option<String> {
    match ended {
        Some(Ok(found)) => found.bug.clone(),
        Some(Err(Halt::Bug(what))) => Some(what.clone()),
        _ => None,
    }
}

/// Which of two unknown answers to tell: one that names what is not supported, then one that names what it depends on or what is
/// open, then one that has something to tell besides, then one that a limit stopped, which can be raised, then one that a bound did. Of
/// two that name what they depend on, the one that counted more on the way.
fn says_more(new: &Result<Admitted, Halt>, old: &Result<Admitted, Halt>) -> bool {
    let has = |found: &Admitted, is_it: fn(&Detail) -> bool| found.answer.details.iter().any(is_it);
    let rank = |reply: &Result<Admitted, Halt>| match reply {
        Err(Halt::Stopped(_)) => (3, 0),
        Err(_) => (0, 0),
        Ok(found) => match (&found.answer.outcome.evidence, found.answer.outcome.verdict) {
            (_, Verdict::Unknown(Cause::Unsupported)) => (8, 0),
            _ if has(found, |detail| matches!(detail, Detail::DependsOn(_))) => {
                (7, found.answer.outcome.statistics.iter().filter(|&(_, n)| n > 0).count())
            }
            (Some(Evidence::Open(_)), _) => (6, 0),
            _ if has(found, |detail| matches!(detail, Detail::Predicates(_))) => (5, 0),
            (_, verdict) if is_limit(verdict) => (4, 0),
            (_, Verdict::Unknown(Cause::Bound)) => (2, 0),
            _ => (1, 0),
        },
    };
    rank(new) > rank(old)
}
