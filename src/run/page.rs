//! One game in the format that is to be written, and the games of a file put together.

use std::borrow::Cow;

use crate::{
    board::{Position, Setup, Side},
    finding::{Locate, Span},
    format::{self, Fate, Format, Loss, Part, pgn},
    notation::{Dialect, Notation},
    record::{NodeId, Record, Start, Tag, Written, standard_key},
    replay::{self, Game, Rewritten},
    source::Encoding,
};

use super::convert::Conversion;

/// One game as it is to stand in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Page {
    Text(String),
    Bytes(Vec<u8>),
}

/// A page, and all that is to be said about it.
pub(super) struct Composed {
    pub(super) page: Page,
    pub(super) losses: Vec<Loss>,
    /// What the rewriting of the moves has found.
    pub(super) moves: Rewritten,
    /// The tags that are written with another value: the place in the record, and that value.
    pub(super) adapted: Vec<(usize, String)>,
}

/// Puts `record` into the target format. `encoding` is that of the source.
pub(super) fn compose(
    record: &Record<'_>,
    game: &Game,
    options: &Conversion,
    source: (Format, Encoding),
    locate: &dyn Locate,
) -> Composed {
    let mut composed = page_of(record, game, options, source, locate);
    if options.to != Format::Pgn {
        // Only PGN has lines that are no part of a game.
        composed.losses.extend(
            record.beside.iter().map(|(text, span)| {
                Loss::dropped(Part::Beside, NodeId::ROOT, *span, text.as_ref())
            }),
        );
    }
    composed
}

fn page_of(
    record: &Record<'_>,
    game: &Game,
    options: &Conversion,
    source: (Format, Encoding),
    locate: &dyn Locate,
) -> Composed {
    let of =
        |page, losses| Composed { page, losses, moves: Rewritten::default(), adapted: Vec::new() };
    match options.to {
        Format::Xqf => {
            let encoding = xqf_encoding(options, source);
            let (bytes, losses) = format::xqf::write(record, &game.played, encoding);
            of(Page::Bytes(bytes), losses)
        }
        Format::Cbr => {
            let (bytes, losses) = format::cbr::write(record, &game.played);
            of(Page::Bytes(bytes), losses)
        }
        Format::Dhtmlxq => {
            let (text, losses) = format::dhtmlxq::write(record, &game.played);
            held(of(Page::Text(text), losses), record, options)
        }
        Format::Moves => {
            let (text, losses) = format::ucci::write(record, &game.played);
            of(Page::Text(text), losses)
        }
        _ => texts(record, game, options, locate),
    }
}

/// The formats whose moves are texts in a notation. In the short form a text says its move only together with the others of
/// its game, where it has no bar: so the game is read back.
fn texts(record: &Record<'_>, game: &Game, options: &Conversion, locate: &dyn Locate) -> Composed {
    let mut composed = written(record, game, options, locate);
    if options.notation == Some(Notation::Short)
        && let Page::Text(text) = &composed.page
    {
        composed.losses.extend(other_reading(record, game, &composed.moves, text, options.to));
    }
    composed
}

/// The first move of the main line that `text` is read back without.
fn other_reading(
    record: &Record<'_>,
    game: &Game,
    moves: &Rewritten,
    text: &str,
    format: Format,
) -> Option<Loss> {
    let mut again = None;
    let encoding = Some(Encoding::Utf8);
    format::read(text.as_bytes(), format, encoding, &mut |record, locate, _| {
        let replay = || replay::replay(&record, locate, &replay::Options::default());
        again.get_or_insert_with(|| replay().moves);
    });
    let again = again.unwrap_or_default();
    let at = (0..game.moves.len()).find(|at| again.get(*at) != game.moves.get(*at))?;
    let node = record.tree.main_line().nth(at)?;
    let written = moves.texts[node.index()].clone().unwrap_or_default();
    let (part, span, fate) = (Part::Move, record.tree.node(node).span, Fate::Differs);
    Some(Loss { part, node, span, fate, text: written })
}

fn written(
    record: &Record<'_>,
    game: &Game,
    options: &Conversion,
    locate: &dyn Locate,
) -> Composed {
    let notation = match options.to {
        Format::Wxf => Some(Notation::Wxf),
        _ => options.notation,
    };
    let rewriting = rewriting(record, game, notation);
    let moves = match rewriting {
        Some(dialect) => replay::rewrite(record, game, dialect, locate),
        None => Rewritten::default(),
    };
    let holds = |c| options.encoding().holds(c);
    let sheet = pgn::Sheet {
        record,
        texts: &moves.texts,
        after_end: &moves.after_end,
        start: game.start.as_ref(),
        notation: notation.and(rewriting).map(|dialect| dialect.notation),
        holds: &holds,
    };
    let adapted = sheet.adapted();
    if options.to == Format::Pgn {
        let pgn::Page { text, losses } = pgn::write(&sheet);
        return Composed { page: Page::Text(text), losses, moves, adapted };
    }
    let is_rewritten = sheet.notation.is_some();
    let mut record = adapt(record, game, &adapted, is_rewritten);
    if options.to == Format::Sheet {
        headed(&mut record);
    }
    let (text, losses) = match options.to {
        Format::Wxf => format::wxf::write(&record, &moves.texts),
        Format::Sheet => format::sheet::write(&record, &moves.texts, None),
        _ => {
            let (text, losses) = format::json::write(&record, &moves.texts, None);
            (text + "\n", losses)
        }
    };
    let composed = Composed { page: Page::Text(text), losses, moves, adapted };
    held(composed, &record, options)
}

/// The record with the tags that speak of the file as they must be, and a board as FEN.
fn adapt<'r, 'a>(
    record: &'r Record<'a>,
    game: &Game,
    adapted: &[(usize, String)],
    is_rewritten: bool,
) -> Cow<'r, Record<'a>> {
    let board = match (&record.start, &game.start) {
        (Start::Board { span, .. }, Some(start)) => Some((start.clone(), *span)),
        // Moves that are rewritten do not show any more who begins.
        (Start::Fen { text, span }, Some(start)) if is_rewritten => {
            let stated = Setup::from_fen_board(text).ok().and_then(|(setup, _)| setup.side);
            let differs = stated.unwrap_or(Side::Red) != start.side();
            differs.then(|| (start.clone(), *span))
        }
        _ => None,
    };
    if adapted.is_empty() && board.is_none() {
        return Cow::Borrowed(record);
    }
    let mut own = record.clone();
    if let Some((start, span)) = board {
        let usual = start == Position::start() && start.side() == Side::Red;
        own.start = match usual {
            true => Start::Standard,
            false => Start::Fen { text: start.fen().into(), span },
        };
    }
    for (index, value) in adapted {
        let tag = &mut own.tags[*index];
        tag.value = value.clone().into();
        if let Start::Fen { text, .. } = &mut own.start
            && standard_key(&tag.name) == Some("fen")
        {
            *text = value.clone().into();
        }
    }
    Cow::Owned(own)
}

/// Puts a tag first that tells a reader of several sheets that here the next one begins; `赛事：?` (not known) where there
/// is none, as PGN has `[Event "?"]`.
fn headed(record: &mut Cow<'_, Record<'_>>) {
    let heads = |name: &str| format::sheet::is_head(name);
    match record.tags.iter().position(|tag| heads(&tag.name)) {
        Some(0) => {}
        Some(at) => record.to_mut().tags[..=at].rotate_right(1),
        None => {
            let (name, value) = ("Event".into(), "?".into());
            record.to_mut().tags.insert(0, Tag { name, value, span: Span::default() });
        }
    }
}

/// Writes references for the characters that the encoding lacks, and says so.
fn held(mut composed: Composed, record: &Record<'_>, options: &Conversion) -> Composed {
    let encoding = options.encoding();
    if let Page::Text(text) = &mut composed.page
        && text.chars().any(|c| !encoding.holds(c))
    {
        let mut lacking = String::new();
        let mut written = String::with_capacity(text.len() * 2);
        for c in text.chars() {
            if encoding.holds(c) {
                written.push(c);
                continue;
            }
            let reference = format!("&#x{:X};", u32::from(c));
            written.push_str(&reference);
            if !lacking.contains(&reference) {
                lacking.push_str(&reference);
            }
        }
        *text = written;
        composed.losses.push(Loss::changed(Part::Game, NodeId::ROOT, record.span, lacking));
    }
    composed
}

/// The encoding of the strings of an XQF file: what was asked for, else that of the XQF file that it was.
fn xqf_encoding(options: &Conversion, (format, encoding): (Format, Encoding)) -> Encoding {
    let own = (format == Format::Xqf && encoding == Encoding::Big5).then_some(encoding);
    options.encoding.or(own).unwrap_or(Encoding::Gb18030)
}

/// The dialect to put the moves of `record` into, if they are to be put into another.
fn rewriting(record: &Record<'_>, game: &Game, notation: Option<Notation>) -> Option<Dialect> {
    let first = record.tree.main_line().next().map(|id| record.tree.node(id).written);
    match (notation, first) {
        (Some(notation), _) => Some(notation.into()),
        (None, Some(Written::Squares { .. })) => Some(Notation::Chinese.into()),
        // Where the first ply of a binary file is left out, the others still are squares.
        (None, _) => game.dialect.is_none().then(|| Notation::Chinese.into()),
    }
}

/// The games of one source in the target format.
pub(super) struct Pages {
    pub(super) to: Format,
    pub(super) encoding: Encoding,
    pub(super) pages: Vec<Page>,
    /// Whether a game was left out because it is there in a richer form.
    pub(super) dropped: bool,
}

impl Pages {
    /// All of them as one file.
    pub(super) fn joined(self) -> Vec<u8> {
        let mut all = String::new();
        let mut bytes = Vec::new();
        for (index, page) in self.pages.into_iter().enumerate() {
            match page {
                Page::Text(text) => {
                    if index > 0 {
                        all.push_str(self.to.separator());
                    }
                    all.push_str(&text);
                }
                Page::Bytes(file) => bytes.extend(file),
            }
        }
        if all.is_empty() { bytes } else { self.encoding.encode(all) }
    }

    /// A file each.
    pub(super) fn apart(self) -> impl ExactSizeIterator<Item = Vec<u8>> {
        let encoding = self.encoding;
        self.pages.into_iter().map(move |page| match page {
            Page::Text(text) => encoding.encode(text),
            Page::Bytes(bytes) => bytes,
        })
    }
}

/// Puts the files that sources have become together into one.
#[derive(Debug)]
pub struct Join {
    to: Format,
    encoding: Encoding,
    begun: bool,
}

impl Join {
    /// For files of the format `to` in `encoding`, `None` for the usual one of the format.
    pub fn new(to: Format, encoding: Option<Encoding>) -> Join {
        Join { to, encoding: encoding.unwrap_or(to.encodings()[0]), begun: false }
    }

    /// What to write for the next file: a separator before it and no BOM, if it is not the first. An empty one, which
    /// holds no game, is passed over.
    ///
    /// ```
    /// use qijian::{format::Format, run::Join};
    ///
    /// let mut join = Join::new(Format::Pgn, None);
    /// let all: Vec<u8> = ["*\n", "", "1-0\n"].into_iter().flat_map(|file| join.next(file.into())).collect();
    /// assert_eq!(all, b"*\n\n1-0\n");
    /// ```
    pub fn next(&mut self, file: Vec<u8>) -> Vec<u8> {
        if file.is_empty() || !std::mem::replace(&mut self.begun, true) {
            return file;
        }
        let bom = self.encoding.encode(String::new()).len();
        let mut all = self.encoding.encode(self.to.separator().to_owned()).split_off(bom);
        all.extend_from_slice(file.get(bom..).unwrap_or_default());
        all
    }

    /// Whether there was a file that is not empty.
    pub fn is_begun(&self) -> bool {
        self.begun
    }
}
