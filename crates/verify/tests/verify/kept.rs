//! What an engine made for one property is there for the next, also where a look for vacuity between them ran out of work.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use tertium_check::Semantics;
use tertium_evidence::{Outcome, PropertyName};
use tertium_logic::parse;
use tertium_report::Comments;
use tertium_support::{Context, Diagnostic, Diagnostics, Id, Source, Statistics};
use tertium_truth::{Cause, Verdict};
use tertium_verify::*;

/// A model that offers nothing.
struct Bare(Source, Vec<Property>);

const BARE: Format = Format {
    name: "bare",
    title: "nothing",
    extensions: &["bare"],
    has_properties: false,
    modal: false,
    has_parameters: false,
    preprocessing: None,
    on_machine: false,
    written_as: "pts",
    looks_like: |_| false,
    read: |_, input, _| Ok((Box::new(Bare(Source::new(input.name, ""), Vec::new())), Vec::new())),
};

impl Model for Bare {
    fn source(&self) -> &Source {
        &self.0
    }
    fn properties(&self) -> &[Property] {
        &self.1
    }
    fn read_property(
        &mut self,
        name: PropertyName,
        source: &Source,
    ) -> Result<(PropertyId, Diagnostics), Diagnostics> {
        let logic = Logic::Branching(parse(source)?);
        self.1.push(Property { name, source: source.clone(), logic });
        Ok((PropertyId::new(self.1.len() - 1), Vec::new()))
    }
    fn comments(&self) -> Comments {
        Comments::Formula
    }
}

/// How often the dear engine was opened.
static OPENED: AtomicUsize = AtomicUsize::new(0);

/// An engine that knows nothing, at once.
const CHEAP: Engine = Engine {
    name: "cheap",
    title: "nothing, at once",
    fits: |_| true,
    semantics: &[Semantics::Sis],
    takes: &[],
    on_bounded: Some(Turn::whole(0)),
    on_unbounded: Some(Turn::whole(0)),
    open: |_, work| {
        struct Cheap;
        impl Session for Cheap {
            fn ask(&mut self, _: Asked<'_>) -> Result<Candidate<'_>, Halt> {
                let outcome = Outcome::new(Verdict::Unknown(Cause::Bound), Statistics::default());
                Ok(Candidate::plain("cheap", outcome))
            }
        }
        work(&mut Cheap);
        Ok(())
    },
    suits: |_, _| true,
    advise: |_| Vec::new(),
};

/// An engine that does much work before its first answer. Changed questions it works on until it is stopped.
struct Dear<'m> {
    context: &'m Context,
    made: bool,
}

impl Session for Dear<'_> {
    fn ask(&mut self, asked: Asked<'_>) -> Result<Candidate<'_>, Halt> {
        while !self.made || asked.wanted != Wanted::Everything {
            for _ in 0..(1 << 15) {
                self.context.spend(1 << 10)?;
            }
            self.made = true;
        }
        Ok(Candidate::plain("dear", Outcome::new(Verdict::True, Statistics::default())))
    }
}

const DEAR: Engine = Engine {
    name: "dear",
    title: "much work before the first answer",
    on_bounded: Some(Turn::whole(1)),
    on_unbounded: Some(Turn::whole(1)),
    open: |opening, work| {
        OPENED.fetch_add(1, Ordering::Relaxed);
        work(&mut Dear { context: opening.context, made: false });
        Ok(())
    },
    ..CHEAP
};

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

#[test]
fn a_look_for_vacuity_that_is_cut_leaves_the_engine_as_it_is() {
    let tables = Tables {
        formats: Formats::standard().with(BARE),
        engines: Engines::standard().with(CHEAP).with(DEAR),
    };
    let given = |text: &&str| Given { written: text.to_string(), source: Ok(Source::new("<p>", *text)) };
    let mut heard = Heard::default();
    let request = Request {
        tables: &tables,
        context: &Context::default(),
        path: Path::new("m.bare"),
        input: &Input { name: "m.bare".to_owned(), bytes: Vec::new(), original: None },
        read: &ReadOptions::default(),
        given: &["AG (p => q)", "AG (q => p)", "AG (p || q)"].iter().map(given).collect::<Vec<_>>(),
        chosen: &Chosen::default(),
        options: &Options::default(),
        time_each: None,
        work_each: None,
    };
    check(&request, &mut heard).expect("answers");
    assert_eq!(heard.0, [Verdict::True; 3]);
    assert_eq!(OPENED.load(Ordering::Relaxed), 1, "what was made once was made again");
}
