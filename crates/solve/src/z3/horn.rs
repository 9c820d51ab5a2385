//! Constrained Horn clauses, asked of Spacer \[KGC16\], the engine of Z3 for them.
//!
//! What it says is a hint and never more: a solution is given back as terms, which whoever wants to use them has to show himself, and
//! that there is none is only a reason to look for a way. Interpretations that we have no terms for are left out and counted.
//!
//! Question and answer are texts, so that Spacer can work in a process of its own ([`Aside`](tertium_support::Aside)): where it is
//! stopped at the wrong moment it ends the process that it is in.

use super::horn_text::{HornQuestion, HornReply, Interpretation};
use super::own_context::OwnContext;
use super::read_back::{Reading, Vocabulary};
use super::{UNITS_PER_CALL, UNITS_PER_STEP, power_of_two};
use tertium_expr::{Term, Terms, Variable};
use tertium_support::{Context, StopReason, memory_of_process};
use z3::Solver;
use z3::ast::{Ast, Dynamic};

/// A relation of the clauses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HornRelation {
    /// As the text calls it.
    pub name: String,
    /// The sorts of its arguments, in the language of the text.
    pub sorts: Vec<String>,
    /// What stands for its arguments in a solution.
    pub arguments: Vec<Variable>,
}

/// What was said about clauses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HornAnswer {
    /// They have a solution, it is said: what it is for each relation.
    Solved(Vec<HornTold>),
    /// They have none, it is said.
    Contradictory,
    /// Not known.
    GaveUp,
    /// A limit of the run ended the question.
    Stopped(StopReason),
}

/// What was told of a relation, over its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HornTold {
    /// What it is.
    Is(Term),
    /// A part of that: it implies this.
    Part(Term),
    /// Nothing that we have a term for.
    Nothing,
}

/// A way to ask: what is easy in one can be hopeless in another, in both directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HornWay {
    /// As Z3 does by itself: lemmas from the coefficients of arithmetic proofs.
    Farkas,
    /// Lemmas from plain unsatisfiable cores: equations between variables are found sooner.
    Cores,
    /// Like [`Farkas`](Self::Farkas), with relations put into others first. Less is told of these.
    Inlined,
}

impl HornWay {
    /// All ways, the most promising first.
    pub const ALL: [Self; 3] = [Self::Farkas, Self::Cores, Self::Inlined];
}

/// Asks whether clauses in SMT-LIB have a solution, with at most so many of Z3's own steps.
pub fn solve_horn(
    context: &Context,
    terms: &Terms,
    text: &str,
    relations: &[HornRelation],
    way: HornWay,
    steps: u32,
) -> HornAnswer {
    if let Err(reason) = context.poll() {
        return HornAnswer::Stopped(reason);
    }
    let question = HornQuestion {
        way,
        steps,
        timeout: context.time_left().map(power_of_two),
        megabytes: context.limits().memory.map(megabytes_left),
        relations: relations.iter().map(|own| (own.name.clone(), own.sorts.clone())).collect(),
        text: text.to_owned(),
    };
    // In this process it could be the end of everything.
    let Some(aside) = context.aside() else { return HornAnswer::GaveUp };
    let said = match aside.ask(context, &question.to_text()) {
        Ok(said) => said,
        Err(reason) => return HornAnswer::Stopped(reason),
    };
    let Some(reply) = said.and_then(|said| HornReply::of_text(&said)) else {
        // It broke down. How far it came is not known.
        let _ = context.spend(u64::from(steps) * UNITS_PER_STEP);
        return HornAnswer::GaveUp;
    };
    let _ = context.spend(reply.work * UNITS_PER_STEP + UNITS_PER_CALL);
    match reply.solved {
        // That nothing at all is said of any relation is what a solver leaves behind that has not come to its end.
        Some(true)
            if !relations.is_empty()
                && reply.interpretations.iter().all(|found| *found == Interpretation::Any) =>
        {
            HornAnswer::GaveUp
        }
        Some(true) => HornAnswer::Solved(read(terms, relations, &question, reply.interpretations)),
        Some(false) => HornAnswer::Contradictory,
        None => match context.poll() {
            Err(reason) => HornAnswer::Stopped(reason),
            Ok(()) if reply.timed_out && context.time_left().is_some_and(|left| left.is_zero()) => {
                HornAnswer::Stopped(StopReason::TimeLimit)
            }
            Ok(()) => HornAnswer::GaveUp,
        },
    }
}

/// What a process beside this one may use.
fn megabytes_left(limit: u64) -> u64 {
    let used = memory_of_process(std::process::id()).unwrap_or(0);
    (limit.saturating_sub(used) >> 20).max(LEAST_MEGABYTES)
}

/// Less than this is no use.
const LEAST_MEGABYTES: u64 = 16;

/// What is said of relations, as terms.
fn read(
    terms: &Terms,
    relations: &[HornRelation],
    question: &HornQuestion,
    said: Vec<Interpretation>,
) -> Vec<HornTold> {
    let texts: Vec<Option<String>> = said
        .iter()
        .enumerate()
        .map(|(number, said)| match said {
            Interpretation::Is(value) | Interpretation::Part(value) => {
                Some(question.with_value(number, value))
            }
            Interpretation::Any | Interpretation::None => None,
        })
        .collect();
    let parsed = OwnContext::new().inside(Vec::new(), move |parsed: &mut Vec<Option<Vec<Dynamic>>>| {
        parsed.extend(texts.iter().map(|text| {
            let solver = Solver::new();
            solver.from_string(text.as_deref()?);
            Some(solver.get_assertions().into_iter().map(Dynamic::from).collect())
        }));
    });
    let read = |relation: &HornRelation, parsed: Option<Vec<Dynamic>>| {
        // `value = value'` for the relation, and an equation with itself for each argument.
        let parsed = parsed?;
        let (value, arguments) = parsed.split_first()?;
        let constants = arguments.iter().map(|equation| equation.nth_child(0));
        let vocabulary: Option<Vocabulary> =
            constants.zip(&relation.arguments).map(|(constant, &own)| Some((constant?, own))).collect();
        Reading::new(terms, &vocabulary?).term(&value.nth_child(0)?)
    };
    let told = |((relation, said), parsed): ((&HornRelation, Interpretation), _)| match said {
        Interpretation::Any => HornTold::Is(terms.boolean(true)),
        Interpretation::Part(_) => read(relation, parsed).map_or(HornTold::Nothing, HornTold::Part),
        _ => read(relation, parsed).map_or(HornTold::Nothing, HornTold::Is),
    };
    relations.iter().zip(said).zip(parsed).map(told).collect()
}
