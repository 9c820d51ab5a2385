//! Solutions of parity games as JSON and as pictures.

use crate::json::{SCHEMA, ToolInfo};
use serde::Serialize;
use serde_json::{Map, Value};
use std::fmt::Write;
use tertium_check::game::{Arena, ParityGame, Player, Solution, VertexId};
use tertium_support::Id;
use tertium_system::format::dot_string;

/// A solved game.
#[derive(Clone, Debug, Serialize)]
pub struct GameReport {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// Which program wrote this.
    pub tool: ToolInfo,
    /// The command.
    pub command: &'static str,
    /// The file, as given.
    pub file: String,
    /// Winner and move of every vertex, in the order of their numbers.
    pub vertices: Vec<VertexReport>,
    /// Whether the solution was validated; `null` if nobody asked.
    pub validated: Option<bool>,
    /// What was counted.
    pub statistics: Map<String, Value>,
    /// The time in milliseconds, only with `--stats`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
    /// The exit status.
    pub exit_status: u8,
}

/// Who wins from a vertex, and how.
#[derive(Clone, Debug, Serialize)]
pub struct VertexReport {
    /// Its number.
    pub id: usize,
    /// Its name, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// 0 for Even, 1 for Odd.
    pub winner: u8,
    /// The winner's move, if the winner owns it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy: Option<usize>,
}

impl GameReport {
    /// The report of a solution.
    pub fn new(file: &str, game: &ParityGame, solution: &Solution) -> Self {
        let vertex = |v: VertexId| VertexReport {
            id: v.index(),
            name: game.name(v).map(str::to_owned),
            winner: u8::from(solution.winner(v) == Player::Odd),
            strategy: solution.strategy(v).map(|w| w.index()),
        };
        Self {
            schema: SCHEMA,
            tool: ToolInfo::default(),
            command: "game solve",
            file: file.to_owned(),
            vertices: VertexId::first(game.n_vertices()).map(vertex).collect(),
            validated: None,
            statistics: Map::new(),
            time_ms: None,
            exit_status: 0,
        }
    }
}

/// The game as a DOT graph: diamonds belong to Even, boxes to Odd; green is won by Even, red by Odd; moves of the
/// winner's strategy are bold.
pub fn game_dot(game: &ParityGame, solution: &Solution) -> String {
    let mut out = String::new();
    draw(game, solution, &mut out).expect("strings take all text");
    out
}

fn draw(game: &ParityGame, solution: &Solution, out: &mut String) -> std::fmt::Result {
    writeln!(out, "digraph game {{")?;
    for v in VertexId::first(game.n_vertices()) {
        let shape = if game.owner(v) == Player::Even { "diamond" } else { "box" };
        let name = game.name(v).map_or_else(|| v.index().to_string(), str::to_owned);
        let label = dot_string(&format!("{name}\npriority {}", game.priority(v)));
        writeln!(out, "  v{} [shape={shape}, color={}, label={label}];", v.index(), colour(solution, v))?;
        for &w in game.row(v) {
            let taken = solution.strategy(v) == Some(w);
            let look =
                if taken { format!(" [penwidth=2, color={}]", colour(solution, v)) } else { String::new() };
            writeln!(out, "  v{} -> v{}{look};", v.index(), w.index())?;
        }
    }
    writeln!(out, "}}")
}

fn colour(solution: &Solution, v: VertexId) -> &'static str {
    match solution.winner(v) {
        Player::Even => "darkgreen",
        Player::Odd => "red",
    }
}
