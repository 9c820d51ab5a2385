//! The models of the published examples.

use tertium_expr::Term;
use tertium_front_gcl::{Model, read};
use tertium_search::{Answer, Settings, search_with_refinement, starting_predicates};
use tertium_solve::{Prover, Z3};
use tertium_support::{Cancel, Context, Limits, Source};

pub(crate) fn context() -> Context {
    Context::new(Limits::default(), Cancel::default())
}

pub(crate) fn model(text: &str) -> Model {
    match read(&context(), &Source::new("test", text)) {
        Ok((model, _)) => model,
        Err(complaints) => panic!("{complaints:?}"),
    }
}

/// n processes that take tickets; each is served when its number comes up, which moves on by `stride`.
pub(crate) fn ticket(n: usize, stride: usize) -> String {
    let mut text = String::new();
    for i in 1..=n {
        text += &format!("control pc{i}: 0..2 = 0;\n");
    }
    for i in 1..=n {
        text += &format!("var a{i}: int = 0;\n");
    }
    text += "var s, t: int = 0;\n";
    for i in 1..=n {
        text += &format!("[take] pc{i} = 0 -> pc{i} := 1, a{i} := t, t := t + 1;\n");
        text += &format!("[enter] pc{i} = 1 && a{i} <= s -> pc{i} := 2;\n");
        text += &format!("[leave] pc{i} = 2 -> pc{i} := 0, s := s + {stride};\n");
    }
    text += "prop error = pc1 = 2 && pc2 = 2;\n";
    text
}

pub(crate) const RAX: &str = "\
control pc1, pc2: 1..6 = 1;
control w1, w2: 0..1 = 0;
var c1, c2, e1, e2: int = 0;
[a1] pc1 = 1 -> c1 := 0, pc1 := 2;
[a2] pc1 = 2 && c1 = e1 -> pc1 := 3;
[a3] pc1 = 3 -> w1 := 1, pc1 := 4;
[a4] pc1 = 4 && w1 = 0 -> pc1 := 5;
[a5] pc1 = 2 && c1 != e1 -> pc1 := 5;
[a6] pc1 = 5 -> c1 := e1, pc1 := 6;
[a7] pc1 = 6 -> e2 := e2 + 1, w2 := 0, pc1 := 2;
[b1] pc2 = 1 -> c2 := 0, pc2 := 2;
[b2] pc2 = 2 -> e1 := e1 + 1, w1 := 0, pc2 := 3;
[b3] pc2 = 3 && c2 = e2 -> pc2 := 4;
[b4] pc2 = 4 -> w2 := 1, pc2 := 5;
[b5] pc2 = 5 && w2 = 0 -> pc2 := 6;
[b6] pc2 = 3 && c2 != e2 -> pc2 := 6;
[b7] pc2 = 6 -> c2 := e2, pc2 := 2;
prop error = pc1 = 4 && pc2 = 5 && w1 = 1 && w2 = 1;
";

pub(crate) fn error_of(model: &Model) -> Term {
    model.program.propositions["error"]
}

/// Searches for the error of a model.
pub(crate) fn search<'p>(model: &'p Model, settings: &Settings) -> Answer<'p> {
    let goal = error_of(model);
    let start = starting_predicates(&model.program, goal, settings);
    let mut prover = Prover::new(Z3::new());

    search_with_refinement(&context(), &model.program, Some(goal), start, settings, &mut prover)
}
