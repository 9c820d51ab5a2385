# The two commands a newcomer needs are `make demo` and `make test`.

.PHONY: demo test lint bench bench-peer

# Set up, build, and check a shipped example: one property is true, one false, one unknown, so the status is 10.
demo:
	scripts/setup
	cargo build --release --locked
	target/release/tertium check examples/coffee.pts -p '<coin . serve . take>ready' -p 'AG ready' -p 'AG EF ready'; test $$? -eq 10

# Set up, then run all tests: debug build, with assertions.
test:
	scripts/setup
	cargo test --workspace --locked

# Formatting, lints as errors, documentation as errors.
lint:
	scripts/setup
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --document-private-items --locked

# The tables of bench/README.md; takes minutes.
bench:
	scripts/setup
	cargo run --release --locked -p tertium-bench -- all

# machine-check on its versions of some models, for a table of the suite `abstraction`; a package of its own, built by nothing else.
bench-peer:
	cd bench/machine-check && cargo build --release --locked
