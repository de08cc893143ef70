//! The older CBL, `CCBridge`, of the years about 2001.
//!
//! No description of it is known; this one was worked out on nine real files with 397 games and 23 462 plies, 221
//! variations included. Each file is used to its last byte, and every ply follows the rules of moving; eight plies of
//! five compositions leave the own general in check. Layout: `grammars/cbl-old.ksy`.
//!
//! # The file
//!
//! `CCBridge`, three numbers of four bytes (0x15 in all files; the level of compression, 1 or 3; the length of the
//! inflated data), then a zlib stream to the end of the file. Numbers are little endian, a string is its length in four
//! bytes and its bytes, in GB18030 as far as seen.
//!
//! # The inflated data
//!
//! Strings: name of the library, two that are empty in all files, creator, his e-mail. Two times of 19 characters with
//! blanks behind, created and modified. Number of games, then a number that is 0. Then the games, each with its length,
//! these four bytes included.
//!
//! # A game
//!
//! 1. 32 squares of the start position in the order of XQF, Red first; high nibble the file from Red's left from 1 on,
//!    low nibble the row from the top from 1 on, 0 for a piece that is not there.
//! 2. Kind: 1 whole game, 2 opening, 4 endgame, in the files seen.
//! 3. The event, a string; a number that is 1 in all files, as every game seen is Red's to begin; strings: title, two
//!    that are empty in all files, site, date, Red, Black.
//! 4. Result: 1 Red won, 2 Black won, 3 draw, 4 several.
//! 5. Strings: annotator or author of the source, his e-mail (empty in all files), creator, his e-mail, remarks on the
//!    game. One byte, 1 in all files. Two times as above.
//! 6. Number of plies, then six bytes a ply: its number in the game from 1 on in two bytes; the square left and the
//!    square reached, high nibble the file from Red's left, low nibble the row from the top, both from 0 on here; and
//!    the move as notation in two bytes, which says the same again. First piece and file: the piece (0 chariot, 1 horse,
//!    2 elephant, 3 adviser, 4 general, 5 cannon, 6 pawn) in the high nibble and the file from the mover's right from 0
//!    on in the low one; or 7 for 前, 9 for 后 in the high nibble and 9 more than the piece in the low one. Then
//!    direction and count: 0 进, 1 退, 2 平 in the high nibble; the file reached, or the points moved less one.
//!
//!    Plies stand depth first. A number that is not one more than that before begins a variation: the ply is another
//!    one for the ply of that number in the line that stands before it.
//! 7. The comments, to the end of the game: a line a ply, CR LF behind each, `||` for a line break within.
//!
//! Not known: what the two empty strings of the library and the two of a game are for, the number behind the event (side
//! to move, or first round), the byte 1, kind 3, and how a game that Black begins would be written; the first move decides
//! there.

use std::io::Read;

use flate2::read::ZlibDecoder;

use crate::{
    board::{Piece, Setup, Side, Square},
    finding::{Code, Finding, Locate, Place, Span, Words},
    record::{Comment, Marker, NodeId, Outcome, Record, Start, Tag, Tree, Written},
    source::Encoding,
};

use super::super::{
    binary::{RawComment, bad_field, finding, restore, u32_at},
    strings::Strings,
    xqf::ORDER,
};

/// Where the compressed data begins.
const BODY: usize = 20;
/// More is not inflated: the largest file seen has 95 368 bytes.
const MOST: usize = 256 << 20;
/// Deflate makes at most 1032 bytes of one.
const MOST_RATIO: usize = 1032;

const TIME: usize = 19;
const PIECES: usize = 32;
const PLY: usize = 6;

/// Reads the games of a library of the older form; `encoding` `None` decides between GB18030 and Big5 by the file's own
/// text. Total: any bytes give at least one record, if need be an empty one with number 0 that only carries findings.
/// Findings about the library go with its first or last game. Spans are those of the inflated data; see [`Inflated`].
///
/// ```
/// use qijian::format::cbl::old;
///
/// let mut codes = Vec::new();
/// old::read(b"CCBridge", None, &mut |record, _| codes.push(record.findings[0].code.to_string()));
/// assert_eq!(codes, ["QJ002"]);
/// ```
pub fn read(bytes: &[u8], encoding: Option<Encoding>, sink: &mut dyn FnMut(Record<'_>, Encoding)) {
    let (data, mut findings) = inflate(bytes);
    let places = Inflated::of(bytes);
    let mut cursor = Cursor { data: &data, at: 0 };
    let library = Library::read(&mut cursor);
    let games = library.as_ref().map_or(0, |library| library.games);
    // The text of all games, a part of which is what numbers look like, decides for all.
    let texts = [&data[..]];
    let encoding = encoding.unwrap_or_else(|| Strings::new(None, texts.into_iter()).finish().0);
    let mut strings = Strings::in_encoding(encoding);
    let mut tags = library.as_ref().map_or_else(Vec::new, |library| library.tags(&mut strings));
    let name: Vec<Tag<'_>> =
        tags.first().filter(|tag| tag.name == "Library").cloned().into_iter().collect();
    let mut of_library = strings.finish().1;
    places.relocate(&mut of_library);
    findings.append(&mut of_library);
    let mut game = 0;
    // Held back by one, so that what is behind the last game is told with it.
    let mut waiting: Option<Record<'_>> = None;
    while game < games {
        let Some(mut record) = read_game(&mut cursor, game + 1, encoding) else { break };
        game += 1;
        places.relocate(&mut record.findings);
        record.tags.append(&mut tags);
        record.findings.append(&mut findings);
        if let Some(done) = waiting.replace(record) {
            sink(done, encoding);
        }
        tags.clone_from(&name);
    }
    let end = data.len();
    let mut rest = Vec::new();
    if library.is_none() || game < games {
        let missing = games - game;
        let words = Words::new(
            format!("库不完整，还缺 {missing} 局"),
            format!("the library is cut, {missing} games are missing"),
        );
        rest.push(finding(Code::TRUNCATED, end, end, words).help(restore()));
    } else if cursor.at < end {
        let count = end - cursor.at;
        let words = Words::new(
            format!("最后一局之后还有 {count} 字节，未读取"),
            format!("{count} bytes behind the last game are not read"),
        );
        let trailing = finding(Code::TRAILING_DATA, cursor.at, end, words);
        rest.push(trailing.with("bytes", count));
    }
    places.relocate(&mut rest);
    findings.append(&mut rest);
    let mut last = waiting.unwrap_or_else(|| Record { tags, ..Record::new(0) });
    last.findings.append(&mut findings);
    if last.game == 0 && last.findings.is_empty() {
        let words = Words::new("库中没有棋谱", "the library holds no record");
        last.findings.push(finding(Code::UNKNOWN_FORMAT, 0, 0, words));
    }
    sink(last, encoding);
}

/// Places in inflated data: the file has no byte for each, so all are where the compressed data begins.
#[derive(Clone, Copy, Debug)]
pub struct Inflated {
    start: usize,
}

impl Inflated {
    /// For the data of the file `bytes`.
    pub fn of(bytes: &[u8]) -> Inflated {
        Inflated { start: BODY.min(bytes.len()) }
    }

    /// Gives findings about the inflated data a place in the file and keeps the other one as `inflated_offset`.
    fn relocate(self, findings: &mut [Finding]) {
        for finding in findings {
            let inflated = std::mem::replace(&mut finding.place, self.place(Span::default()));
            finding.data.insert("inflated_offset".to_owned(), inflated.offset.into());
            // What would be cut is a part of the compressed data.
            finding.repair.clear();
        }
    }
}

impl Locate for Inflated {
    fn place(&self, _: Span) -> Place {
        Place { offset: Some(self.start as u64), ..Place::default() }
    }
}

/// The inflated data as far as it goes, and what is wrong with it.
fn inflate(bytes: &[u8]) -> (Vec<u8>, Vec<Finding>) {
    let stream = bytes.get(BODY..).unwrap_or_default();
    let declared = u32_at(bytes, 16).unwrap_or_default() as usize;
    let limit = MOST.min(stream.len().saturating_mul(MOST_RATIO));
    let mut data = Vec::new();
    // One byte more than declared shows that there is more.
    let most = declared.saturating_add(1).min(limit) as u64;
    let mut decoder = ZlibDecoder::new(stream);
    let outcome = decoder.by_ref().take(most).read_to_end(&mut data);
    let used = BODY + decoder.total_in() as usize;
    let mut findings = Vec::new();
    if declared > limit {
        let words = Words::new(
            format!("所标解压长度 {declared} 超出上限 {limit}，只解压到上限"),
            format!("the length {declared} is over the limit of {limit}, so much is inflated"),
        );
        findings.push(bad_field(16, BODY, "length", words).with("value", declared));
    }
    if let Err(error) = outcome {
        let words = Words::new(
            format!("压缩数据损坏，解出 {} 字节", data.len()),
            format!("the compressed data is damaged, {} bytes of it could be inflated", data.len()),
        );
        let at = used.min(bytes.len());
        findings.push(
            finding(Code::TRUNCATED, at, at, words)
                .help(restore())
                .with("error", error.to_string()),
        );
    } else if data.len() != declared {
        let length = data.len();
        let words = Words::new(
            format!("解压长度应为 {declared}，与数据不符"),
            format!("the inflated data should have {declared} bytes, and has not"),
        );
        let code = if length < declared { Code::TRUNCATED } else { Code::BAD_FIELD };
        findings.push(finding(code, 16, BODY, words).with("value", declared));
    } else if used < bytes.len() {
        findings.push(super::super::binary::trailing(used, bytes.len() - used));
    }
    (data, findings)
}

/// The inflated data, read from the front.
struct Cursor<'d> {
    data: &'d [u8],
    at: usize,
}

/// A string as stored, with its place.
#[derive(Clone, Copy)]
struct Stored<'d> {
    bytes: &'d [u8],
    span: Span,
}

impl<'d> Cursor<'d> {
    /// The next `len` bytes; `None`, and nothing taken, where there are fewer.
    fn take(&mut self, len: usize) -> Option<Stored<'d>> {
        let end = self.at.checked_add(len)?;
        let bytes = self.data.get(self.at..end)?;
        let span = Span::new(self.at, end);
        self.at = end;
        Some(Stored { bytes, span })
    }

    fn number(&mut self) -> Option<u32> {
        u32_at(self.take(4)?.bytes, 0)
    }

    fn string(&mut self) -> Option<Stored<'d>> {
        let len = self.number()?;
        self.take(len as usize)
    }
}

/// What stands before the games.
struct Library<'d> {
    strings: [Stored<'d>; 5],
    created: Stored<'d>,
    modified: Stored<'d>,
    games: u32,
}

impl<'d> Library<'d> {
    fn read(cursor: &mut Cursor<'d>) -> Option<Library<'d>> {
        let mut string = || cursor.string();
        let strings = [string()?, string()?, string()?, string()?, string()?];
        let (created, modified) = (cursor.take(TIME)?, cursor.take(TIME)?);
        let games = cursor.number()?;
        cursor.number()?;
        Some(Library { strings, created, modified, games })
    }

    fn tags(&self, strings: &mut Strings) -> Vec<Tag<'d>> {
        let [name, second, third, creator, mail] = self.strings;
        [
            ("Library", name),
            ("Library2", second),
            ("Library3", third),
            ("LibraryCreator", creator),
            ("LibraryCreatorEmail", mail),
            ("LibraryCreated", self.created),
            ("LibraryModified", self.modified),
        ]
        .into_iter()
        .filter_map(|(name, stored)| strings.tag(name, stored.bytes, stored.span))
        .collect()
    }
}

/// The next game; `None` where not even its length is there.
fn read_game<'d>(cursor: &mut Cursor<'d>, game: u32, encoding: Encoding) -> Option<Record<'d>> {
    let start = cursor.at;
    let length = cursor.number()? as usize;
    let end = start.saturating_add(length);
    let cut = end > cursor.data.len() || length < 4;
    let end = if cut { cursor.data.len() } else { end };
    let mut within = Cursor { data: &cursor.data[..end], at: cursor.at };
    let mut record = Record::new(game);
    record.span = Span::new(start, end);
    let mut strings = Strings::in_encoding(encoding);
    let whole = fill(&mut record, &mut within, &mut strings).is_some();
    record.findings.extend(strings.finish().1);
    if cut || !whole {
        let words = Words::new("这一局不完整", "this game is cut");
        record.findings.push(finding(Code::TRUNCATED, end, end, words).help(restore()));
    }
    cursor.at = end;
    Some(record)
}

/// Reads what belongs to a game; `None` where it ends too early, with all before that in `record`.
fn fill<'d>(record: &mut Record<'d>, cursor: &mut Cursor<'d>, strings: &mut Strings) -> Option<()> {
    let board = cursor.take(PIECES)?;
    record.start = start(board, &mut record.findings);
    let kind = cursor.number()?;
    let event = cursor.string()?;
    cursor.number()?;
    const NAMES: [&str; 7] = ["Title", "Title2", "Title3", "Site", "Date", "Red", "Black"];
    let mut tag = |name, stored: Stored<'d>| {
        record.tags.extend(strings.tag(name, stored.bytes, stored.span));
    };
    tag("Event", event);
    for name in NAMES {
        tag(name, cursor.string()?);
    }
    let result = cursor.take(4)?;
    for name in ["Annotator", "AnnotatorEmail", "Author", "AuthorEmail"] {
        tag(name, cursor.string()?);
    }
    let remarks = cursor.string()?;
    cursor.take(1)?;
    tag("Created", cursor.take(TIME)?);
    tag("Modified", cursor.take(TIME)?);
    if kind != 1 {
        let value = kind.to_string().into();
        record.tags.push(Tag { name: "RecordType".into(), value, span: board.span });
    }
    record.result = Some(marker(result, &mut record.findings));
    let text = comment(NodeId::ROOT, remarks, strings, &record.tree);
    record.tree.comments.extend(text);
    let count = cursor.number()? as usize;
    let ids = plies(record, cursor, count)?;
    let rest = cursor.take(cursor.data.len() - cursor.at)?;
    comments(record, rest, &ids, strings);
    Some(())
}

/// A comment with line breaks for `||`, `None` for blanks.
fn comment<'d>(
    node: NodeId,
    stored: Stored<'d>,
    strings: &mut Strings,
    tree: &Tree<'_>,
) -> Option<Comment<'d>> {
    let raw = RawComment { node, bytes: stored.bytes, span: stored.span, cut: false };
    let text = strings.comment(&raw, tree).replace("||", "\n");
    let text = text.trim_end().to_owned();
    (!text.is_empty()).then(|| Comment { node, text: text.into(), span: stored.span })
}

/// The start position; squares that are none are reported.
fn start<'d>(board: Stored<'_>, findings: &mut Vec<Finding>) -> Start<'d> {
    let mut setup = Setup::empty();
    let mut bad = Vec::new();
    for (index, byte) in board.bytes.iter().enumerate() {
        let side = if index < ORDER.len() { Side::Red } else { Side::Black };
        let piece = Piece { side, kind: ORDER[index % ORDER.len()] };
        match square(*byte, 1) {
            Some(square) if setup.squares[square.index()].is_none() => {
                setup.squares[square.index()] = Some(piece);
            }
            None if *byte == 0 => {}
            _ => bad.push(board.span.start as usize + index),
        }
    }
    if let Some(first) = bad.first() {
        let words = Words::new(
            format!("起始局面中有 {} 个位置不在盘上或已有棋子，未放", bad.len()),
            format!(
                "{} squares of the start position are off the board or taken, left out",
                bad.len()
            ),
        );
        findings.push(bad_field(*first, first + 1, "squares", words).with("count", bad.len()));
    }
    Start::Board { setup: Box::new(setup), span: board.span }
}

/// The square of file and row in a nibble each, counted from `first` on.
fn square(byte: u8, first: u8) -> Option<Square> {
    let file = (byte >> 4).checked_sub(first)?;
    let row = (byte & 0x0F).checked_sub(first)?;
    Square::new(file, 9u8.checked_sub(row)?)
}

fn marker<'d>(stored: Stored<'_>, findings: &mut Vec<Finding>) -> Marker<'d> {
    let code = u32_at(stored.bytes, 0).unwrap_or_default();
    let (text, outcome) = match code {
        1 => ("红胜", Outcome::RedWins),
        2 => ("黑胜", Outcome::BlackWins),
        3 => ("和棋", Outcome::Draw),
        4 => ("多种结果", Outcome::Unknown),
        _ => ("未知", Outcome::Unknown),
    };
    if code > 4 {
        let words = Words::new(
            format!("结果的值 {code} 不在 0 至 4 之内，按未知读取"),
            format!("the result is {code}, not 0 to 4; read as unknown"),
        );
        let range = stored.span.range();
        findings.push(bad_field(range.start, range.end, "result", words).with("value", code));
    }
    Marker { text: text.into(), outcome, span: stored.span }
}

/// Reads the plies. Returns the node of each; `None` where they are cut.
fn plies(record: &mut Record<'_>, cursor: &mut Cursor<'_>, count: usize) -> Option<Vec<NodeId>> {
    let mut ids = Vec::new();
    // The line to the last ply, by ply number.
    let mut line = vec![NodeId::ROOT];
    let mut jumps = 0;
    for _ in 0..count {
        let stored = cursor.take(PLY)?;
        let [low, high, from, to, ..] = *stored.bytes else { return None };
        let number = usize::from(u16::from_le_bytes([low, high]));
        if number == 0 || number > line.len() {
            jumps += 1;
            if jumps == 1 {
                let at = stored.span.range().start;
                let words = Words::new(
                    format!("步数 {number} 接不上前面的着法，按下一步读取"),
                    format!("the ply number {number} does not follow; taken as the next"),
                );
                record.findings.push(bad_field(at, at + 2, "ply", words).with("value", number));
            }
        } else {
            line.truncate(number);
        }
        let parent = line.last().copied().unwrap_or(NodeId::ROOT);
        let (from, to, raw) = (square(from, 0), square(to, 0), [from, to]);
        let id = record.tree.add(parent, Written::Squares { from, to, raw }, stored.span);
        line.push(id);
        ids.push(id);
    }
    Some(ids)
}

/// Gives each ply its line of the comments; what lines there are more go with the last.
fn comments<'d>(record: &mut Record<'d>, rest: Stored<'d>, ids: &[NodeId], strings: &mut Strings) {
    let mut at = 0;
    let base = rest.span.start as usize;
    for (index, id) in ids.iter().enumerate() {
        let left = &rest.bytes[at..];
        let line = left.windows(2).position(|pair| pair == b"\r\n");
        let is_last = index + 1 == ids.len();
        let end = match line {
            Some(end) if !is_last => end,
            _ => left.strip_suffix(b"\r\n").unwrap_or(left).len(),
        };
        let stored = Stored { bytes: &left[..end], span: Span::new(base + at, base + at + end) };
        record.tree.comments.extend(comment(*id, stored, strings, &record.tree));
        at = (at + end + 2).min(rest.bytes.len());
    }
    if ids.is_empty() && !rest.bytes.is_empty() {
        record.tree.comments.extend(comment(NodeId::ROOT, rest, strings, &record.tree));
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::{Compression, write::ZlibEncoder};

    use super::*;

    fn string(text: &[u8]) -> Vec<u8> {
        [&(text.len() as u32).to_le_bytes(), text].concat()
    }

    /// A game by the layout above, its plies as number, from and to.
    fn game(plies: &[(u16, u8, u8)], comments: &str) -> Vec<u8> {
        let mut bytes = vec![0; PIECES];
        // The generals, a red and a black chariot: e0, e9, a0, a9.
        (bytes[4], bytes[20], bytes[0], bytes[16]) = (0x5A, 0x51, 0x1A, 0x11);
        bytes.extend([4, 0, 0, 0]);
        bytes.extend(string(b""));
        bytes.extend([1, 0, 0, 0]);
        // 残局, then five empty strings and Black, 乙.
        bytes.extend(string(b"\xb2\xd0\xbe\xd6"));
        bytes.extend([0; 20]);
        bytes.extend(string(b"\xd2\xd2"));
        bytes.extend([1, 0, 0, 0]);
        bytes.extend([0; 16]);
        bytes.extend(string(b"x||y"));
        bytes.push(1);
        bytes.extend([b' '; 2 * TIME]);
        bytes.extend((plies.len() as u32).to_le_bytes());
        for (number, from, to) in plies {
            bytes.extend(number.to_le_bytes());
            bytes.extend([*from, *to, 0, 0]);
        }
        bytes.extend(comments.as_bytes());
        [&(bytes.len() as u32 + 4).to_le_bytes()[..], &bytes].concat()
    }

    fn library(games: &[Vec<u8>]) -> Vec<u8> {
        let mut data = [string(b"L"), vec![0; 16], vec![b' '; 2 * TIME]].concat();
        data.extend((games.len() as u32).to_le_bytes());
        data.extend([0; 4]);
        data.extend(games.concat());
        pack(&data, data.len())
    }

    fn pack(data: &[u8], declared: usize) -> Vec<u8> {
        let mut bytes = b"CCBridge\x15\0\0\0\x01\0\0\0".to_vec();
        bytes.extend((declared as u32).to_le_bytes());
        let mut encoder = ZlibEncoder::new(bytes, Compression::fast());
        encoder.write_all(data).unwrap();
        encoder.finish().unwrap()
    }

    /// For each game number, plies, variations and codes.
    fn games(bytes: &[u8]) -> Vec<(u32, usize, usize, Vec<String>)> {
        let mut games = Vec::new();
        read(bytes, Some(Encoding::Gb18030), &mut |record, _| {
            let codes = record.findings.iter().map(|finding| finding.code.to_string()).collect();
            games.push((record.game, record.tree.len(), record.tree.variations(), codes));
        });
        games
    }

    fn one(bytes: &[u8], check: impl Fn(&Record<'_>)) {
        let mut count = 0;
        read(bytes, None, &mut |record, _| {
            check(&record);
            count += 1;
        });
        assert_eq!(count, 1);
    }

    #[test]
    fn a_game_with_a_variation() {
        // a0a3 (a0a4 e9d9) and then e9e8 behind a0a3, written after a line of two.
        let plies = [(1, 0x09, 0x06), (2, 0x40, 0x41), (1, 0x09, 0x05), (2, 0x40, 0x30)];
        let bytes = library(&[game(&plies, "\r\nb||c\r\n\r\nd\r\n")]);
        assert_eq!(games(&bytes), [(1, 4, 1, vec![])]);
        one(&bytes, |record| {
            let line: Vec<_> = record
                .tree
                .main_line()
                .map(|id| match record.tree.node(id).written {
                    Written::Squares { from: Some(from), to: Some(to), .. } => {
                        format!("{from}{to}")
                    }
                    _ => "?".into(),
                })
                .collect();
            assert_eq!(line, ["a0a3", "e9e8"]);
            let comments: Vec<_> =
                record.tree.comments.iter().map(|c| (c.node.index(), &*c.text)).collect();
            assert_eq!(comments, [(0, "x\ny"), (2, "b\nc"), (4, "d")]);
            assert_eq!(record.tag("title").unwrap().value, "残局");
            assert_eq!(record.tag("black").unwrap().value, "乙");
            let Start::Board { setup, .. } = &record.start else { panic!("no board") };
            let position = crate::board::Position::from_setup(setup, Side::Red);
            assert!(position.fen().starts_with("r3k4/9/9/9/9/9/9/9/9/R3K4 w"));
        });
    }

    #[test]
    fn faults() {
        let whole = library(&[game(&[(1, 0x09, 0x06)], "\r\n"), game(&[], "")]);
        assert_eq!(games(&whole).len(), 2);
        let cut = &whole[..whole.len() - 9];
        assert!(games(cut).iter().any(|(.., codes)| codes.contains(&"QJ002".to_owned())));
        let jump = library(&[game(&[(1, 0x09, 0x06), (7, 0x40, 0x41)], "\r\n\r\n")]);
        assert_eq!(games(&jump), [(1, 2, 0, vec!["QJ004".to_owned()])]);
        let trailing = [whole.clone(), vec![1]].concat();
        assert_eq!(games(&trailing)[0].3, ["QJ003"]);
        assert_eq!(games(&pack(b"", 0)), [(0, 0, 0, vec!["QJ002".to_owned()])]);
        assert_eq!(games(&library(&[])), [(0, 0, 0, vec!["QJ001".to_owned()])]);
        let offsets = |record: &Record<'_>| {
            for finding in &record.findings {
                assert!(finding.place.offset.unwrap() <= jump.len() as u64);
                assert!(finding.data["inflated_offset"].as_u64().unwrap() > 20);
            }
        };
        one(&jump, offsets);
    }

    /// 64 MiB of zeros in 64 KiB: no more is inflated than is declared, nor than the file can hold.
    #[test]
    fn a_bomb_is_not_inflated() {
        let zeros = vec![0; 64 << 20];
        let honest = 1000;
        let (data, findings) = inflate(&pack(&zeros, honest));
        assert_eq!((data.len(), findings.len()), (honest + 1, 1));
        let liar = pack(&[0; 100], u32::MAX as usize);
        let (data, findings) = inflate(&liar);
        assert_eq!(data.len(), 100);
        assert!(!findings.is_empty());
        // A count of games and plies that the data does not hold.
        let mut many = [string(b"L"), vec![0; 16], vec![b' '; 2 * TIME]].concat();
        many.extend([0xFF; 4]);
        many.extend([0; 4]);
        assert_eq!(games(&pack(&many, many.len())).len(), 1);
    }
}
