//! What the columns of a table hold, by their names.

use crate::record::standard_key;

use super::rows::Field;

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// What tells games apart.
    Game,
    /// The number of the ply, from 0 or 1.
    Ply,
    /// The number of the round.
    Round,
    /// One move.
    Move,
    /// All moves of the game.
    Moves,
    /// Red's move of the round.
    RedMove,
    /// Black's move of the round.
    BlackMove,
    /// The start position.
    Fen,
    /// A remark on the ply.
    Remark,
    /// Time left on the clock.
    Clock,
    /// Time taken.
    Elapsed,
    /// The outcome in a word of its own, such as `RED_WINS`.
    Outcome,
    /// A tag, or a fact of the ply where it changes from row to row.
    Other,
}

/// The columns of a table.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    pub(super) delimiter: u8,
    /// Role and name of each.
    pub(super) all: Vec<(Role, Field)>,
    pub(super) layout: Layout,
}

/// What one row is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Layout {
    Game,
    Ply,
    Round,
}

impl Columns {
    /// The columns that the row `header` names, if there are moves among them.
    pub(super) fn new(text: &str, header: &[Field], delimiter: u8) -> Option<Columns> {
        if header.len() < 2 {
            return None;
        }
        let mut all: Vec<(Role, Field)> =
            header.iter().map(|field| (role(&field.value(text)), *field)).collect();
        let has = |all: &[(Role, Field)], role| all.iter().any(|(found, _)| *found == role);
        let key = |field: &Field| standard_key(&field.value(text));
        let layout = if has(&all, Role::Moves) {
            Layout::Game
        } else if has(&all, Role::Move) {
            Layout::Ply
        } else {
            for (role, field) in &mut all {
                match key(field) {
                    Some("red") => *role = Role::RedMove,
                    Some("black") => *role = Role::BlackMove,
                    Some("round") => *role = Role::Round,
                    _ => {}
                }
            }
            let pair = has(&all, Role::RedMove) && has(&all, Role::BlackMove);
            (pair && has(&all, Role::Round)).then_some(Layout::Round)?
        };
        // A second column of a kind is one like any other.
        for index in 1..all.len() {
            let (role, _) = all[index];
            if role != Role::Remark && all[..index].iter().any(|(before, _)| *before == role) {
                all[index].0 = Role::Other;
            }
        }
        Some(Columns { delimiter, all, layout })
    }

    /// The column of a kind.
    pub(super) fn find(&self, role: Role) -> Option<usize> {
        self.all.iter().position(|(found, _)| *found == role)
    }
}

/// What a column called `name` holds.
fn role(name: &str) -> Role {
    let folded: String =
        name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    match folded.as_str() {
        "game" | "gameid" | "gameno" | "gamenumber" | "局" | "局号" | "对局" => Role::Game,
        "ply" | "plyno" | "plyindex" | "moveindex" | "halfmove" | "着序" | "步" => Role::Ply,
        "roundno" | "movenumber" | "moveno" | "fullmove" | "回合" => Role::Round,
        "move" | "uci" | "ucci" | "iccs" | "wxf" | "san" | "着" | "着法" => Role::Move,
        "moves" | "movelist" | "着法表" | "全部着法" => Role::Moves,
        "fen" | "startfen" | "initialfen" | "起始局面" => Role::Fen,
        "comment" | "comments" | "remark" | "remarks" | "note" | "notes" | "备注" | "注释"
        | "附注" => Role::Remark,
        "clk" | "clock" | "余时" | "剩余时间" => Role::Clock,
        "emt" | "elapsed" | "用时" => Role::Elapsed,
        "outcome" => Role::Outcome,
        _ => Role::Other,
    }
}
