//! Why an answer is unknown, in one sentence, and what helps in any case.

use tertium_truth::Cause;

/// What happened, in a few words.
pub fn cause_text(cause: Cause) -> &'static str {
    match cause {
        Cause::Time => "the time limit was reached",
        Cause::Work => "the limit on work was reached",
        Cause::Memory => "the memory limit was reached",
        Cause::Nodes => "the limit on nodes of decision diagrams was reached",
        Cause::Iterations => "the limit on rounds of refinement was reached",
        Cause::Solver => "the solver gave up where it mattered",
        Cause::Interrupted => "the run was interrupted",
        Cause::Bound => "there is more to look at than a bound allows",
        Cause::Imprecise => "what was looked at leaves it open",
        Cause::Unsupported => "something that is not supported can be reached",
        Cause::Inconsistent => "the system both proves and refutes it",
        Cause::Evidence => "there was an answer, and its evidence did not stand up to its validator",
    }
}

/// What helps against a cause whatever the model is. Engines know better; this is for questions that no engine was asked.
pub fn next_step(cause: Cause) -> &'static str {
    match cause {
        Cause::Time => "more time with `--time`",
        Cause::Work => "more work with `--work`",
        Cause::Memory => "more memory with `--memory`",
        Cause::Nodes => "more nodes with `--nodes`",
        Cause::Iterations => "more rounds with `--iterations`",
        Cause::Solver => "avoid products of variables and division by them",
        Cause::Interrupted => "run it again; with `--time` it ends by itself",
        Cause::Bound => "more states with `--states`",
        Cause::Imprecise => "settle what is open",
        Cause::Unsupported => "write what is named in another way, or leave it out",
        Cause::Inconsistent => "`tertium model consistent` finds the contradiction",
        Cause::Evidence => "this is a bug in Tertium: please report it",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cause_has_a_sentence_and_an_advice_of_its_own() {
        let mut texts: Vec<&str> = Cause::ALL.map(cause_text).into();
        texts.extend(Cause::ALL.map(next_step));
        texts.sort_unstable();
        texts.dedup();
        assert_eq!(texts.len(), 2 * Cause::ALL.len());
    }
}
