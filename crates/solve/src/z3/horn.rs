//! Constrained Horn clauses, asked of Spacer \[KGC16\], the engine of Z3 for them.
//!
//! What it says is a hint and never more: a solution is given back as terms, which whoever wants to use them has to show himself, and
//! that there is none is only a reason to look for a way. Interpretations that we have no terms for are left out and counted.

use super::own_context::OwnContext;
use super::read_back::{Reading, Vocabulary};
use super::translate::Translation;
use super::{UNITS_PER_CALL, UNITS_PER_STEP, power_of_two};
use tertium_expr::{Term, Terms, Variable};
use tertium_support::{Context, StopReason};
use z3::ast::{Ast, Dynamic};
use z3::{FuncDecl, Params, SatResult, Sort, StatisticsValue, Tactic};

/// A relation of the clauses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HornRelation {
    /// As the text calls it.
    pub name: String,
    /// What stands for its arguments in a solution. Their sorts are those of the arguments.
    pub arguments: Vec<Variable>,
}

/// What was said about clauses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HornAnswer {
    /// They have a solution, it is said: for each relation a truth value over its arguments, if we have a term for it.
    Solved(Vec<Option<Term>>),
    /// They have none, it is said.
    Contradictory,
    /// Not known.
    GaveUp,
    /// A limit of the run ended the question.
    Stopped(StopReason),
}

/// A way to ask: what is easy in one can be hopeless in another, in both directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HornWay {
    /// As Z3 does by itself: lemmas from the coefficients of arithmetic proofs.
    Farkas,
    /// Lemmas from plain unsatisfiable cores: equations between variables are found sooner.
    Cores,
    /// Lemmas that are alike are put together.
    Global,
}

impl HornWay {
    /// All ways, the most promising first.
    pub const ALL: [Self; 3] = [Self::Farkas, Self::Cores, Self::Global];

    fn configure(self, params: &mut Params) {
        match self {
            Self::Farkas => {}
            Self::Cores => params.set_u32("spacer.iuc", 0),
            Self::Global => params.set_bool("spacer.global", true),
        }
    }
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
    let own = OwnContext::new();
    let timeout = context.time_left().map(power_of_two);
    let text = text.to_owned();
    let sorts: Vec<Vec<tertium_expr::Sort>> = relations
        .iter()
        .map(|relation| relation.arguments.iter().map(|&own| terms.sort_of(own)).collect())
        .collect();
    let names: Vec<String> = relations.iter().map(|relation| relation.name.clone()).collect();
    let asked = own.inside(None, move |asked| {
        *asked = Some(Asked::new(&text, &names, &sorts, |params| way.configure(params), steps, timeout))
    });
    let Asked { result, timed_out, work, interpretations } = asked.expect("it was asked inside");
    let _ = context.spend(work * UNITS_PER_STEP + UNITS_PER_CALL);
    match result {
        SatResult::Sat => {
            // That nothing at all is said of any relation is what a solver leaves behind that has not come to its end.
            if interpretations.iter().all(|found| matches!(found, Interpretation::Any)) {
                return HornAnswer::GaveUp;
            }
            let read = relations.iter().zip(&interpretations).map(|(relation, found)| match found {
                Interpretation::Any => Some(terms.boolean(true)),
                Interpretation::None => None,
                Interpretation::Is(value, constants) => {
                    let vocabulary: Vocabulary =
                        constants.iter().cloned().zip(relation.arguments.iter().copied()).collect();
                    Reading::new(terms, &vocabulary).term(value)
                }
            });
            HornAnswer::Solved(read.collect())
        }
        SatResult::Unsat => HornAnswer::Contradictory,
        SatResult::Unknown => match context.poll() {
            Err(reason) => HornAnswer::Stopped(reason),
            Ok(()) if timed_out && context.time_left().is_some_and(|left| left.is_zero()) => {
                HornAnswer::Stopped(StopReason::TimeLimit)
            }
            Ok(()) => HornAnswer::GaveUp,
        },
    }
}

/// What came out, in Z3's words.
struct Asked {
    result: SatResult,
    timed_out: bool,
    work: u64,
    interpretations: Vec<Interpretation>,
}

/// What is said of a relation.
enum Interpretation {
    /// Nothing: it does not matter.
    Any,
    /// Something that cannot be told.
    None,
    /// What it is for these constants.
    Is(Dynamic, Vec<Dynamic>),
}

impl Asked {
    fn new(
        text: &str,
        names: &[String],
        sorts: &[Vec<tertium_expr::Sort>],
        configure: impl Fn(&mut Params),
        steps: u32,
        timeout: Option<u32>,
    ) -> Self {
        // A solver for the logic would be another one where a default tactic is set.
        let solver = Tactic::new("horn").solver();
        let mut params = Params::new();
        configure(&mut params);
        // Relations that are put into others come back with quantifiers.
        params.set_bool("xform.inline_eager", false);
        params.set_bool("xform.inline_linear", false);
        params.set_bool("ctrl_c", false);
        params.set_u32("rlimit", steps);
        if let Some(timeout) = timeout {
            params.set_u32("timeout", timeout);
        }
        solver.set_params(&params);
        solver.from_string(text);
        let result = solver.check();
        let timed_out = timeout.is_some()
            && result == SatResult::Unknown
            && solver
                .get_reason_unknown()
                .is_some_and(|why| why.contains("cancel") || why.contains("timeout"));
        let work = match solver.get_statistics().value("rlimit count") {
            Some(StatisticsValue::UInt(count)) => u64::from(count),
            Some(StatisticsValue::Double(count)) => count as u64,
            None => 0,
        };
        let model = if result == SatResult::Sat { solver.get_model() } else { None };
        let mut translation = Translation::default();
        let interpretations = model.into_iter().flat_map(|model| {
            let interpretation = |(name, sorts): (&String, &Vec<tertium_expr::Sort>)| {
                let sorts: Vec<Sort> = sorts.iter().map(|sort| translation.plain_sort(sort)).collect();
                let constants: Vec<Dynamic> =
                    sorts.iter().map(|sort| Dynamic::fresh_const("argument", sort)).collect();
                let domain: Vec<&Sort> = sorts.iter().collect();
                let relation = FuncDecl::new(name.as_str(), &domain, &Sort::bool());
                let arguments: Vec<&dyn Ast> = constants.iter().map(|own| own as &dyn Ast).collect();
                if !model.has_interp(&relation) {
                    return Interpretation::Any;
                }
                // With completion, the constants would get values.
                match model.eval(&relation.apply(&arguments), false) {
                    Some(value) => Interpretation::Is(value, constants),
                    None => Interpretation::None,
                }
            };
            names.iter().zip(sorts).map(interpretation).collect::<Vec<_>>()
        });
        Self { result, timed_out, work, interpretations: interpretations.collect() }
    }
}
