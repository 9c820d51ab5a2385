//! Many instances at once against the oracle, instance by instance.

use tertium_check::{Further, FurtherValues, Instances, Prepared, Word, check_instances, evaluate};
use tertium_logic::{Formula, parse};
use tertium_support::{Cancel, Context, Id, Limits, Rng, Source, StopReason};
use tertium_system::{Modality, PartialSystem, StateId, SystemBuilder};
use tertium_testkit::{FormulaShape, SystemShape, random_cases, random_formula, random_system};
use tertium_truth::Belnap;

const FAMILIES: [fn(usize) -> SystemShape; 4] =
    [SystemShape::complete, SystemShape::kmts, SystemShape::mixed, SystemShape::gkmts];

/// The values of two propositions that the system does not have: `f` depends on state and instance, `g` on the instance.
struct Table {
    n: usize,
    f: Vec<Vec<Belnap>>,
    g: Vec<bool>,
}

impl Table {
    fn random(rng: &mut Rng, system: &PartialSystem, n: usize) -> Self {
        let complete = system.is_complete();
        let mut value = || match rng.below(if complete { 2 } else { 4 }) {
            0 => Belnap::True,
            1 => Belnap::False,
            2 => Belnap::Unknown,
            _ => Belnap::Inconsistent,
        };
        let f = system.states().map(|_| (0..n).map(|_| value()).collect()).collect();
        Self { n, f, g: (0..n).map(|_| rng.chance(0.5)).collect() }
    }

    fn at_once(&self, system: &PartialSystem, formula: &Formula) -> Instances {
        let by_state = |state: StateId, block: usize| {
            let mut word = Word::default();
            for (bit, value) in self.f[state.index()].iter().skip(64 * block).take(64).enumerate() {
                word.must |= u64::from(value.must()) << bit;
                word.may |= u64::from(value.may()) << bit;
            }
            word
        };
        let mut rigid = vec![0; self.n.div_ceil(64)];
        for (instance, _) in self.g.iter().enumerate().filter(|(_, holds)| **holds) {
            rigid[instance / 64] |= 1 << (instance % 64);
        }
        let further = [
            Further { name: "f".to_owned(), values: FurtherValues::ByState(&by_state) },
            Further { name: "g".to_owned(), values: FurtherValues::Rigid(rigid) },
        ];
        let context = Context::default();
        let prepared = Prepared::new(&context, system).expect("no limit");
        check_instances(&context, &prepared, formula, &further, self.n).expect("no limit")
    }

    /// The system with the values of one instance as labels.
    fn instance(&self, system: &PartialSystem, instance: usize) -> PartialSystem {
        let mut builder = system.to_builder();
        let (f, g) = (builder.proposition("f", Belnap::Unknown), builder.proposition("g", Belnap::Unknown));
        for state in system.states() {
            builder.label(state, f, self.f[state.index()][instance]);
            builder.label(state, g, Belnap::from(self.g[instance]));
        }
        builder.build()
    }
}

fn agree(rng: &mut Rng, system: &PartialSystem, formula: &Formula) {
    let n = *rng.pick(&[1, 2, 5, 64, 70, 130]);
    let table = Table::random(rng, system, n);
    let found = table.at_once(system, formula);
    for _ in 0..n.min(4) {
        let instance = rng.below(n);
        let expected = evaluate(&table.instance(system, instance), formula);
        for (number, &state) in system.initial().iter().enumerate() {
            assert_eq!(found.at(number, instance), expected.at(state), "{formula}, {instance}\n{system:?}");
        }
    }
}

#[test]
fn instances_have_the_values_of_the_oracle() {
    let shape = FormulaShape {
        propositions: ["p", "q", "f", "f", "g"].map(String::from).to_vec(),
        ..FormulaShape::default()
    };
    random_cases(4000, |rng| {
        let states = rng.between(1, 7);
        let family = rng.pick(&FAMILIES)(states);
        let system = random_system(rng, family);
        let formula = random_formula(rng, &shape);
        agree(rng, &system, &formula);
    });
}

#[test]
fn alternating_formulas_have_the_values_of_the_oracle() {
    let patterns = [
        "nu X. mu Y. (f && <>X) || <>Y",
        "mu X. nu Y. (q || []X || f) && []Y",
        "nu X. mu Y. nu Z. (p && [a]X) || (f && <b>Y) || (<a>Z && [b]Z)",
        "mu X. nu Y. mu Z. (<a>X || f) && ([b]Y || g || <>Z)",
        "nu X. mu Y. (<a>(X && p) || [b](Y || f)) && (nu Z. <>Z || mu W. [a](W || Z || Y))",
    ];
    let formulas = patterns.map(|text| parse(&Source::new("f", text)).expect("a formula"));
    random_cases(400, |rng| {
        let states = rng.between(1, 8);
        let family = rng.pick(&FAMILIES)(states);
        let system = random_system(rng, SystemShape { degree: 2.5, ..family });
        formulas.iter().for_each(|formula| agree(rng, &system, formula));
    });
}

/// Steps from each state to the next and near the beginning sometimes back, the last one a dead end.
fn chain(rng: &mut Rng, n: usize) -> PartialSystem {
    let mut builder = SystemBuilder::numbered(n);
    let a = builder.action("a");
    builder.initial(StateId::new(0));
    for at in 1..n {
        let modality = if rng.chance(0.05) { Modality::May } else { Modality::Both };
        builder.edge(StateId::new(at - 1), a, StateId::new(at), modality);
        if at < 15 && rng.chance(0.2) {
            builder.edge(StateId::new(at), a, StateId::new(rng.below(at)), Modality::Both);
        }
    }
    builder.build()
}

#[test]
fn games_take_over_where_iteration_takes_many_rounds() {
    let patterns = ["nu X. mu Y. (f && <>X) || (g && <>Y)", "mu X. nu Y. ([]X || g) && ([]Y && (f || <>X))"];
    let formulas = patterns.map(|text| parse(&Source::new("f", text)).expect("a formula"));
    random_cases(5, |rng| {
        let system = chain(rng, 90);
        for formula in &formulas {
            // Where `f` holds everywhere, each round takes one state away.
            let states = system.n_states();
            let table =
                Table { n: 2, f: vec![vec![Belnap::True, Belnap::False]; states], g: vec![true, false] };
            let found = table.at_once(&system, formula);
            for instance in 0..2 {
                let expected = evaluate(&table.instance(&system, instance), formula).at(StateId::new(0));
                assert_eq!(found.at(0, instance), expected, "{formula}, {instance}");
            }
        }
    });
}

#[test]
fn limits_stop_the_evaluation() {
    let mut builder = SystemBuilder::numbered(1);
    builder.initial(StateId::new(0));
    let system = builder.build();
    let prepared = Prepared::new(&Context::default(), &system).expect("no limit");
    let cancel = Cancel::default();
    cancel.cancel();
    let context = Context::new(Limits { memory: Some(1), ..Limits::default() }, cancel);
    let formula = parse(&Source::new("f", "EF f")).expect("a formula");
    let further = [Further { name: "f".to_owned(), values: FurtherValues::ByState(&|_, _| Word::default()) }];
    let stopped = check_instances(&context, &prepared, &formula, &further, 1).map(|_| ());
    assert_eq!(stopped, Err(StopReason::MemoryLimit));
}
