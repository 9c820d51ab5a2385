//! `bench/models/peer-ticket.gcl` for machine-check: locations are 0 idle, 1 wait, 2 crit; numbers have three bits and wrap around.

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
        left: Unsigned<2>,
        right: Unsigned<2>,
        left_ticket: Unsigned<3>,
        right_ticket: Unsigned<3>,
        upcoming: Unsigned<3>,
        served: Unsigned<3>,
    }

    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    pub struct System {}

    impl ::machine_check::Machine for System {
        type Input = Input;
        type Param = Param;
        type State = State;

        fn init(&self, _input: &Input, _param: &Param) -> State {
            State {
                left: Unsigned::<2>::new(0),
                right: Unsigned::<2>::new(0),
                left_ticket: Unsigned::<3>::new(0),
                right_ticket: Unsigned::<3>::new(0),
                upcoming: Unsigned::<3>::new(0),
                served: Unsigned::<3>::new(0),
            }
        }

        fn next(&self, state: &State, input: &Input, _param: &Param) -> State {
            let mut left = state.left;
            let mut right = state.right;
            let mut left_ticket = state.left_ticket;
            let mut right_ticket = state.right_ticket;
            let mut upcoming = state.upcoming;
            let mut served = state.served;
            if input.go == Unsigned::<1>::new(1) {
                if input.who == Unsigned::<1>::new(0) {
                    if state.left == Unsigned::<2>::new(0) {
                        left_ticket = state.upcoming;
                        upcoming = state.upcoming + Unsigned::<3>::new(1);
                        left = Unsigned::<2>::new(1);
                    }
                    if state.left == Unsigned::<2>::new(1) {
                        if state.left_ticket == state.served {
                            left = Unsigned::<2>::new(2);
                        }
                    }
                    if state.left == Unsigned::<2>::new(2) {
                        served = state.served + Unsigned::<3>::new(1);
                        left = Unsigned::<2>::new(0);
                    }
                } else {
                    if state.right == Unsigned::<2>::new(0) {
                        right_ticket = state.upcoming;
                        upcoming = state.upcoming + Unsigned::<3>::new(1);
                        right = Unsigned::<2>::new(1);
                    }
                    if state.right == Unsigned::<2>::new(1) {
                        if state.right_ticket == state.served {
                            right = Unsigned::<2>::new(2);
                        }
                    }
                    if state.right == Unsigned::<2>::new(2) {
                        served = state.served + Unsigned::<3>::new(1);
                        right = Unsigned::<2>::new(0);
                    }
                }
            }
            State { left, right, left_ticket, right_ticket, upcoming, served }
        }
    }
}
