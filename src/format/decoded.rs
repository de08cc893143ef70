//! What all text formats share: decoding, and reporting the bytes that are no text.

use crate::{
    finding::{Code, Finding, Locate, Words},
    record::Record,
    source::{BadBytes, Encoding, Text, detect},
};

use super::Sink;

/// Bytes that cannot be decoded are reported one by one up to this number in a game.
const MOST_BAD_BYTES: usize = 100;

/// The reader of a text format.
pub(super) type Reader = for<'t> fn(&'t Text<'_>, &mut dyn FnMut(Record<'t>));

/// Decodes `bytes`, whose encoding is found from the content if it is not given.
pub(super) fn decode(bytes: &[u8], encoding: Option<Encoding>) -> Text<'_> {
    Text::decode(bytes, encoding.unwrap_or_else(|| detect(bytes)))
}

/// Decodes the bytes of a format whose files are often joined: games in another encoding than the rest by themselves.
pub(super) fn decode_games(bytes: &[u8], encoding: Option<Encoding>) -> Text<'_> {
    match encoding {
        Some(encoding) => Text::decode(bytes, encoding),
        None => Text::decode_games(bytes),
    }
}

/// Decodes `bytes`, reads them with `reader`, and adds to each record the undecodable bytes within it (`QJ101`).
pub(super) fn read(bytes: &[u8], encoding: Option<Encoding>, reader: Reader, sink: &mut Sink<'_>) {
    read_text(&decode(bytes, encoding), reader, sink);
}

/// [`read`] of text that has been decoded.
pub(super) fn read_text(text: &Text<'_>, reader: Reader, sink: &mut Sink<'_>) {
    records(text, reader, &mut |record, encoding| sink(record, text, encoding));
}

/// The records of `text`, each with its encoding; a game in another encoding than the rest is reported (`QJ103`).
pub(super) fn records<'t>(
    text: &'t Text<'_>,
    reader: Reader,
    sink: &mut dyn FnMut(Record<'t>, Encoding),
) {
    let bad = text.bad_bytes();
    let mut bad = bad.as_slice();
    // Held back by one, so that bad bytes behind a game go with that game.
    let mut waiting: Option<Record<'t>> = None;
    let mut sink = |record: Record<'t>| {
        let encoding = text.encoding_at(record.span.range().start);
        sink(record, encoding);
    };
    reader(text, &mut |mut record| {
        if text.is_mixed() {
            record.findings.extend(foreign(&record, text));
        }
        let start = record.span.start;
        if let Some(mut done) = waiting.replace(record) {
            let (mine, later) = bad.split_at(bad.partition_point(|bad| bad.span.start < start));
            bad = later;
            report(&mut done, mine, text);
            sink(done);
        }
    });
    if let Some(mut last) = waiting {
        report(&mut last, bad, text);
        sink(last);
    }
}

/// `QJ103` for a game in another encoding than most of its file.
fn foreign(record: &Record<'_>, text: &Text<'_>) -> Option<Finding> {
    let range = record.span.range();
    let (own, file) = (text.encoding_at(range.start), text.encoding());
    let (own_name, file_name) = (own.as_str(), file.as_str());
    let words = Words::new(
        format!("本局文字是 {own_name}，文件是 {file_name}，已按 {own_name} 解码"),
        format!("this game is in {own_name}, the file in {file_name}; it is decoded as {own_name}"),
    );
    let finding = Finding::new(Code::MIXED_ENCODINGS, words)
        .at(text.place(record.span))
        .help(Words::new(
            "用 qijian check --fix 统一为 UTF-8",
            "make it UTF-8 throughout with `qijian check --fix`",
        ))
        .with("encoding", own_name)
        .with("file_encoding", file_name)
        .with("start", text.source_offset(range.start))
        .with("end", text.source_offset(range.end));
    (own != file).then_some(finding)
}

/// The reader of a text format whose records do not borrow from the text alone; it says which record is the last.
pub(super) type EachReader = fn(&Text<'_>, &mut dyn for<'r> FnMut(Record<'r>, bool));

/// [`read`] for such a reader.
pub(super) fn read_each(
    bytes: &[u8],
    encoding: Option<Encoding>,
    reader: EachReader,
    sink: &mut Sink<'_>,
) {
    let text = decode(bytes, encoding);
    let encoding = text.encoding();
    let bad = text.bad_bytes();
    let mut bad = bad.as_slice();
    reader(&text, &mut |mut record, last| {
        let within = bad.partition_point(|bad| last || bad.span.start < record.span.end);
        let (mine, later) = bad.split_at(within);
        bad = later;
        report(&mut record, mine, &text);
        sink(record, &text, encoding);
    });
}

fn report(record: &mut Record<'_>, bad: &[BadBytes], text: &Text<'_>) {
    for (index, bad_bytes) in bad.iter().take(MOST_BAD_BYTES).enumerate() {
        let hex: String = bad_bytes.bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let name = text.encoding_at(bad_bytes.span.range().start).as_str();
        let mut finding = Finding::new(
            Code::UNDECODABLE_TEXT,
            Words::new(
                format!("字节 {hex} 不是 {name} 文字"),
                format!(
                    "{} not {name} text",
                    if hex.len() == 2 {
                        format!("byte {hex} is")
                    } else {
                        format!("bytes {hex} are")
                    }
                ),
            ),
        )
        .at(text.place(bad_bytes.span))
        .help(Words::new(
            "用 --encoding 指定编码，或改正这些字节",
            "name the encoding with --encoding, or correct the bytes",
        ))
        .with("bytes", hex)
        .with("kept", true);
        if index + 1 == MOST_BAD_BYTES && bad.len() > MOST_BAD_BYTES {
            finding = finding.with("more", bad.len() - MOST_BAD_BYTES);
        }
        record.findings.push(finding);
    }
}
