//! The binary formats on all real files: what is read, and that nothing is lost in writing.

use std::{fs, path::PathBuf};

use qijian::{
    board::{Kind, Position},
    finding::Locate,
    format::{self, Format, Part, cbr, xqf},
    record::{NodeId, Record, Start, Written, standard_key},
    source::Encoding,
};
use serde_json::Value;

use crate::support::{lines, qijian, root, shared};

/// The files of a folder of the archive.
fn files(folder: &str) -> Vec<PathBuf> {
    let Some(data) = shared("data") else { return Vec::new() };
    let mut files: Vec<PathBuf> = walkdir::WalkDir::new(data.join(folder))
        .into_iter()
        .map(|entry| entry.unwrap().into_path())
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    files
}

fn records(bytes: &[u8], sink: &mut dyn FnMut(&Record<'_>, &dyn Locate, Encoding)) {
    let format = format::sniff(bytes, None).unwrap();
    format::read(bytes, format, None, &mut |record, locate, encoding| {
        sink(&record, locate, encoding);
    });
}

/// The squares of a ply, whatever its bytes.
fn squares(written: &Written<'_>) -> String {
    match written {
        Written::Squares { from, to, .. } => format!("{from:?}{to:?}"),
        other => format!("{other:?}"),
    }
}

/// The tree with its comments as text: what a format must keep.
fn tree(record: &Record<'_>) -> String {
    let tree = &record.tree;
    let mut all = String::new();
    let mut comments = vec![String::new(); tree.len() + 1];
    for comment in &tree.comments {
        let text = &mut comments[comment.node.index()];
        text.push_str(comment.text.trim_end_matches('\n'));
    }
    let mut waiting = vec![(NodeId::ROOT, 0)];
    while let Some((id, depth)) = waiting.pop() {
        let move_ =
            if id == NodeId::ROOT { String::new() } else { squares(&tree.node(id).written) };
        all.push_str(&format!("{depth} {move_} {{{}}}\n", comments[id.index()]));
        let mut children: Vec<_> = tree.children(id).map(|child| (child, depth + 1)).collect();
        children.reverse();
        waiting.extend(children);
    }
    all
}

/// Everything that a record says, but not where.
fn said(record: &Record<'_>) -> String {
    let start = match &record.start {
        Start::Standard => "standard".to_owned(),
        Start::Fen { text, .. } => text.to_string(),
        Start::Board { setup, .. } => format!("{setup:?}"),
    };
    let tags: Vec<_> = record.tags.iter().map(|tag| (&tag.name, &tag.value)).collect();
    let result = record.result.as_ref().map(|result| (&result.text, result.outcome));
    format!("{tags:?}\n{start}\n{result:?}\n{}", tree(record))
}

/// What is the same in every format: pieces, result, moves, comments.
fn core(record: &Record<'_>) -> String {
    let start = match &record.start {
        Start::Board { setup, .. } => format!("{:?}", setup.squares),
        _ => panic!("no board"),
    };
    let result = record.result.as_ref().map(|result| result.outcome);
    format!("{start}\n{result:?}\n{}", tree(record))
}

/// R17, R21, R33: every real XQF file, variations, odd bytes and all, is written as it was.
#[test]
fn every_xqf_file_is_written_as_it_was() {
    let (mut same, mut wrong) = (0, Vec::new());
    for path in files("xqf") {
        let bytes = fs::read(&path).unwrap();
        if !bytes.starts_with(b"XQ") {
            continue;
        }
        records(&bytes, &mut |record, _, encoding| {
            let (written, losses) = xqf::write(record, &[], encoding);
            let (again, _) = xqf::read(&written, Some(encoding));
            if said(record) != said(&again) || !losses.is_empty() {
                wrong.push(format!("{}: another record, {losses:?}", path.display()));
            } else if written != bytes {
                let at = written.iter().zip(&bytes).position(|(a, b)| a != b);
                wrong.push(format!(
                    "{}: byte {at:?}, {} and {} bytes",
                    path.display(),
                    written.len(),
                    bytes.len()
                ));
            } else {
                same += 1;
            }
        });
    }
    eprintln!("xqf: {same} files written as they were, {} not", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong[..wrong.len().min(20)].join("\n"));
}

#[test]
fn every_cbr_record_is_written_as_it_was() {
    let mut same = 0;
    for path in files("cbr").into_iter().chain(files("cbl")) {
        let bytes = fs::read(&path).unwrap();
        records(&bytes, &mut |record, _, _| {
            let (written, losses) = cbr::write(record, &[]);
            assert!(written == record.raw, "{} game {}", path.display(), record.game);
            assert!(losses.iter().all(|loss| loss.text.contains("Library")));
            same += 1;
        });
    }
    eprintln!("cbr: {same} records written as they were");
    assert!(same == 0 || same == 213);
}

/// From each format into the other and read back: pieces, result, moves, variations and comments are the same, and each
/// tag is either the same or reported.
#[test]
fn conversion_between_binary_formats_loses_nothing_in_silence() {
    let mut games = 0;
    let mut all = files("cbr");
    all.extend(files("cbl"));
    all.extend(files("cbl-old"));
    // Every seventh XQF file is enough here.
    all.extend(files("xqf").into_iter().step_by(7));
    for path in all {
        let bytes = fs::read(&path).unwrap();
        if format::sniff(&bytes, None).is_none() {
            continue;
        }
        records(&bytes, &mut |record, _, _| {
            let mut plain = record.clone();
            // As if it came from elsewhere.
            plain.raw = &[];
            let (as_xqf, xqf_losses) = xqf::write(&plain, &[], Encoding::Gb18030);
            let (from_xqf, _) = xqf::read(&as_xqf, Some(Encoding::Gb18030));
            let (as_cbr, cbr_losses) = cbr::write(&plain, &[]);
            let from_cbr = cbr::read(&as_cbr);
            for (back, losses) in [(&from_xqf, &xqf_losses), (&from_cbr, &cbr_losses)] {
                let lost = |part| losses.iter().any(|loss| loss.part == part);
                assert!(back.findings.is_empty() || lost(Part::Move), "{:?}", back.findings);
                if !lost(Part::Move) && !lost(Part::Start) && !lost(Part::Comment) {
                    assert_eq!(core(record), core(back), "{} {}", path.display(), record.game);
                }
                for tag in &record.tags {
                    let key = standard_key(&tag.name);
                    let held = back.tags.iter().any(|other| {
                        other.value == tag.value
                            && (other.name == tag.name
                                || key.is_some() && standard_key(&other.name) == key)
                    });
                    let reported = losses.iter().any(|loss| loss.text.contains(&*tag.name));
                    assert!(held || reported, "{}: {tag:?}", path.display());
                }
            }
            games += 1;
        });
    }
    eprintln!("{games} games converted to XQF and CBR and back");
}

/// Findings about the file, its text, its moves and its result; rulings on repetition and limits are not the reader's.
fn faults(game: &Value) -> Vec<&Value> {
    let findings = game["findings"].as_array().unwrap().iter();
    findings.filter(|finding| finding["code"].as_str().unwrap() < "QJ500").collect()
}

/// Nothing else opens the older libraries, so the rules of the game are the witness: each file is used to its last
/// byte, and each of the 23 462 plies is a move of a piece that stands there. The counts of games are the files' own.
#[test]
fn older_libraries_replay_to_the_last_byte() {
    let expected = [20, 22, 11, 8, 8, 4, 49, 93, 182];
    let (mut plies, mut variations) = (0, 0);
    let mut counts = Vec::new();
    for path in files("cbl-old") {
        let bytes = fs::read(&path).unwrap();
        let mut games = 0;
        records(&bytes, &mut |record, _, encoding| {
            games += 1;
            assert_eq!(record.game, games);
            assert!(record.findings.is_empty(), "{:?}", record.findings);
            assert_eq!(encoding, Encoding::Gb18030);
            plies += record.tree.len();
            variations += record.tree.variations();
        });
        counts.push(games);
    }
    if counts.is_empty() {
        return;
    }
    counts.sort_unstable();
    let mut sorted = expected.to_vec();
    sorted.sort_unstable();
    assert_eq!(counts, sorted);
    assert_eq!((plies, variations), (23_462, 221));
    let output = qijian(&["check", "../shared/data/cbl-old", "--format", "jsonl"]);
    // In five compositions of one book a side leaves its general in check, and in one a pawn stands where none can.
    let mut at_fault = Vec::new();
    for game in &lines(&output) {
        let counts = &game["counts"]["nodes"];
        assert!(counts["refused"].is_null() || counts["refused"] == 0);
        for finding in faults(game) {
            at_fault.push(game["game"].as_u64().unwrap());
            match finding["code"].as_str().unwrap() {
                "QJ301" => assert_eq!(finding["data"]["reason"], "in_check", "{finding}"),
                "QJ302" => assert_eq!(finding["data"]["after"], "checkmate", "{finding}"),
                code => assert_eq!(code, "QJ303"),
            }
        }
    }
    at_fault.dedup();
    assert_eq!(at_fault, [13, 60, 77, 101, 142, 151]);
}

/// A ply of the older libraries says its move twice, as squares and as notation; both must agree, which shows that
/// neither is misread.
#[test]
fn older_libraries_agree_with_their_own_notation() {
    const KINDS: [Kind; 7] = [
        Kind::Chariot,
        Kind::Horse,
        Kind::Elephant,
        Kind::Adviser,
        Kind::General,
        Kind::Cannon,
        Kind::Pawn,
    ];
    let mut seen = 0;
    for path in files("cbl-old") {
        let bytes = fs::read(&path).unwrap();
        let mut data = Vec::new();
        let mut stream = flate2::read::ZlibDecoder::new(&bytes[20..]);
        std::io::Read::read_to_end(&mut stream, &mut data).unwrap();
        records(&bytes, &mut |record, _, _| {
            let Start::Board { setup, .. } = &record.start else { panic!("no board") };
            let mut position = Position::from_setup(setup, qijian::board::Side::Red);
            for id in record.tree.main_line() {
                let node = record.tree.node(id);
                let Written::Squares { from: Some(from), to: Some(to), .. } = node.written else {
                    panic!("no squares")
                };
                let [what, how] = data[node.span.range()][4..6] else { panic!("six bytes") };
                let piece = position.piece_at(from).unwrap();
                let is_red = position.side() == qijian::board::Side::Red;
                let file =
                    |at: qijian::board::Square| if is_red { 8 - at.file() } else { at.file() };
                let kind = KINDS.iter().position(|kind| *kind == piece.kind).unwrap() as u8;
                match what >> 4 {
                    7..=9 => assert_eq!(what & 0x0F, 9 + kind),
                    named => assert_eq!((named, what & 0x0F), (kind, file(from))),
                }
                let forward = (to.rank() > from.rank()) == is_red;
                let points = from.rank().abs_diff(to.rank());
                let by_file = matches!(piece.kind, Kind::Horse | Kind::Elephant | Kind::Adviser);
                let expected = match (points, forward) {
                    (0, _) => 0x20 | file(to),
                    (_, forward) => {
                        let count = if by_file { file(to) } else { points - 1 };
                        (if forward { 0 } else { 0x10 }) | count
                    }
                };
                assert_eq!(how, expected, "{} {}", path.display(), record.game);
                position.play(qijian::board::Move { from, to });
                seen += 1;
            }
        });
    }
    assert!(seen == 0 || seen > 15_000, "{seen}");
}

/// Everything else is clean: 213 CBR records with 18 874 plies, the checksum of the XQR file, the CBF file.
#[test]
fn other_real_files_are_clean() {
    if shared("data").is_none() {
        return;
    }
    let folder = |name: &str| format!("../shared/data/{name}");
    let folders = ["cbr", "cbl", "xqr", "cbf"].map(folder);
    let mut arguments = vec!["check", "--format", "jsonl"];
    arguments.extend(folders.iter().map(String::as_str));
    let output = qijian(&arguments);
    let games = lines(&output);
    assert_eq!(games.len(), 215);
    for game in &games {
        assert!(faults(game).is_empty(), "{game}");
    }
}

/// R33: recovery must not turn into loss when a damaged file is written again: every byte of the samples changed, every
/// second record cut, and what was read is read again.
#[test]
fn damaged_records_are_written_as_they_were_read() {
    let mut files = 0;
    for name in ["valid-1.0.xqf", "valid-1.8.xqf", "valid.cbr"] {
        let whole = fs::read(root().join("samples").join(name)).unwrap();
        let mut damaged: Vec<Vec<u8>> =
            (1..whole.len()).step_by(2).map(|length| whole[..length].to_vec()).collect();
        for index in 20..whole.len() {
            for value in [0x00, 0xFF, whole[index] ^ 1, whole[index] ^ 0x80] {
                let mut bytes = whole.clone();
                bytes[index] = value;
                damaged.push(bytes);
            }
        }
        for bytes in &damaged {
            if name.ends_with("xqf") {
                let (record, encoding) = xqf::read(bytes, None);
                let (written, losses) = xqf::write(&record, &[], encoding);
                let (again, _) = xqf::read(&written, Some(encoding));
                if bytes.len() >= 1024 {
                    assert_eq!(losses, []);
                    assert_eq!(said(&record), said(&again));
                }
            } else {
                let record = cbr::read(bytes);
                let (written, losses) = cbr::write(&record, &[]);
                let again = cbr::read(&written);
                if bytes.len() >= 2214 {
                    assert_eq!(losses, []);
                    assert_eq!(said(&record), said(&again));
                }
            }
            files += 1;
        }
    }
    assert!(files > 10_000);
}

#[test]
fn every_format_has_a_name() {
    for format in Format::ALL {
        assert_eq!(Format::from_name(format.as_str()), Some(format));
    }
}
