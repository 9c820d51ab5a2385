//! The example of the documentation is a model, and nothing about it is suspicious.

use std::fs;
use std::path::Path;
use tertium_explore::reachable;
use tertium_front_gcl::read;
use tertium_support::{Context, Source, render};

#[test]
fn the_example_of_the_page_is_read_without_complaint_and_runs() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats/gcl.md");
    let page = fs::read_to_string(page).expect("the page is there");
    let blocks: Vec<&str> =
        page.split("```gcl\n").skip(1).map(|rest| rest.split("```").next().expect("a block ends")).collect();
    assert_eq!(blocks.len(), 1);
    let source = Source::new("docs/formats/gcl.md", blocks[0]);
    let (model, warnings) = read(&Context::default(), &source)
        .unwrap_or_else(|error| panic!("{}", render(&source, &error.into_complaints(), false)));
    assert!(warnings.is_empty(), "{}", render(&source, &warnings, false));
    assert_eq!((model.commands.len(), model.properties.len()), (16, 6));
    assert!(reachable(&Context::default(), &model.program, 500).expect("no limit").n_states() > 100);
}
