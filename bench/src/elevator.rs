//! An elevator with any number of floors, with properties as someone would write them who does not know it well.
//!
//! It stands for the elevator of the published table on vacuity \[Bob09\], which is not public: nothing but the idea is the same. Each
//! floor has a button in the hall and one in the cabin. The cabin goes on in its direction while somebody waits there, stops at every
//! floor where somebody waits, and the door can be held open, though not for ever. Some properties say nothing:
//! their conditions never hold, or say the same twice.

use std::fmt::Write;

/// The model for so many floors; two at least.
pub(crate) fn elevator(floors: usize) -> String {
    let last = floors - 1;
    let any = |parts: Vec<String>| if parts.is_empty() { "FALSE".to_owned() } else { parts.join(" | ") };
    let each = |part: &dyn Fn(usize) -> String| (0..floors).map(part).collect::<String>();
    let buttons = each(&|i| format!("  hall{i} : button(served{i});\n  cabin{i} : button(served{i});\n"));
    let served = each(&|i| {
        format!("  served{i} := at = {i} & door = open;\n  wanted{i} := hall{i}.lit | cabin{i}.lit;\n")
    });
    let pairs = |wanted: &dyn Fn(usize, usize) -> bool| {
        let all = (0..floors).flat_map(|i| (0..floors).map(move |j| (i, j)));
        any(all.filter(|&(i, j)| wanted(i, j)).map(|(i, j)| format!("at = {i} & wanted{j}")).collect())
    };
    let (here, above, below) = (pairs(&|i, j| i == j), pairs(&|i, j| i < j), pairs(&|i, j| i > j));
    let mut text = format!(
        "MODULE button(served)
VAR lit : boolean;
ASSIGN
  init(lit) := FALSE;
  next(lit) := case
    served : FALSE;
    lit : TRUE;
    TRUE : {{TRUE, FALSE}};
  esac;

MODULE main
VAR
  at : 0..{last};
  door : {{closed, open}};
  heading : {{up, down}};
  held : boolean;
{buttons}DEFINE
{served}  here := {here};
  above := {above};
  below := {below};
  goes_up := door = closed & !here & heading = up & above;
  goes_down := door = closed & !here & heading = down & below;
ASSIGN
  init(at) := 0;
  next(at) := case
    goes_up & at < {last} : at + 1;
    goes_down & at > 0 : at - 1;
    TRUE : at;
  esac;
  init(door) := closed;
  next(door) := case
    door = closed & here : open;
    door = open & held : open;
    TRUE : closed;
  esac;
  init(heading) := up;
  next(heading) := case
    heading = up & !above & below : down;
    heading = down & !below & above : up;
    TRUE : heading;
  esac;
FAIRNESS !held
SPEC AG (goes_up | goes_down -> door = closed)
SPEC AG !(goes_up & goes_down & at = 0 & heading = up & door = open)
SPEC AG (goes_up & goes_down -> AF (held & door = open & at = {last}))
SPEC AG EF (at = {last} & door = open & !held & heading = up)
SPEC AG (at = 0 & heading = down & door = closed & !here & !above -> AX (at = 0 & heading = down))
"
    );
    for i in 0..floors {
        write!(
            text,
            "SPEC AG (hall{i}.lit -> AF (at = {i} & door = open))
SPEC AG (cabin{i}.lit & !hall{i}.lit & at != {i} -> AF (at = {i} & door = open))
SPEC AG (at = {i} & door = open & !held -> AX (door = closed & !hall{i}.lit & !cabin{i}.lit & at = {i}))
SPEC AG (door = open & at = {i} & goes_up -> AX (at = {i} & heading = up))
"
        )
        .expect("writing to a string");
        if i < last {
            let next = i + 1;
            write!(
                text,
                "SPEC AG (at = {i} & heading = up & door = closed & !here & above -> AX (at = {next} & door = closed & heading = up))
SPEC AG (at = {i} & goes_up & wanted{next} -> AX AX (at = {next} & door = open))
SPEC AG (at = {next} & goes_down -> !E [!(at = {i}) & !(door = open) U at = {next} & door = open & heading = up])
"
            )
            .expect("writing to a string");
        }
    }
    text
}
