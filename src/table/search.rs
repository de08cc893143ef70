//! What `find` asks of a game: a position, a material, first moves, a player.

use crate::{
    board::{FenError, Kind, Move, Piece, Position, Setup, Side},
    notation::{self, Reading},
};

use super::{
    hash::{mirror_move, mirror_position},
    names::{Names, Of},
    study::Study,
};

/// What is looked for; all that is given must hold.
#[derive(Clone, Default, Debug)]
pub struct Query {
    position: Option<Keys>,
    /// How many pieces of each kind, Red and Black.
    material: Option<[[usize; 7]; 2]>,
    moves: Option<Vec<Move>>,
    player: Option<String>,
    exact: bool,
}

/// The keys that a position may have: with either side to move where none is given, and mirrored.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Keys {
    plain: Vec<u64>,
    mirrored: Vec<u64>,
}

/// Where a game has what is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hit {
    /// The ply after which it is so, 0 for the start and where only the player was asked for.
    pub ply: usize,
    /// Whether it is the mirror image of what was asked for.
    pub mirrored: bool,
}

/// A query that is not understood.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum QueryError {
    /// The FEN.
    #[error("--fen: {0}")]
    Fen(#[from] FenError),
    /// The material.
    #[error(
        "--material {0}: 只用 K A B N R C P，大写红方，小写黑方 / letters K A B N R C P only, upper case Red, lower case Black"
    )]
    Material(String),
    /// A move.
    #[error("--moves: {0} 不是此时的合法着法 / no legal move here")]
    Moves(String),
    /// The name.
    #[error("--player: 空名 / an empty name")]
    Player,
}

impl Query {
    /// Only exact matches, no mirror images.
    #[must_use]
    pub fn exact(mut self, exact: bool) -> Query {
        self.exact = exact;
        self
    }

    /// A position: the board of a FEN, and the side to move if it names one; counters do not matter.
    ///
    /// # Errors
    ///
    /// No FEN.
    pub fn fen(mut self, fen: &str) -> Result<Query, QueryError> {
        let setup = Setup::from_fen(fen)?;
        let sides = setup.side.map_or(vec![Side::Red, Side::Black], |side| vec![side]);
        let positions = sides.iter().map(|side| Position::from_setup(&setup, *side));
        let keys = Keys {
            plain: positions.clone().map(|position| position.key()).collect(),
            mirrored: positions.map(|position| mirror_position(&position).key()).collect(),
        };
        self.position = Some(keys);
        Ok(self)
    }

    /// A material: the letters of all pieces on the board, such as `KRPkr`; the generals may be left out.
    ///
    /// # Errors
    ///
    /// Another letter.
    pub fn material(mut self, letters: &str) -> Result<Query, QueryError> {
        let mut counts = [[0; 7]; 2];
        for letter in letters.chars() {
            let piece = Piece::from_letter(letter);
            let Piece { side, kind } =
                piece.ok_or_else(|| QueryError::Material(letters.to_owned()))?;
            counts[side as usize][kind as usize] += 1;
        }
        for side in &mut counts {
            side[Kind::General as usize] = side[Kind::General as usize].max(1);
        }
        self.material = Some(counts);
        Ok(self)
    }

    /// First moves from the start position, in any notation, with commas between.
    ///
    /// # Errors
    ///
    /// A text that is no legal move.
    pub fn moves(mut self, texts: &str) -> Result<Query, QueryError> {
        let mut position = Position::start();
        let mut moves = Vec::new();
        for text in texts.split([',', '，']).map(str::trim).filter(|text| !text.is_empty()) {
            let readings =
                notation::shapes(text).map(|shape| notation::read(text, shape, &position));
            let mut found = readings.filter_map(|reading| match reading {
                Reading::Move { mv, .. } => Some(mv),
                _ => None,
            });
            let mv = found.next().ok_or_else(|| QueryError::Moves(text.to_owned()))?;
            position.play(mv);
            moves.push(mv);
        }
        self.moves = Some(moves);
        Ok(self)
    }

    /// A player, on either side, in any spelling that the rules of names bring together.
    ///
    /// # Errors
    ///
    /// No name.
    pub fn player(mut self, name: &str, names: &Names) -> Result<Query, QueryError> {
        self.player = Some(names.key(Of::Player, name).ok_or(QueryError::Player)?);
        Ok(self)
    }

    /// Whether nothing is asked for.
    pub fn is_empty(&self) -> bool {
        self.position.is_none()
            && self.material.is_none()
            && self.moves.is_none()
            && self.player.is_none()
    }

    /// Where `study` has all that is looked for; `None` if it has not. The hit is that of the position if one is asked for,
    /// else of the material, else of the moves.
    ///
    /// ```
    /// use qijian::{run, table::Query};
    ///
    /// let query = Query::default().moves("炮二平五,马8进7")?;
    /// let mut hits = Vec::new();
    /// run::studies("a", b"1. b2e2 b9c7 2. b0c2 *", true, &run::Studying::default(), &mut |game| hits.push(query.find(&game)));
    /// // The mirror image of what was asked for.
    /// assert!(hits[0].is_some_and(|hit| hit.ply == 2 && hit.mirrored));
    /// # Ok::<(), qijian::table::QueryError>(())
    /// ```
    pub fn find(&self, study: &Study) -> Option<Hit> {
        if !study.is_game() {
            return None;
        }
        if let Some(player) = &self.player
            && !study.players.iter().flatten().any(|name| name == player)
        {
            return None;
        }
        let moves = self.moves.as_ref().map(|moves| self.find_moves(moves, study));
        let material = self.material.as_ref().map(|counts| find_material(counts, study));
        let position = self.position.as_ref().map(|keys| self.find_position(keys, study));
        let asked = [position, material, moves];
        // One that is asked for and not found refuses the game.
        let found: Vec<Hit> = asked.into_iter().flatten().collect::<Option<_>>()?;
        Some(found.first().copied().unwrap_or(Hit { ply: 0, mirrored: false }))
    }

    fn find_position(&self, keys: &Keys, study: &Study) -> Option<Hit> {
        let start = study.start.as_ref()?.key();
        let mut all =
            std::iter::once(start).chain(study.plies.iter().map(|ply| ply.key)).enumerate();
        all.find_map(|(ply, key)| {
            let plain = keys.plain.contains(&key);
            let mirrored = !plain && !self.exact && keys.mirrored.contains(&key);
            (plain || mirrored).then_some(Hit { ply, mirrored })
        })
    }

    fn find_moves(&self, moves: &[Move], study: &Study) -> Option<Hit> {
        if !study.is_standard() || study.plies.len() < moves.len() {
            return None;
        }
        let played = || study.plies.iter().map(|ply| ply.mv).zip(moves);
        let hit = |mirrored| Hit { ply: moves.len(), mirrored };
        if played().all(|(own, asked)| own == *asked) {
            return Some(hit(false));
        }
        let mirrored = !self.exact && played().all(|(own, asked)| mirror_move(own) == *asked);
        mirrored.then_some(hit(true))
    }
}

/// The first ply after which the pieces are these.
fn find_material(counts: &[[usize; 7]; 2], study: &Study) -> Option<Hit> {
    let start = study.start.as_ref()?;
    let mut left = Side::ALL.map(|side| Kind::ALL.map(|kind| start.pieces(side, kind).len()));
    if left == *counts {
        return Some(Hit { ply: 0, mirrored: false });
    }
    for (index, ply) in study.plies.iter().enumerate() {
        let Some(Piece { side, kind }) = ply.captured else { continue };
        left[side as usize][kind as usize] = left[side as usize][kind as usize].saturating_sub(1);
        if left == *counts {
            return Some(Hit { ply: index + 1, mirrored: false });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::study::tests::study;

    const TAGS: &[(&str, &str)] = &[("red", "許銀川"), ("black", "吕钦")];

    fn hit(query: Result<Query, QueryError>, moves: &str) -> Option<(usize, bool)> {
        query.unwrap().find(&study(moves, TAGS)).map(|hit| (hit.ply, hit.mirrored))
    }

    #[test]
    fn positions_exact_and_mirrored() {
        let board = "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR";
        let query = |text: &str| Query::default().fen(text);
        assert_eq!(hit(query(board), "h2e2 h9g7 h0g2"), Some((2, false)));
        assert_eq!(hit(query(board), "b2e2 b9c7"), Some((2, true)));
        assert_eq!(hit(query(board).map(|query| query.exact(true)), "b2e2 b9c7"), None);
        assert_eq!(hit(query(&format!("{board} b")), "h2e2 h9g7"), None);
        assert_eq!(hit(query(&format!("{board} w - - 9 77")), "h2e2 h9g7"), Some((2, false)));
    }

    #[test]
    fn material_moves_and_players() {
        let material = Query::default().material("KAABBNNRRCCPPPPPkaabbnnrrccpppp");
        assert_eq!(hit(material, "h2e2 h9g7 e2e6"), Some((3, false)));
        assert_eq!(hit(Query::default().moves("C2=5，h9g7"), "h2e2 h9g7 e2e6"), Some((2, false)));
        assert_eq!(hit(Query::default().moves("炮二平五,马2进3"), "h2e2 h9g7"), None);
        let player = |name| Query::default().player(name, &Names::default());
        assert_eq!(hit(player("许银川 特级大师"), "h2e2"), Some((0, false)));
        assert_eq!(hit(player("赵国荣"), "h2e2"), None);
        let both = player("吕钦").unwrap().moves("炮二平九");
        assert!(matches!(both, Err(QueryError::Moves(_))));
    }

    #[test]
    fn faulty_queries_are_told() {
        assert!(Query::default().fen("x").is_err());
        assert!(Query::default().material("KRx").is_err());
        assert!(Query::default().player("?", &Names::default()).is_err());
        assert!(Query::default().is_empty());
    }
}
