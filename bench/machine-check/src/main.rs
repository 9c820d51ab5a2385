//! machine-check on one model and one property: `tertium-bench-peer MODEL PROPERTY [decay]`.
//!
//! The answer goes to standard output as machine-check's own JSON, for the suite `abstraction` to read. The systems have no panics, so that
//! nothing has to be shown about them first.

mod buffer;
mod counter;
mod mailbox;
mod peterson;
mod ticket;

use machine_check::{execute, ExecArgs, ExecStrategy};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (Some(model), Some(property)) = (arguments.first(), arguments.get(1)) else {
        eprintln!("usage: tertium-bench-peer peterson|counter|ticket|mailbox|buffer PROPERTY [decay]");
        std::process::exit(1);
    };
    let decay = arguments.get(2).is_some_and(|word| word == "decay");
    let arguments = ExecArgs {
        silent: false,
        verbose: 0,
        batch: true,
        gui: false,
        inherent: false,
        assume_inherent: true,
        property: Some(property.clone()),
        strategy: if decay { ExecStrategy::Decay } else { ExecStrategy::Default },
    };
    let answer = match model.as_str() {
        "buffer" => execute(buffer::machine::System {}, arguments),
        "counter" => execute(counter::machine::System {}, arguments),
        "mailbox" => execute(mailbox::machine::System {}, arguments),
        "peterson" => execute(peterson::machine::System {}, arguments),
        "ticket" => execute(ticket::machine::System {}, arguments),
        other => {
            eprintln!("there is no model `{other}`");
            std::process::exit(1);
        }
    };
    if answer.result.is_err() {
        std::process::exit(1);
    }
}
