//! `tertium game`: parity games in PGSolver's format.

use crate::args::GameCommand;
use crate::exit::Status;
use crate::failure::Failure;
use crate::input::{read_text, shown};
use crate::output::Output;
use crate::run::{Run, settle};
use crate::settings::limits;
use crate::tell::print_json;
use crate::write::{keep_apart, write_atomically};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use tertium_check::game::{
    Arena, ParityGame, Solution, check_solution, read_pgsolver, solve, write_solution,
};
use tertium_report::{GameReport, counters, game_dot};
use tertium_support::Statistics;

/// Runs a command.
pub(crate) fn run(command: &GameCommand, output: &Arc<Output>) -> Status {
    let GameCommand::Solve { file, json, stats, dot, no_validate, limits: limit_args } = command.clone();
    let run = Run::start(limits(&limit_args), output);
    let job = Solve { file, json, stats, dot, validated: !no_validate, run: run.clone() };
    settle(&run, json.then_some("game solve"), move || job.solve())
}

struct Solve {
    file: PathBuf,
    json: bool,
    stats: bool,
    dot: Option<PathBuf>,
    validated: bool,
    run: Run,
}

impl Solve {
    fn solve(&self) -> Result<Status, Failure> {
        let context = &self.run.context;
        keep_apart(&[("--dot", self.dot.as_deref())], [self.file.as_path()])?;
        let game = self.read()?;
        let solution = solve(context, &game)?;
        if self.validated {
            check_solution(&game, &solution)
                .map_err(|flaw| Failure::Bug(format!("the solution is wrong: {flaw}")))?;
        }
        if let Some(path) = &self.dot {
            write_atomically(&self.run.output, path, |out| {
                out.write_all(game_dot(&game, &solution).as_bytes())
            })?;
        }
        self.show(&game, &solution);
        Ok(Status::True)
    }

    fn read(&self) -> Result<ParityGame, Failure> {
        let source = read_text(&self.run.context, &self.file)?;
        match read_pgsolver(source.text()) {
            Ok(file) => {
                if !file.warnings.is_empty() {
                    self.run.output.complaints(&source, &file.warnings);
                }
                Ok(file.game)
            }
            Err(faults) => Err(Failure::Faulty(Box::new(source), faults)),
        }
    }

    fn show(&self, game: &ParityGame, solution: &Solution) {
        let statistics = statistics(game);
        let time = self.run.context.elapsed();
        if self.json {
            let mut report = GameReport::new(&shown(&self.file), game, solution);
            report.validated = self.validated.then_some(true);
            report.statistics = counters(&statistics);
            report.time_ms = self.stats.then(|| u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
            return print_json(&self.run.output, &report);
        }
        self.run.output.stream(|mut out| write_solution(solution, &mut out));
        if self.stats {
            let mut text = String::new();
            for (name, value) in statistics.iter() {
                text.push_str(&format!("  {name:<20} {value}\n"));
            }
            let validated = if self.validated { "yes" } else { "no" };
            text.push_str(&format!("  {:<20} {validated}\n", "solution validated"));
            text.push_str(&format!("  {:<20} {:.2} s\n", "time", time.as_secs_f64()));
            self.run.output.message(&text);
        }
    }
}

fn statistics(game: &ParityGame) -> Statistics {
    let mut statistics = Statistics::default();
    statistics.set("vertices", game.n_vertices());
    statistics.set("edges", game.n_edges());
    statistics.set("priorities", game.n_priorities());
    statistics
}
