//! Which notation and dialect the move texts of a game are in.
//!
//! The shape of the texts leaves few candidates: `P2-5` may be WXF or Vietnamese, `h3e3` ICCS or UCI, a bar may mean
//! 进 or 退. Each candidate is then played from the start, and the one that gets furthest is taken; among equals the
//! usual one. Readings are not searched: where a candidate leaves a ply open, it plays the first reading.

use crate::{
    board::{Position, Setup, Side},
    notation::{self, Bars, Dialect, LeadingNumber, Notation, PawnLetters, Ranks, Reading},
    record::{NodeId, Record, Start, Written},
};

/// Texts whose shape is looked at.
const SAMPLE: usize = 80;

/// The dialect of `record`'s move texts; `None` where there are none, or none is understood.
pub(super) fn detect(
    record: &Record<'_>,
    main: &[NodeId],
    fixed: Option<Notation>,
) -> Option<Dialect> {
    let texts: Vec<&str> = main
        .iter()
        .filter_map(|id| match record.tree.node(*id).written {
            Written::Text(text) => Some(text),
            _ => None,
        })
        .collect();
    let candidates = candidates(&texts, fixed);
    let (first, others) = candidates.split_first()?;
    if others.is_empty() {
        return Some(*first);
    }
    let starts = starts(record);
    let reach = |dialect: Dialect| {
        starts.iter().map(|start| reach(&texts, dialect, start)).max().unwrap_or(0)
    };
    // The earlier of equals stays.
    let mut best = (*first, reach(*first));
    for dialect in others {
        let far = reach(*dialect);
        if far > best.1 {
            best = (*dialect, far);
        }
    }
    Some(best.0)
}

/// The dialects that most of the texts have the shape of, the usual ones first.
fn candidates(texts: &[&str], fixed: Option<Notation>) -> Vec<Dialect> {
    let sample = &texts[..texts.len().min(SAMPLE)];
    if sample.is_empty() {
        return Vec::new();
    }
    let fits = |dialect: Dialect| {
        sample.iter().filter(|text| notation::check_shape(text, dialect).is_ok()).count()
    };
    if let Some(notation) = fixed {
        return dialects(notation, texts);
    }
    // Nearly all records: a text of full Chinese notation has the shape of no other. More than half will do.
    let chinese = |text: &&&str| notation::check_shape(text, Notation::Chinese.into()).is_ok();
    if sample.iter().filter(chinese).nth(sample.len() / 2).is_some() {
        return vec![Notation::Chinese.into()];
    }
    const USUAL_FIRST: [Notation; 7] = [
        Notation::Chinese,
        Notation::Iccs,
        Notation::Wxf,
        Notation::Viet,
        Notation::Uci,
        Notation::Short,
        Notation::San,
    ];
    let counted: Vec<(Dialect, usize)> = USUAL_FIRST
        .iter()
        .flat_map(|notation| dialects(*notation, texts))
        .map(|dialect| (dialect, fits(dialect)))
        .collect();
    let most = counted
        .iter()
        .map(|(_, count)| *count)
        .max()
        .filter(|most| *most > 0)
        .unwrap_or(usize::MAX);
    // A slip or two has another shape; what has the shape of far fewer texts is not a candidate.
    counted
        .iter()
        .filter(|(_, count)| *count != 0 && *count * 10 >= most * 9)
        .map(|(dialect, _)| *dialect)
        .collect()
}

/// The dialects of one notation that the texts leave open.
fn dialects(notation: Notation, texts: &[&str]) -> Vec<Dialect> {
    let usual = Dialect::from(notation);
    match notation {
        Notation::Chinese | Notation::Iccs | Notation::Uci | Notation::Viet => vec![usual],
        // A whole record without a bar has lost them: nearly every second move is no 平.
        Notation::Short if texts.iter().any(|text| notation::short::has_bar(text)) => {
            vec![usual, Dialect { bars: Bars::Reversed, ..usual }]
        }
        Notation::Short => vec![Dialect { bars: Bars::Lost, ..usual }],
        Notation::San => vec![usual, Dialect { ranks: Ranks::FromZero, ..usual }],
        Notation::Wxf => vec![
            usual,
            Dialect { pawn_letters: PawnLetters::Red, ..usual },
            Dialect { numbers: LeadingNumber::Piece, ..usual },
        ],
    }
}

/// The start position with either side to move, the stated one first.
fn starts(record: &Record<'_>) -> Vec<Position> {
    let setup = match &record.start {
        Start::Standard => return vec![Position::start()],
        Start::Board { setup, .. } => Some((**setup).clone()),
        Start::Fen { text, .. } => Setup::from_fen_board(text).ok().map(|(setup, _)| setup),
    };
    let Some(setup) = setup else { return vec![Position::start()] };
    let side = setup.side.unwrap_or(Side::Red);
    [side, side.other()].map(|side| Position::from_setup(&setup, side)).into()
}

/// How many of `texts` can be played one after another.
fn reach(texts: &[&str], dialect: Dialect, start: &Position) -> usize {
    let mut position = start.clone();
    for (played, text) in texts.iter().enumerate() {
        match notation::read_as(text, dialect, &position) {
            Reading::Move { mv, .. } => position.play(mv),
            Reading::Ambiguous { moves, .. } if !moves.is_empty() => position.play(moves[0]),
            _ => return played,
        };
    }
    texts.len()
}
