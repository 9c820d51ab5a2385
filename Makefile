# The two commands a newcomer needs are `make demo` and `make test`; between two edits it is `make quick`.

.PHONY: demo test test-release quick lint bench bench-peer

# Set up, build, and check a shipped example: one property is true, one false, one unknown, so the status is 10.
demo:
	scripts/setup
	cargo build --release --locked --bin tertium
	target/release/tertium check examples/coffee.pts -p '<coin . serve . take>ready' -p 'AG ready' -p 'AG EF ready'; test $$? -eq 10

# Set up, then run all tests, optimised and with assertions. Long random tests run a sample of their cases, and all of
# them with `TERTIUM_CASES=full make test`. What is skipped is listed at the end.
test:
	scripts/setup
	scripts/test --workspace

# The tests that could tell a release from the build with assertions, run on the release: all golden tasks, documents,
# results and searches with threads. What attacks limits, or says the same of any build, runs in `make test` only.
test-release:
	scripts/setup
	cargo build --release --locked --bin tertium
	TERTIUM_BINARY=$(CURDIR)/target/release/tertium scripts/test --workspace --test cli -- tasks:: readme:: json:: determinism:: search::

# Between two edits: formatting, lints, and all tests with few random cases each. Needs no network and no setup.
quick:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	TERTIUM_CASES=5 TERTIUM_FUZZ_SECONDS=0 scripts/test --workspace --quiet --lib --bins --tests

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
