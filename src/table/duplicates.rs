//! Games that are there more than once: the same moves, a mirror image, a copy that is cut short, a beginning in another order.
//!
//! | kind | what the copy has |
//! | --- | --- |
//! | `identical` | the same start, moves and tags |
//! | `retagged` | other tags (which includes more or fewer of them) |
//! | `mirrored` | left and right exchanged |
//! | `truncated` | only the first moves of the other |
//! | `transposed` | its first 24 plies in another order; from the position after them on the same moves |
//!
//! Several of them stand together: `mirrored+truncated+retagged`. Chance must not make a pair: two games of ten plies may
//! well be alike, and so may a game and an opening line. So
//!
//! - moves from the start position that are the same throughout make a pair from 20 plies on; shorter ones only where both
//!   players or all tags are the same;
//! - a game is a truncated copy from 40 plies on, if one player is the same and none differs (a name that is not known does not
//!   differ), from 60 on whoever played, and from 10 on where both players are the same; what is the beginning of several
//!   games that go on differently is an opening line and a copy of none of them, unless its players tell. Lines without
//!   names of 40 to 60 plies are excerpts in books on openings more often than games (`tests/duplicates-real.md`);
//! - a transposed beginning must be followed by 20 plies, if no player differs, else by 40;
//! - from another start position than the usual one, equal lines make a pair at any length (a composition is known by its
//!   position), truncated ones from 10 plies on.
//!
//! Pairs are compared move by move; hashes only find them. The games of a group are linked by pairs. The richest is the
//! one with most plies, then most variations, comments, tags, then fewest errors, then the first. An index holds about 150
//! bytes and two more a ply for each game.

use std::collections::{BTreeMap, HashMap};

use crate::{
    board::{Move, Position, Square},
    finding::Severity,
};

use super::{
    hash::{self, LineHash},
    study::{Study, is_standard},
};

/// Equal lines from the start position are a pair from so many plies on, whoever played.
const SAME: usize = 20;
/// So many plies make a truncated copy if one player is the same and none differs, if both are the same, and whoever played.
const CUT: usize = 40;
const CUT_SAME_PLAYERS: usize = 10;
const CUT_ANY_PLAYERS: usize = 60;
/// Plies whose order may differ, and plies that must follow, if no player differs and else.
const BEGINNING: usize = 24;
const FOLLOWING: usize = 20;
const FOLLOWING_ANY_PLAYERS: usize = 40;
/// Games of one line that others are compared with; they are linked with each other, so one of them would nearly do.
const MOST_ALIKE: usize = 8;

/// Games to be compared.
#[derive(Clone, Default, Debug)]
pub struct Index {
    games: Vec<Entry>,
    sources: Vec<String>,
    /// The moves of all games, one behind the other.
    moves: Vec<u16>,
}

#[derive(Clone, Debug)]
struct Entry {
    id: u64,
    source: u32,
    game: u32,
    first: usize,
    plies: u32,
    standard: bool,
    /// The keys of the start position and of its mirror image.
    keys: [u64; 2],
    /// The hash of the line and its mirror image.
    line: u64,
    /// The hash of the position after the beginning and what follows, or of the mirror image of both.
    tail: Option<u64>,
    players: [Option<u64>; 2],
    tags: u64,
    richness: (u32, u32, u32, u32, i64),
}

/// A game in a group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// [`Study::id`].
    pub id: u64,
    /// Its source.
    pub source: String,
    /// Its number there.
    pub game: u32,
}

/// A game with how it relates to the richest of its group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Copy {
    /// The game.
    pub member: Member,
    /// The kinds, with `+` between them.
    pub kind: String,
}

/// Groups of duplicates: the richest game of each, and the others in order.
pub type Groups = Vec<(Member, Vec<Copy>)>;

impl Index {
    /// Adds a game. What has no moves on a known start position is no game to be compared.
    pub fn add(&mut self, study: &Study) {
        let (Some(start), Some(line)) = (&study.start, study.line) else { return };
        if !study.is_game() {
            return;
        }
        let source = &study.report.source;
        if self.sources.last() != Some(source) {
            self.sources.push(source.clone());
        }
        let moves = study.plies.iter().map(|ply| ply.mv);
        let first = self.moves.len();
        self.moves.extend(moves.clone().map(|mv| hash::number(mv) as u16));
        let report = &study.report;
        let text = |text: &str| hash::of_bytes(text.as_bytes(), 0);
        let tags = report.tags.iter().chain(&report.other_tags);
        let written = tags.clone().filter(|(_, value)| super::names::stated(value).is_some());
        let errors = report.findings.iter().filter(|f| f.severity == Severity::Error).count();
        let rest = report.rest.as_ref().map_or(0, |rest| rest.texts.len());
        let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        self.games.push(Entry {
            id: study.id,
            source: small(self.sources.len() - 1),
            game: report.game,
            first,
            plies: small(study.plies.len()),
            standard: is_standard(start),
            keys: [start.key(), hash::mirror_position(start).key()],
            line: line.either(),
            tail: tail(start, &moves.collect::<Vec<_>>()),
            players: study.players.each_ref().map(|name| name.as_deref().map(text)),
            // The order of tags says nothing, so their hashes are summed.
            tags: tags.fold(0u64, |sum, (name, value)| {
                sum.wrapping_add(hash::of_bytes(value.trim().as_bytes(), text(name)))
            }),
            richness: (
                small(study.plies.len() + rest),
                report.variations,
                report.comments,
                small(written.count()),
                -(errors as i64),
            ),
        });
    }

    /// Adds the games of `other` behind these.
    pub fn append(&mut self, other: Index) {
        let (sources, moves) = (self.sources.len() as u32, self.moves.len());
        self.sources.extend(other.sources);
        self.moves.extend(other.moves);
        let games = other.games.into_iter();
        self.games.extend(games.map(|entry| Entry {
            source: entry.source + sources,
            first: entry.first + moves,
            ..entry
        }));
    }

    /// How many games there are.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The groups, in the order of their first games.
    pub fn groups(&self) -> Groups {
        let mut links = Links((0..self.games.len()).collect());
        self.link_equal(&mut links);
        self.link_truncated(&mut links);
        self.link_transposed(&mut links);
        let mut members: HashMap<usize, Vec<usize>> = HashMap::new();
        for game in 0..self.games.len() {
            members.entry(links.root(game)).or_default().push(game);
        }
        let mut groups: Vec<Vec<usize>> =
            members.into_values().filter(|group| group.len() > 1).collect();
        groups.sort_unstable();
        groups.iter().map(|group| self.group(group)).collect()
    }

    fn group(&self, games: &[usize]) -> (Member, Vec<Copy>) {
        // The first of the richest.
        let best = games.iter().copied().rev().max_by_key(|game| self.games[*game].richness);
        let best = best.unwrap_or_default();
        let others = games.iter().filter(|game| **game != best);
        let copies =
            others.map(|game| Copy { member: self.member(*game), kind: self.kind(*game, best) });
        (self.member(best), copies.collect())
    }

    fn member(&self, game: usize) -> Member {
        let Entry { id, source, game, .. } = self.games[game];
        Member { id, source: self.sources[source as usize].clone(), game }
    }

    fn line(&self, game: usize) -> &[u16] {
        let entry = &self.games[game];
        &self.moves[entry.first..entry.first + entry.plies as usize]
    }

    fn kind(&self, game: usize, best: usize) -> String {
        let (own, other) = (self.line(game), self.line(best));
        let short = own.len().min(other.len());
        let mut kinds = Vec::new();
        match self.alike(game, best, short) {
            Some(mirrored) => {
                kinds.extend(mirrored.then_some("mirrored"));
                kinds.extend((own.len() < other.len()).then_some("truncated"));
                kinds.extend((own.len() > other.len()).then_some("extended"));
            }
            None => match self.same_end(game, best) {
                Some(mirrored) => {
                    kinds.extend(mirrored.then_some("mirrored"));
                    kinds.push("transposed");
                }
                // Linked by a third game.
                None => kinds.push("linked"),
            },
        }
        if self.games[game].tags != self.games[best].tags {
            kinds.push("retagged");
        }
        if kinds.is_empty() {
            kinds.push("identical");
        }
        kinds.join("+")
    }

    /// Whether the first `plies` plies of two games are the same: `Some(false)`, or each other's mirror image: `Some(true)`.
    fn alike(&self, a: usize, b: usize, plies: usize) -> Option<bool> {
        let (one, two) = (&self.games[a], &self.games[b]);
        let (own, other) = (self.line(a).get(..plies)?, self.line(b).get(..plies)?);
        if one.keys[0] == two.keys[0] && own == other {
            return Some(false);
        }
        let is_mirrored = one.keys[0] == two.keys[1]
            && own.iter().zip(other).all(|(own, other)| *own == mirrored(*other));
        is_mirrored.then_some(true)
    }

    /// The same of what follows the beginning.
    fn same_end(&self, a: usize, b: usize) -> Option<bool> {
        let (one, two) = (&self.games[a], &self.games[b]);
        if one.tail.is_none() || one.tail != two.tail || one.plies != two.plies {
            return None;
        }
        let (own, other) = (&self.line(a)[BEGINNING..], &self.line(b)[BEGINNING..]);
        match own == other {
            true => Some(false),
            false => {
                own.iter().zip(other).all(|(own, other)| *own == mirrored(*other)).then_some(true)
            }
        }
    }

    fn link_equal(&self, links: &mut Links) {
        // Games that may be paired share a key, so that each is compared with one other and not with all.
        let mut known: HashMap<(u64, u64), usize> = HashMap::new();
        for (game, entry) in self.games.iter().enumerate() {
            let keys = match !entry.standard || entry.plies as usize >= SAME {
                true => [Some(0), None],
                false => [both(entry), Some(entry.tags)],
            };
            for key in keys.into_iter().flatten() {
                let other = *known.entry((entry.line, key)).or_insert(game);
                if other != game && self.is_equal_pair(game, other) {
                    links.join(other, game);
                }
            }
        }
    }

    fn is_equal_pair(&self, a: usize, b: usize) -> bool {
        let (one, two) = (&self.games[a], &self.games[b]);
        let plies = one.plies as usize;
        let players = players(one, two);
        let enough = match one.standard {
            true => {
                plies >= SAME || plies > 0 && (players == Players::Same || one.tags == two.tags)
            }
            false => true,
        };
        one.plies == two.plies && enough && self.alike(a, b, plies).is_some()
    }

    fn link_truncated(&self, links: &mut Links) {
        let mut whole: HashMap<(u64, u64), Vec<usize>> = HashMap::new();
        for (game, entry) in self.games.iter().enumerate() {
            let plies = entry.plies as usize;
            let any = !entry.standard || plies >= CUT;
            if let Some(players) = if any { Some(0) } else { both(entry) }
                && plies >= CUT_SAME_PLAYERS
            {
                let same = whole.entry((entry.line, players)).or_default();
                if same.len() < MOST_ALIKE {
                    same.push(game);
                }
            }
        }
        // What each short game may be cut from, where its players do not settle it.
        let mut open: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (game, entry) in self.games.iter().enumerate() {
            let mut line = LineHash::from_keys(entry.keys);
            for (index, number) in self.line(game).iter().enumerate() {
                let plies = index + 1;
                line.push(read(*number));
                if plies < CUT_SAME_PLAYERS || plies == entry.plies as usize {
                    continue;
                }
                let keys = [Some(0), both(entry)].into_iter().flatten();
                let found = keys.filter_map(|key| whole.get(&(line.either(), key))).flatten();
                for short in found {
                    if self.games[*short].plies as usize != plies || !self.is_cut_pair(*short, game)
                    {
                        continue;
                    }
                    match players(&self.games[*short], entry) {
                        Players::Same => links.join(*short, game),
                        _ => open.entry(*short).or_default().push(game),
                    }
                }
            }
        }
        for (short, games) in open {
            // A beginning of games that go on differently is an opening line, and a copy of none of them.
            let longest = games.iter().copied().max_by_key(|game| self.games[*game].plies);
            let Some(longest) = longest else { continue };
            let agrees =
                |game: usize| self.alike(game, longest, self.games[game].plies as usize).is_some();
            if games.iter().all(|game| agrees(*game)) {
                games.iter().for_each(|game| links.join(short, *game));
            }
        }
    }

    fn is_cut_pair(&self, short: usize, long: usize) -> bool {
        let (one, two) = (&self.games[short], &self.games[long]);
        let plies = one.plies as usize;
        let enough = match players(one, two) {
            _ if !one.standard => CUT_SAME_PLAYERS,
            Players::Same => CUT_SAME_PLAYERS,
            Players::Open if shares_a_player(one, two) => CUT,
            Players::Open | Players::Other => CUT_ANY_PLAYERS,
        };
        plies >= enough && self.alike(short, long, plies).is_some()
    }

    fn link_transposed(&self, links: &mut Links) {
        let mut known: HashMap<u64, Vec<usize>> = HashMap::new();
        for game in 0..self.games.len() {
            let Some(tail) = self.games[game].tail else { continue };
            let same = known.entry(tail).or_default();
            let pair = same.iter().find(|other| self.is_transposed_pair(game, **other));
            match pair {
                Some(other) => links.join(*other, game),
                None if same.len() < MOST_ALIKE => same.push(game),
                None => {}
            }
        }
    }

    fn is_transposed_pair(&self, a: usize, b: usize) -> bool {
        let (one, two) = (&self.games[a], &self.games[b]);
        let following = (one.plies as usize).saturating_sub(BEGINNING);
        let enough = match players(one, two) {
            Players::Other => FOLLOWING_ANY_PLAYERS,
            _ => FOLLOWING,
        };
        following >= enough && self.same_end(a, b).is_some()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Players {
    /// Both are known and the same.
    Same,
    /// None differs, but not all are known.
    Open,
    /// One differs.
    Other,
}

/// A key of both players, where both are known.
fn both(entry: &Entry) -> Option<u64> {
    let [red, black] = entry.players;
    Some(hash::fold(red?, black?) | 1)
}

fn shares_a_player(a: &Entry, b: &Entry) -> bool {
    a.players.iter().zip(&b.players).any(|(a, b)| a.is_some() && a == b)
}

fn players(a: &Entry, b: &Entry) -> Players {
    let mut sides = a.players.iter().zip(&b.players);
    if sides.clone().any(|(a, b)| a.is_some() && b.is_some() && a != b) {
        return Players::Other;
    }
    match sides.all(|(a, b)| a.is_some() && a == b) {
        true => Players::Same,
        false => Players::Open,
    }
}

/// The hash of the position after the beginning with all that follows, shared with the mirror image.
fn tail(start: &Position, moves: &[Move]) -> Option<u64> {
    let following = moves.get(BEGINNING..).filter(|rest| rest.len() >= FOLLOWING)?;
    let mut position = start.clone();
    for mv in &moves[..BEGINNING] {
        position.play(*mv);
    }
    let mut line = LineHash::new(&position);
    following.iter().for_each(|mv| line.push(*mv));
    Some(line.either())
}

/// The move of a number of [`hash::number`].
fn read(number: u16) -> Move {
    let (from, to) = ((number - 1) / 90, (number - 1) % 90);
    // Numbers come from moves, so both squares are on the board.
    let square = |index: u16| Square::from_index(index as u8);
    match (square(from), square(to)) {
        (Some(from), Some(to)) => Move { from, to },
        _ => unreachable!("{number} is no number of a move"),
    }
}

fn mirrored(number: u16) -> u16 {
    hash::number(hash::mirror_move(read(number))) as u16
}

/// Which games are linked (union by the smaller number, with path halving).
struct Links(Vec<usize>);

impl Links {
    fn root(&mut self, mut game: usize) -> usize {
        while self.0[game] != game {
            self.0[game] = self.0[self.0[game]];
            game = self.0[game];
        }
        game
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        let (low, high) = (a.min(b), a.max(b));
        self.0[high] = low;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::study::tests::study;

    /// A game of 60 plies: two horses that go out and home again on either side, with a pawn move now and then.
    fn long() -> Vec<String> {
        let mut moves = Vec::new();
        for (red, black) in [("a", "i"), ("c", "g"), ("e", "e"), ("g", "c"), ("i", "a")] {
            moves.extend([format!("{red}3{red}4"), format!("{black}6{black}5")]);
            for mv in
                ["h0g2", "h9g7", "g2h0", "g7h9", "b0c2", "b9c7", "c2b0", "c7b9", "h2h1", "h7h8"]
            {
                moves.push(mv.to_owned());
            }
            moves.extend(["h1h2", "h8h7"].map(str::to_owned));
        }
        moves
    }

    type Made<'m> = (Vec<String>, &'m [(&'m str, &'m str)]);

    fn groups(games: &[Made<'_>]) -> Vec<Vec<String>> {
        let mut index = Index::default();
        for (number, (moves, tags)) in games.iter().enumerate() {
            let mut study = study(&moves.join(" "), tags);
            study.report.game = number as u32 + 1;
            index.add(&study);
        }
        let name = |member: &Member| member.game.to_string();
        index
            .groups()
            .iter()
            .map(|(best, copies)| {
                let others =
                    copies.iter().map(|copy| format!("{} {}", name(&copy.member), copy.kind));
                std::iter::once(name(best)).chain(others).collect()
            })
            .collect()
    }

    fn mirror(moves: &[String]) -> Vec<String> {
        moves.iter().map(|mv| hash::mirror_move(mv.parse().unwrap()).to_string()).collect()
    }

    const A: &[(&str, &str)] = &[("red", "甲"), ("black", "乙")];
    const B: &[(&str, &str)] = &[("red", "丙"), ("black", "丁")];

    #[test]
    fn every_kind_is_found_and_named() {
        let game = long();
        let cut = game[..50].to_vec();
        let mut swapped = game.clone();
        swapped.swap(2, 6); // h0g2 and b0c2 …
        swapped.swap(4, 8); // … and back: the same position after both.
        swapped.swap(3, 7);
        swapped.swap(5, 9);
        let found = groups(&[
            (game.clone(), A),
            (game.clone(), A),
            (game.clone(), B),
            (mirror(&game), A),
            (cut.clone(), A),
            (mirror(&cut), A),
            (swapped, A),
        ]);
        let expected = [
            "1",
            "2 identical",
            "3 retagged",
            "4 mirrored",
            "5 truncated",
            "6 mirrored+truncated",
            "7 transposed",
        ];
        assert_eq!(found, [expected.map(str::to_owned).to_vec()]);
    }

    #[test]
    fn chance_makes_no_pair() {
        let game = long();
        let short = game[..12].to_vec();
        // The same twelve plies by others; an opening line that a game happens to follow.
        assert!(groups(&[(short.clone(), A), (short.clone(), B)]).is_empty());
        assert!(groups(&[(short.clone(), &[]), (game.clone(), A)]).is_empty());
        assert!(groups(&[(game[..45].to_vec(), B), (game.clone(), A)]).is_empty());
        // A book on openings quotes a game, or goes on from it; with one of the players it is the game.
        assert!(groups(&[(game[..45].to_vec(), &[]), (game.clone(), A)]).is_empty());
        assert!(groups(&[(game[..45].to_vec(), A), (game.clone(), &[])]).is_empty());
        assert_eq!(groups(&[(game[..45].to_vec(), &[("red", "甲")]), (game.clone(), A)]).len(), 1);
        // An opening line without names is the beginning of two games.
        let line: &[(&str, &str)] = &[("red", "甲")];
        let mut other = game.clone();
        other.swap(50, 52);
        let theirs: &[(&str, &str)] = &[("red", "甲"), ("black", "丙")];
        assert!(
            groups(&[(game[..44].to_vec(), line), (game.clone(), A), (other, theirs)]).is_empty()
        );
        // The same players make it one.
        assert_eq!(groups(&[(short.clone(), A), (game, A)]).len(), 1);
        assert_eq!(groups(&[(short.clone(), A), (short, A)]).len(), 1);
    }

    #[test]
    fn the_richest_comes_first() {
        let game = long();
        let more: &[(&str, &str)] = &[("red", "甲"), ("black", "乙"), ("event", "杯")];
        let found = groups(&[(game[..50].to_vec(), A), (game.clone(), A), (game, more)]);
        assert_eq!(found[0][0], "3");
    }

    #[test]
    fn indexes_are_put_together() {
        let game = long();
        let part = |source: &str| {
            let mut index = Index::default();
            let mut study = study(&game.join(" "), A);
            study.report.source = source.to_owned();
            index.add(&study);
            index
        };
        let mut index = part("a.pgn");
        index.append(part("b.pgn"));
        let groups = index.groups();
        assert_eq!(groups[0].1[0].member.source, "b.pgn");
        assert_eq!(index.len(), 2);
    }
}
