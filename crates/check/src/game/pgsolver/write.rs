//! The writers.

use super::super::{Arena, ParityGame, Solution, VertexId};
use std::io::{self, Write};
use tertium_support::Id;

/// Writes a game so that reading gives the same game back. Quotation marks and line ends in names, which the format
/// cannot hold, become `'` and spaces. A game without vertices, which it cannot hold either, gives an empty text.
pub fn write_pgsolver(game: &ParityGame, out: &mut impl Write) -> io::Result<()> {
    let n = game.n_vertices();
    if n > 0 {
        writeln!(out, "parity {};", n - 1)?;
    }
    for v in VertexId::first(n) {
        write!(out, "{} {} {}", v.raw(), game.priority(v), game.owner(v))?;
        for (at, w) in game.row(v).iter().enumerate() {
            write!(out, "{}{}", if at == 0 { " " } else { "," }, w.raw())?;
        }
        if let Some(name) = game.name(v) {
            let clean = name.replace('"', "'").replace(['\n', '\r'], " ");
            write!(out, " \"{clean}\"")?;
        }
        writeln!(out, ";")?;
    }
    Ok(())
}

/// Writes a solution in PGSolver's form: `paritysol N;`, then for each vertex its id, its winner, and the winner's move
/// if the winner owns it.
pub fn write_solution(solution: &Solution, out: &mut impl Write) -> io::Result<()> {
    let n = solution.n_vertices();
    if n > 0 {
        writeln!(out, "paritysol {};", n - 1)?;
    }
    for v in VertexId::first(n) {
        match solution.strategy(v) {
            Some(w) => writeln!(out, "{} {} {};", v.raw(), solution.winner(v), w.raw())?,
            None => writeln!(out, "{} {};", v.raw(), solution.winner(v))?,
        }
    }
    Ok(())
}
