//! What is heard of a check, collected in the order of the questions.

use crate::{Answer, Error};
use std::sync::Arc;
use tertium_evidence::{Origin, Outcome, PropertyName, Table};
use tertium_support::{Diagnostic, Source};
use tertium_truth::Cause;
use tertium_verify::{Admitted, Halt, Listener, Question};

/// The answers so far.
#[derive(Default)]
pub(crate) struct Collected {
    pub(crate) answers: Vec<Result<Answer, Error>>,
}

impl Listener for Collected {
    /// Models and properties have their warnings already.
    fn warnings(&mut self, _: &Source, _: &[Diagnostic]) {}

    fn questions(&mut self, _: &[Question]) -> Result<(), Halt> {
        Ok(())
    }

    fn answer(&mut self, admitted: Admitted) {
        self.answers.push(Ok(Answer::new(admitted.answer, admitted.bug)));
    }

    fn trouble(&mut self, name: &PropertyName, halt: Halt) {
        self.answers.push(no_answer(name, halt.into()));
    }
}

/// What is said of a question that got no answer: a limit is one.
pub(crate) fn no_answer(name: &PropertyName, error: Error) -> Result<Answer, Error> {
    match error {
        Error::Stopped(cause) => Ok(unknown(name, cause)),
        error => Err(error),
    }
}

/// Nobody got far enough to say more than why.
fn unknown(name: &PropertyName, cause: Cause) -> Answer {
    let answer = tertium_evidence::Answer {
        property: name.clone(),
        engine: String::new(),
        outcome: Outcome::unknown(cause),
        names: Arc::new(Table::default()),
        origin: Origin::Model,
        details: Vec::new(),
        advice: Vec::new(),
        expected: None,
        documents: Vec::new(),
        time: std::time::Duration::ZERO,
    };
    Answer::new(answer, None)
}
