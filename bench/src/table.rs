//! Tables of text, and how long something took.

use std::time::Instant;

/// Rows of cells under a header, printed with aligned columns.
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new<const N: usize>(header: [&str; N]) -> Self {
        Self { rows: vec![header.map(str::to_owned).into()] }
    }

    pub(crate) fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(cells.into());
    }

    pub(crate) fn rows<const N: usize>(&mut self, rows: impl IntoIterator<Item = [String; N]>) {
        rows.into_iter().for_each(|cells| self.row(cells));
    }

    pub(crate) fn print(&self, title: &str) {
        println!("\n{title}");
        let columns = self.rows[0].len();
        let width =
            |column: usize| self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for (index, row) in self.rows.iter().enumerate() {
            let cells: Vec<String> = row
                .iter()
                .zip(&widths)
                .enumerate()
                .map(
                    |(column, (cell, &width))| {
                        if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
                    },
                )
                .collect();
            println!("  {}", cells.join("  ").trim_end());
            if index == 0 {
                println!("  {}", "-".repeat(widths.iter().sum::<usize>() + 2 * (columns - 1)));
            }
        }
    }
}

/// The result of `work` and the seconds it took.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64())
}

/// The result of `work` and the seconds of processor time it took.
pub(crate) fn processor_timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = processor_seconds();
    let result = work();
    (result, processor_seconds() - start)
}

/// Processor time of all threads of this process, as far as the system tells.
pub(crate) fn processor_seconds() -> f64 {
    // The system counts up to the last time that it looked, and looks when a thread yields.
    std::thread::yield_now();
    let of_task = |task: std::fs::DirEntry| {
        let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<f64>().ok()
    };
    let Ok(tasks) = std::fs::read_dir("/proc/self/task") else {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        return since.map_or(0.0, |time| time.as_secs_f64());
    };
    tasks.flatten().filter_map(of_task).sum::<f64>() * 1e-9
}

/// Processor time of this process, or of its children that have ended, all threads included, as far as the system
/// tells: in hundredths of a second.
pub(crate) fn whole_processor_seconds(children: bool) -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program may have spaces; it ends with the last parenthesis.
    let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks = fields.skip(if children { 13 } else { 11 }).take(2);
    ticks.filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// The median of three runs, in seconds, and the last result.
pub(crate) fn median_of_three<T>(mut work: impl FnMut() -> T) -> (T, f64) {
    let (_, first) = timed(&mut work);
    let (_, second) = timed(&mut work);
    let (result, third) = timed(&mut work);
    let mut times = [first, second, third];
    times.sort_by(f64::total_cmp);
    (result, times[1])
}

/// The slope of the least-squares line through the logarithms: the exponent of growth.
pub(crate) fn exponent(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let logs: Vec<(f64, f64)> = points.iter().map(|&(x, y)| (x.ln(), y.max(1e-9).ln())).collect();
    let mean = |pick: fn(&(f64, f64)) -> f64| logs.iter().map(pick).sum::<f64>() / n;
    let (mx, my) = (mean(|p| p.0), mean(|p| p.1));
    let covariance: f64 = logs.iter().map(|(x, y)| (x - mx) * (y - my)).sum();
    let variance: f64 = logs.iter().map(|(x, _)| (x - mx).powi(2)).sum();
    covariance / variance
}
