//! Formulas with atoms of a language around them: here comparisons as our expressions have them, and names with dots.

use tertium_logic::{Formula, parse, parse_with_atoms};
use tertium_support::{Diagnostics, Source, Span};

/// A number of letters, digits, dots and blanks before `=`, `<` or `>`, and the word behind it; or a name with a dot.
fn comparison(text: &str, start: usize) -> Option<usize> {
    let rest = &text[start..];
    let is_word = |c: char| c.is_alphanumeric() || c == '.';
    let skip = |from: usize, member: &dyn Fn(char) -> bool| {
        from + rest[from..].find(|c| !member(c)).unwrap_or(rest.len() - from)
    };
    let bracketed = rest.strip_prefix('(').and_then(|inner| inner.find(')')).map(|close| close + 2);
    let word = bracketed.unwrap_or_else(|| skip(0, &is_word));
    if bracketed.is_some_and(|end| rest[..end].contains(['&', '=', '<', '>'])) || word == 0 {
        return None;
    }
    let operator = skip(word, &char::is_whitespace);
    let end = skip(operator, &|c| "=<>".contains(c));
    let value = skip(end, &char::is_whitespace);
    let after = skip(value, &is_word);
    let compared = (1..=2).contains(&(end - operator)) && value < after && &rest[operator..end] != "=>";
    if compared { Some(start + after) } else { rest[..word].contains('.').then_some(start + word) }
}

fn read(text: &str) -> Result<Formula, Diagnostics> {
    let source = Source::new("test", text);
    parse_with_atoms(&source, Span::new(0, text.len()), &comparison)
}

#[test]
fn atoms_stand_where_propositions_can() {
    for (text, plain) in [
        ("AG !(x > 3 && pc = done)", "AG !(\"x > 3\" && \"pc = done\")"),
        ("<a> x<3 || [b]<c> y >= 2", "<a>\"x<3\" || [b]<c>\"y >= 2\""),
        ("E[x = 1 U left.pc = crit]", "E[\"x = 1\" U \"left.pc = crit\"]"),
        ("(x) > 3 => (x > 3)", "\"(x) > 3\" => \"x > 3\""),
        ("mu Z. left.p || <go> Z", "mu Z. \"left.p\" || <go> Z"),
        ("nu Z. (p => <a> Z) && 3 < x", "nu Z. (p => <a> Z) && \"3 < x\""),
        ("EF (x > 3)", "EF \"x > 3\""),
        ("sort < 3 && p", "\"sort < 3\" && p"),
        ("x  >\n   3", "\"x > 3\""),
    ] {
        let expected =
            parse(&Source::new("plain", plain)).unwrap_or_else(|found| panic!("{plain}: {found:?}"));
        let found = read(text).unwrap_or_else(|found| panic!("{text}: {found:?}"));
        assert_eq!(found, expected, "{text}");
        assert_eq!(parse(&Source::new("printed", found.to_string())), Ok(found), "{text}");
    }
}

#[test]
fn variables_of_fixpoints_win_over_atoms() {
    assert!(read("mu x. x > 3").is_err());
    assert!(read("mu y. x > 3 || <a> y").is_ok());
}

#[test]
fn a_comment_sign_inside_an_atom_is_refused() {
    let whole = |text: &str, _: usize| Some(text.len());
    let text = "x % 2 = 0 && p";
    let mistakes =
        parse_with_atoms(&Source::new("test", text), Span::new(0, text.len()), &whole).unwrap_err();
    assert_eq!(&text[mistakes[0].span.range()], "%");
    assert!(mistakes[0].message.contains("comment"));
}

#[test]
fn a_formula_inside_a_text_is_located_in_the_text() {
    let text = "property p: AG (x > 3 &&);";
    let part = Span::new(12, text.len() - 1);
    let mistakes = parse_with_atoms(&Source::new("file", text), part, &comparison).unwrap_err();
    assert_eq!(&text[mistakes[0].span.range()], ")");
    let text = "property p: AG x > 3; AG nonsense (";
    let found = parse_with_atoms(&Source::new("file", text), Span::new(12, 20), &comparison).unwrap();
    assert_eq!(found.propositions(), [("x > 3", Span::new(15, 20))]);
}
