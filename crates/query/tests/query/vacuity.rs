//! Vacuity: the worked examples of the sources, and the methods against each other on random models and properties.

use tertium_check::symbolic::{Options, SymbolicChecker, SymbolicError};
use tertium_front_smv::{
    EncodeOptions, FlatModel, Specification, SpecificationKind, encode, read, read_property,
};
use tertium_logic::{Formula, FormulaKind, PartId, Polarity, Written};
use tertium_query::{
    Direction, Extent, Findings, Placeholder, Property, Question, Rigid, VacuityChecker, largest_parts,
    solve_generally,
};
use tertium_support::{Context, Id, IdSet, Source, render};
use tertium_testkit::lattice::{ItemId, VacuityLattice};
use tertium_testkit::{SmvShape, long_random_cases, nusmv_corpus, random_cases, random_ctl_text, random_smv};
use tertium_truth::Verdict;

const LIGHT: &str = "MODULE main\nVAR light : {red, yellow, green};\n\
    ASSIGN init(light) := red; next(light) := light;\n\
    DEFINE r := light = red; y := light = yellow; g := light = green;\n";

fn model(text: &str) -> FlatModel {
    let source = Source::new("test.smv", text);
    let read = read(source.clone());
    read.unwrap_or_else(|errors| panic!("{}\n{text}", render(&source, &errors, false))).0
}

/// A property with the text that its places refer to.
struct Asked {
    text: String,
    specification: Specification,
    written: Written,
}

impl Asked {
    fn new(model: &FlatModel, text: &str) -> Self {
        let source = Source::new("property", text);
        let specification = read_property(model, &source)
            .unwrap_or_else(|errors| panic!("{}\n{text}", render(&source, &errors, false)));
        Self::of(specification, text)
    }

    fn of(specification: Specification, text: &str) -> Self {
        let written = Written::new(formula(&specification));
        Self { text: text.to_owned(), specification, written }
    }

    fn part(&self, id: PartId) -> String {
        self.text[self.written.part(id).span.range()].to_owned()
    }

    fn parts(&self, ids: &[PartId]) -> Vec<String> {
        ids.iter().map(|&id| self.part(id)).collect()
    }

    fn verdict(&self, findings: &Findings) -> String {
        findings.verdict(&self.written, |id| self.part(id))
    }
}

fn formula(specification: &Specification) -> &Formula {
    match &specification.kind {
        SpecificationKind::Ctl(formula) | SpecificationKind::Invariant(formula) => formula,
        other => panic!("{other:?}"),
    }
}

/// Asks several questions about one model.
fn ask(
    model: &FlatModel,
    asked: &[&Asked],
    mut work: impl FnMut(&Asked, &mut SymbolicChecker<'_>, &mut Rigid),
) {
    let context = Context::default();
    let mut encoded = encode(&context, model, &EncodeOptions::default()).expect("the model has a meaning");
    for one in asked {
        encoded.register(&one.specification).expect("the property has a meaning");
    }
    let mut checker =
        SymbolicChecker::new(&context, &encoded.model, Options { evidence: 0, ..Options::default() });
    let mut rigid = Rigid::default();
    for one in asked {
        work(one, &mut checker, &mut rigid);
    }
}

fn constant(value: bool) -> Formula {
    if value { FormulaKind::True } else { FormulaKind::False }.into()
}

/// Findings as an element of the vacuity lattice over the marked parts.
fn word(found: &Findings) -> IdSet<ItemId> {
    let vacuous = (0..found.marked.len()).filter(|&at| found.vacuous.contains(&found.marked[at]));
    VacuityLattice::new(found.marked.len()).element(found.holds, vacuous)
}

#[test]
fn the_traffic_light_comes_out_as_in_the_source() {
    let model = model(LIGHT);
    let asked = Asked::new(&model, "AG (r | (y | g))");
    ask(&model, &[&asked], |asked, checker, rigid| {
        let mut vacuity = VacuityChecker::new(checker, rigid);
        let atoms = asked.written.atoms();
        assert_eq!(asked.parts(&atoms), ["r", "y", "g"]);
        let naive = vacuity.naive(Property::Ctl, &asked.written, &atoms).unwrap();
        let found = vacuity.vaquot(Property::Ctl, &asked.written, &atoms).unwrap();
        assert_eq!((naive.runs, naive.witnesses, found.runs, found.witnesses), (7, 7, 1, 7));
        assert_eq!(asked.verdict(&found), "Vacuously True in {y, g}");
        assert_eq!(naive.vacuous, found.vacuous);
        let number: usize = word(&found).iter().map(|bit| 1 << bit.index()).sum();
        assert_eq!(number, 0b0011);
        let mutual = vacuity.mutual(Property::Ctl, &asked.written, &atoms, 100).unwrap();
        assert!(mutual.complete);
        assert_eq!(mutual.largest, std::slice::from_ref(&found.vacuous));
        let refined = vacuity.refine(Property::Ctl, &asked.written).unwrap();
        assert_eq!(refined.runs, 2, "the operand of AG, then red and the other two");
        assert_eq!(asked.parts(&refined.vacuous), ["(y | g)"]);
        assert_eq!(asked.verdict(&refined), "Vacuously True in {(y | g)}");
        let (strongest, _) = vacuity.strengthen(Property::Ctl, &asked.written, &refined).unwrap();
        assert_eq!(strongest.to_string(), "AG r");
    });
}

#[test]
fn an_antecedent_that_never_holds_makes_the_rest_vacuous() {
    let model = model(LIGHT);
    let asked = Asked::new(&model, "AG (y -> AF g)");
    ask(&model, &[&asked], |asked, checker, rigid| {
        let mut vacuity = VacuityChecker::new(checker, rigid);
        let found = vacuity.vaquot(Property::Ctl, &asked.written, &asked.written.atoms()).unwrap();
        assert_eq!(asked.verdict(&found), "Vacuously True in {g}");
        let refined = vacuity.refine(Property::Ctl, &asked.written).unwrap();
        assert_eq!(asked.parts(&refined.vacuous), ["AF g"]);
        let (strongest, _) = vacuity.strengthen(Property::Ctl, &asked.written, &refined).unwrap();
        assert_eq!(strongest.to_string(), "AG !y");
    });
}

#[test]
fn verdicts_say_all_some_or_none_for_true_and_false() {
    let model = model(LIGHT);
    for (text, verdict) in [
        ("AG r", "Non-Vacuously True"),
        ("AG (r | y)", "Vacuously True in {y}"),
        ("AG (r | !y)", "Vacuously True"),
        ("AG y", "Non-Vacuously False"),
        ("AG (y & r)", "Vacuously False in {r}"),
        ("AG (y & g)", "Vacuously False"),
        ("TRUE", "Non-Vacuously True"),
        ("!EF (y & !r)", "Vacuously True"),
        ("AG (r <-> r)", "Non-Vacuously True"),
        ("AG (y -> (r <-> g))", "Vacuously True in {r, g}"),
        ("INVARSPEC r | y", "Vacuously True in {y}"),
        ("INVARSPEC y & r", "Vacuously False in {r}"),
    ] {
        let asked = Asked::new(&model, text);
        let property = match asked.specification.kind {
            SpecificationKind::Ctl(_) => Property::Ctl,
            _ => Property::Invariant,
        };
        ask(&model, &[&asked], |asked, checker, rigid| {
            let mut vacuity = VacuityChecker::new(checker, rigid);
            let atoms = asked.written.atoms();
            let found = vacuity.vaquot(property, &asked.written, &atoms).unwrap();
            assert_eq!(asked.verdict(&found), verdict, "{text}");
            let naive = vacuity.naive(property, &asked.written, &atoms).unwrap();
            assert_eq!(naive.vacuous, found.vacuous, "{text}");
        });
    }
}

/// What the definition says, by checks that know nothing of instances.
fn by_definition(checker: &mut SymbolicChecker<'_>, written: &Written, part: PartId, holds: bool) -> bool {
    [false, true].into_iter().all(|best| {
        let replaced =
            written.replace(&[part], |_, polarity, _| constant(best == (polarity == Polarity::Positive)));
        (checker.check_ctl(&replaced).unwrap().verdict == Verdict::True) == holds
    })
}

#[test]
fn one_pass_finds_what_the_definition_says_and_the_methods_agree() {
    let (mut pairs, mut failing, mut vacuous, mut fair) = (0, 0, 0, 0);
    let run = long_random_cases(850, |rng| {
        let random = random_smv(rng, &SmvShape { n_states: 40, ..SmvShape::default() });
        let model = model(&random.text);
        let asked: Vec<Asked> = (0..12)
            .map(|_| Asked::new(&model, &format!("CTLSPEC {}", random_ctl_text(rng, &random.atoms, 3))))
            .collect();
        fair += usize::from(!model.justice.is_empty());
        ask(&model, &asked.iter().collect::<Vec<_>>(), |asked, checker, rigid| {
            let written = &asked.written;
            let atoms = written.atoms();
            let holds = checker.check_ctl(written.formula()).unwrap().verdict == Verdict::True;
            let expected: Vec<PartId> =
                atoms.iter().copied().filter(|&part| by_definition(checker, written, part, holds)).collect();
            let mut vacuity = VacuityChecker::new(checker, rigid);
            let found = vacuity.vaquot(Property::Ctl, written, &atoms).unwrap();
            let about = || format!("{}\n{}", asked.text, random.text);
            assert_eq!((found.holds, &found.vacuous), (holds, &expected), "{}", about());
            let naive = vacuity.naive(Property::Ctl, written, &atoms).unwrap();
            assert_eq!(word(&naive), word(&found), "{}", about());
            let known = vacuity.vaquot_of_known(Property::Ctl, written, &atoms, holds).unwrap();
            assert_eq!(word(&known), word(&found), "{}", about());
            pairs += 1;
            failing += usize::from(!holds);
            vacuous += usize::from(found.extent(written) != Extent::None);
            if pairs % 4 == 0 {
                mutual_sets_are_inside(&mut vacuity, written, &found);
                refinement_covers(&mut vacuity, written, &found);
            }
        });
    });
    run.enough(
        pairs >= run.share(10_000)
            && failing > run.share(2_000)
            && vacuous > run.share(2_000)
            && fair > run.share(100),
        format_args!("{pairs} {failing} {vacuous} {fair}"),
    );
}

/// Every mutually vacuous set has vacuous members only, each of which is in one; and no set can be made larger.
fn mutual_sets_are_inside(vacuity: &mut VacuityChecker<'_, '_>, written: &Written, found: &Findings) {
    if found.marked.len() > 10 {
        return;
    }
    let mutual = vacuity.mutual(Property::Ctl, written, &found.marked, usize::MAX).unwrap();
    assert!(mutual.complete);
    assert_eq!(mutual.holds, found.holds);
    assert!(mutual.largest.iter().flatten().all(|part| found.vacuous.contains(part)));
    assert!(found.vacuous.iter().all(|part| mutual.largest.iter().any(|set| set.contains(part))));
    for (at, set) in mutual.largest.iter().enumerate() {
        let others = mutual.largest.iter().enumerate().filter(|(other, _)| *other != at);
        assert!(others.into_iter().all(|(_, other)| !set.iter().all(|part| other.contains(part))));
    }
}

/// What refinement reports is vacuous, has nothing vacuous around it, and covers every vacuous atom; nothing below was looked at.
fn refinement_covers(vacuity: &mut VacuityChecker<'_, '_>, written: &Written, found: &Findings) {
    let refined = vacuity.refine(Property::Ctl, written).unwrap();
    assert_eq!(refined.holds, found.holds);
    let whole = PartId::new(0);
    let around: Vec<PartId> = written.questions().filter(|&part| part != whole).collect();
    let all = vacuity.vaquot(Property::Ctl, written, &around).unwrap();
    for &part in refined.vacuous.iter().filter(|&&part| part != whole) {
        assert!(all.vacuous.contains(&part));
        let mut above = written.part(part).parent;
        while let Some(parent) = above {
            assert!(!all.vacuous.contains(&parent), "{parent:?} is vacuous and around {part:?}");
            above = written.part(parent).parent;
        }
    }
    for &part in &all.vacuous {
        assert!(refined.covers(written, part));
    }
    for &part in &refined.marked {
        let below = refined.vacuous.iter().any(|&other| other != part && written.is_inside(part, other));
        assert!(!below, "{part:?} is inside a vacuous part");
    }
    if refined.vacuous != [whole] {
        let mut largest = refined.vacuous.clone();
        largest.sort();
        replacements_show_the_largest(vacuity, written, refined.holds, &largest);
    }
    let (strongest, replaced) = vacuity.strengthen(Property::Ctl, written, &refined).unwrap();
    assert_eq!(replaced.is_empty(), refined.vacuous.is_empty());
    let again = vacuity.naive(Property::Ctl, &Written::new(&strongest), &[]).unwrap();
    assert_eq!(again.holds, refined.holds, "what is left has the same verdict");
}

/// Deciding one replacement after the other finds the largest parts. If some stay undecided, no wrong ones are found, and it is said that
/// some may be missing.
fn replacements_show_the_largest(
    vacuity: &mut VacuityChecker<'_, '_>,
    written: &Written,
    holds: bool,
    largest: &[PartId],
) {
    let mut n = 0;
    let mut every = |nth: usize| {
        largest_parts(written, holds, |changed| {
            n += 1;
            let mut alone = |changed: &Formula| vacuity.naive(Property::Ctl, &Written::new(changed), &[]);
            Ok::<_, SymbolicError>(if n % nth == 0 { Some(alone(&changed)?.holds) } else { None })
        })
        .unwrap()
    };
    let some = every(2);
    assert!(some.vacuous.iter().all(|&part| largest.iter().any(|&other| written.is_inside(part, other))));
    assert!(some.vacuous == largest || !some.open.is_empty());
    let all = every(1);
    assert_eq!((all.vacuous.as_slice(), all.open.as_slice()), (largest, [].as_slice()));
    if largest.is_empty() {
        assert_eq!(
            all.n_decided,
            written.atoms().len(),
            "no more checks than atoms where everything matters"
        );
    }
}

#[test]
fn any_number_of_occurrences_fits() {
    let model = model(LIGHT);
    for n in [31, 32, 63, 64, 127, 128, 300] {
        // Of n atoms the last alone is what holds; or nothing is vacuous, if all say the same and one would do.
        let text = format!("AG ({}r)", "y | ".repeat(n - 1));
        let asked = Asked::new(&model, &text);
        ask(&model, &[&asked], |asked, checker, rigid| {
            let mut vacuity = VacuityChecker::new(checker, rigid);
            let atoms = asked.written.atoms();
            assert_eq!(atoms.len(), n);
            let found = vacuity.vaquot(Property::Ctl, &asked.written, &atoms).unwrap();
            assert_eq!(found.vacuous, atoms[..n - 1], "{n}");
            assert_eq!(found.witnesses, 2 * n + 1);
        });
    }
}

#[test]
fn refinement_runs_once_for_each_level_above_what_is_vacuous() {
    let model = model(LIGHT);
    for (text, runs, n_marked) in [
        // AG, then `r` and the rest, which is vacuous: what is inside of it is never marked.
        ("AG (r | (y & (g & (y | (g & y)))))", 2, 3),
        // All levels of a chain whose last operand is what holds.
        ("AG (y | (g | (y | (g | r))))", 5, 9),
        ("AG (y -> AF (AX (g & A [y U g])))", 2, 3),
        ("AF r", 1, 1),
    ] {
        let asked = Asked::new(&model, text);
        ask(&model, &[&asked], |asked, checker, rigid| {
            let found = VacuityChecker::new(checker, rigid).refine(Property::Ctl, &asked.written).unwrap();
            assert_eq!((found.runs, found.marked.len()), (runs, n_marked), "{text}");
        });
    }
}

#[test]
fn a_part_is_vacuous_iff_a_constant_solves_the_query_with_it_as_placeholder() {
    let (mut questions, mut vacuous) = (0, 0);
    let run = random_cases(60, |rng| {
        let random = random_smv(rng, &SmvShape { n_states: 30, words: false, ..SmvShape::default() });
        let model = model(&random.text);
        for _ in 0..3 {
            let asked = Asked::new(&model, &format!("CTLSPEC {}", random_ctl_text(rng, &random.atoms, 3)));
            let parts: Vec<PartId> = asked
                .written
                .questions()
                .filter(|&part| asked.written.part(part).polarity != Polarity::Mixed && part.index() > 0)
                .collect();
            for part in parts {
                let by_query = vacuous_by_query(&model, &asked, part);
                let mut by_definition = None;
                ask(&model, &[&asked], |asked, checker, rigid| {
                    let mut vacuity = VacuityChecker::new(checker, rigid);
                    let found = vacuity.naive(Property::Ctl, &asked.written, &[part]).unwrap();
                    by_definition = Some(!found.vacuous.is_empty());
                });
                questions += 1;
                vacuous += usize::from(by_query);
                let about = || format!("{} in {}\n{}", asked.part(part), asked.text, random.text);
                assert_eq!(Some(by_query), by_definition, "{}", about());
            }
        }
    });
    run.enough(questions > 500 && vacuous > 100, format_args!("{questions} {vacuous}"));
}

/// Whether the solutions of the query with a part as placeholder say that it is vacuous. If the property is true: the constant that makes
/// it true least easily is a solution. If it is false: not even the other one is.
fn vacuous_by_query(model: &FlatModel, asked: &Asked, part: PartId) -> bool {
    let context = Context::default();
    let mut encoded = encode(&context, model, &EncodeOptions::default()).expect("the model has a meaning");
    encoded.register(&asked.specification).expect("the property has a meaning");
    let holds = SymbolicChecker::new(&context, &encoded.model, Options::default())
        .check_ctl(asked.written.formula())
        .unwrap()
        .verdict
        == Verdict::True;
    let formula = asked.written.replace(&[part], |_, _, _| Formula::proposition("?"));
    let variable = encoded.model.variables.iter().position(|variable| !variable.is_input).expect("a state");
    let placeholder = Placeholder::new(&mut encoded.model, "?", &[variable]).unwrap();
    let question = Question {
        context: &context,
        model: &encoded.model,
        formula: &formula,
        placeholder: &placeholder,
        options: Options::default(),
    };
    let found = solve_generally(&question, 1000).unwrap();
    if !holds {
        return found.solutions.is_empty();
    }
    let all = placeholder.n_candidates(&encoded.model);
    let size = |set: &tertium_dd::Bdd| set.count(&placeholder.bits()).exact();
    let extreme = if found.direction == Direction::Growing { Some(0) } else { all };
    found.solutions.iter().any(|set| size(set) == extreme)
}

#[test]
fn production_cell_has_187_witnesses_and_fifteen_vacuous_formulas() {
    let name = "production-cell-production-cell.smv";
    let Some(corpus) = nusmv_corpus() else { return };
    let text = std::fs::read_to_string(corpus.join(name)).expect("the corpus is whole");
    let model = model(&text);
    let [whole] = model.specifications.as_slice() else { panic!("there is one specification") };
    let mut formulas = Vec::new();
    conjuncts(formula(whole), &mut formulas);
    assert_eq!(formulas.len(), 15);
    let split = |formula: Formula| {
        let specification = Specification { kind: SpecificationKind::Ctl(formula), ..whole.clone() };
        Asked::of(specification, &text)
    };
    let asked: Vec<Asked> = formulas.into_iter().map(split).collect();
    let (mut witnesses, mut vacuous) = (0, 0);
    ask(&model, &asked.iter().collect::<Vec<_>>(), |asked, checker, rigid| {
        let mut vacuity = VacuityChecker::new(checker, rigid);
        let found = vacuity.vaquot(Property::Ctl, &asked.written, &asked.written.atoms()).unwrap();
        witnesses += found.witnesses;
        vacuous += usize::from(found.extent(&asked.written) != Extent::None);
    });
    assert_eq!((witnesses, vacuous), (187, 15));
}

#[test]
fn switches_inside_fixpoints_have_the_value_of_the_operator_written_out() {
    let model = model(LIGHT);
    let asked = Asked::new(&model, "EF g");
    let context = Context::default();
    let mut encoded = encode(&context, &model, &EncodeOptions::default()).unwrap();
    encoded.register(&asked.specification).unwrap();
    let (name, _) = formula(&asked.specification).propositions().into_iter().next().expect("an atom");
    let green = encoded.model.propositions[name].clone();
    encoded.model.propositions.insert("g".to_owned(), green);
    let mut checker = SymbolicChecker::new(&context, &encoded.model, Options::default());
    let switches = ["s0".to_owned(), "s1".to_owned()];
    for text in ["mu X. (g && !s1 || s0) || <true>X", "EF (g && !s1 || s0)"] {
        let formula = tertium_logic::parse(&Source::new("formula", text)).expect(text);
        let found = checker.holds_with_each(&formula, &switches).unwrap();
        assert_eq!(found, (false, vec![true, false]), "{text}");
    }
    for text in ["nu X. (!g && !s1 || s0) && [true]X", "AG (!g && !s1 || s0)"] {
        let formula = tertium_logic::parse(&Source::new("formula", text)).expect(text);
        let found = checker.holds_with_each(&formula, &switches).unwrap();
        assert_eq!(found, (true, vec![true, false]), "{text}");
    }
}

fn conjuncts(formula: &Formula, found: &mut Vec<Formula>) {
    match &formula.kind {
        FormulaKind::And(parts) => parts.iter().for_each(|part| conjuncts(part, found)),
        _ => found.push(formula.clone()),
    }
}
