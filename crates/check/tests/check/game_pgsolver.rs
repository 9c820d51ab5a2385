//! PGSolver's format: what is read, what is refused and where, and that writing and reading are inverse.

use tertium_check::game::families::{GameShape, random_game};
use tertium_check::game::{
    Arena, ParityGame, Player, VertexId, read_pgsolver, solve, write_pgsolver, write_solution,
};
use tertium_support::{Context, Rng, Severity};
use tertium_testkit::fuzz_cases;

fn written(game: &ParityGame) -> String {
    let mut out = Vec::new();
    write_pgsolver(game, &mut out).expect("a vector takes everything");
    String::from_utf8(out).expect("names are text")
}

/// The messages about a wrong text, each with the text it points at.
fn errors(text: &str) -> Vec<(String, String)> {
    let errors = read_pgsolver(text).expect_err("the text is wrong");
    assert!(errors.iter().any(|error| error.severity == Severity::Error));
    errors.into_iter().map(|error| (error.message, text[error.span.range()].to_string())).collect()
}

fn one_error(text: &str, message: &str, at: &str) {
    assert_eq!(errors(text), [(message.to_string(), at.to_string())], "{text}");
}

#[test]
fn a_game_with_names_is_read_and_its_solution_written() {
    let text = "parity 3;\nstart 2;\n0 1 0 1,2 \"left\";\n1 0 1 0;\n2 4 1 3,\n 0 \"a μ\"\n;3 2 0 3;";
    let file = read_pgsolver(text).expect("the text is right");
    assert_eq!(file.start, Some(VertexId::from_raw(2)));
    assert_eq!(file.warnings, []);
    let v = VertexId::from_raw;
    assert_eq!(file.game.row(v(2)), [v(3), v(0)]);
    assert_eq!(
        (file.game.name(v(0)), file.game.name(v(1)), file.game.name(v(2))),
        (Some("left"), None, Some("a μ"))
    );
    assert_eq!((file.game.priority(v(2)), file.game.owner(v(2))), (4, Player::Odd));
    let solution = solve(&Context::default(), &file.game).expect("there is no limit");
    let mut out = Vec::new();
    write_solution(&solution, &mut out).expect("a vector takes everything");
    assert_eq!(String::from_utf8(out).as_deref(), Ok("paritysol 3;\n0 0 2;\n1 0;\n2 0;\n3 0 3;\n"));
}

#[test]
fn header_and_order_of_lines_are_free() {
    let sorted = read_pgsolver("parity 2;\n0 5 0 1;\n1 3 1 2,0;\n2 1 0 0;\n").expect("the text is right");
    let mixed = read_pgsolver("2 1 0 0;0 5 0 1;1 3 1 2,0;").expect("the text is right");
    assert_eq!(sorted, mixed);
}

#[test]
fn the_vertices_say_whether_the_header_counts_them() {
    let highest = read_pgsolver("parity 1;\n0 5 0 1;\n1 3 1 0;\n").expect("the header is the highest index");
    let number = read_pgsolver("parity 2;\n1 3 1 0;\n0 5 0 1;\n").expect("the header is the number");
    assert_eq!(highest, number);
    // Whoever counts does not get away with a vertex that is missing.
    one_error("parity 2;\n0 5 0 1;\n1 3 1 2;\n", "successor 2 is not defined", "2");
}

#[test]
fn a_vertex_without_successors_is_read_with_a_warning() {
    let file = read_pgsolver("0 1 0 \"end\";\n1 1 1;").expect("the text is right");
    let warnings: Vec<_> = file.warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!(warnings, ["vertex 0 has no successor", "vertex 1 has no successor"]);
    assert_eq!(read_pgsolver(&written(&file.game)).expect("what is written is right").game, file.game);
}

#[test]
fn each_mistake_is_told_with_its_place() {
    one_error("parity 1;\n0 1 0 1;\n1 2 2 0;\n", "the owner is neither 0 nor 1", "2");
    one_error("parity 1;\n0 1 0 1;\n0 2 1 0;\n1 0 0 0;", "vertex 0 is defined twice", "0");
    one_error("parity 2;\n0 1 0 1;\n2 2 1 0;\n", "no line defines vertex 1", "2");
    one_error("parity 3;\n0 1 0 1;\n1 2 1 0;\n", "no line defines the vertices from 2 to 3", "3");
    one_error("parity 0;\n0 1 0 1;\n1 2 1 0;\n", "vertex 1 is beyond the highest index, 0", "1");
    one_error("0 1 0 0,17;\n", "successor 17 is not defined", "17");
    one_error("0 4294967296 0 0;", "a priority of this size is too large", "4294967296");
    one_error(
        "0 99999999999999999999999999 0 0;",
        "a priority of this size is too large",
        "99999999999999999999999999",
    );
    one_error("4294967295 0 0 0;", "a vertex of this size is too large", "4294967295");
    one_error("0 1 0 0 \"name;\n", "this name does not end", "\"");
    one_error("0 1 0 0,;", "expected a successor, a number", ";");
    one_error("0 1 0 μ;", "expected `;`", "μ");
    one_error("0 -1 0 0;", "expected a priority, a number", "-");
    one_error("0 1 0 0", "the file ends inside a line", "");
    one_error("parity 5", "the file ends inside a line", "");
    one_error("0 1", "the file ends inside a line", "");
    one_error("", "there is no vertex", "");
    one_error("parity 0;", "there is no vertex", "");
    one_error("start 1;\n0 0 0 0;", "the start vertex 1 is not defined", "1");
}

#[test]
fn a_missing_semicolon_hides_nothing_behind_it() {
    let text = "0 1 0 1\n1 2 7 0;\n2 1 0 0 x;\n3 1 1 0 0;\n";
    let messages: Vec<_> = errors(text).into_iter().map(|(message, _)| message).collect();
    assert_eq!(messages, ["expected `;`", "the owner is neither 0 nor 1", "expected `;`", "expected `;`"]);
}

#[test]
fn a_header_that_announces_billions_allocates_nothing() {
    one_error(
        "parity 2147483646;\n0 0 0 0;\n",
        "no line defines the vertices from 1 to 2147483646",
        "2147483646",
    );
}

#[test]
fn names_that_the_format_cannot_hold_are_softened() {
    let v = VertexId::from_raw(0);
    let game = ParityGame::new(&[(0, Player::Even)], &[(v, v)]).with_names(vec!["a\"b\nc".into()]);
    assert_eq!(written(&game), "parity 0;\n0 0 0 0 \"a'b c\";\n");
}

#[test]
fn reading_what_was_written_gives_the_same_game() {
    for seed in 0..300 {
        let mut rng = Rng::seeded(seed);
        let shape =
            GameShape { vertices: rng.between(1, 30), degree: (0, 4), priorities: rng.between(1, 1000) };
        let game = random_game(&mut rng, shape);
        let file = read_pgsolver(&written(&game)).unwrap_or_else(|errors| panic!("seed {seed}: {errors:?}"));
        assert_eq!(file.game, game, "seed {seed}");
    }
}

/// Random damage to right texts: the reader must answer, and what it accepts must be written and read as the same.
#[test]
fn the_reader_survives_damaged_texts() {
    let bits = [
        "0",
        "7",
        "4294967296",
        "-",
        ",",
        ";",
        "\"",
        "\n",
        " ",
        "parity",
        "start",
        "parity 3;",
        "μ",
        "\0",
        "start 0;",
    ];
    fuzz_cases(|rng| {
        let shape = GameShape { vertices: rng.between(1, 6), degree: (0, 3), priorities: 5 };
        let mut text: Vec<char> = written(&random_game(rng, shape)).chars().collect();
        for _ in 0..rng.between(1, 4) {
            let at = rng.below(text.len() + 1);
            match rng.below(3) {
                0 => text.truncate(at),
                1 => drop(text.splice(at..(at + 1).min(text.len()), [])),
                _ => drop(text.splice(at..at, rng.pick(&bits).chars())),
            }
        }
        let text: String = text.into_iter().collect();
        match read_pgsolver(&text) {
            Ok(file) => {
                let again = read_pgsolver(&written(&file.game)).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
                assert_eq!(again.game, file.game, "{text}");
            }
            Err(errors) => {
                assert!(errors.iter().any(|error| error.severity == Severity::Error), "{text}");
                assert!(errors.iter().all(|error| error.span.end <= text.len()), "{text}");
            }
        }
    });
}
