//! `bench/models/peer-counter.gcl` for machine-check.

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
    }

    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    pub struct Param {}

    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    pub struct State {
        value: Unsigned<8>,
    }

    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    pub struct System {}

    impl ::machine_check::Machine for System {
        type Input = Input;
        type Param = Param;
        type State = State;

        fn init(&self, _input: &Input, _param: &Param) -> State {
            State { value: Unsigned::<8>::new(0) }
        }

        fn next(&self, state: &State, input: &Input, _param: &Param) -> State {
            let mut value = state.value;
            if input.what == Unsigned::<2>::new(1) {
                if state.value < Unsigned::<8>::new(150) {
                    value = state.value + Unsigned::<8>::new(1);
                }
            }
            if input.what == Unsigned::<2>::new(2) {
                value = Unsigned::<8>::new(0);
            }
            State { value }
        }
    }
}
