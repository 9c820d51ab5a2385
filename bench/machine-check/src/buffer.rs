//! `bench/models/peer-buffer.gcl` for machine-check: what was made and used has six bits and wraps around.

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
        fill: Unsigned<6>,
        made: Unsigned<6>,
        used: Unsigned<6>,
    }

    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    pub struct System {}

    impl ::machine_check::Machine for System {
        type Input = Input;
        type Param = Param;
        type State = State;

        fn init(&self, _input: &Input, _param: &Param) -> State {
            State { fill: Unsigned::<6>::new(0), made: Unsigned::<6>::new(0), used: Unsigned::<6>::new(0) }
        }

        fn next(&self, state: &State, input: &Input, _param: &Param) -> State {
            let mut fill = state.fill;
            let mut made = state.made;
            let mut used = state.used;
            if input.what == Unsigned::<2>::new(1) {
                if state.fill < Unsigned::<6>::new(4) {
                    fill = state.fill + Unsigned::<6>::new(1);
                    made = state.made + Unsigned::<6>::new(1);
                }
            }
            if input.what == Unsigned::<2>::new(2) {
                if state.fill > Unsigned::<6>::new(0) {
                    fill = state.fill - Unsigned::<6>::new(1);
                    used = state.used + Unsigned::<6>::new(1);
                }
            }
            State { fill, made, used }
        }
    }
}
