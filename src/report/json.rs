//! JSON as CONTRACT section 4 has it: programs rely on every key and on their order.

use std::{collections::BTreeMap, io};

use serde::{Serialize, Serializer, ser::SerializeSeq};
use serde_json::{Map, Value, ser::Formatter};

use super::{GameReport, Rest, Summary, Tally};
use crate::{
    board::Move,
    finding::{Code, Finding, Lang, Severity},
};

/// What stands before the first game.
pub(super) fn head() -> Vec<u8> {
    b"{\"games\": [\n".to_vec()
}

/// One game as one object, on one line without its end.
pub(super) fn game(report: &GameReport, lang: Lang) -> Vec<u8> {
    to_bytes(&GameJson {
        source: &report.source,
        game: report.game,
        format: report.format,
        encoding: report.encoding,
        notation: report.notation,
        tags: tags(report),
        start_fen: report.start_fen.as_deref(),
        plies: report.plies,
        moves: report.moves.as_deref().map(Moves),
        rest: report.rest.as_ref().map(RestJson::new),
        variations: report.variations,
        comments: report.comments,
        final_fen: report.final_fen.as_deref(),
        result: report.result,
        termination: report.termination,
        findings: report.findings.iter().map(|finding| FindingJson::new(finding, lang)).collect(),
    })
}

/// What stands after the last game.
pub(super) fn tail(summary: &Summary) -> Vec<u8> {
    let mut tail = b"\n], \"summary\": ".to_vec();
    tail.extend(summary_object(summary));
    tail.extend_from_slice(b"}\n");
    tail
}

/// The summary as one object.
pub(super) fn summary_object(summary: &Summary) -> Vec<u8> {
    to_bytes(&SummaryJson {
        files: summary.files,
        skipped: summary.skipped,
        games: summary.counts.games.into(),
        plies: summary.plies,
        nodes: summary.counts.nodes.into(),
        comments: summary.counts.comments.into(),
        findings: by_code(&summary.findings),
        severities: Severities {
            error: summary.of_severity(Severity::Error),
            warning: summary.of_severity(Severity::Warning),
            info: summary.of_severity(Severity::Info),
        },
        fixed: summary
            .fixes
            .as_ref()
            .map(|fixes| FixedJson { files: fixes.files, findings: by_code(&fixes.findings) }),
    })
}

fn by_code(findings: &BTreeMap<(Code, Severity), u64>) -> BTreeMap<String, u64> {
    let mut by_code = BTreeMap::new();
    for ((code, _), count) in findings {
        *by_code.entry(code.to_string()).or_insert(0) += count;
    }
    by_code
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// `value` as JSON on one line, real numbers rounded to six decimals.
pub(super) fn to_bytes(value: &impl Serialize) -> Vec<u8> {
    let mut bytes = Vec::new();
    value
        .serialize(&mut serde_json::Serializer::with_formatter(&mut bytes, SixDecimals))
        .expect("memory takes every byte, and every key of our objects is a string");
    bytes
}

/// [`to_bytes`] as a string.
pub(super) fn to_string(value: &impl Serialize) -> String {
    String::from_utf8_lossy(&to_bytes(value)).into_owned()
}

#[derive(Serialize)]
struct GameJson<'a> {
    source: &'a str,
    game: u32,
    format: Option<&'a str>,
    encoding: Option<&'a str>,
    notation: Option<&'a str>,
    tags: Map<String, Value>,
    start_fen: Option<&'a str>,
    plies: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Moves<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rest: Option<RestJson<'a>>,
    variations: u32,
    comments: u32,
    final_fen: Option<&'a str>,
    result: &'a str,
    termination: &'a str,
    findings: Vec<FindingJson<'a>>,
}

struct Moves<'a>(&'a [Move]);

impl Serialize for Moves<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(Some(self.0.len()))?;
        for mv in self.0 {
            seq.serialize_element(&format_args!("{mv}"))?;
        }
        seq.end()
    }
}

#[derive(Serialize)]
struct RestJson<'a> {
    from_ply: u32,
    moves: Moves<'a>,
    texts: &'a [String],
    status: &'a str,
}

impl<'a> RestJson<'a> {
    fn new(rest: &'a Rest) -> RestJson<'a> {
        RestJson {
            from_ply: rest.from_ply,
            moves: Moves(&rest.moves),
            texts: &rest.texts,
            status: rest.status,
        }
    }
}

/// Findings as objects, for a larger one.
pub(super) fn findings(findings: &[Finding], lang: Lang) -> Vec<Value> {
    let value = |finding| serde_json::to_value(FindingJson::new(finding, lang));
    // Every key is a string, so that no finding fails to become a value.
    findings.iter().filter_map(|finding| value(finding).ok()).collect()
}

#[derive(Serialize)]
pub(super) struct FindingJson<'a> {
    code: String,
    name: &'a str,
    severity: &'a str,
    path: &'a [(u32, u32)],
    ply: u32,
    round: Option<u32>,
    side: Option<&'a str>,
    text: Option<&'a str>,
    line: Option<u32>,
    column: Option<u32>,
    offset: Option<u64>,
    article: Option<&'a str>,
    message: &'a str,
    help: Option<&'a str>,
    data: &'a Map<String, Value>,
}

impl<'a> FindingJson<'a> {
    pub(super) fn new(finding: &'a Finding, lang: Lang) -> FindingJson<'a> {
        FindingJson {
            code: finding.code.to_string(),
            name: finding.code.entry().name,
            severity: finding.severity.as_str(),
            path: &finding.path,
            ply: finding.ply,
            round: finding.round,
            side: finding.side.map(|side| side.as_str()),
            text: finding.text.as_deref(),
            line: finding.place.line,
            column: finding.place.column,
            offset: finding.place.offset,
            article: finding.article.as_deref(),
            message: finding.message.get(lang),
            help: finding.help.as_ref().map(|help| help.get(lang)),
            data: &finding.data,
        }
    }
}

#[derive(Serialize)]
struct SummaryJson {
    files: u64,
    /// Only where there are any.
    #[serde(skip_serializing_if = "is_zero")]
    skipped: u64,
    games: TallyJson,
    plies: u64,
    nodes: TallyJson,
    comments: TallyJson,
    findings: BTreeMap<String, u64>,
    severities: Severities,
    /// Only where repairs were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    fixed: Option<FixedJson>,
}

#[derive(Serialize)]
struct FixedJson {
    files: u64,
    findings: BTreeMap<String, u64>,
}

#[derive(Serialize)]
struct TallyJson {
    read: u64,
    written: u64,
    refused: u64,
}

impl From<Tally> for TallyJson {
    fn from(tally: Tally) -> TallyJson {
        TallyJson { read: tally.read, written: tally.written, refused: tally.refused }
    }
}

#[derive(Serialize)]
struct Severities {
    error: u64,
    warning: u64,
    info: u64,
}

/// The tags by their standard keys, the others under `other`. An object has each key once: the first tag of a name
/// keeps it, a repeated one goes to `other` as `name#2`, `name#3`, so that no value is lost.
fn tags(report: &GameReport) -> Map<String, Value> {
    let mut standard = Map::new();
    let mut other = Map::new();
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    for (key, value) in &report.tags {
        let times = seen.entry(key).or_default();
        *times += 1;
        let value = Value::from(value.as_str());
        if *times == 1 {
            standard.insert(key.clone(), value);
        } else {
            other.insert(format!("{key}#{times}"), value);
        }
    }
    for (name, value) in &report.other_tags {
        let times = seen.entry(name).or_default();
        *times += 1;
        let key = if *times == 1 { name.clone() } else { format!("{name}#{times}") };
        other.insert(key, Value::from(value.as_str()));
    }
    if !other.is_empty() {
        standard.insert("other".to_owned(), Value::Object(other));
    }
    standard
}

/// Compact JSON whose real numbers have at most six decimals.
struct SixDecimals;

impl Formatter for SixDecimals {
    fn write_f64<W: io::Write + ?Sized>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        let scaled = (value * 1e6).round();
        // Past 2^53 there are no decimals left to round, and scaling could overflow.
        let rounded = if scaled.abs() < 9e15 { scaled / 1e6 } else { value };
        // -0.0 + 0.0 is 0.0.
        write!(writer, "{:?}", rounded + 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{super::samples, *};
    use crate::finding::Words;

    fn parse(bytes: &[u8]) -> Value {
        serde_json::from_slice(bytes).unwrap()
    }

    fn keys(value: &Value) -> Vec<&str> {
        value.as_object().unwrap().keys().map(String::as_str).collect()
    }

    // CONTRACT section 4 lists the keys of a game in this order; `rest` only where there is one.
    #[test]
    fn a_game_has_the_keys_of_the_contract() {
        let mut report = samples::illegal_horse();
        let value = parse(&game(&report, Lang::En));
        let expected = "source game format encoding notation tags start_fen plies moves rest variations comments \
                        final_fen result termination findings";
        assert_eq!(keys(&value).join(" "), expected);
        assert_eq!(value["moves"], serde_json::json!(["h2e2", "h9g7"]));
        assert_eq!(keys(&value["rest"]).join(" "), "from_ply moves texts status");

        report.moves = None;
        report.rest = None;
        let value = parse(&game(&report, Lang::En));
        assert_eq!(keys(&value).join(" "), expected.replace(" moves rest", ""));
    }

    #[test]
    fn what_is_not_known_is_null() {
        let value = parse(&game(&GameReport::new("-", 0), Lang::En));
        for key in ["format", "encoding", "notation", "start_fen", "final_fen"] {
            assert_eq!(value[key], Value::Null, "{key}");
        }
        assert_eq!(value["game"], 0);
        assert_eq!(value["result"], "*");
        assert_eq!(value["tags"], serde_json::json!({}));
    }

    // CONTRACT section 4, "A finding".
    #[test]
    fn a_finding_has_all_keys_always() {
        let mut report = samples::illegal_horse();
        report.findings.push(Finding::new(Code::TRUNCATED, Words::new("断", "cut")));
        let value = parse(&game(&report, Lang::Zh));
        for finding in value["findings"].as_array().unwrap() {
            assert_eq!(
                keys(finding).join(" "),
                "code name severity path ply round side text line column offset article message help data"
            );
        }
        let first = &value["findings"][0];
        assert_eq!(first["code"], "QJ301");
        assert_eq!(first["name"], "illegal-move");
        assert_eq!(first["severity"], "error");
        assert_eq!(first["path"], serde_json::json!([]));
        assert_eq!(first["side"], "red");
        assert_eq!(first["data"]["reason"], "horse_leg");
        assert_eq!(first["message"], "马腿被蹩");
        let last = &value["findings"][1];
        assert_eq!(last["help"], Value::Null);
        assert_eq!(last["data"], serde_json::json!({}));
    }

    #[test]
    fn a_path_is_a_list_of_pairs() {
        let mut report = samples::illegal_horse();
        report.findings[0].path = vec![(12, 1), (14, 2)];
        let value = parse(&game(&report, Lang::En));
        assert_eq!(value["findings"][0]["path"], serde_json::json!([[12, 1], [14, 2]]));
    }

    #[test]
    fn repeated_tags_are_all_kept() {
        let mut report = GameReport::new("a.pgn", 1);
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        report.tags = vec![pair("event", "甲"), pair("event", "乙")];
        report.other_tags = vec![pair("Arbiter", "丙"), pair("Arbiter", "丁")];
        assert_eq!(
            parse(&game(&report, Lang::En))["tags"],
            serde_json::json!({"event": "甲", "other": {"event#2": "乙", "Arbiter": "丙", "Arbiter#2": "丁"}})
        );
    }

    #[test]
    fn real_numbers_have_six_decimals() {
        let text = |value: f64| to_string(&value);
        assert_eq!(text(2.0 / 3.0), "0.666667");
        assert_eq!(text(0.97), "0.97");
        assert_eq!(text(-0.000_000_1), "0.0");
        assert_eq!(text(1.0), "1.0");
        assert_eq!(text(12_345.678_901_2), "12345.678901");
        assert_eq!(text(f64::NAN), "null");
        assert!(parse(text(1e300).as_bytes()).is_f64());
        assert_eq!(to_string(&Value::from(1.0 / 3.0)), "0.333333");
    }

    #[test]
    fn the_whole_is_one_object_with_games_or_without() {
        let mut summary = Summary::default();
        let empty = [head(), tail(&summary)].concat();
        assert_eq!(parse(&empty)["games"], serde_json::json!([]));

        let report = samples::illegal_horse();
        summary.add(&report);
        summary.files = 1;
        let one = game(&report, Lang::En);
        let value = parse(&[head(), one.clone(), b",\n".to_vec(), one, tail(&summary)].concat());
        assert_eq!(value["games"].as_array().unwrap().len(), 2);
        assert_eq!(
            value["summary"],
            serde_json::json!({
                "files": 1,
                "games": {"read": 1, "written": 1, "refused": 0},
                "plies": 2,
                "nodes": {"read": 4, "written": 2, "refused": 2},
                "comments": {"read": 0, "written": 0, "refused": 0},
                "findings": {"QJ301": 1},
                "severities": {"error": 1, "warning": 0, "info": 0},
            })
        );
        assert_eq!(
            keys(&value["summary"]).join(" "),
            "files games plies nodes comments findings severities"
        );
    }

    #[test]
    fn a_game_is_one_line() {
        let mut report = samples::illegal_horse();
        report.source = "a\nb.pgn".to_owned();
        assert!(!game(&report, Lang::Zh).contains(&b'\n'));
    }
}
