//! `bench/models/peer-peterson.gcl` for machine-check: locations are 0 idle, 1 asked, 2 wait, 3 crit.

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
        go: Unsigned<1>,
        who: Unsigned<1>,
    }

    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    pub struct Param {}

    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    pub struct State {
        p: Unsigned<2>,
        q: Unsigned<2>,
        p_wants: Unsigned<1>,
        q_wants: Unsigned<1>,
        turn: Unsigned<1>,
    }

    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    pub struct System {}

    impl ::machine_check::Machine for System {
        type Input = Input;
        type Param = Param;
        type State = State;

        fn init(&self, _input: &Input, _param: &Param) -> State {
            State {
                p: Unsigned::<2>::new(0),
                q: Unsigned::<2>::new(0),
                p_wants: Unsigned::<1>::new(0),
                q_wants: Unsigned::<1>::new(0),
                turn: Unsigned::<1>::new(0),
            }
        }

        fn next(&self, state: &State, input: &Input, _param: &Param) -> State {
            let mut p = state.p;
            let mut q = state.q;
            let mut p_wants = state.p_wants;
            let mut q_wants = state.q_wants;
            let mut turn = state.turn;
            if input.go == Unsigned::<1>::new(1) {
                if input.who == Unsigned::<1>::new(0) {
                    if state.p == Unsigned::<2>::new(0) {
                        p_wants = Unsigned::<1>::new(1);
                        p = Unsigned::<2>::new(1);
                    }
                    if state.p == Unsigned::<2>::new(1) {
                        turn = Unsigned::<1>::new(1);
                        p = Unsigned::<2>::new(2);
                    }
                    if state.p == Unsigned::<2>::new(2) {
                        if (state.q_wants == Unsigned::<1>::new(0)) | (state.turn == Unsigned::<1>::new(0)) {
                            p = Unsigned::<2>::new(3);
                        }
                    }
                    if state.p == Unsigned::<2>::new(3) {
                        p_wants = Unsigned::<1>::new(0);
                        p = Unsigned::<2>::new(0);
                    }
                } else {
                    if state.q == Unsigned::<2>::new(0) {
                        q_wants = Unsigned::<1>::new(1);
                        q = Unsigned::<2>::new(1);
                    }
                    if state.q == Unsigned::<2>::new(1) {
                        turn = Unsigned::<1>::new(0);
                        q = Unsigned::<2>::new(2);
                    }
                    if state.q == Unsigned::<2>::new(2) {
                        if (state.p_wants == Unsigned::<1>::new(0)) | (state.turn == Unsigned::<1>::new(1)) {
                            q = Unsigned::<2>::new(3);
                        }
                    }
                    if state.q == Unsigned::<2>::new(3) {
                        q_wants = Unsigned::<1>::new(0);
                        q = Unsigned::<2>::new(0);
                    }
                }
            }
            State { p, q, p_wants, q_wants, turn }
        }
    }
}
