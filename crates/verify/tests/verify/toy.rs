//! A format that only this test knows, lines such as `idle -> busy : start`: with its row in the table it has check, vacuity and
//! queries. Every state is a proposition that holds there alone; the first one is initial.

use std::path::Path;
use std::sync::Arc;
use tertium_evidence::{Origin, PropertyName};
use tertium_logic::parse;
use tertium_report::{Comments, Detail, vacuity_text};
use tertium_support::{Context, Diagnostic, Diagnostics, Id, Source};
use tertium_system::{Modality, PartialSystem, SystemBuilder};
use tertium_truth::{Belnap, Verdict};
use tertium_verify::*;

// The format begins here.
const TOY: Format = Format {
    name: "toy",
    title: "arrows",
    extensions: &["toy"],
    has_properties: false,
    modal: false,
    has_parameters: false,
    preprocessing: None,
    on_machine: false,
    written_as: "pts",
    looks_like: |_| false,
    read: read_toy,
};

struct Toy(Source, Arc<PartialSystem>, Vec<Property>);

fn read_toy(_: &Context, input: Input, _: &ReadOptions) -> Result<Read, Halt> {
    let source = Source::new(input.name, String::from_utf8_lossy(&input.bytes).into_owned());
    let mut builder = SystemBuilder::named();
    for line in source.text().lines() {
        let parts: Vec<&str> = line.split([':', '>']).map(|part| part.trim_matches([' ', '-'])).collect();
        let [from, to, label] = parts.as_slice() else {
            return Err(Halt::Refused(format!("`{line}` is no arrow")));
        };
        let is_first = builder.n_states() == 0;
        let action = builder.action(label);
        let [from, to] = [from, to].map(|name| {
            let (state, prop) = (builder.state(name), builder.proposition(name, Belnap::False));
            builder.label(state, prop, Belnap::True);
            state
        });
        if is_first {
            builder.initial(from);
        }
        builder.edge(from, action, to, Modality::Both);
    }
    Ok((Box::new(Toy(source, Arc::new(builder.build()), Vec::new())), Vec::new()))
}

impl Model for Toy {
    fn source(&self) -> &Source {
        &self.0
    }
    fn properties(&self) -> &[Property] {
        &self.2
    }
    fn read_property(
        &mut self,
        name: PropertyName,
        source: &Source,
    ) -> Result<(PropertyId, Diagnostics), Diagnostics> {
        let logic = Logic::Branching(parse(source)?);
        self.2.push(Property { name, source: source.clone(), logic });
        Ok((PropertyId::new(self.2.len() - 1), Vec::new()))
    }
    fn comments(&self) -> Comments {
        Comments::Formula
    }
    fn system(&self) -> Option<&dyn OffersSystem> {
        Some(self)
    }
}

impl OffersSystem for Toy {
    fn system(&self, _: &Context, _: &[PropertyId], _: usize) -> Result<FoundSystem, Halt> {
        Ok(FoundSystem::named_by_itself(Arc::clone(&self.1), Origin::Given, Vec::new()))
    }
    fn is_given(&self) -> bool {
        true
    }

    fn is_bounded(&self) -> bool {
        true
    }
}
// The format ends here.

const TEXT: &str =
    "idle -> busy : start\nbusy -> idle : stop\nbusy -> broken : fail\nbroken -> broken : wait\n";

#[derive(Default)]
struct Heard(Vec<Verdict>);

impl Listener for Heard {
    fn warnings(&mut self, _: &Source, _: &[Diagnostic]) {}
    fn questions(&mut self, _: &[Question]) -> Result<(), Halt> {
        Ok(())
    }
    fn answer(&mut self, admitted: Admitted) {
        self.0.push(admitted.answer.outcome.verdict);
    }
    fn trouble(&mut self, name: &PropertyName, halt: Halt) {
        panic!("{}: {halt:?}", name.text);
    }
}

/// Asks something about the toy model with these properties.
fn ask<T>(properties: &[&str], question: impl FnOnce(&Request<'_>) -> T) -> T {
    let tables = Tables { formats: Formats::standard().with(TOY), engines: Engines::standard() };
    let given =
        |text: &&str| Given { written: text.to_string(), source: Ok(Source::new("<property>", *text)) };
    question(&Request {
        tables: &tables,
        context: &Context::default(),
        path: Path::new("m.toy"),
        input: &Input { name: "m.toy".to_owned(), bytes: TEXT.as_bytes().to_vec(), original: None },
        read: &ReadOptions::default(),
        given: &properties.iter().map(given).collect::<Vec<_>>(),
        chosen: &Chosen::default(),
        options: &Options::default(),
        time_each: None,
        work_each: None,
    })
}

#[test]
fn properties_are_checked() {
    let mut heard = Heard::default();
    ask(&["EF broken", "AF broken"], |request| check(request, &mut heard)).expect("answers");
    assert_eq!(heard.0, [Verdict::True, Verdict::False]);
}

#[test]
fn parts_that_do_not_matter_are_found() {
    let (method, detail) = (VacuityMethod::Refine, Detail::Screen);
    let options = VacuityOptions { method, all: false, evidence: true, detail };
    let found = ask(&["AG (broken => AX (broken || idle))"], |request| check_vacuity(request, &options))
        .expect("answers");
    assert!(matches!(found.answers[0].all_matter, Ok(Verdict::False)), "{found:?}");
    let text = vacuity_text(&found.answers[0].answer, false);
    assert!(text.contains("vacuously true") && text.contains("~~~~"), "{text}");
}

#[test]
fn queries_are_about_its_propositions() {
    let wanted = QueryWanted::new(":stable", None, QueryMethod::Tlq, 10).expect("a shortcut");
    let found = ask(&[], |request| solve_query(request, &wanted)).expect("an answer");
    let texts: Vec<&str> = found.report.solutions.iter().map(|own| own.text.as_str()).collect();
    assert_eq!((found.verdict, texts), (Verdict::True, vec!["!idle && !busy && broken"]));
}
