//! SARIF 2.1.0 (OASIS, 2020), the format in which checkers report to code hosts and editors.

use std::fmt::Write;

use serde::Serialize;
use serde_json::{Map, Value};

use super::{
    GameReport, Summary,
    json::{summary_object, to_bytes},
};
use crate::finding::{Code, Excerpt, Finding, Lang, Severity, explain, what_it_finds};

/// Everything up to the results: the tool, with every code as a rule.
pub(super) fn head(lang: Lang) -> Vec<u8> {
    let tool = Tool {
        driver: Driver {
            name: "qijian",
            version: env!("CARGO_PKG_VERSION"),
            semantic_version: env!("CARGO_PKG_VERSION"),
            information_uri: env!("CARGO_PKG_REPOSITORY"),
            language: match lang {
                Lang::Zh => "zh-CN",
                Lang::En => "en-US",
            },
            rules: Code::all().map(|code| Rule::new(code, lang)).collect(),
        },
    };
    let mut head = br#"{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":"#
        .to_vec();
    head.extend(to_bytes(&tool));
    head.extend_from_slice(b",\"columnKind\":\"unicodeCodePoints\",\"results\":[\n");
    head
}

/// The results of one game, one a line.
pub(super) fn game(report: &GameReport, lang: Lang) -> Vec<u8> {
    let results: Vec<Vec<u8>> = report
        .findings
        .iter()
        .map(|finding| to_bytes(&Outcome::new(report, finding, lang)))
        .collect();
    results.join(&b",\n"[..])
}

/// Everything after the results: the summary as a property of the run.
pub(super) fn tail(summary: &Summary) -> Vec<u8> {
    let mut tail = b"\n],\"properties\":{\"summary\":".to_vec();
    tail.extend(summary_object(summary));
    tail.extend_from_slice(b"}}]}\n");
    tail
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    version: &'static str,
    semantic_version: &'static str,
    information_uri: &'static str,
    language: &'static str,
    rules: Vec<Rule>,
}

/// A `reportingDescriptor`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: String,
    name: &'static str,
    short_description: Text<String>,
    full_description: Text<&'static str>,
    help: Markdown,
    default_configuration: Configuration,
}

impl Rule {
    fn new(code: Code, lang: Lang) -> Rule {
        let entry = code.entry();
        let explanation = explain(code, lang);
        Rule {
            id: code.to_string(),
            name: entry.name,
            short_description: Text { text: entry.title().get(lang).to_owned() },
            full_description: Text { text: what_it_finds(code, lang) },
            help: Markdown { text: explanation.clone(), markdown: explanation },
            default_configuration: Configuration { level: level(entry.severity) },
        }
    }
}

#[derive(Serialize)]
struct Text<T> {
    text: T,
}

#[derive(Serialize)]
struct Markdown {
    text: String,
    markdown: String,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

/// A `result`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Outcome<'a> {
    rule_id: String,
    rule_index: Option<usize>,
    level: &'static str,
    message: Text<&'a str>,
    locations: [Location<'a>; 1],
    properties: Properties<'a>,
}

impl<'a> Outcome<'a> {
    fn new(report: &GameReport, finding: &'a Finding, lang: Lang) -> Outcome<'a> {
        Outcome {
            rule_id: finding.code.to_string(),
            rule_index: Code::all().position(|code| code == finding.code),
            level: level(finding.severity),
            message: Text { text: finding.message.get(lang) },
            locations: [Location {
                physical_location: PhysicalLocation {
                    artifact_location: ArtifactLocation { uri: uri(&report.source) },
                    region: Region::of(finding),
                },
            }],
            properties: Properties {
                game: report.game,
                path: &finding.path,
                ply: finding.ply,
                round: finding.round,
                side: finding.side.map(|side| side.as_str()),
                text: finding.text.as_deref(),
                article: finding.article.as_deref(),
                help: finding.help.as_ref().map(|help| help.get(lang)),
                data: &finding.data,
            },
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location<'a> {
    physical_location: PhysicalLocation<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation<'a> {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region<'a>>,
}

#[derive(Serialize)]
struct ArtifactLocation {
    uri: String,
}

/// Lines and columns of a text, or the byte of a binary source; columns in characters, as the run's `columnKind` says.
#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
struct Region<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    start_line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_column: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_column: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    byte_offset: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    snippet: Option<Text<&'a str>>,
}

impl<'a> Region<'a> {
    fn of(finding: &'a Finding) -> Option<Region<'a>> {
        let place = &finding.place;
        if place.line.is_none() {
            return place
                .offset
                .map(|offset| Region { byte_offset: Some(offset), ..Region::default() });
        }
        let snippet = place.excerpt.as_ref().and_then(range).filter(|text| !text.is_empty());
        let length = snippet.and_then(|text| u32::try_from(text.chars().count()).ok());
        Some(Region {
            start_line: place.line,
            start_column: place.column,
            end_column: place
                .column
                .zip(length)
                .and_then(|(column, length)| column.checked_add(length)),
            byte_offset: None,
            snippet: snippet.map(|text| Text { text }),
        })
    }
}

fn range(excerpt: &Excerpt) -> Option<&str> {
    excerpt.line.get(excerpt.range.clone())
}

#[derive(Serialize)]
struct Properties<'a> {
    game: u32,
    path: &'a [(u32, u32)],
    ply: u32,
    round: Option<u32>,
    side: Option<&'a str>,
    text: Option<&'a str>,
    article: Option<&'a str>,
    help: Option<&'a str>,
    data: &'a Map<String, Value>,
}

const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

/// `source` as a URI reference: bytes that a path segment may not hold are percent-encoded (RFC 3986), and so is the
/// colon, which would make a scheme of what stands before it.
fn uri(source: &str) -> String {
    let mut uri = String::with_capacity(source.len());
    for byte in source.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' => uri.push(char::from(byte)),
            b'-' | b'.' | b'_' | b'~' | b'/' | b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*'
            | b'+' | b',' | b';' | b'=' | b'@' => uri.push(char::from(byte)),
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::{super::samples, *};
    use crate::finding::{Place, Words};

    fn whole(games: &[Vec<u8>]) -> Value {
        let body = games.join(&b",\n"[..]);
        let bytes = [head(Lang::En), body, tail(&Summary::default())].concat();
        serde_json::from_slice(&bytes).unwrap()
    }

    // SARIF 2.1.0, 3.13 (version, runs), 3.14 (tool, columnKind), 3.19 (driver.name), 3.49 (rules).
    #[test]
    fn an_empty_run_is_valid_and_names_every_rule() {
        let log = whole(&[]);
        assert_eq!(log["version"], "2.1.0");
        let run = &log["runs"][0];
        assert_eq!(run["results"], serde_json::json!([]));
        assert_eq!(run["columnKind"], "unicodeCodePoints");
        assert_eq!(run["tool"]["driver"]["name"], "qijian");
        let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
        let ids: Vec<&str> = rules.iter().map(|rule| rule["id"].as_str().unwrap()).collect();
        assert!(ids.is_sorted_by(|a, b| a < b));
        assert_eq!(ids.len(), Code::all().count());
        for rule in rules {
            for text in [
                &rule["shortDescription"]["text"],
                &rule["fullDescription"]["text"],
                &rule["help"]["text"],
            ] {
                assert!(!text.as_str().unwrap().is_empty(), "{rule}");
            }
            let level = rule["defaultConfiguration"]["level"].as_str().unwrap();
            assert!(["error", "warning", "note"].contains(&level));
        }
    }

    // SARIF 2.1.0, 3.27 (result), 3.28 (location), 3.30 (region: lines and columns from 1, end column past the last).
    #[test]
    fn a_result_points_at_its_rule_and_place() {
        let mut report = samples::illegal_horse();
        report.findings.push(Finding::new(Code::UNKNOWN_RESULT, Words::new("未", "open")));
        let log = whole(&[game(&report, Lang::En)]);
        let run = &log["runs"][0];
        let result = &run["results"][0];
        assert_eq!(result["ruleId"], "QJ301");
        let index = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(run["tool"]["driver"]["rules"][index]["id"], "QJ301");
        assert_eq!(result["level"], "error");
        assert_eq!(result["message"]["text"], "the horse is hobbled");
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "samples/a.pgn");
        assert_eq!(
            place["region"],
            serde_json::json!({"startLine": 12, "startColumn": 17, "endColumn": 21, "snippet": {"text": "马八进六"}})
        );
        assert_eq!(result["properties"]["game"], 1);
        assert_eq!(result["properties"]["ply"], 3);
        assert_eq!(result["properties"]["side"], "red");
        assert_eq!(result["properties"]["data"]["reason"], "horse_leg");
        let whole_game = &run["results"][1];
        assert_eq!(whole_game["level"], "warning");
        assert_eq!(whole_game["locations"][0]["physicalLocation"].get("region"), None);
    }

    #[test]
    fn a_binary_place_is_a_byte() {
        let place = Place { offset: Some(1024), ..Place::default() };
        let finding = Finding::new(Code::BAD_FIELD, Words::new("", "")).at(place);
        let region = serde_json::to_value(Region::of(&finding)).unwrap();
        assert_eq!(region, serde_json::json!({"byteOffset": 1024}));
    }

    // RFC 3986: 2.1 (percent-encoding), 4.2 (no colon in the first segment of a relative path).
    #[test]
    fn a_path_becomes_a_uri_reference() {
        assert_eq!(uri("棋谱/a b.pgn"), "%E6%A3%8B%E8%B0%B1/a%20b.pgn");
        assert_eq!(uri("a.zip!b/c#1%.pgn"), "a.zip!b/c%231%25.pgn");
        assert_eq!(uri("C:/x?.pgn"), "C%3A/x%3F.pgn");
    }
}
