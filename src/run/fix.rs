//! What `check --fix` does with the bytes of one file: check, repair what is safe, and check again.
//!
//! Findings say what would repair them ([`Finding::repair`]). The repairs of a file are made at once, as changes of
//! ranges of its text, and everything else stays. Then the result is read and replayed anew: a game that is not the
//! same but for its repairs, or that has a finding which it had not, is left as it was.

use std::{borrow::Cow, collections::BTreeMap};

use serde_json::{Value, json};

use crate::{
    finding::{self, Binary, Code, Edit, Finding, Locate, Span, Words},
    format::{self, Format},
    record::Record,
    replay::{self, Game},
    report::GameReport,
    source::{Encoding, Text},
};

use super::{
    check::{self, Options},
    digest, spelled,
};

/// How many edits of one finding its `data` lists.
const LISTED: usize = 1000;

/// What `fix` made of one file.
#[derive(Debug)]
pub struct Fixed {
    /// What `check` says of each game; what has been repaired has `fixed`, `was` and `now` in its data.
    pub reports: Vec<GameReport>,
    /// The repaired file; `None` if nothing was to be repaired, or could be.
    pub bytes: Option<Vec<u8>>,
}

/// Checks one file and repairs it as far as that is safe. Only findings of a code that is `wanted` are repaired.
///
/// Repaired are: the encoding (UTF-8 without BOM, `QJ102`), the spelling of settled moves (`QJ203`), round numbers of
/// games that are legal throughout (`QJ204`), results that the evidence settles (`QJ401`, `QJ402`, `QJ404`), the names
/// and ends of tags (`QJ014`, `QJ006`), and trailing bytes of binary files (`QJ003`).
///
/// ```
/// use qijian::run::{Options, fix};
///
/// let bytes = "[Result \"*\"]\n1. 炮2平5 马8进7 1-0".as_bytes();
/// let fixed = fix("a.pgn", bytes, true, &Options::default(), &|_| true);
/// assert_eq!(fixed.bytes.as_deref(), Some("[Result \"1-0\"]\n1. 炮二平五 马8进7 1-0".as_bytes()));
/// ```
pub fn fix(
    source: &str,
    bytes: &[u8],
    named: bool,
    options: &Options,
    wanted: &dyn Fn(Code) -> bool,
) -> Fixed {
    let Some(format) = options.from.or_else(|| format::sniff(bytes, options.encoding)) else {
        return Fixed { reports: vec![check::unread(source, bytes, named)], bytes: None };
    };
    let file = File { source, bytes, options, format, text: None };
    let text = format::text(bytes, format, options.encoding);
    let file = File { text: text.as_ref(), ..file };
    let mut games = file.survey(wanted);
    if games.is_empty() {
        return Fixed { reports: vec![check::unread(source, bytes, named)], bytes: None };
    }
    let mut encoding = file.encoding(wanted);
    let repaired = file.settle(&mut games, &mut encoding);
    let mut reports: Vec<GameReport> = games.into_iter().map(Seen::told).collect();
    if encoding.as_ref().is_some_and(|recoding| recoding.active) {
        let findings = reports.iter_mut().flat_map(|report| &mut report.findings);
        for finding in findings.filter(|finding| finding.code == Code::MIXED_ENCODINGS) {
            let was = finding.data.get("encoding").cloned().unwrap_or_default();
            finding.data.extend([
                ("fixed".to_owned(), true.into()),
                ("was".to_owned(), was),
                ("now".to_owned(), Encoding::Utf8.as_str().into()),
            ]);
        }
    }
    if let (Some(told), Some(first)) = (encoding, reports.first_mut()) {
        first.findings.extend(told.told());
        finding::sort(&mut first.findings);
    }
    Fixed { reports, bytes: repaired }
}

impl Fixed {
    /// Takes all repairs back, for the reason given.
    pub(super) fn withhold(&mut self, words: Words, reason: &'static str) {
        if self.bytes.take().is_none() {
            return;
        }
        let mut first = None;
        for (index, report) in self.reports.iter_mut().enumerate() {
            for finding in &mut report.findings {
                if finding.data.shift_remove("fixed").is_some() {
                    first = first.or(Some(index));
                    for key in ["was", "now", "edits", "edited"] {
                        finding.data.shift_remove(key);
                    }
                }
            }
        }
        if let Some(report) = first.and_then(|index| self.reports.get_mut(index)) {
            report.findings.push(not_repaired(words, reason));
            finding::sort(&mut report.findings);
        }
    }
}

/// One file and how it is read.
#[derive(Clone, Copy)]
struct File<'f> {
    source: &'f str,
    bytes: &'f [u8],
    options: &'f Options,
    format: Format,
    text: Option<&'f Text<'f>>,
}

/// One game as it was read, with its repairs.
struct Seen {
    report: GameReport,
    /// The edits of each finding that can be repaired, by its index.
    repairs: BTreeMap<usize, Vec<Edit>>,
    /// Whether the repairs are made.
    active: bool,
    /// What the game holds as it is, and as repaired.
    digests: [u64; 2],
    /// How many findings of each code are not repaired.
    others: BTreeMap<Code, usize>,
    /// How many are.
    mended: BTreeMap<Code, usize>,
}

/// What is to be said and done about the encoding of the file.
struct Recoding {
    findings: Vec<Finding>,
    /// The declaration of the old encoding within the text.
    edits: Vec<Edit>,
    active: bool,
}

/// One game as it is after the repair.
struct Again {
    digest: u64,
    codes: BTreeMap<Code, usize>,
}

impl<'f> File<'f> {
    /// Reads and replays all games.
    fn survey(&self, wanted: &dyn Fn(Code) -> bool) -> Vec<Seen> {
        let Options { encoding, moves, .. } = self.options;
        let replay = replay::Options { tree: true, repairs: true, ..self.options.replay.clone() };
        let mut games = Vec::new();
        format::read(self.bytes, self.format, *encoding, &mut |record, locate, encoding| {
            let mut game = replay::replay(&record, locate, &replay);
            if self.format == Format::Pgn {
                game.findings.extend(spelled::tag_names(&record, self.text, locate));
                finding::sort(&mut game.findings);
            }
            let plain = codes(&game.findings);
            let first_digest = digest::of(&record, &game, &[]);
            let mut edits = Vec::new();
            let mut mended = BTreeMap::new();
            for finding in game.findings.iter_mut() {
                let own = std::mem::take(&mut finding.repair);
                let fitted: Option<Vec<Edit>> = own.iter().map(|edit| self.fitted(edit)).collect();
                if let Some(fitted) = fitted.filter(|all| !all.is_empty() && wanted(finding.code)) {
                    *mended.entry(finding.code).or_default() += 1;
                    edits.extend(own);
                    finding.repair = fitted;
                }
            }
            let digests = [first_digest, digest::of(&record, &game, &edits)];
            let others = less(&plain, &mended);
            self.options.rule(&mut game, &record, locate);
            // The rules add findings, so that indices hold only now.
            let repairs = game.findings.iter_mut().enumerate().filter_map(|(index, finding)| {
                let edits = std::mem::take(&mut finding.repair);
                (!edits.is_empty()).then_some((index, edits))
            });
            let repairs: BTreeMap<usize, Vec<Edit>> = repairs.collect();
            let report = check::report(self.source, &record, game, self.format, encoding, *moves);
            let active = !repairs.is_empty();
            games.push(Seen { report, repairs, active, digests, others, mended });
        });
        games
    }

    /// `edit` with the text as it stands, and the new one in the same width of digits; `None` if something else stands
    /// there, or the edit is none that can be made.
    fn fitted(&self, edit: &Edit) -> Option<Edit> {
        let range = edit.span.range();
        let Some(text) = self.text else {
            let cut = range.end == self.bytes.len() && edit.now.is_empty();
            let bytes = self.bytes.get(range).filter(|bytes| cut && !bytes.is_empty())?;
            return Some(Edit { was: hex(bytes), ..edit.clone() });
        };
        let stands = text.as_str().get(range)?;
        if stands == edit.was {
            return Some(edit.clone());
        }
        let narrow: String = stands.chars().map(narrow).collect();
        let is_number = !narrow.is_empty() && narrow.bytes().all(|byte| byte.is_ascii_digit());
        let same = is_number && narrow.trim_start_matches('0') == edit.was.trim_start_matches('0');
        let wide = stands.chars().next().is_some_and(|c| !c.is_ascii());
        let now = match wide {
            true => edit.now.chars().map(widen).collect(),
            false => edit.now.clone(),
        };
        same.then(|| Edit { span: edit.span, was: stands.to_owned(), now })
    }

    /// What is to be done about the encoding, if anything.
    fn encoding(&self, wanted: &dyn Fn(Code) -> bool) -> Option<Recoding> {
        let text = self.text?;
        let (old, bom) = (text.encoding(), text.has_bom());
        if (old == Encoding::Utf8 && !bom && !text.is_mixed()) || !wanted(Code::TEXT_ENCODING) {
            return None;
        }
        let was = match (old, bom, text.is_mixed()) {
            (_, _, true) => format!("{}, mixed", old.as_str()),
            (Encoding::Utf8, true, _) => "utf-8 with BOM".to_owned(),
            _ => old.as_str().to_owned(),
        };
        let words = Words::new(
            format!("文字编码是 {was}，不是无 BOM 的 UTF-8"),
            format!("the text is {was}, not UTF-8 without BOM"),
        );
        let finding = Finding::new(Code::TEXT_ENCODING, words).at(Binary.place(Span::default()));
        let finding = finding.with("was", was).with("now", Encoding::Utf8.as_str());
        let mut recoding = Recoding {
            findings: vec![finding],
            edits: spelled::declaration(text.as_str(), old),
            active: true,
        };
        if text.is_faulty() {
            recoding.active = false;
            recoding.findings.push(not_repaired(
                Words::new(
                    "有无法解码的字节，编码未改",
                    "some bytes cannot be decoded, so the encoding is left as it is",
                ),
                "undecodable",
            ));
        }
        Some(recoding)
    }

    /// Makes the repairs that hold: the new bytes, or `None` where nothing changes.
    fn settle(&self, games: &mut [Seen], encoding: &mut Option<Recoding>) -> Option<Vec<u8>> {
        // Each round gives up at least one game, and the last gives up all.
        const ROUNDS: usize = 4;
        for round in 1..=ROUNDS {
            if round == ROUNDS {
                games.iter_mut().for_each(|game| game.active = false);
            }
            let recode = encoding.as_ref().is_some_and(|recoding| recoding.active);
            if !recode && games.iter().all(|game| !game.active) {
                return None;
            }
            match self.attempt(games, encoding.as_ref().filter(|one| one.active)) {
                Ok(bytes) => return Some(bytes).filter(|bytes| bytes != self.bytes),
                Err(Some(wrong)) if wrong.iter().any(|index| games[*index].active) => {
                    wrong.into_iter().for_each(|index| games[index].active = false);
                }
                Err(_) if games.iter().any(|game| game.active) => {
                    games.iter_mut().for_each(|game| game.active = false);
                }
                Err(_) => break,
            }
        }
        if let Some(recoding) = encoding.as_mut().filter(|recoding| recoding.active) {
            recoding.active = false;
            recoding.findings.push(not_repaired(
                Words::new(
                    "改了编码就读不回同样的棋谱，未改",
                    "in another encoding it would not read back the same, so it is left as it is",
                ),
                "unproved",
            ));
        }
        None
    }

    /// Makes all active repairs and checks the result: the bytes, or the games that do not hold, or nothing if the
    /// file as a whole does not.
    fn attempt(
        &self,
        games: &[Seen],
        recoding: Option<&Recoding>,
    ) -> Result<Vec<u8>, Option<Vec<usize>>> {
        let mut edits: Vec<(&Edit, Option<usize>)> = Vec::new();
        for (index, game) in games.iter().enumerate().filter(|(_, game)| game.active) {
            edits.extend(game.repairs.values().flatten().map(|edit| (edit, Some(index))));
        }
        edits.extend(recoding.into_iter().flat_map(|one| &one.edits).map(|edit| (edit, None)));
        edits.sort_by_key(|(edit, game)| (edit.span.start, edit.span.end, *game));
        // Two findings may ask for the same.
        edits.dedup_by(|(a, _), (b, _)| a == b);
        let clash = |pair: &[(&Edit, Option<usize>)]| {
            let [(before, _), (behind, game)] = pair else { return None };
            (behind.span.start < before.span.end).then_some(*game)
        };
        if let Some(game) = edits.windows(2).find_map(clash) {
            return Err(game.map(|game| vec![game]));
        }
        let bytes = match self.text {
            None => self.cut(&edits),
            Some(text) => compose(text, self.bytes, &edits, recoding.is_some())
                .map_err(|game| game.map(|game| vec![game]))?,
        };
        let again = self.again(&bytes, recoding.is_some()).ok_or(None)?;
        if again.len() != games.len() {
            return Err(None);
        }
        let holds = |(seen, again): (&Seen, &Again)| {
            let more = |(code, count): (&Code, &usize)| {
                let mended = seen.mended.get(code).copied().filter(|_| !seen.active);
                *count > seen.others.get(code).copied().unwrap_or(0) + mended.unwrap_or(0)
            };
            seen.digests[usize::from(seen.active)] == again.digest && !again.codes.iter().any(more)
        };
        let wrong: Vec<usize> =
            (0..games.len()).filter(|index| !holds((&games[*index], &again[*index]))).collect();
        if wrong.is_empty() { Ok(bytes) } else { Err(Some(wrong)) }
    }

    /// A binary file without the bytes at its end that are cut.
    fn cut(&self, edits: &[(&Edit, Option<usize>)]) -> Vec<u8> {
        let end = edits.iter().map(|(edit, _)| edit.span.range().start).min();
        self.bytes[..end.unwrap_or(self.bytes.len()).min(self.bytes.len())].to_vec()
    }

    /// Reads and replays the repaired file as a later check would; `None` if it would take it for another format.
    fn again(&self, bytes: &[u8], recoded: bool) -> Option<Vec<Again>> {
        let encoding = self.options.encoding.filter(|_| !recoded);
        let format = self.options.from.or_else(|| format::sniff(bytes, encoding));
        if format != Some(self.format) {
            return None;
        }
        let replay = replay::Options { tree: true, repairs: false, ..self.options.replay.clone() };
        let mut games = Vec::new();
        let text = format::text(bytes, self.format, encoding);
        format::read(bytes, self.format, encoding, &mut |record, locate, _| {
            let mut game = replay::replay(&record, locate, &replay);
            if self.format == Format::Pgn {
                game.findings.extend(spelled::tag_names(&record, text.as_ref(), locate));
            }
            games.push(again(&record, &game));
        });
        Some(games)
    }
}

fn again(record: &Record<'_>, game: &Game) -> Again {
    Again { digest: digest::of(record, game, &[]), codes: codes(&game.findings) }
}

impl Seen {
    /// The report, with what has been repaired.
    fn told(mut self) -> GameReport {
        for (index, edits) in &self.repairs {
            let Some(finding) = self.report.findings.get_mut(*index).filter(|_| self.active) else {
                continue;
            };
            let Some(first) = edits.first() else { continue };
            let mut add = |key: &str, value: Value| finding.data.insert(key.to_owned(), value);
            add("fixed", true.into());
            add("was", first.was.as_str().into());
            add("now", first.now.as_str().into());
            if edits.len() > 1 {
                let list = edits.iter().take(LISTED);
                add("edits", list.map(|edit| json!({"was": edit.was, "now": edit.now})).collect());
                add("edited", edits.len().into());
            }
        }
        if !self.active && !self.repairs.is_empty() {
            self.report.findings.push(not_repaired(
                Words::new(
                    "修复后读不回同样的棋谱，本局未改",
                    "repaired it would not read back the same, so the game is left as it is",
                ),
                "unproved",
            ));
            finding::sort(&mut self.report.findings);
        }
        self.report
    }
}

impl Recoding {
    /// Whether it was done is told by its own finding.
    fn told(mut self) -> Vec<Finding> {
        if let Some(first) = self.findings.first_mut().filter(|_| self.active) {
            first.data.insert("fixed".to_owned(), true.into());
        }
        self.findings
    }
}

/// `QJ013`.
pub(super) fn not_repaired(words: Words, reason: &'static str) -> Finding {
    Finding::new(Code::NOT_REPAIRED, words).at(Binary.place(Span::default())).with("reason", reason)
}

/// The text with its edits: in UTF-8 if `recode`, else in the bytes it has, so that what was not decoded stays too. The
/// game whose new text the encoding lacks, where there is one.
fn compose(
    text: &Text<'_>,
    bytes: &[u8],
    edits: &[(&Edit, Option<usize>)],
    recode: bool,
) -> Result<Vec<u8>, Option<usize>> {
    let string = text.as_str();
    let source: Cow<'_, [u8]> = if recode { string.as_bytes().into() } else { bytes.into() };
    let mut out = Vec::with_capacity(source.len() + 64);
    let mut at = 0;
    for (edit, game) in edits {
        let range = edit.span.range();
        let (start, end, now) = if recode {
            (range.start, range.end, edit.now.clone().into_bytes())
        } else {
            let encoding = text.encoding_at(range.start);
            if !edit.now.chars().all(|c| encoding.holds(c)) {
                return Err(*game);
            }
            (text.offset(range.start), text.offset(range.end), encoding.units(&edit.now))
        };
        out.extend_from_slice(&source[at..start]);
        out.extend_from_slice(&now);
        at = end;
    }
    out.extend_from_slice(&source[at..]);
    Ok(out)
}

fn codes(findings: &[Finding]) -> BTreeMap<Code, usize> {
    let mut codes = BTreeMap::new();
    findings.iter().for_each(|finding| *codes.entry(finding.code).or_default() += 1);
    codes
}

fn less(all: &BTreeMap<Code, usize>, some: &BTreeMap<Code, usize>) -> BTreeMap<Code, usize> {
    all.iter().map(|(code, n)| (*code, n - some.get(code).copied().unwrap_or(0).min(*n))).collect()
}

/// The first bytes in hexadecimal, as many as a person looks at.
fn hex(bytes: &[u8]) -> String {
    const SHOWN: usize = 32;
    let mut hex: String = bytes.iter().take(SHOWN).map(|byte| format!("{byte:02x}")).collect();
    hex.extend((bytes.len() > SHOWN).then_some('…'));
    hex
}

fn narrow(c: char) -> char {
    match c {
        '０'..='９' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        _ => c,
    }
}

fn widen(c: char) -> char {
    match c {
        '0'..='9' => char::from_u32(c as u32 + 0xFEE0).unwrap_or(c),
        _ => c,
    }
}
