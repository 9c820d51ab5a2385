//! Abstraction and search beside each other, for `--engine auto`: whichever has a definite answer first shows it, and the other stops.
//!
//! Terms belong to one thread, so the search reads the model for itself. What it learns comes back as text.

use super::refining::{Inquiry, written};
use super::shower::Method;
use super::{Place, Question};
use crate::commands::check::Job;
use crate::supervise::STACK;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use tertium_abstraction::Predicates;
use tertium_front_gcl::{Model, Resolved, read};
use tertium_refine::Answer;
use tertium_report::Message;
use tertium_support::{Cancel, Context, Source};
use tertium_truth::Verdict;

/// Who may show an answer: the first who has one.
#[derive(Default)]
struct Claim(AtomicBool);

impl Claim {
    fn take(&self) -> bool {
        !self.0.swap(true, Ordering::AcqRel)
    }

    fn is_taken(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// What the search is told.
struct Rival<'a> {
    job: &'a Job,
    file: &'a str,
    model: &'a Source,
    property: &'a str,
    source: &'a Source,
    place: Place,
    messages: &'a [Message],
    predicates: String,
}

/// Answers one question. The predicates at the end are added to `found`.
pub(super) fn answer(inquiry: &Inquiry<'_>, source: &Source, found: &mut Predicates) {
    let Inquiry { job, file, model, question, messages, .. } = *inquiry;
    let started = job.run.context.elapsed();
    let claim = Claim::default();
    let (own, own_cancel) = job.run.context.branch();
    let (other, other_cancel) = job.run.context.branch();
    let rival = Rival {
        job,
        file,
        model: source,
        property: &question.property,
        source: &question.source,
        place: question.place,
        messages,
        predicates: written(&model.program, found),
    };
    let learnt = thread::scope(|scope| {
        let claim = &claim;
        let thread = thread::Builder::new().name("search".to_owned()).stack_size(STACK);
        let search = thread.spawn_scoped(scope, move || rival.search(&other, claim, &own_cancel));
        let search = search.expect("the system can start one more thread");
        let answer = inquiry.decide(&own, Method::Predicate, found);
        if is_definite(&answer) && claim.take() {
            other_cancel.cancel();
            inquiry.learn(&answer, found);
            inquiry.show(Method::Predicate, answer, started);
            wait(search);
            return None;
        }
        let learnt = wait(search);
        if !claim.is_taken() {
            inquiry.learn(&answer, found);
            inquiry.show(Method::Predicate, answer, started);
        }
        learnt
    });
    if let Some(text) = learnt {
        let terms = model.predicates(&Source::new("<predicates of the search>", text));
        for term in terms.into_iter().flatten() {
            found.add(&model.program, term);
        }
    }
}

/// What the search learnt, if it was first.
fn wait(search: thread::ScopedJoinHandle<'_, Option<String>>) -> Option<String> {
    search.join().unwrap_or_else(|panic| resume_unwind(panic))
}

impl Rival<'_> {
    /// Searches; if that gives a definite answer before the other has one, stops the other and shows it. Gives the predicates then.
    fn search(&self, context: &Context, claim: &Claim, other: &Cancel) -> Option<String> {
        let started = self.job.run.context.elapsed();
        let (model, _) = read(context, self.model).ok()?;
        let meaning = self.meaning(&model)?;
        let mut found = Predicates::new();
        for term in model.predicates(&Source::new("<predicates>", self.predicates.as_str())).ok()? {
            found.add(&model.program, term);
        }
        let question = Question {
            property: self.property.to_owned(),
            source: self.source.clone(),
            place: self.place,
            meaning: Ok(meaning.clone()),
        };
        let inquiry = Inquiry {
            job: self.job,
            file: self.file,
            model: &model,
            question: &question,
            meaning: &meaning,
            messages: self.messages,
        };
        let answer = inquiry.decide(context, Method::Search, &found);
        if !is_definite(&answer) || !claim.take() {
            return None;
        }
        other.cancel();
        let learnt = written(&model.program, &answer.predicates);
        inquiry.show(Method::Search, answer, started);
        Some(learnt)
    }

    fn meaning(&self, model: &Model) -> Option<Resolved> {
        match self.place {
            Place::File(index) => model.properties.get(index).map(|property| property.meaning.clone()),
            Place::Given => model.formula(self.source).ok(),
        }
    }
}

fn is_definite(answer: &Answer) -> bool {
    matches!(answer.verdict, Verdict::True | Verdict::False)
}
