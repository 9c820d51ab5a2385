//! `bench/models/peer-mailbox.gcl` for machine-check.

#[allow(missing_docs)]
#[machine_check::machine_description]
pub(crate) mod machine {
    use ::machine_check::Unsigned;
    use ::std::{
        clone::Clone,
        cmp::{Eq, PartialEq},
        fmt::Debug,
        hash::Hash,
    };

    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    pub struct Input {
        what: Unsigned<2>,
        data: Unsigned<8>,
    }

    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    pub struct Param {}

    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    pub struct State {
        full: Unsigned<1>,
        word: Unsigned<8>,
        urgent: Unsigned<1>,
    }

    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    pub struct System {}

    impl ::machine_check::Machine for System {
        type Input = Input;
        type Param = Param;
        type State = State;

        fn init(&self, _input: &Input, _param: &Param) -> State {
            State { full: Unsigned::<1>::new(0), word: Unsigned::<8>::new(0), urgent: Unsigned::<1>::new(0) }
        }

        fn next(&self, state: &State, input: &Input, _param: &Param) -> State {
            let mut full = state.full;
            let mut word = state.word;
            let mut urgent = state.urgent;
            if input.what == Unsigned::<2>::new(1) {
                if state.full == Unsigned::<1>::new(0) {
                    full = Unsigned::<1>::new(1);
                    word = input.data;
                }
            }
            if input.what == Unsigned::<2>::new(2) {
                if state.full == Unsigned::<1>::new(1) {
                    full = Unsigned::<1>::new(0);
                    urgent = Unsigned::<1>::new(0);
                    if state.word >= Unsigned::<8>::new(192) {
                        urgent = Unsigned::<1>::new(1);
                    }
                }
            }
            State { full, word, urgent }
        }
    }
}
