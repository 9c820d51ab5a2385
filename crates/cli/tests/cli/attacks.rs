//! Attacks on limits: what is too large, too slow, blocked, or interrupted ends in time, within its memory, and with all that
//! is known.
//!
//! Memory is the peak of the resident sets of both processes, read while they run; where there is no `/proc`, it is not
//! looked at. Time has room for a machine that does other things: what a run may take beyond its limit is two seconds, and the
//! tests allow for as much again.
#![cfg(unix)]

use crate::support::{Place, Run, binary};
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tertium_testkit::{skipped, some_of};

/// What a run may take beyond its limit on time, on a machine that others use as well.
const LATE: Duration = Duration::from_millis(4_000);
/// How often memory is looked at.
const LOOK: Duration = Duration::from_millis(2);

/// How a run under attack ended.
struct Attacked {
    run: Run,
    took: Duration,
    /// The peak of the memory of all its processes, in bytes.
    memory: u64,
}

/// Waits for a run and looks at its memory.
fn watch(mut child: Child, started: Instant) -> Attacked {
    let read = |mut pipe: Box<dyn Read + Send>| {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            // What is there when the process ends is all that counts.
            let _ = pipe.read_to_end(&mut bytes);
            String::from_utf8(bytes).expect("we print UTF-8")
        })
    };
    let stdout = child.stdout.take().map(|pipe| read(Box::new(pipe)));
    let stderr = child.stderr.take().map(|pipe| read(Box::new(pipe)));
    let (mut of_worker, mut of_supervisor) = (0, 0);
    let status = loop {
        of_supervisor = peak(child.id()).unwrap_or(0).max(of_supervisor);
        for worker in children(child.id()) {
            of_worker = peak(worker).unwrap_or(0).max(of_worker);
        }
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            break status;
        }
        thread::sleep(LOOK);
    };
    let took = started.elapsed();
    let text = |thread: Option<thread::JoinHandle<String>>| {
        thread.map_or(String::new(), |own| own.join().expect("it reads"))
    };
    let status = status.code().unwrap_or_else(|| panic!("the process did not end by itself: {status}"));
    Attacked {
        run: Run { stdout: text(stdout), stderr: text(stderr), status },
        took,
        memory: of_worker + of_supervisor,
    }
}

/// The peak of the resident set of a process.
fn peak(process: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

fn children(process: u32) -> Vec<u32> {
    let text =
        std::fs::read_to_string(format!("/proc/{process}/task/{process}/children")).unwrap_or_default();
    text.split_whitespace().filter_map(|id| id.parse().ok()).collect()
}

fn attack(place: &Place, arguments: &[&str]) -> Attacked {
    let mut command = place.command(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let started = Instant::now();
    watch(command.spawn().expect("the binary starts"), started)
}

impl Attacked {
    /// Fails unless the run ended in one of the ways that a limit may end it, within this memory.
    #[track_caller]
    fn held(self, name: &str, megabytes: u64) -> Self {
        let Attacked { run, memory, .. } = &self;
        assert!([0, 2, 5, 10].contains(&run.status), "{name}: {run:?}");
        assert!(!run.stderr.contains("internal error"), "{name}: {run:?}");
        let most = if megabytes >= 128 { megabytes * 5 / 4 } else { megabytes + 32 } << 20;
        assert!(*memory <= most, "{name}: {} MB under a limit of {megabytes} MB", memory >> 20);
        self
    }

    /// Fails unless the run ended soon after this limit.
    #[track_caller]
    fn in_time(self, name: &str, limit: Duration) -> Self {
        assert!(
            self.took <= limit + LATE,
            "{name}: {:?} under a limit of {limit:?}: {:?}",
            self.took,
            self.run
        );
        self
    }
}

/// Counters of a million states and more.
fn counters(n: usize) -> String {
    let mut text = String::new();
    for k in 0..n {
        text.push_str(&format!("var x{k}: 0..99 = 0;\n[up{k}] x{k} < 99 -> x{k} := x{k} + 1;\n[zero{k}] x{k} = 99 -> x{k} := 0;\n"));
    }
    text + "property sum: AG x0 + x1 <= 198;\nproperty product: AG EF x0 * x1 * x2 = 970299;\n"
}

/// A place with everything that the attacks take.
fn armed() -> Place {
    let place = Place::new();
    place.file("counters.gcl", counters(6));
    place.file(
        "long.gcl",
        "var x: 0..2000000 = 0;\n[up] x < 2000000 -> x := x + 1;\nproperty AG x < 1999999;\n",
    );
    place.file(
        "cubes.gcl",
        "var x: int = 3; var y: int = 5; var z: int = 7;\n[up] true -> x := x*y*z + 1, y := y*y + x, z := z*x - y;\n\
         property AG x*x*x + y*y*y != z*z*z;\n",
    );
    let variables: String = (0..20_000).map(|k| format!("var v{k}: int;\n")).collect();
    place.file("wide.gcl", variables + "[go] v0 > 0 -> v0 := v1;\nproperty AG v0 >= 0;\n");
    place.file(
        "product.smv",
        "MODULE main\nVAR x : unsigned word[32]; y : unsigned word[32]; z : unsigned word[32];\n\
         ASSIGN next(z) := x * y;\nSPEC AG z = x * y\n",
    );
    let mut modules = "MODULE main\nVAR a : m0;\nSPEC AG a.v\n".to_owned();
    for k in 0..30 {
        modules.push_str(&format!("MODULE m{k}\nVAR v : boolean; a : m{0}; b : m{0};\n", k + 1));
    }
    place.file("modules.smv", modules + "MODULE m30\nVAR v : boolean;\n");
    let specs: String =
        (0..60_000).map(|k| format!("SPEC AG (x = {} -> EF !(x = {}))\n", k % 8, k % 7)).collect();
    place.file("specs.smv", format!("MODULE main\nVAR x : 0..7;\n{specs}"));
    let parts: Vec<String> = (0..40_000).map(|k| format!("<a{k}>true")).collect();
    place.file("parts.mcf", parts.join(" && "));
    let n = 200_000;
    let steps: String = (0..n - 1).map(|k| format!("({k},\"a\",{})\n", k + 1)).collect();
    place.file("line.aut", format!("des (0,{},{n})\n{steps}", n - 1));
    place.file(
        "game.pg",
        (0..200_000).fold("parity 199999;\n".to_owned(), |text, k| {
            text + &format!("{k} {} {} {};\n", k % 7, k % 2, (k * 7 + 1) % 200_000)
        }),
    );
    place
}

#[test]
fn memory_stays_within_its_limit() {
    let place = armed();
    let attacks: [&[&str]; 12] = [
        &["check", "counters.gcl"],
        &["check", "counters.gcl", "--engine", "explicit", "--states", "100000000"],
        &["check", "long.gcl", "--json", "--full"],
        &["check", "cubes.gcl"],
        &["check", "wide.gcl"],
        &["check", "product.smv"],
        &["check", "modules.smv"],
        &["check", "specs.smv"],
        &["check", "line.aut", "-p", "@parts.mcf"],
        &["check", "line.aut", "-p", "nu X. <a>X || mu Y. [a]Y"],
        &["model", "convert", "counters.gcl", "--format", "pts"],
        &["vacuity", "product.smv"],
    ];
    let all = attacks.into_iter().flat_map(|arguments| [(arguments, 50), (arguments, 128)]);
    for (arguments, megabytes) in some_of(all.collect()) {
        let limit = format!("{megabytes}M");
        let all = [arguments, &["--memory", &limit, "--time", "4s"]].concat();
        let name = all.join(" ");
        attack(&place, &all).held(&name, megabytes).in_time(&name, Duration::from_secs(4));
    }
}

#[test]
fn runs_end_soon_after_their_time() {
    let place = armed();
    let attacks: [&[&str]; 10] = [
        &["check", "specs.smv"],
        &["check", "modules.smv"],
        &["check", "counters.gcl", "--engine", "explicit", "--states", "100000000"],
        &["check", "long.gcl", "--json", "--full"],
        &["check", "cubes.gcl"],
        &["check", "product.smv"],
        &["vacuity", "product.smv"],
        &["query", "product.smv", "AG ?{z}"],
        &["model", "refines", "line.aut", "line.aut"],
        &["game", "solve", "game.pg"],
    ];
    for arguments in attacks {
        let all = [arguments, &["--time", "300ms"]].concat();
        let name = all.join(" ");
        attack(&place, &all).held(&name, 1 << 20).in_time(&name, Duration::from_millis(300));
    }
}

/// Makes a pipe; whether there is a way to.
fn pipe(place: &Place, name: &str) -> bool {
    let made =
        Command::new("mkfifo").arg(place.path().join(name)).status().is_ok_and(|status| status.success());
    if !made {
        skipped("there is no mkfifo");
    }
    made
}

#[test]
fn an_output_that_nobody_takes_is_given_up() {
    let place = armed();
    place.file("m.gcl", "var x: 0..3 = 0;\n[up] x < 3 -> x := x + 1;\nproperty low: AG x < 3;\n");
    let names = ["nobody.dot", "nobody.csv", "nobody.pts", "nobody.json"];
    if !names.iter().all(|name| pipe(&place, name)) {
        return;
    }
    assert_eq!(place.run(&["check", "m.gcl", "-o", "run.json"]).status, 10);
    let attacks: [(&str, &[&str]); 9] = [
        ("nobody.dot", &["check", "m.gcl", "--engine", "explicit", "--dot", "nobody.dot"]),
        ("nobody.csv", &["query", "m.gcl", "AG ?{x}", "--csv", "nobody.csv"]),
        ("nobody.pts", &["model", "convert", "m.gcl", "-o", "nobody.pts"]),
        ("nobody.json", &["check", "m.gcl", "-o", "nobody.json"]),
        ("nobody.json", &["check", "long.gcl", "--json", "-o", "nobody.json"]),
        ("nobody.json", &["vacuity", "m.gcl", "-o", "nobody.json"]),
        ("nobody.json", &["query", "m.gcl", "AG ?{x}", "-o", "nobody.json"]),
        ("nobody.json", &["tests", "m.gcl", "-o", "nobody.json"]),
        ("nobody.json", &["replay", "m.gcl", "run.json", "-o", "nobody.json"]),
    ];
    // They mostly wait, so all of them can wait at the same time.
    thread::scope(|scope| {
        for (file, arguments) in attacks {
            let place = &place;
            scope.spawn(move || gives_up_writing(place, file, arguments));
        }
    });
    assert!(!place.names().iter().any(|name| name.ends_with(".part")), "{:?}", place.names());
}

/// Fails unless the run gives up this output when its time is over. On a machine that does much else the time may be over before there
/// is something to write, and the run says so: then it gets more of it.
fn gives_up_writing(place: &Place, file: &str, arguments: &[&str]) {
    let limits = [300, 1_500, 7_500, 30_000];
    for milliseconds in limits {
        let limit = format!("{milliseconds}ms");
        let run = attack(place, &[arguments, &["--time", &limit]].concat())
            .in_time(file, Duration::from_millis(milliseconds))
            .run;
        if run.status == 2 {
            let given_up = format!("cannot write {file}: the time limit was reached");
            assert!(run.stderr.contains(&given_up), "{arguments:?}: {run:?}");
            return;
        }
        let is_over = run.status == 5 && (run.stdout.contains("U-TIME") || run.stderr.contains("U-TIME"));
        assert!(is_over, "{arguments:?}: {run:?}");
    }
    panic!("{arguments:?} wrote nothing within {limits:?} milliseconds");
}

#[test]
fn a_file_that_nobody_writes_ends_with_the_time() {
    let place = Place::new();
    if pipe(&place, "silent.smv") {
        let run = attack(&place, &["check", "silent.smv", "--time", "300ms"]);
        run.in_time("silent.smv", Duration::from_millis(300)).run.ends(5, "RESULT: unknown(U-TIME)");
    }
}

/// Answers that do not fit into a pipe.
fn chatty(place: &Place) -> Child {
    let mut text = "var x: 0..3 = 0;\n[up] x < 3 -> x := x + 1;\n".to_owned();
    text.extend((0..2_000).map(|k| format!("property p{k}: AG x < 3;\n")));
    place.file("chatty.gcl", text);
    let mut command = place.command(&["check", "chatty.gcl", "--engine", "explicit"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts")
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(sent.expect("kill is there").success());
}

#[test]
fn a_slow_reader_is_waited_for() {
    let place = Place::new();
    let mut child = chatty(&place);
    let mut stdout = child.stdout.take().expect("it is a pipe");
    thread::sleep(Duration::from_millis(1_500));
    let mut text = String::new();
    stdout.read_to_string(&mut text).expect("we print UTF-8");
    assert_eq!(child.wait().expect("it ends").code(), Some(10));
    assert_eq!(text.lines().filter(|line| line.starts_with("FALSE  p")).count(), 2_000);
    assert!(text.ends_with("RESULT: false\n"), "{}", &text[text.len() - 200..]);
}

#[test]
fn signals_end_even_the_wait_for_a_reader() {
    for signals in [&["-INT"][..], &["-TERM", "-TERM"]] {
        let place = Place::new();
        let mut child = chatty(&place);
        thread::sleep(Duration::from_millis(1_000));
        assert!(child.try_wait().expect("it can be asked").is_none(), "it waits for its reader");
        let sent = Instant::now();
        signals.iter().for_each(|name| signal(&child, name));
        child.wait().expect("it ends");
        assert!(sent.elapsed() < LATE, "{:?} after {signals:?}", sent.elapsed());
    }
}

#[test]
fn signals_print_all_that_is_known() {
    let place = armed();
    place.file(
        "both.gcl",
        "var x: int = 3; var y: int = 5; var z: int = 7;\n[up] true -> x := x*y*z + 1, y := y*y + x, z := z*x - y;\n\
         property small: AG x < 4;\nproperty cubes: AG x*x*x + y*y*y != z*z*z;\n",
    );
    for (signals, more) in
        [(&["-INT"][..], &[][..]), (&["-TERM", "-INT"], &[]), (&["-INT", "-INT"], &["--json"])]
    {
        let mut command = place.command(&[&["check", "both.gcl", "--stats"], more].concat());
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
        thread::sleep(Duration::from_millis(1_500));
        let sent = Instant::now();
        for name in signals {
            signal(&child, name);
            thread::sleep(Duration::from_millis(100));
        }
        let attacked = watch(child, sent).in_time("signals", Duration::ZERO);
        let run = attacked.run;
        assert_eq!(run.status, 10, "{run:?}");
        if more.is_empty() {
            assert!(run.stdout.contains("FALSE  small: AG x < 4"), "{run:?}");
            assert!(run.stdout.contains("UNKNOWN  cubes: "), "{run:?}");
            assert_eq!(run.last_line(), "RESULT: false");
        } else {
            let results = run.json()["results"].as_array().expect("a list").len();
            assert_eq!(results, 2, "{run:?}");
        }
    }
}

/// Engines and solvers without address space end as unknown or with a refusal.
#[test]
fn a_small_address_space_is_no_internal_error() {
    let place = armed();
    let commands = [
        "check counters.gcl",
        "check cubes.gcl --engine predicate",
        "check product.smv",
        "check long.gcl",
        "check wide.gcl",
        "vacuity counters.gcl",
        "model convert counters.gcl --format aut",
    ];
    let spaces: &[u32] = if std::env::var("TERTIUM_CASES").is_ok_and(|cases| cases == "full") {
        &[150, 160, 170, 180, 200, 220, 250, 300, 350, 400, 450, 500, 600, 700, 800]
    } else {
        &[150, 200, 300, 600]
    };
    let all = spaces.iter().flat_map(|megabytes| commands.map(|command| (megabytes, command)));
    for (megabytes, command) in some_of(all.collect()) {
        let line = format!("ulimit -v {}; exec \"$0\" {command} --time 2s", megabytes << 10);
        let mut shell = Command::new("sh");
        shell.args(["-c", &line, &binary()]).current_dir(place.path());
        let run = Run::from(shell.stdin(Stdio::null()).output().expect("there is a shell"));
        assert!([0, 2, 5, 10].contains(&run.status), "{megabytes} MB, {command}: {run:?}");
        assert!(!run.stderr.contains("internal error"), "{megabytes} MB, {command}: {run:?}");
    }
}
