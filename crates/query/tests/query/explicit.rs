//! Vacuity and queries on explicit systems: the fast methods against one check per instance, against the symbolic ones, and
//! what definite findings mean for the systems that a partial one stands for.

use tertium_check::symbolic::{Options, SymbolicChecker};
use tertium_check::{Prepared, Record, Semantics, Settings, check};
use tertium_dd::Bdd;
use tertium_front_smv::{EncodeOptions, SpecificationKind, encode, read, read_property, read_query};
use tertium_logic::{Formula, FormulaKind, PartId, Polarity, Written, parse, parse_query};
use tertium_query::{
    Answer, Direction, ExplicitFindings, ExplicitQuestion, ExplicitVacuity, Placeholder, Property,
    QueryError, Question, Rigid, VacuityChecker, direction, solve,
};
use tertium_support::{Context, Id, Rng, Source};
use tertium_system::{Modality, PartialSystem, PropId, SystemBuilder};
use tertium_testkit::{
    FormulaShape, SystemShape, random_cases, random_ctl_text, random_formula, random_system,
};
use tertium_truth::{Belnap, Cause, Verdict};

const FAMILIES: [fn(usize) -> SystemShape; 4] =
    [SystemShape::complete, SystemShape::kmts, SystemShape::mixed, SystemShape::gkmts];

fn formula_of(text: &str) -> Formula {
    parse(&Source::new("test", text)).expect(text)
}

fn random_of_any_family(rng: &mut Rng) -> PartialSystem {
    let states = rng.between(1, 6);
    let family = rng.pick(&FAMILIES)(states);
    random_system(rng, family)
}

fn formulas() -> FormulaShape {
    FormulaShape { depth: 4, ..FormulaShape::over(2, 2) }
}

fn with_vacuity(system: &PartialSystem, work: impl FnOnce(&ExplicitVacuity<'_>)) {
    let context = Context::default();
    let prepared = Prepared::new(&context, system).expect("no limit");
    work(&ExplicitVacuity { context: &context, prepared: &prepared });
}

fn verdict(system: &PartialSystem, formula: &Formula) -> Verdict {
    let context = Context::default();
    let prepared = Prepared::new(&context, system).expect("no limit");
    let settings = Settings { semantics: Semantics::Sis, record: Record::Values };
    check(&context, &prepared, formula, &settings).verdict
}

/// Where nothing is open any more: each step that may be taken is there or not, each open label is true or false.
fn random_completion(rng: &mut Rng, system: &PartialSystem) -> PartialSystem {
    let mut builder = SystemBuilder::numbered(system.n_states());
    system.initial().iter().for_each(|&state| builder.initial(state));
    for state in system.states() {
        for edge in system.transitions().edges(state) {
            let action = builder.action(system.actions().name(edge.action));
            if edge.modality.is_must() || rng.chance(0.5) {
                builder.edge(state, action, edge.other, Modality::Both);
            }
        }
        for prop in PropId::first(system.labels().names().len()) {
            let own = builder.proposition(system.labels().names().name(prop), Belnap::False);
            let value = match system.labels().get(prop, state) {
                Belnap::Unknown => Belnap::from(rng.chance(0.5)),
                known => known,
            };
            builder.label(state, own, value);
        }
    }
    builder.build()
}

fn without_counts(findings: ExplicitFindings) -> ExplicitFindings {
    ExplicitFindings { runs: 0, ..findings }
}

#[test]
fn one_pass_finds_what_one_check_per_replacement_finds() {
    let mut seen = [0; 5];
    let run = random_cases(3000, |rng| {
        let system = random_of_any_family(rng);
        let written = Written::new(&random_formula(rng, &formulas()));
        with_vacuity(&system, |vacuity| {
            let marked = if rng.chance(0.5) { written.atoms() } else { written.questions().collect() };
            let naive = vacuity.naive(&written, &marked).unwrap();
            let fast = vacuity.vaquot(&written, &marked).unwrap();
            seen[0] += usize::from(naive.verdict == Verdict::True && !naive.vacuous.is_empty());
            seen[1] += usize::from(naive.verdict == Verdict::False && !naive.vacuous.is_empty());
            seen[2] += usize::from(!naive.open.is_empty());
            seen[3] += usize::from(!naive.decisive.is_empty());
            seen[4] += usize::from(naive.verdict == Verdict::Unknown(Cause::Inconsistent));
            assert_eq!(fast.runs, 1);
            assert_eq!(without_counts(fast), without_counts(naive), "{}\n{system:?}", written.formula());
        });
    });
    run.enough(seen.iter().all(|&n| n >= 20), format_args!("{seen:?}"));
}

#[test]
fn refinement_reports_the_largest_vacuous_parts() {
    random_cases(600, |rng| {
        let system = random_of_any_family(rng);
        let written = Written::new(&random_formula(rng, &formulas()));
        with_vacuity(&system, |vacuity| {
            let inner: Vec<PartId> = written.questions().filter(|part| part.index() > 0).collect();
            let all = vacuity.naive(&written, &inner).unwrap();
            let refined = vacuity.refine(&written).unwrap();
            assert_eq!(refined.verdict, all.verdict);
            let above = |part: PartId| {
                std::iter::successors(written.part(part).parent, |&id| written.part(id).parent)
            };
            let largest = |part: &PartId| !above(*part).any(|other| all.vacuous.contains(&other));
            let mut expected: Vec<PartId> = all.vacuous.iter().copied().filter(largest).collect();
            let mut found = refined.vacuous.clone();
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected, "{}", written.formula());
            if let Some(findings) = refined.definite() {
                let left = vacuity.strengthen(&written, &findings).unwrap();
                assert_eq!(verdict(&system, &left), refined.verdict, "{} leaves {left}", written.formula());
            }
        });
    });
}

#[test]
fn mutually_vacuous_sets_are_those_of_the_definition() {
    random_cases(400, |rng| {
        let system = random_of_any_family(rng);
        let written = Written::new(&random_formula(rng, &formulas()));
        with_vacuity(&system, |vacuity| {
            let atoms = written.atoms();
            let found = vacuity.vaquot(&written, &atoms).unwrap();
            let Some(findings) = found.definite().filter(|found| found.vacuous.len() <= 6) else { return };
            let marked = &findings.vacuous;
            let stays = |set: usize| {
                let parts: Vec<PartId> =
                    (0..marked.len()).filter(|at| set >> at & 1 == 1).map(|at| marked[at]).collect();
                let replaced = written.replace(&parts, |_, polarity, _| {
                    let value = (polarity == Polarity::Positive) != findings.holds;
                    if value { FormulaKind::True } else { FormulaKind::False }.into()
                });
                verdict(&system, &replaced) == found.verdict
            };
            let allowed: Vec<usize> = (1..1usize << marked.len()).filter(|&set| stays(set)).collect();
            let largest = allowed
                .iter()
                .filter(|&&set| !allowed.iter().any(|&other| other != set && other & set == set));
            let mut expected: Vec<Vec<PartId>> = largest
                .map(|set| (0..marked.len()).filter(|at| set >> at & 1 == 1).map(|at| marked[at]).collect())
                .collect();
            expected.sort();
            let mutual = vacuity.mutual(&written, marked, findings.holds, 100).unwrap();
            assert!(mutual.complete);
            assert_eq!(mutual.largest, expected, "{}", written.formula());
        });
    });
}

#[test]
fn what_is_found_in_a_partial_system_is_so_however_it_is_completed() {
    random_cases(1500, |rng| {
        let states = rng.between(1, 5);
        let system = random_system(rng, SystemShape::kmts(states));
        let completion = random_completion(rng, &system);
        let written = Written::new(&random_formula(rng, &formulas()));
        let atoms = written.atoms();
        let mut partial = None;
        with_vacuity(&system, |vacuity| partial = Some(vacuity.vaquot(&written, &atoms).unwrap()));
        let partial = partial.expect("it was asked");
        with_vacuity(&completion, |vacuity| {
            let full = vacuity.naive(&written, &atoms).unwrap();
            for part in &atoms {
                let is_vacuous = full.vacuous.contains(part);
                if partial.vacuous.contains(part) {
                    assert!(is_vacuous, "{}", written.formula());
                } else if !partial.open.contains(part) {
                    assert!(!is_vacuous, "{}", written.formula());
                }
            }
        });
    });
}

/// A formula with a placeholder, and the propositions that it is about.
fn random_query(rng: &mut Rng) -> (Formula, Vec<&'static str>) {
    let shape = FormulaShape {
        propositions: ["p", "q", "r", "?", "?", "?"].map(String::from).to_vec(),
        depth: 4,
        ..FormulaShape::over(3, 2)
    };
    let mut about = vec!["p", "q", "r"];
    rng.shuffle(&mut about);
    about.truncate(rng.between(1, 3));
    (random_formula(rng, &shape), about)
}

fn with_query(
    system: &PartialSystem,
    formula: &Formula,
    about: &[&str],
    work: impl FnOnce(&ExplicitQuestion<'_>),
) {
    let context = Context::default();
    let prepared = Prepared::new(&context, system).expect("no limit");
    let names = system.labels().names();
    let about: Vec<PropId> = about.iter().map(|name| names.get(name).expect("a proposition")).collect();
    work(&ExplicitQuestion::new(&context, &prepared, formula, "?", &about));
}

fn random_labelled(rng: &mut Rng) -> PartialSystem {
    let states = rng.between(1, 6);
    let family = rng.pick(&FAMILIES)(states);
    random_system(rng, SystemShape { propositions: 3, ..family })
}

fn assert_same(one: &Answer, other: &Answer, formula: &Formula) {
    assert_eq!((&one.definite, &one.possible), (&other.definite, &other.possible), "{formula}");
    assert!(one.definite.is_disjoint(&one.possible).unwrap());
}

#[test]
fn one_pass_solves_what_one_check_per_combination_solves() {
    let (mut definite, mut possible) = (0, 0);
    let run = random_cases(3000, |rng| {
        let system = random_labelled(rng);
        let (formula, about) = random_query(rng);
        with_query(&system, &formula, &about, |question| {
            let naive = question.solve_naively().unwrap();
            let mut others = vec![question.solve().unwrap()];
            match question.solve_by_refinement() {
                Ok(refined) => others.push(refined),
                Err(error) => {
                    let direction = direction(&formula, "?");
                    assert_ne!(direction, Direction::Growing);
                    assert_eq!(error, QueryError::WrongDirection(direction));
                }
            }
            for found in &others {
                assert_same(&found.at_all().unwrap(), &naive.at_all().unwrap(), &formula);
                assert_same(&found.at_some().unwrap(), &naive.at_some().unwrap(), &formula);
            }
            let (by_state, expected) = (others[0].by_initial().unwrap(), naive.by_initial().unwrap());
            assert_eq!(by_state.len(), expected.len());
            for ((states, answer), (same_states, same_answer)) in by_state.iter().zip(&expected) {
                assert_eq!(states, same_states);
                assert_same(answer, same_answer, &formula);
            }
            let all = naive.at_all().unwrap();
            definite += usize::from(!all.definite.is_false() && !all.definite.is_true());
            possible += usize::from(!all.possible.is_false());
        });
    });
    run.enough(definite.min(possible) > 100, format_args!("{definite} {possible}"));
}

#[test]
fn definite_solutions_stay_and_no_others_than_possible_ones_come() {
    random_cases(1000, |rng| {
        let states = rng.between(1, 5);
        let system = random_system(rng, SystemShape { propositions: 3, ..SystemShape::kmts(states) });
        let completion = random_completion(rng, &system);
        let (formula, about) = random_query(rng);
        let values = |system: &PartialSystem| {
            let mut found = Vec::new();
            with_query(system, &formula, &about, |question| {
                let answer = question.solve().unwrap().at_all().unwrap();
                let vars = question.vars();
                for number in 0..1usize << vars.len() {
                    let at = |set: &Bdd| {
                        set.eval(|var| number >> vars.iter().position(|own| *own == var).unwrap() & 1 == 1)
                    };
                    found.push((at(&answer.definite), at(&answer.possible)));
                }
            });
            found
        };
        for ((definite, possible), (solves, open)) in values(&system).into_iter().zip(values(&completion)) {
            assert!(!open, "nothing is open in a complete system");
            assert!(if definite { solves } else { possible || !solves }, "{formula}");
        }
    });
}

/// The system with a further proposition `x`: the formula over `about` that the combinations in `set` make. Of the labels that are not
/// definite, open ones are completed and contradictory ones decided; see the header of `explicit/formulas.rs`.
fn with_formula(system: &PartialSystem, about: &[&str], set: usize) -> PartialSystem {
    let mut builder = SystemBuilder::numbered(system.n_states());
    system.initial().iter().for_each(|&state| builder.initial(state));
    let (labels, n) = (system.labels(), 1usize << about.len());
    for state in system.states() {
        for edge in system.transitions().edges(state) {
            let action = builder.action(system.actions().name(edge.action));
            builder.edge(state, action, edge.other, edge.modality);
        }
        for prop in PropId::first(labels.names().len()) {
            let own = builder.proposition(labels.names().name(prop), Belnap::False);
            builder.label(state, own, labels.get(prop, state));
        }
        let mask = |wanted: Belnap| -> usize {
            let is =
                |name: &&str| labels.names().get(name).map(|prop| labels.get(prop, state)) == Some(wanted);
            about.iter().enumerate().filter(|(_, name)| is(name)).map(|(at, _)| 1 << at).sum()
        };
        let (ones, open, contradictory) =
            (mask(Belnap::True), mask(Belnap::Unknown), mask(Belnap::Inconsistent));
        let inside = |mask: usize| (0..n).filter(move |part| part & !mask == 0);
        let has = |completed: usize, decided: usize| set >> (ones | completed | decided) & 1 == 1;
        let must = inside(open).all(|completed| inside(contradictory).any(|decided| has(completed, decided)));
        let may = inside(open).any(|completed| inside(contradictory).all(|decided| has(completed, decided)));
        let formula = builder.proposition("x", Belnap::False);
        let value = match (must, may) {
            (true, true) => Belnap::True,
            (true, false) => Belnap::Inconsistent,
            (false, true) => Belnap::Unknown,
            (false, false) => Belnap::False,
        };
        builder.label(state, formula, value);
    }
    builder.build()
}

#[test]
fn the_general_method_gives_the_extreme_sets_of_combinations() {
    let (mut growing, mut shrinking, mut open, mut contradictory) = (0, 0, 0, 0);
    let run = random_cases(900, |rng| {
        let states = rng.between(1, 5);
        let family = rng.pick(&FAMILIES[..3])(states);
        let system = random_system(rng, SystemShape { propositions: 3, ..family });
        let (formula, mut about) = random_query(rng);
        about.truncate(2);
        with_query(&system, &formula, &about, |question| {
            let Ok(found) = question.solve_generally(1000) else { return };
            let grows = found.direction == Direction::Growing;
            if grows {
                growing += 1
            } else {
                shrinking += 1
            }
            assert!(!found.is_cut && !found.is_possible_cut);
            assert!(!system.is_complete() || found.possible.is_empty());
            let vars = question.vars();
            let n = 1usize << vars.len();
            // A set as the bits of its combinations.
            let bits = |function: &Bdd| -> usize {
                let has = |point: &usize| {
                    function.eval(|var| {
                        vars.iter().position(|&own| own == var).is_some_and(|at| point >> at & 1 == 1)
                    })
                };
                (0..n).filter(has).map(|point| 1 << point).sum()
            };
            let replaced = replace(&formula, &Formula::proposition("x"));
            let values: Vec<Vec<Belnap>> =
                (0..1usize << n).map(|set| values(&with_formula(&system, &about, set), &replaced)).collect();
            let is_definite = |set: usize| values[set].iter().all(|&value| value == Belnap::True);
            let is_possible = |set: usize| !values[set].contains(&Belnap::False);
            let extremes = |is_solution: &dyn Fn(usize) -> bool| -> Vec<usize> {
                let solutions: Vec<usize> = (0..1usize << n).filter(|&set| is_solution(set)).collect();
                let beyond = |one: usize, other: usize| {
                    one != other && if grows { other & !one == 0 } else { one & !other == 0 }
                };
                let is_extreme = |one: &&usize| !solutions.iter().any(|&other| beyond(**one, other));
                solutions.iter().filter(is_extreme).copied().collect()
            };
            let mut definite: Vec<usize> = found.definite.iter().map(bits).collect();
            definite.sort_unstable();
            let expected = extremes(&is_definite);
            assert_eq!(definite, expected, "{formula}\n{system:?}");
            let mut possible: Vec<usize> = found.possible.iter().map(bits).collect();
            possible.sort_unstable();
            let mut expected = extremes(&is_possible);
            expected.retain(|&set| !is_definite(set));
            open += usize::from(!expected.is_empty());
            assert_eq!(possible, expected, "{formula}\n{system:?}");
            contradictory += usize::from(values.iter().flatten().any(|&value| value == Belnap::Inconsistent));
            match found.verdict {
                Verdict::True => assert!(!definite.is_empty()),
                Verdict::False => assert!(definite.is_empty() && possible.is_empty()),
                Verdict::Unknown(_) => assert!(definite.is_empty()),
            }
            for most in [0, 1] {
                let few = question.solve_generally(most).unwrap();
                assert_eq!(few.verdict == Verdict::True, found.verdict == Verdict::True);
                assert_eq!(few.verdict == Verdict::False, found.verdict == Verdict::False);
                assert_eq!(
                    (few.definite.len(), few.is_cut),
                    (definite.len().min(most), definite.len() > most)
                );
                assert!(few.possible.len() <= most);
            }
        });
    });
    run.enough(
        [growing, shrinking, open, 4 * contradictory].iter().all(|&n| n > 20),
        format_args!("{growing} {shrinking} {open} {contradictory}"),
    );
}

/// The values at the initial states.
fn values(system: &PartialSystem, formula: &Formula) -> Vec<Belnap> {
    let context = Context::default();
    let prepared = Prepared::new(&context, system).expect("no limit");
    let settings = Settings { semantics: Semantics::Sis, record: Record::Values };
    check(&context, &prepared, formula, &settings).values.into_iter().map(|(_, value)| value).collect()
}

fn replace(formula: &Formula, with: &Formula) -> Formula {
    match &formula.kind {
        FormulaKind::Proposition(name) if name == "?" => with.clone(),
        _ => formula.map_children(|child| replace(child, with)),
    }
}

#[test]
fn combinations_that_no_state_has_are_counted_but_not_enumerated() {
    let mut builder = SystemBuilder::numbered(2);
    let a = builder.action("a");
    let ids: Vec<tertium_system::StateId> = tertium_system::StateId::first(2).collect();
    builder.initial(ids[0]);
    builder.edge(ids[0], a, ids[1], Modality::Both);
    builder.edge(ids[1], a, ids[0], Modality::Both);
    let names: Vec<String> = (0..100).map(|number| format!("p{number}")).collect();
    for (number, name) in names.iter().enumerate() {
        let prop = builder.proposition(name, Belnap::False);
        builder.label(ids[1], prop, Belnap::from(number % 2 == 0));
    }
    let system = builder.build();
    let about: Vec<&str> = names.iter().map(String::as_str).collect();
    let query = parse_query(&Source::new("query", "AG !?")).unwrap();
    with_query(&system, &query.formula, &about, |question| {
        let found = question.solve().unwrap();
        assert_eq!(found.n_instances, 3);
        let count = found.at_all().unwrap().definite.count(&question.vars()).exact();
        assert_eq!(count, Some((1 << 100) - 2));
        assert!(matches!(question.solve_naively(), Err(QueryError::TooMany { .. })));
    });
}

#[test]
fn action_formulas_have_parts_and_variables_are_none() {
    // Coin, then tea or coffee.
    let mut builder = SystemBuilder::numbered(2);
    let ids: Vec<tertium_system::StateId> = tertium_system::StateId::first(2).collect();
    let (coin, tea) = (builder.action("coin"), builder.action("tea"));
    builder.initial(ids[0]);
    builder.edge(ids[0], coin, ids[1], Modality::Both);
    builder.edge(ids[1], tea, ids[0], Modality::Both);
    let system = builder.build();
    for (text, vacuous) in [
        ("nu X. [coin]<tea>true && [true]X", vec![]),
        ("[tea]<coffee>true", vec!["<coffee>true"]),
        ("[coffee.true*]<tea>true", vec!["<tea>true"]),
        ("mu X. <coin>true || <tea>X", vec!["<tea>X"]),
    ] {
        let written = Written::new(&formula_of(text));
        with_vacuity(&system, |vacuity| {
            let found = vacuity.vaquot(&written, &written.atoms()).unwrap();
            let named: Vec<&str> =
                found.vacuous.iter().map(|&part| &text[written.part(part).span.range()]).collect();
            assert_eq!((found.verdict, named), (Verdict::True, vacuous), "{text}");
        });
    }
}

/// A complete system without deadlocks as an SMV model, with its propositions as variables.
fn as_model(system: &PartialSystem) -> String {
    let set = |states: Vec<String>| {
        if states.is_empty() { "{}".to_owned() } else { format!("{{{}}}", states.join(", ")) }
    };
    let number = |state: &tertium_system::StateId| state.index().to_string();
    let mut text = format!("MODULE main\nVAR s : 0..{}; p : boolean; q : boolean;\n", system.n_states() - 1);
    text.push_str(&format!("INIT s in {}\nTRANS FALSE", set(system.initial().iter().map(number).collect())));
    for state in system.states() {
        let next = set(system.may(state).map(|(_, target)| number(&target)).collect());
        text.push_str(&format!(" | (s = {} & next(s) in {next})", state.index()));
    }
    for name in ["p", "q"] {
        let prop = system.labels().names().get(name).expect("a proposition");
        let states: Vec<String> = system.labels().must(prop).iter().map(|state| number(&state)).collect();
        let condition =
            if states.is_empty() { "FALSE".to_owned() } else { format!("(s in {})", set(states)) };
        text.push_str(&format!("\nINVAR {name} = {condition}"));
    }
    text.push('\n');
    text
}

/// A complete system in which every state has a step.
fn random_total(rng: &mut Rng) -> PartialSystem {
    let states = rng.between(2, 6);
    let system = random_system(rng, SystemShape::complete(states));
    let mut builder = system.to_builder();
    let a = builder.action("a");
    for state in system.deadlocks() {
        builder.edge(state, a, tertium_system::StateId::new(rng.below(states)), Modality::Both);
    }
    builder.build()
}

#[test]
fn complete_systems_have_the_answers_of_the_symbolic_methods() {
    let atoms = ["p", "q", "?{p,q}"].map(String::from);
    let mut compared = 0;
    let run = random_cases(500, |rng| {
        let system = random_total(rng);
        let property = random_ctl_text(rng, &atoms[..2], 3);
        let query = format!("EF (p) | {}", random_ctl_text(rng, &atoms, 3));
        if property.contains("xor") || query.contains("xor") || !query.contains('?') {
            return;
        }
        compared += 1;
        let model = as_model(&system);
        let (flat, _) =
            read(Source::new("m.smv", model.as_str())).unwrap_or_else(|errors| panic!("{model}\n{errors:?}"));
        let context = Context::default();
        let asked = read_property(&flat, &Source::new("property", property.as_str())).expect("a property");
        let wanted = read_query(&flat, &Source::new("query", query.as_str())).expect("a query");
        let (SpecificationKind::Ctl(formula), SpecificationKind::Ctl(query_formula)) =
            (&asked.kind, &wanted.specification.kind)
        else {
            panic!("both are of CTL")
        };
        let mut encoded = encode(&context, &flat, &EncodeOptions::default()).expect("a meaning");
        encoded.register(&asked).expect("a meaning");
        encoded.register(&wanted.specification).expect("a meaning");
        let places: Vec<usize> = wanted.variables.iter().filter_map(|&id| encoded.symbolic(id)).collect();
        let placeholder =
            Placeholder::new(&mut encoded.model, &wanted.placeholder, &places).expect("no limit");
        let options = Options { evidence: 0, ..Options::default() };

        // Vacuity, atom by atom from left to right.
        let in_order = |written: &Written, vacuous: &[PartId]| {
            let mut atoms = written.atoms();
            atoms.sort_by_key(|&atom| written.part(atom).span.start);
            atoms.iter().map(|atom| vacuous.contains(atom)).collect::<Vec<bool>>()
        };
        let written = Written::new(formula);
        let mut checker = SymbolicChecker::new(&context, &encoded.model, options);
        let mut rigid = Rigid::default();
        let symbolic = VacuityChecker::new(&mut checker, &mut rigid)
            .vaquot(Property::Ctl, &written, &written.atoms())
            .expect("no limit");
        let own = Written::new(&formula_of(&property));
        with_vacuity(&system, |vacuity| {
            let explicit = vacuity.vaquot(&own, &own.atoms()).unwrap();
            assert_eq!(explicit.verdict == Verdict::True, symbolic.holds, "{property}\n{model}");
            assert_eq!(
                in_order(&own, &explicit.vacuous),
                in_order(&written, &symbolic.vacuous),
                "{property}\n{model}"
            );
        });

        // Queries, combination by combination.
        let question = Question {
            context: &context,
            model: &encoded.model,
            formula: query_formula,
            placeholder: &placeholder,
            options,
        };
        let symbolic = solve(&question).expect("no limit").at_all(&question).expect("no limit");
        let own = parse_query(&Source::new("query", query.as_str())).expect("a query");
        with_query(&system, &own.formula, &["p", "q"], |explicit| {
            let found = explicit.solve().unwrap().at_all().unwrap();
            assert!(found.possible.is_false());
            for number in 0..4u64 {
                let codes = [number & 1, number >> 1];
                let point = placeholder.minterm(&encoded.model.manager, &codes).expect("no limit");
                let vars = explicit.vars();
                let value = |var| codes[vars.iter().position(|own| *own == var).expect("a proposition")] == 1;
                assert_eq!(
                    found.definite.eval(value),
                    point.is_subset(&symbolic).expect("no limit"),
                    "{query} {codes:?}\n{model}"
                );
            }
        });
    });
    run.enough(compared > 150, format_args!("{compared}"));
}
