//! DOT is syntactically right: a small reader of the language takes every drawing.

use super::odd::odd_system;
use std::collections::BTreeSet;
use tertium_support::{Id, Rng};
use tertium_system::PartialSystem;
use tertium_system::format::{DotOptions, print_dot};

/// Words, quoted strings and marks of DOT.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let mut token = c.to_string();
        match c {
            ' ' | '\n' => continue,
            '"' => loop {
                let c = chars.next().expect("strings end");
                token.push(c);
                match c {
                    '\\' => token.push(chars.next().expect("escapes end")),
                    '"' => break,
                    _ => {}
                }
            },
            '-' => assert_eq!(chars.next(), Some('>'), "a dash begins an arrow"),
            _ if c.is_ascii_alphanumeric() => {
                while let Some(c) = chars.next_if(char::is_ascii_alphanumeric) {
                    token.push(c);
                }
            }
            _ => assert!("{}[];,=".contains(c), "unexpected {c:?}"),
        }
        tokens.push(token);
    }
    tokens
}

fn is_id(token: &str) -> bool {
    token.starts_with('"') || token.chars().all(|c| c.is_ascii_alphanumeric())
}

/// Reads `digraph ID { (ID (-> ID)? ([ID=ID, …])? ;)* }`; gives how many nodes and edges there are.
fn count(text: &str) -> (usize, usize) {
    let tokens = tokens(text);
    let mut rest: &[String] = match &tokens[..] {
        [digraph, id, open, rest @ .., close] => {
            assert!(digraph == "digraph" && is_id(id) && open == "{" && close == "}");
            rest
        }
        _ => panic!("no graph"),
    };
    let (mut nodes, mut edges) = (BTreeSet::new(), 0);
    while let [id, tail @ ..] = rest {
        assert!(is_id(id), "{id}");
        rest = tail;
        if let [arrow, target, tail @ ..] = rest
            && arrow == "-"
        {
            assert!(nodes.contains(id) && nodes.contains(target), "{id} -> {target} joins drawn nodes");
            edges += 1;
            rest = tail;
        } else if id != "node" {
            nodes.insert(id.clone());
        }
        if rest[0] == "[" {
            loop {
                let [_, key, equals, value, tail @ ..] = rest else { panic!("attributes end") };
                assert!(is_id(key) && equals == "=" && is_id(value), "{key} {equals} {value}");
                rest = tail;
                match rest[0].as_str() {
                    "]" => break,
                    mark => assert_eq!(mark, ","),
                }
            }
            rest = &rest[1..];
        }
        assert_eq!(rest[0], ";");
        rest = &rest[1..];
    }
    (nodes.len(), edges)
}

fn expected(system: &PartialSystem) -> (usize, usize) {
    let hyper_lines: usize =
        system.states().flat_map(|s| system.hyper_musts().of(s)).map(|(_, targets)| targets.len() + 1).sum();
    let initial = system.initial().len();
    (
        system.n_states() + initial + system.hyper_musts().len(),
        initial + system.transitions().len() + hyper_lines,
    )
}

#[test]
fn every_drawing_is_well_formed_and_complete() {
    for seed in 0..1000 {
        let mut rng = Rng::seeded(seed);
        let system = odd_system(&mut rng);
        let red = rng.below(system.n_states());
        let options = DotOptions {
            name: rng.chance(0.5).then(|| "a \"name\"\\".to_owned()),
            states: BTreeSet::from([Id::new(red)]),
            edges: system.edges(Id::new(red)).map(|e| (Id::new(red), e.action, e.other)).collect(),
        };
        let drawn = print_dot(&system, &options);
        assert_eq!(count(&drawn), expected(&system), "seed {seed}\n{drawn}");
        assert_eq!(drawn, print_dot(&system, &options));
        let n_red = drawn.matches("color=red, fontcolor").count();
        assert!(n_red > system.edges(Id::new(red)).len(), "seed {seed}\n{drawn}");
    }
}
