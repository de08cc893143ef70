//! Makes chess games as PGN, and replays them with pgn-reader and shakmaty: every move is resolved and checked.
//!
//! `chess-peer make PLIES > chess.pgn` · `chess-peer replay chess.pgn` prints games and plies · `chess-peer decode LABEL FILE`
//! only decodes a text with encoding_rs, ten times over.

use std::{
    io::{self, BufWriter, Write},
    ops::ControlFlow,
};

use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::{Chess, Position, san};

/// Plies of a game: about as many as the games of the archives have.
const LENGTH: usize = 84;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    match &arguments[1..] {
        [command, plies] if command == "make" => make(plies.parse().expect("a number")),
        [command, path] if command == "replay" => replay(path),
        [command, label, path] if command == "decode" => decode(label, path),
        _ => panic!("make PLIES, replay FILE, or decode LABEL FILE"),
    }
}

/// The bound of every reader: to decode the bytes, ten times over, as one time is too short to be timed.
fn decode(label: &str, path: &str) -> io::Result<()> {
    let codec = encoding_rs::Encoding::for_label(label.as_bytes()).expect("an encoding");
    let bytes = std::fs::read(path)?;
    let length: usize = (0..10).map(|_| codec.decode(&bytes).0.len()).sum();
    println!("{length}");
    Ok(())
}

/// Random games: the same ones each time.
fn make(plies: usize) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % below as u64) as usize
    };
    for game in 0..plies.div_ceil(LENGTH) {
        writeln!(out, "[Event \"Game {game}\"]\n[White \"Somebody\"]\n[Black \"Another\"]\n[Result \"*\"]\n")?;
        let mut position = Chess::default();
        for ply in 0..LENGTH {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[random(moves.len())];
            if ply % 2 == 0 {
                write!(out, "{}. ", ply / 2 + 1)?;
            }
            write!(out, "{} ", san::SanPlus::from_move_and_play_unchecked(&mut position, mv))?;
            if ply % 12 == 11 {
                writeln!(out)?;
            }
        }
        writeln!(out, "*\n")?;
    }
    out.flush()
}

#[derive(Default)]
struct Counter {
    games: usize,
    plies: usize,
    illegal: usize,
}

impl Visitor for Counter {
    type Tags = ();
    type Movetext = Chess;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), ()> {
        self.games += 1;
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), _name: &[u8], _value: RawTag<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), Chess> {
        ControlFlow::Continue(Chess::default())
    }

    fn begin_variation(&mut self, _: &mut Chess) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn san(&mut self, position: &mut Chess, san: SanPlus) -> ControlFlow<()> {
        match san.san.to_move(position) {
            Ok(mv) => {
                position.play_unchecked(mv);
                self.plies += 1;
                ControlFlow::Continue(())
            }
            Err(_) => {
                self.illegal += 1;
                ControlFlow::Break(())
            }
        }
    }

    fn end_game(&mut self, _: Chess) {}
}

fn replay(path: &str) -> io::Result<()> {
    let mut counter = Counter::default();
    let mut reader = Reader::new(std::fs::File::open(path)?);
    while reader.read_game(&mut counter)?.is_some() {}
    println!("{} games, {} plies, {} illegal", counter.games, counter.plies, counter.illegal);
    Ok(())
}
