//! Asking about shipped models without the command line.

use std::fs;
use std::path::{Path, PathBuf};
use tertium_evidence::PropertyName;
use tertium_support::{Context, Diagnostic, Source};
use tertium_truth::Verdict;
use tertium_verify::{
    Admitted, Chosen, Given, Halt, Input, Listener, Logic, Options, Question, ReadOptions, Request, Tables,
    check, read,
};

/// What was heard: for each question its text, the verdict, and all that would be printed.
#[derive(Default)]
pub(crate) struct Heard {
    pub(crate) answers: Vec<(String, Verdict, String)>,
}

impl Listener for Heard {
    fn warnings(&mut self, _: &Source, _: &[Diagnostic]) {}

    fn questions(&mut self, _: &[Question]) -> Result<(), Halt> {
        Ok(())
    }

    fn answer(&mut self, admitted: Admitted) {
        assert_eq!(admitted.bug, None, "evidence stands up");
        let answer = &admitted.answer;
        let text = tertium_report::verdict_line(answer)
            + &tertium_report::answer_text(answer, tertium_report::Detail::Full);
        self.answers.push((answer.property.given.clone(), answer.outcome.verdict, text));
    }

    fn trouble(&mut self, name: &PropertyName, halt: Halt) {
        match halt {
            Halt::Stopped(reason) => {
                let verdict = Verdict::Unknown(reason.into());
                self.answers.push((name.given.clone(), verdict, format!("{verdict}")));
            }
            other => panic!("{}: {other:?}", name.text),
        }
    }
}

/// The models of `examples/` with these extensions, in order.
pub(crate) fn examples(extensions: &[&str]) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut found: Vec<PathBuf> = fs::read_dir(folder)
        .expect("examples/")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|own| extensions.iter().any(|wanted| own == *wanted)))
        .collect();
    found.sort();
    found
}

/// Checks these properties of a model, or all of the file, each with so much work.
pub(crate) fn asked(path: &Path, properties: &[String], work_each: Option<u64>) -> Heard {
    let mut heard = Heard::default();
    with_request(path, properties, work_each, |request| {
        check(request, &mut heard).expect("shipped models can be checked");
    });
    heard
}

/// The properties of a file, as they can be given.
pub(crate) fn properties(path: &Path) -> Vec<String> {
    with_request(path, &[], None, |request| {
        let (model, _) = read(request).expect("shipped models can be read");
        let is_smv = path.extension().is_some_and(|own| own == "smv");
        let written = |property: &tertium_verify::Property| {
            let keyword = match property.logic {
                _ if !is_smv => "",
                Logic::Branching(_) => "CTLSPEC ",
                Logic::Invariant(_) => "INVARSPEC ",
                Logic::Linear(_) => "LTLSPEC ",
                Logic::Shortest(..) | Logic::Longest(..) => "COMPUTE ",
            };
            format!("{keyword}{}", property.name.text)
        };
        model.properties().iter().map(written).collect()
    })
}

fn with_request<T>(
    path: &Path,
    properties: &[String],
    work_each: Option<u64>,
    work: impl FnOnce(&Request<'_>) -> T,
) -> T {
    let given =
        |text: &String| Given { written: text.clone(), source: Ok(Source::new("<property>", text.as_str())) };
    let name = path.file_name().expect("a file").to_string_lossy().into_owned();
    work(&Request {
        tables: &Tables::default(),
        context: &Context::default(),
        path,
        input: &Input { name, bytes: fs::read(path).expect("readable"), original: None },
        read: &ReadOptions { warnings: false, ..ReadOptions::default() },
        given: &properties.iter().map(given).collect::<Vec<_>>(),
        chosen: &Chosen::default(),
        options: &Options::default(),
        time_each: None,
        work_each,
    })
}
