//! Findings for people, as a good compiler shows its own.

use std::{collections::BTreeMap, ops::Range};

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::{
    GameReport, Style, board, is_fixed, ruling,
    width::{clip, end_within, printable, printable_lines, without_c1},
};
use crate::{
    board::Side,
    finding::{Code, Excerpt, Finding, Lang, Severity},
};

/// How many findings of one code a game shows in full.
const SHOWN: u32 = 3;
/// Columns of an excerpt; fixed, because output must not depend on the terminal.
const COLUMNS: usize = 100;
/// Columns that the caret underlines at most.
const CARETS: usize = 60;
/// Bytes of a line looked at on each side of the place, more than `COLUMNS` ever show.
const AROUND: usize = 1000;
/// Characters of a long line that are made up for, so that the column is counted right.
const MADE_UP: usize = 4096;

/// The findings of one game; nothing if it has none.
pub(super) fn game(report: &GameReport, style: Style) -> String {
    if report.findings.is_empty() {
        return String::new();
    }
    let mut blocks = Vec::new();
    let mut seen: BTreeMap<Code, u32> = BTreeMap::new();
    let mut listed: BTreeMap<Code, u32> = BTreeMap::new();
    let mut repairs = String::new();
    for finding in &report.findings {
        let times = seen.entry(finding.code).or_default();
        *times += 1;
        if *times <= SHOWN {
            blocks.push(block(report, finding, style));
        } else if is_fixed(finding) {
            // Every repair is listed.
            repairs += &repair_line(report, finding, style.lang);
            listed.entry(finding.code).and_modify(|count| *count += 1).or_insert(1);
        }
    }
    if !repairs.is_empty() {
        blocks.push(repairs);
    }
    let more: String = seen
        .into_iter()
        .map(|(code, times)| {
            (code, times.saturating_sub(SHOWN + listed.get(&code).copied().unwrap_or(0)))
        })
        .filter(|(_, times)| *times > 0)
        .map(|(code, times)| more(code, times, unlisted(report, code), style.lang))
        .collect();
    if !more.is_empty() {
        blocks.push(more);
    }
    title(report, style) + &blocks.join("\n")
}

/// Which game it is: source, number, event, players.
fn title(report: &GameReport, style: Style) -> String {
    if report.game == 0 {
        return String::new();
    }
    let tag = |key| report.tag(key).map(|value| clip(&printable(value), 40).into_owned());
    let event = tag("event").or_else(|| tag("title"));
    let source = printable(&report.source);
    let number = report.game;
    let mut line = match style.lang {
        Lang::Zh => format!("{source} 第{number}局"),
        Lang::En => format!("{source}, game {number}"),
    };
    let players = match (tag("red"), tag("black"), style.lang) {
        (None, None, _) => None,
        (red, black, Lang::Zh) => {
            let name = |name: Option<String>| name.unwrap_or_else(|| "佚名".to_owned());
            Some(format!("{}（红）对{}（黑）", name(red), name(black)))
        }
        (red, black, Lang::En) => {
            let name = |name: Option<String>| name.unwrap_or_else(|| "?".to_owned());
            Some(format!("{} (Red) v {} (Black)", name(red), name(black)))
        }
    };
    let (colon, comma) = match style.lang {
        Lang::Zh => ("：", "，"),
        Lang::En => (": ", ", "),
    };
    let known: Vec<String> = event.into_iter().chain(players).collect();
    if !known.is_empty() {
        line.push_str(colon);
        line.push_str(&known.join(comma));
    }
    if style.color { format!("\u{1b}[1m{line}\u{1b}[0m\n") } else { line + "\n" }
}

/// One finding in full.
fn block(report: &GameReport, finding: &Finding, style: Style) -> String {
    let lang = style.lang;
    let path = printable(&report.source);
    let where_in_game = ply_words(finding, lang);
    let severity = finding.severity.words();
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    let mut group = level
        .with_name(Some(severity.get(lang)))
        .primary_title(without_c1(finding.message.get(lang)))
        .id(finding.code.to_string())
        .elements(std::iter::empty::<Origin<'_>>());

    let place = &finding.place;
    let window = place.excerpt.as_ref().and_then(|excerpt| Window::of(excerpt, place.column));
    let line = place.line.map_or(1, |line| line as usize);
    group = match (&window, place.line) {
        (Some(window), Some(_)) => {
            let caret = AnnotationKind::Primary
                .span(window.range.clone())
                .label(Some(&*where_in_game).filter(|words| !words.is_empty()));
            let snippet = Snippet::source(&*window.source).line_start(line).annotation(caret);
            if window.right_column {
                group.element(snippet.path(&*path))
            } else {
                group.element(origin(&path, finding)).element(snippet)
            }
        }
        (_, Some(_)) => group.element(origin(&path, finding)),
        (_, None) => group.element(Origin::path(binary_place(&path, place.offset, lang))),
    };
    if window.is_none() || place.line.is_none() {
        let where_in_game = where_in_game.clone();
        let written =
            finding.text.as_deref().map(|text| clip(&printable(text), CARETS).into_owned());
        let words: Vec<String> =
            written.into_iter().chain(Some(where_in_game).filter(|w| !w.is_empty())).collect();
        if !words.is_empty() {
            group = note(group, say(lang, "着法", "move"), words.join(say(lang, "，", ", ")));
        }
    }
    for (name, text) in notes(finding, style) {
        group = note(group, name, text);
    }
    if let Some(help) = &finding.help {
        let help = printable_lines(help.get(lang));
        group = group.element(Level::HELP.with_name(Some(say(lang, "建议", "help"))).message(help));
    }
    let renderer = if style.color { Renderer::styled() } else { Renderer::plain() };
    renderer.term_width(COLUMNS).render(&[group]) + "\n"
}

/// What else there is to say: the branch, the board, the article.
fn notes(finding: &Finding, style: Style) -> Vec<(&'static str, String)> {
    let lang = style.lang;
    let mut notes = Vec::new();
    notes.extend(repair_words(finding).map(|words| (say(lang, "已修复", "repaired"), words)));
    if !finding.path.is_empty() {
        let steps: Vec<String> = finding
            .path
            .iter()
            .map(|(ply, index)| match lang {
                Lang::Zh => format!("第{ply}着变{index}"),
                Lang::En => format!("ply {ply} no. {index}"),
            })
            .collect();
        notes.push((say(lang, "变着", "variation"), steps.join(" > ")));
    }
    if let Some(plies) = ruling::plies(finding, lang) {
        notes.push((say(lang, "棋例", "plies"), plies));
    }
    let drawn = style.boards || finding.severity == Severity::Error;
    let diagram = finding.board.as_deref().filter(|_| drawn);
    if let Some(diagram) = diagram.and_then(|fen| board::diagram(fen, lang, style.color)) {
        notes.push((say(lang, "局面", "board"), diagram));
    }
    if let Some(article) = &finding.article {
        notes.push(match lang {
            Lang::Zh => ("规则", super::article_zh(&printable(article))),
            Lang::En => ("article", printable(article)),
        });
    }
    notes
}

fn note<'a>(group: Group<'a>, name: &'static str, text: String) -> Group<'a> {
    group.element(Level::NOTE.with_name(Some(name)).message(text))
}

fn say(lang: Lang, zh: &'static str, en: &'static str) -> &'static str {
    match lang {
        Lang::Zh => zh,
        Lang::En => en,
    }
}

/// Path, line and column without an excerpt.
fn origin(path: &str, finding: &Finding) -> Origin<'static> {
    let origin = Origin::path(path.to_owned());
    match (finding.place.line, finding.place.column) {
        (Some(line), Some(column)) => origin.line(line as usize).char_column(column as usize),
        (Some(line), None) => origin.line(line as usize),
        (None, _) => origin,
    }
}

/// Path and byte of a binary source, the byte also as a hex editor shows it; the first byte stands for the file.
fn binary_place(path: &str, offset: Option<u64>, lang: Lang) -> String {
    match (offset, lang) {
        (None | Some(0), _) => path.to_owned(),
        (Some(offset), Lang::Zh) => format!("{path}（字节 {offset}，{offset:#x}）"),
        (Some(offset), Lang::En) => format!("{path} (byte {offset}, {offset:#x})"),
    }
}

/// `第9回合 红方` or `round 9, Red`; empty for the whole game.
fn ply_words(finding: &Finding, lang: Lang) -> String {
    if finding.ply == 0 {
        return String::new();
    }
    let side = finding.side.map(|side| match (side, lang) {
        (Side::Red, Lang::Zh) => "红方",
        (Side::Black, Lang::Zh) => "黑方",
        (Side::Red, Lang::En) => "Red",
        (Side::Black, Lang::En) => "Black",
    });
    let number = match (finding.round, lang) {
        (Some(round), Lang::Zh) => format!("第{round}回合"),
        (Some(round), Lang::En) => format!("round {round}"),
        (None, Lang::Zh) => format!("第{}着", finding.ply),
        (None, Lang::En) => format!("ply {}", finding.ply),
    };
    match (side, lang) {
        (Some(side), Lang::Zh) => format!("{number} {side}"),
        (Some(side), Lang::En) => format!("{number}, {side}"),
        (None, _) => number,
    }
}

/// What was written for what, and how many times in all if more than once; empty if nothing was.
fn repair_words(finding: &Finding) -> Option<String> {
    if !is_fixed(finding) {
        return None;
    }
    let text = |key: &str| {
        let value = finding.data.get(key).and_then(|value| value.as_str()).unwrap_or_default();
        let value = clip(&printable(value), CARETS).into_owned();
        if value.is_empty() { "“”".to_owned() } else { value }
    };
    let edited = finding.data.get("edited").and_then(|count| count.as_u64());
    let times = edited.map(|count| format!(" (×{count})")).unwrap_or_default();
    Some(format!("{} → {}{times}", text("was"), text("now")))
}

/// One repair on one line.
fn repair_line(report: &GameReport, finding: &Finding, lang: Lang) -> String {
    let place = match (finding.place.line, finding.place.column, finding.place.offset) {
        (Some(line), Some(column), _) => format!(":{line}:{column}"),
        (_, _, Some(offset)) => format!(":{offset}"),
        _ => String::new(),
    };
    let (source, code) = (printable(&report.source), finding.code);
    let words = repair_words(finding).unwrap_or_default();
    format!("{}[{code}] {source}{place}: {words}\n", say(lang, "已修复", "repaired"))
}

/// How many findings of `code` no report lists, because the game has too many.
fn unlisted(report: &GameReport, code: Code) -> u64 {
    let of_code = report.findings.iter().filter(|finding| finding.code == code);
    of_code.filter_map(|finding| finding.data.get("more")?.as_u64()).sum()
}

/// The line about the findings that are not shown; `unlisted` are not listed in JSON either.
fn more(code: Code, times: u32, unlisted: u64, lang: Lang) -> String {
    let title = code.entry().title();
    let title = title.get(lang);
    let all = u64::from(times) + unlisted;
    match (lang, unlisted) {
        (Lang::Zh, 0) => format!("另有 {all} 处 {code}（{title}）未列出，--format json 列出全部\n"),
        (Lang::Zh, _) => {
            format!("另有 {all} 处 {code}（{title}）未列出，--format json 列出其中 {times} 处\n")
        }
        (Lang::En, 0) => {
            format!("{all} more of {code} ({title}) not shown; --format json lists them all\n")
        }
        (Lang::En, _) => {
            format!(
                "{all} more of {code} ({title}) not shown; --format json lists {times} of them\n"
            )
        }
    }
}

/// The part of an excerpt that is shown.
struct Window {
    source: String,
    range: Range<usize>,
    /// Whether the place's column is where the range starts in `source`.
    right_column: bool,
}

impl Window {
    /// Cuts a long line down to the place, and makes up for the characters before it by spaces, so that the column
    /// that is printed is that of the place.
    fn of(excerpt: &Excerpt, column: Option<u32>) -> Option<Window> {
        let line = excerpt.line.as_str();
        let start = floor(line, excerpt.range.start);
        let end = floor(line, excerpt.range.end).max(start);
        let end = end.min(start + end_within(&line[start..], CARETS));
        let from = floor(line, start.saturating_sub(AROUND));
        let to = floor(line, end.saturating_add(AROUND));
        let shown = without_c1(line.get(from..to)?).replace('\n', " ");
        let before = shown[..start - from].chars().count();
        let missing = column.map(|column| (column as usize).checked_sub(before + 1));
        let (made_up, right_column) = match missing {
            Some(Some(missing)) if missing <= MADE_UP => (missing, true),
            _ => (0, false),
        };
        // The excerpt of a long line may have its own mark already.
        let dots = if shown.starts_with('…') { 0 } else { made_up.min(3) };
        let lead = " ".repeat(made_up - dots) + &".".repeat(dots);
        let range = start - from + made_up..end - from + made_up;
        Some(Window { source: lead + &shown, range, right_column })
    }
}

/// The last character boundary of `text` that is not past `at`.
fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::{
        super::{samples, width::width},
        *,
    };
    use crate::finding::{Place, Words};

    const ZH: Style = Style::plain(Lang::Zh);
    const EN: Style = Style::plain(Lang::En);

    /// Where the carets of `text` start and how far they reach, and where `sign` stands in the line above.
    fn carets(text: &str, sign: &str) -> (usize, usize, usize) {
        let lines: Vec<&str> = text.lines().collect();
        let at = lines.iter().position(|line| line.contains('^')).expect("a caret");
        let line = lines[at];
        let start = width(&line[..line.find('^').unwrap()]);
        let end = width(&line[..=line.rfind('^').unwrap()]);
        let above = lines[at - 1];
        (start, end, width(&above[..above.rfind(sign).expect("the text above the caret")]))
    }

    #[test]
    fn the_caret_is_right_under_double_width_characters() {
        for line in [
            "马八进六",
            "1. 炮二平五 马８进7 2. 马八进六 卒7进1",
            "　　〖全角〗\t炮二平五，马八进六",
            "①②……——炮 马八进六",
            "e\u{301}\u{200b}ﾊ马八进六",
        ] {
            let mut report = samples::illegal_horse();
            report.findings = vec![samples::horse_finding(line)];
            let text = game(&report, EN);
            let (start, end, above) = carets(&text, "马八进六");
            assert_eq!(start, above, "{text}");
            assert_eq!(end - start, 8, "{text}");
        }
    }

    #[test]
    fn the_caret_and_the_column_are_right_in_a_long_line() {
        let before = "炮二平五 马8进7 ".repeat(300);
        let after = " 卒7进1".repeat(300);
        let finding = samples::horse_finding(&format!("{before}马八进六{after}"));
        let mut report = samples::illegal_horse();
        report.findings = vec![finding.clone()];
        let text = game(&report, EN);
        let (start, end, above) = carets(&text, "马八进六");
        assert_eq!((start, end - start), (above, 8), "{text}");
        assert!(text.contains("samples/a.pgn:12:3001\n"), "{text}");
        assert!(text.lines().all(|line| width(line) < 2 * COLUMNS), "{text}");

        // The excerpt itself is only a part of the line.
        let mut cut = finding;
        let line = "…2平五 马八进六 卒7…".to_owned();
        let start = line.find("马八").unwrap();
        cut.place.excerpt = Some(Excerpt { line, range: start..start + 12 });
        report.findings = vec![cut.clone()];
        let text = game(&report, EN);
        let (start, end, above) = carets(&text, "马八进六");
        assert_eq!((start, end - start), (above, 8), "{text}");
        assert!(text.contains("samples/a.pgn:12:3001\n"), "{text}");

        // Too far to the right to be made up for.
        cut.place.column = Some(3_000_000);
        report.findings = vec![cut];
        let text = game(&report, EN);
        assert!(text.contains("samples/a.pgn:12:3000000\n"), "{text}");
        assert_eq!(carets(&text, "马八进六").0, carets(&text, "马八进六").2, "{text}");
    }

    #[test]
    fn it_names_the_game_the_place_the_ply_the_article_and_the_help() {
        let zh = game(&samples::illegal_horse(), ZH);
        for part in [
            "samples/a.pgn 第1局：全国个人赛，甲（红）对乙（黑）\n",
            "错误[QJ301]: 马腿被蹩\n",
            "--> samples/a.pgn:12:17\n",
            "^^^^^^^^ 第2回合 红方\n",
            "= 规则: 第 2.2 条\n",
            "= 建议: 核对原谱\n",
            "= 局面: 轮到红方走\n",
        ] {
            assert!(zh.contains(part), "{part} is not in\n{zh}");
        }
        let en = game(&samples::illegal_horse(), EN);
        for part in [
            "samples/a.pgn, game 1: 全国个人赛, 甲 (Red) v 乙 (Black)\n",
            "error[QJ301]: the horse is hobbled\n",
            "^^^^^^^^ round 2, Red\n",
            "= article: 2.2\n",
            "= help: check the original record\n",
            "= board: Red to move\n",
        ] {
            assert!(en.contains(part), "{part} is not in\n{en}");
        }
    }

    #[test]
    fn the_board_stays_straight_in_the_report() {
        for (style, mark) in [(ZH, '['), (EN, 'r')] {
            let text = game(&samples::illegal_horse(), style);
            let ranks: Vec<&str> = text
                .lines()
                .filter(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit()))
                .filter(|line| !line.contains('|'))
                .collect();
            assert_eq!(ranks.len(), 10, "{text}");
            assert!(ranks[0].contains(mark), "{text}");
            let edge = |line: &&str| line.len() - line.trim_start().len();
            assert!(ranks.iter().all(|line| edge(line) == edge(&ranks[0])), "{text}");
        }
    }

    #[test]
    fn a_binary_place_is_a_byte_with_the_move_beside_it() {
        let mut report = samples::illegal_horse();
        report.source = "a.xqf".to_owned();
        report.findings[0].place = Place { offset: Some(1030), ..Place::default() };
        report.findings[0].path = vec![(12, 1), (14, 2)];
        let zh = game(&report, ZH);
        assert!(zh.contains("--> a.xqf（字节 1030，0x406）\n"), "{zh}");
        assert!(zh.contains("= 着法: 马八进六，第2回合 红方\n"), "{zh}");
        assert!(zh.contains("= 变着: 第12着变1 > 第14着变2\n"), "{zh}");
        let en = game(&report, EN);
        assert!(en.contains("--> a.xqf (byte 1030, 0x406)\n"), "{en}");
        assert!(en.contains("= move: 马八进六, round 2, Red\n"), "{en}");
    }

    #[test]
    fn a_file_without_a_game_has_no_title() {
        let mut report = GameReport::new("a.png", 0);
        report.findings.push(Finding::new(Code::UNKNOWN_FORMAT, Words::new("不识", "unknown")));
        let text = game(&report, EN);
        assert!(text.starts_with("error[QJ001]: unknown\n"), "{text}");
        assert!(text.contains("--> a.png\n"), "{text}");
    }

    #[test]
    fn of_many_findings_of_one_code_three_are_shown() {
        let mut report = samples::illegal_horse();
        let again = report.findings[0].clone();
        report.findings.extend(std::iter::repeat_n(again, 11));
        report.findings.push(Finding::new(Code::TRUNCATED, Words::new("断", "cut")));
        let zh = game(&report, ZH);
        assert_eq!(zh.matches("错误[QJ301]").count(), 3);
        assert_eq!(zh.matches("错误[QJ002]").count(), 1);
        assert!(
            zh.ends_with("另有 9 处 QJ301（着法违规）未列出，--format json 列出全部\n"),
            "{zh}"
        );
        let en = game(&report, EN);
        assert!(
            en.ends_with(
                "\n9 more of QJ301 (illegal move) not shown; --format json lists them all\n"
            ),
            "{en}"
        );
    }

    #[test]
    fn nothing_found_prints_nothing() {
        assert_eq!(game(&GameReport::new("a", 1), ZH), "");
    }

    #[test]
    fn a_source_cannot_send_control_sequences() {
        let evil = "\u{1b}]0;x\u{7}\r\u{9b}31m\u{7f}\u{85}";
        let mut report = samples::illegal_horse();
        report.source = evil.to_owned();
        report.tags =
            ["event", "red", "black"].map(|key| (key.to_owned(), evil.to_owned())).to_vec();
        let finding = &mut report.findings[0];
        finding.message = Words::new(evil, evil);
        finding.help = Some(Words::new(evil, evil));
        finding.text = Some(evil.to_owned());
        finding.article = Some(evil.into());
        for place in [
            Place {
                line: Some(1),
                column: Some(1),
                offset: None,
                excerpt: Some(Excerpt { line: evil.to_owned(), range: 0..4 }),
            },
            Place { line: Some(1), column: Some(1), offset: None, excerpt: None },
            Place::default(),
        ] {
            report.findings[0].place = place;
            let text = game(&report, ZH);
            assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
        }
    }

    // annotate-snippets panics on spans outside the source or inside a character.
    #[test]
    fn no_place_panics() {
        let backwards = Range { start: 2, end: 1 };
        let ranges =
            [0..0, 0..1, 1..2, backwards, 3..3, 5..7, 0..usize::MAX, usize::MAX..usize::MAX];
        let lines = ["", "马", "a\r\nb", "\u{301}", &"马八".repeat(2000)];
        for line in lines {
            for range in ranges.clone() {
                for column in [None, Some(0), Some(1), Some(7), Some(u32::MAX)] {
                    for number in [None, Some(0), Some(u32::MAX)] {
                        let mut report = samples::illegal_horse();
                        report.findings[0].place = Place {
                            line: number,
                            column,
                            offset: Some(u64::MAX),
                            excerpt: Some(Excerpt { line: line.to_owned(), range: range.clone() }),
                        };
                        assert!(game(&report, ZH).contains("QJ301"));
                    }
                }
            }
        }
    }

    #[test]
    fn colour_adds_nothing_but_colour() {
        let plain = game(&samples::illegal_horse(), ZH);
        let colored = game(&samples::illegal_horse(), Style { color: true, ..ZH });
        let mut stripped = String::new();
        let mut chars = colored.chars();
        while let Some(c) = chars.next() {
            if c == '\u{1b}' {
                chars.by_ref().find(|c| *c == 'm');
            } else {
                stripped.push(c);
            }
        }
        assert_eq!(stripped, plain);
        assert_ne!(colored, plain);
    }
}
