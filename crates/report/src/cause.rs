//! Why an answer is unknown, in one sentence, and what to try next.

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
        Cause::Imprecise => "the system leaves it open",
        Cause::Inconsistent => "the system both proves and refutes it",
        Cause::Evidence => "there was an answer, and its evidence did not stand up to its validator",
    }
}

/// What the user can do about it, as an advice that names an option or a command.
pub fn next_step(cause: Cause) -> &'static str {
    match cause {
        Cause::Time => {
            "give more time with `--time`, or make the system smaller with `tertium model minimise`"
        }
        Cause::Work => "allow more with `--work`, which counts steps and not seconds",
        Cause::Memory => "give more memory with `--memory`; checking takes less with `--no-evidence`",
        Cause::Nodes => "allow more with `--nodes`, or give a better order of the variables with `--order`",
        Cause::Iterations => "allow more with `--iterations`, or help with `--predicates`",
        Cause::Solver => "avoid products of variables and division, or say more with `--predicates`",
        Cause::Interrupted => "run it again; with `--time` it ends by itself",
        Cause::Bound => {
            "of a .gcl model, allow more states with `--states`; with thorough semantics, try `--semantics ris`, which needs no enumeration"
        }
        Cause::Imprecise => {
            "settle what is open; of the `--semantics`, `ris` is more precise than `sis`, and `thorough` than both"
        }
        Cause::Inconsistent => "run `tertium model consistent` on the file to find the contradiction",
        Cause::Evidence => {
            "this is a bug in Tertium: please report it; another `--engine` may have an answer"
        }
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
