//! Several engines in turn, each in a thread of its own that waits while it is not its turn.
//!
//! Cheap engines come first, then rounds of growing budgets. A budget is counted in work, so who wins is the same in every run, on
//! any machine; the first engine in the order of the table that has a definite and confirmed answer at the end of its turn wins, and
//! the others are stopped. Engines that end without an answer are out.
//!
//! A thread reads the model for itself: terms belong to one thread. The thread of a winner is kept for the next question, all
//! others end, and their memory is given back.

use crate::check::{advise, deadline, is_limit, learn};
use crate::{
    Admitted, Engine, Halt, Left, Listener, Model, Opening, PropertyId, Question, Request, admit, questions,
};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, Scope, ScopedJoinHandle, scope};
use std::time::Duration;
use tertium_evidence::{Detail, Evidence};
use tertium_support::{Cancel, Context, Id, Share, StopReason};
use tertium_truth::{Cause, Verdict};

/// The stack of a thread: formulas and texts nest.
const STACK: usize = 64 << 20;
/// The work that the first engine gets before all others: some tens of milliseconds.
const FIRST: u64 = 1 << 22;
/// The work that every engine gets in the first round of all; each round has twice as much.
const ROUND: u64 = 1 << 21;
/// How often the scheduler looks at the limits while somebody works.
const LOOK: Duration = Duration::from_millis(20);
/// How long a thread may take to notice that it should stop.
const GRACE: Duration = Duration::from_millis(1_000);
/// In this round, what other questions led to is tried as well.
const HINTS_FROM: u32 = 3;

/// All questions about one model, by several engines.
pub(crate) struct Schedule<'a> {
    pub(crate) request: &'a Request<'a>,
    /// In the order in which they are tried.
    pub(crate) engines: &'a [Engine],
    pub(crate) asked: &'a [Question],
}

/// What a thread is asked.
struct Order {
    property: PropertyId,
    hints: Option<String>,
}

/// What a thread says: how a question ended, or why it can answer none at all.
type Reply = Result<Result<Admitted, Halt>, Halt>;

/// An engine in its thread.
struct Worker<'s> {
    engine: Engine,
    share: Share,
    cancel: Cancel,
    orders: Sender<Order>,
    replies: Receiver<Reply>,
    thread: ScopedJoinHandle<'s, ()>,
}

/// An engine at work on a question.
struct Attempt<'s> {
    worker: Worker<'s>,
    hinted: bool,
    /// What it said, if it ended without a definite answer.
    ended: Option<Result<Admitted, Halt>>,
}

/// How a question ended.
struct Settled<'s> {
    answer: Result<Admitted, Halt>,
    kept: Option<Worker<'s>>,
}

impl Schedule<'_> {
    pub(crate) fn run(&self, listener: &mut dyn Listener) -> Result<Left, Halt> {
        let mut left = Left::default();
        scope(|scope| -> Result<(), Halt> {
            let mut kept: Option<Worker<'_>> = None;
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
                let race = Race { schedule: self, scope, property, deadline, work, hints };
                let settled = race.run(kept.take())?;
                kept = settled.kept;
                match settled.answer {
                    Ok(admitted) => {
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

    /// Starts an engine in a thread.
    fn hire<'s, 'e: 's>(&'e self, scope: &'s Scope<'s, 'e>, engine: Engine) -> Worker<'s> {
        let (context, share, cancel) = self.request.context.share();
        let (orders, todo) = channel();
        let (done, replies) = channel();
        let own = share.clone();
        let work = move || {
            self.serve(&context, engine, &todo, &done, &own);
            own.rest();
        };
        let thread = Builder::new().name(engine.name.to_owned()).stack_size(STACK);
        let thread = thread.spawn_scoped(scope, work).expect("the system can start one more thread");
        Worker { engine, share, cancel, orders, replies, thread }
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
                    let reply = session.ask(order.property, order.hints.as_deref()).map(|candidate| {
                        let time = context.elapsed() - started;
                        let mut admitted = admit(context, options, own, candidate, time);
                        advise(&engine, options, &mut admitted);
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

    /// The model again, with the same properties.
    fn reread(&self, context: &Context) -> Result<Box<dyn Model>, Halt> {
        let read = crate::ReadOptions { warnings: false, ..*self.request.read };
        let request = Request { context, read: &read, ..*self.request };
        let (mut model, _) = crate::check::read(&request)?;
        questions(model.as_mut(), self.request.given, self.request.chosen)?;
        Ok(model)
    }
}

/// One question, several engines.
struct Race<'r, 's, 'e> {
    schedule: &'e Schedule<'e>,
    scope: &'s Scope<'s, 'e>,
    property: PropertyId,
    deadline: Option<Duration>,
    /// How much work all engines may do together.
    work: Option<u64>,
    hints: &'r str,
}

impl<'s, 'e: 's> Race<'_, 's, 'e> {
    /// An error is about all questions.
    fn run(&self, mut kept: Option<Worker<'s>>) -> Result<Settled<'s>, Halt> {
        let mut attempts: Vec<Attempt<'s>> = Vec::new();
        let mut work_left = self.work.unwrap_or(u64::MAX);
        let engines = self.schedule.engines;
        for round in 0u32.. {
            let n = if round == 0 { 1 } else { engines.len() };
            while attempts.iter().filter(|attempt| !attempt.hinted).count() < n {
                let engine = engines[attempts.len()];
                let worker = kept.take_if(|worker| worker.engine.name == engine.name);
                attempts.push(self.begin(engine, worker, None));
            }
            if round == HINTS_FROM && !self.hints.is_empty() {
                let refining =
                    engines.iter().filter(|engine| engine.takes.contains(&crate::Taken::Predicates));
                let hinted = refining.take(1).map(|&engine| self.begin(engine, None, Some(self.hints)));
                attempts.extend(hinted);
            }
            let budget = if round == 0 { FIRST } else { ROUND << round.min(40) };
            for at in 0..attempts.len() {
                if attempts[at].ended.is_some() {
                    continue;
                }
                let before = attempts[at].worker.share.spent();
                let turn = self.turn(&mut attempts[at], budget.min(work_left));
                work_left = work_left.saturating_sub(attempts[at].worker.share.spent() - before);
                match turn {
                    Turn::Waiting => {}
                    Turn::Over(reply) => match *reply {
                        Ok(mut admitted) if admitted.answer.outcome.is_definite() => {
                            let winner = attempts.swap_remove(at);
                            admitted.bug = admitted.bug.or_else(|| bug(&attempts));
                            attempts.into_iter().for_each(dismiss);
                            return Ok(Settled { answer: Ok(admitted), kept: Some(winner.worker) });
                        }
                        // What is wrong with a text is wrong for everybody.
                        Err(halt @ (Halt::Faulty(..) | Halt::Usage(_))) => {
                            attempts.into_iter().for_each(dismiss);
                            return Ok(Settled { answer: Err(halt), kept: None });
                        }
                        open => attempts[at].ended = Some(open),
                    },
                    Turn::Unusable(halt) => {
                        attempts.into_iter().for_each(dismiss);
                        return Err(halt);
                    }
                    Turn::Stopped => return Ok(self.give_up(attempts)),
                }
                if work_left == 0 {
                    attempts.iter().for_each(|attempt| attempt.worker.share.limit_work(Some(0)));
                    return Ok(self.give_up(attempts));
                }
            }
            if attempts.len() >= engines.len() && attempts.iter().all(|attempt| attempt.ended.is_some()) {
                return Ok(self.give_up(attempts));
            }
        }
        unreachable!("rounds end with the work or with a limit")
    }

    fn begin(&self, engine: Engine, worker: Option<Worker<'s>>, hints: Option<&str>) -> Attempt<'s> {
        let worker = worker.unwrap_or_else(|| self.schedule.hire(self.scope, engine));
        worker.share.last_until(self.deadline);
        worker.share.grant(0);
        let order = Order { property: self.property, hints: hints.map(str::to_owned) };
        // A thread that ended has said why.
        let _ = worker.orders.send(order);
        Attempt { worker, hinted: hints.is_some(), ended: None }
    }

    /// Lets an engine work until its budget is used up, it has an answer, or a limit of the run is reached.
    fn turn(&self, attempt: &mut Attempt<'s>, budget: u64) -> Turn {
        let worker = &attempt.worker;
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
    fn give_up(&self, mut attempts: Vec<Attempt<'s>>) -> Settled<'s> {
        let context = self.schedule.request.context;
        let waited_from = context.elapsed();
        for attempt in &mut attempts {
            if attempt.ended.is_none() {
                attempt.worker.share.close();
                let patience = GRACE.saturating_sub(context.elapsed() - waited_from);
                let reply = attempt.worker.replies.recv_timeout(patience);
                attempt.ended = reply.ok().map(|reply| reply.unwrap_or_else(Err));
            }
        }
        let bug = bug(&attempts);
        let mut best: Option<Result<Admitted, Halt>> = None;
        for attempt in &mut attempts {
            let Some(ended) = attempt.ended.take() else { continue };
            // A definite answer that came just in time counts.
            let definite = matches!(&ended, Ok(found) if found.answer.outcome.is_definite());
            if definite || best.as_ref().is_none_or(|best| says_more(&ended, best)) {
                best = Some(ended);
            }
            if definite {
                break;
            }
        }
        attempts.into_iter().for_each(dismiss);
        let of_the_share = match self.work {
            Some(_) if !self.is_over() => StopReason::WorkLimit,
            _ => StopReason::TimeLimit,
        };
        let cause = context.poll().err().unwrap_or(of_the_share);
        let answer = match (best, bug) {
            (Some(Ok(admitted)), bug) => Ok(Admitted { bug: admitted.bug.or(bug), ..admitted }),
            (_, Some(bug)) => Err(Halt::Bug(bug)),
            (best, None) => best.unwrap_or(Err(Halt::Stopped(cause))),
        };
        Settled { answer, kept: None }
    }
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

/// Stops an engine. Its thread ends by itself.
fn dismiss(attempt: Attempt<'_>) {
    attempt.worker.cancel.cancel();
    attempt.worker.share.close();
}

/// A mistake of ours that some attempt came upon. It is told, whoever answers.
fn bug(attempts: &[Attempt<'_>]) -> Option<String> {
    attempts.iter().find_map(|attempt| match &attempt.ended {
        Some(Ok(found)) => found.bug.clone(),
        Some(Err(Halt::Bug(what))) => Some(what.clone()),
        _ => None,
    })
}

/// Which of two unknown answers to tell: one that names what is open, then one that has something to tell besides, then one that a
/// limit stopped, which can be raised, then one that a bound did.
fn says_more(new: &Result<Admitted, Halt>, old: &Result<Admitted, Halt>) -> bool {
    let rank = |reply: &Result<Admitted, Halt>| match reply {
        Err(Halt::Stopped(_)) => 3,
        Err(_) => 0,
        Ok(found) => match (&found.answer.outcome.evidence, found.answer.outcome.verdict) {
            (Some(Evidence::Open(_)), _) => 6,
            _ if found.answer.details.iter().any(|detail| matches!(detail, Detail::Predicates(_))) => 5,
            (_, verdict) if is_limit(verdict) => 4,
            (_, Verdict::Unknown(Cause::Bound)) => 2,
            _ => 1,
        },
    };
    rank(new) > rank(old)
}
