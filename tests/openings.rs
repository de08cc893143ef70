//! Openings: the order of moves does not matter, on real games whose moves are put into other orders.

use std::collections::BTreeMap;

use qijian::{
    board::{Move, Position},
    table::openings::classify,
};

use crate::support::{ruled_archive, shared};

/// Plies within which moves change places.
const BEGINNING: usize = 12;
/// Every so many games, since a test should not take minutes.
const EVERY: usize = 20;

/// The position after `moves`, if all are legal.
fn played(moves: &[Move]) -> Option<Position> {
    let mut position = Position::start();
    for mv in moves {
        if !position.is_legal(*mv) {
            return None;
        }
        position.play(*mv);
    }
    Some(position)
}

/// The orders that come of exchanging two moves of one side in the beginning, if legal and if the position after it is the same.
fn other_orders(moves: &[Move]) -> Vec<Vec<Move>> {
    let Some(end) = moves.get(..BEGINNING).and_then(played) else { return Vec::new() };
    let mut orders = Vec::new();
    for first in 0..BEGINNING {
        for second in (first + 2..BEGINNING).step_by(2) {
            let mut other = moves.to_vec();
            other.swap(first, second);
            let same = played(&other[..BEGINNING]).is_some_and(|p| p.key() == end.key());
            if same && other != moves {
                orders.push(other);
            }
        }
    }
    orders
}

/// Where both moves exchanged lie before the position that gives the code, the other order comes to that position at the
/// same ply and must have the same code, unless it comes by the position of a longer line on its way, which is another
/// opening then. Exchanges across that position are counted aside: the code must be reached in time (`by` in the table).
#[test]
fn other_orders_of_real_games_have_the_same_code() {
    let Some(_) = shared("data") else { return };
    let start = Position::start().fen();
    let board = start.split(' ').next().unwrap();
    let (mut games, mut orders, mut agree, mut across) = (0, 0, 0, 0);
    let mut differ: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for game in ruled_archive().iter().step_by(EVERY) {
        let start = game["start_fen"].as_str().unwrap_or_default();
        if !start.starts_with(&format!("{board} w")) {
            continue;
        }
        let moves = game["moves"].as_array().unwrap().iter();
        let moves: Vec<Move> = moves.map(|mv| mv.as_str().unwrap().parse().unwrap()).collect();
        let Some(own) = classify(&moves) else { continue };
        games += 1;
        for other in other_orders(&moves) {
            let within = other.iter().zip(&moves).rposition(|(one, two)| one != two);
            if within.is_some_and(|last| last >= own.ply) {
                across += 1;
                continue;
            }
            orders += 1;
            let code = classify(&other).unwrap().code();
            if code == own.code() {
                agree += 1;
            } else {
                *differ.entry((own.code(), code)).or_default() += 1;
            }
        }
    }
    eprintln!("{games} games, {orders} other orders, {agree} of the same code; {across} across");
    assert!(games > 500 && orders > games);
    assert!(agree * 100 >= orders * 95, "{agree} of {orders}: {differ:?}");
}
