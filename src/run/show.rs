//! What `show` looks at: one game of a source, written out.

use crate::{
    format,
    notation::Dialect,
    record::{Comments, NodeId, Tree},
    replay::{self, Game},
    report::{GameReport, GameScore, ScorePly},
};

use super::check::{self, Options};

/// The `number`th game of a source with its moves in `dialect`, which for texts may be `None`: as they are written.
/// `Err` holds the report of a source without a readable game, or `None` where the source has fewer games.
///
/// ```
/// use qijian::{notation::Notation, run};
///
/// let score = run::show("a.pgn", b"1. h2e2 h9g7 *", 1, Some(Notation::Chinese.into()), &run::Options::default());
/// let score = score.map_err(|_| "no such game")?;
/// assert_eq!(score.plies[1].text, "马8进7");
/// # Ok::<(), &str>(())
/// ```
pub fn show(
    source: &str,
    bytes: &[u8],
    number: u32,
    dialect: Option<Dialect>,
    options: &Options,
) -> Result<GameScore, Option<Box<GameReport>>> {
    let mut found = None;
    let mut last = None;
    let replay = replay::Options { tree: true, ..options.replay.clone() };
    let format = options.from.or_else(|| format::sniff(bytes, options.encoding));
    if let Some(format) = format {
        format::read(bytes, format, options.encoding, &mut |record, locate, encoding| {
            if record.game == 0 || record.game == number {
                let mut game = replay::replay(&record, locate, &replay);
                options.rule(&mut game, &record, locate);
                let texts = match dialect {
                    Some(dialect) => replay::rewrite(&record, &game, dialect, locate).texts,
                    None => vec![None; record.tree.len() + 1],
                };
                let comments = record.tree.comments_by_node();
                let texts = Texts { tree: &record.tree, comments, moves: &texts };
                let plies = plies(&game, &texts);
                let preface = texts.comments(NodeId::ROOT);
                let start = game.start.clone();
                let report = check::report(source, &record, game, format, encoding, true);
                match record.game {
                    0 => last = Some(Box::new(report)),
                    _ => found = Some(GameScore { report, start, preface, plies }),
                }
            }
        });
    }
    found.ok_or(last.or_else(|| {
        let unread = check::unread(source, bytes, true);
        (number == 1).then(|| Box::new(unread))
    }))
}

/// The main line; a ply has its move as long as every ply before it has one.
fn plies(game: &Game, texts: &Texts<'_, '_>) -> Vec<ScorePly> {
    let tree = texts.tree;
    let mut played = game.moves.iter();
    let line = tree.main_line().map(|id| ScorePly {
        mv: played.next().copied(),
        text: texts.of(id),
        comments: texts.comments(id),
        variations: std::iter::successors(tree.next_sibling(id), |id| tree.next_sibling(*id))
            .map(|first| variation(first, texts))
            .collect(),
    });
    line.collect()
}

/// What the plies of a record are written with.
struct Texts<'t, 'a> {
    tree: &'t Tree<'a>,
    comments: Comments<'t, 'a>,
    /// Of each node in the notation asked for.
    moves: &'t [Option<String>],
}

impl Texts<'_, '_> {
    fn of(&self, id: NodeId) -> String {
        let written = || self.tree.node(id).written.text();
        self.moves.get(id.index()).cloned().flatten().unwrap_or_else(written)
    }

    fn comments(&self, id: NodeId) -> Vec<String> {
        let texts = self.comments.of(id).map(|comment| comment.text.trim().to_owned());
        texts.filter(|text| !text.is_empty()).collect()
    }
}

/// What is still to be written of a variation.
enum Left {
    /// A ply, and with `beside` the alternatives to it.
    Ply {
        id: NodeId,
        beside: bool,
    },
    Sign(&'static str),
}

/// A variation in one line, its own variations in brackets behind the ply that they replace.
fn variation(first: NodeId, texts: &Texts<'_, '_>) -> String {
    let tree = texts.tree;
    let mut line = String::new();
    let mut left = vec![Left::Ply { id: first, beside: false }];
    while let Some(next) = left.pop() {
        let (id, beside) = match next {
            Left::Sign(sign) => {
                line.push_str(sign);
                continue;
            }
            Left::Ply { id, beside } => (id, beside),
        };
        if !line.is_empty() && !line.ends_with('(') {
            line.push(' ');
        }
        line.push_str(&texts.of(id));
        for comment in texts.comments(id) {
            line.push_str(&format!(" {{{comment}}}"));
        }
        left.extend(tree.first_child(id).map(|id| Left::Ply { id, beside: true }));
        if beside {
            let alternatives: Vec<NodeId> =
                std::iter::successors(tree.next_sibling(id), |id| tree.next_sibling(*id)).collect();
            for id in alternatives.into_iter().rev() {
                left.push(Left::Sign(")"));
                left.push(Left::Ply { id, beside: false });
                left.push(Left::Sign(" ("));
            }
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variations_stand_beside_the_ply_they_replace() {
        let pgn = "1. 炮二平五 {当头炮} 马8进7 (1... 炮8平5 {顺炮} 2. 马二进三 (2. 马八进七 车9进1) (2. 兵七进一) 2... 马8进7) 2. 马二进三 *";
        let score = show("a", pgn.as_bytes(), 1, None, &Options::default()).unwrap();
        assert_eq!(score.plies.len(), 3);
        assert_eq!(score.plies[0].comments, ["当头炮"]);
        assert_eq!(
            score.plies[1].variations,
            ["炮8平5 {顺炮} 马二进三 (马八进七 车9进1) (兵七进一) 马8进7"]
        );
    }

    #[test]
    fn a_game_that_is_not_there_is_told_from_a_file_without_games() {
        let options = Options::default();
        assert_eq!(show("a", b"1. h2e2 *", 2, None, &options), Err(None));
        let unread = show("a", b"\x00\x01\x02", 1, None, &options).unwrap_err().unwrap();
        assert_eq!(unread.findings[0].code, crate::finding::Code::UNKNOWN_FORMAT);
    }
}
