//! Cuts the explanation of one code out of `CODES.md`.

use super::{Code, Lang};

const CODES: &str = include_str!("CODES.md");

/// The headings of each section, in order.
const HEADINGS: [(&str, &str); 7] = [
    ("查什么", "What it finds"),
    ("为何要紧", "Why it matters"),
    ("依据", "Article"),
    ("例", "Example"),
    ("改正", "Corrected"),
    ("怎么办", "What to do"),
    ("数据", "Data"),
];

/// What `code` means, why it matters, its article, an example with its correction, what to do, and the fields of its
/// `data`, as Markdown in `lang`.
///
/// ```
/// use qijian::finding::{Code, Lang, explain};
/// let text = explain(Code::ILLEGAL_MOVE, Lang::En);
/// assert!(text.starts_with("# QJ301 illegal-move\n"));
/// ```
///
/// All of them:
///
#[doc = include_str!("CODES.md")]
pub fn explain(code: Code, lang: Lang) -> String {
    let entry = code.entry();
    let mut text = match lang {
        Lang::Zh => format!(
            "# {code} {}\n\n{}（{}）\n",
            entry.name,
            entry.title.0,
            entry.severity.words().zh
        ),
        Lang::En => format!(
            "# {code} {}\n\n{} ({})\n",
            entry.name,
            entry.title.1,
            entry.severity.words().en
        ),
    };
    for (heading, body) in parts(section(code)) {
        if let Some(heading) = heading_in(heading, lang) {
            text.push_str(&format!("\n## {heading}\n\n{body}\n"));
        }
    }
    text
}

/// What `code` means, in `lang`: the first part of [`explain`].
pub fn what_it_finds(code: Code, lang: Lang) -> &'static str {
    let heading = in_lang(HEADINGS[0], lang);
    parts(section(code)).find(|(name, _)| *name == heading).map_or("", |(_, body)| body)
}

fn in_lang((zh, en): (&'static str, &'static str), lang: Lang) -> &'static str {
    match lang {
        Lang::Zh => zh,
        Lang::En => en,
    }
}

/// The name of a heading of `CODES.md` in `lang`, if it has one: a part that needs no words is headed in both
/// languages and serves both.
fn heading_in(heading: &str, lang: Lang) -> Option<&'static str> {
    let pair = HEADINGS.into_iter().find(|&(zh, en)| {
        heading == in_lang((zh, en), lang) || heading.split_once(' ') == Some((zh, en))
    })?;
    Some(in_lang(pair, lang))
}

/// What stands under `## CODE name`.
fn section(code: Code) -> &'static str {
    sections()
        .find(|(title, _)| title.split(' ').next() == Some(&*code.to_string()))
        .map_or("", |(_, body)| body)
}

/// Title and body of each section.
fn sections() -> impl Iterator<Item = (&'static str, &'static str)> {
    blocks(CODES, "\n## ")
}

/// Heading and body of each part of a section.
fn parts(section: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    blocks(section, "\n### ").map(|(heading, body)| (heading, body.trim_matches('\n')))
}

fn blocks(
    text: &'static str,
    mark: &'static str,
) -> impl Iterator<Item = (&'static str, &'static str)> {
    text.split(mark).skip(1).map(|block| {
        let (heading, body) = block.split_once('\n').unwrap_or((block, ""));
        (heading.trim(), body)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_code_has_its_section_and_each_section_its_code() {
        let titles: Vec<&str> = sections().map(|(title, _)| title).collect();
        let expected: Vec<String> =
            Code::all().map(|code| format!("{code} {}", code.entry().name)).collect();
        assert_eq!(titles, expected);
    }

    #[test]
    fn each_section_has_every_heading_in_both_languages_and_in_order() {
        for code in Code::all() {
            for lang in [Lang::Zh, Lang::En] {
                let headings: Vec<&str> = parts(section(code))
                    .filter_map(|(heading, body)| {
                        assert!(!body.trim().is_empty(), "{code} {heading} is empty");
                        heading_in(heading, lang)
                    })
                    .collect();
                assert_eq!(headings, HEADINGS.map(|pair| in_lang(pair, lang)), "{code} {lang:?}");
            }
            for (heading, _) in parts(section(code)) {
                assert!(
                    heading_in(heading, Lang::Zh).or(heading_in(heading, Lang::En)).is_some(),
                    "{code} has the unknown heading {heading}"
                );
            }
        }
    }

    #[test]
    fn an_explanation_is_in_one_language() {
        for code in Code::all() {
            let en = explain(code, Lang::En);
            assert!(!en.contains("查什么") && en.contains("\n## What to do\n"), "{code}");
            let zh = explain(code, Lang::Zh);
            assert!(!zh.contains("What it finds") && zh.contains("\n## 怎么办\n"), "{code}");
            assert!(!what_it_finds(code, Lang::Zh).contains('#'), "{code}");
        }
    }

    // rustdoc takes a fence without a language for Rust to be compiled.
    #[test]
    fn fences_name_their_language() {
        let mut open = false;
        for line in CODES.lines().filter(|line| line.starts_with("```")) {
            assert_eq!(line == "```", open, "{line}");
            open = !open;
        }
        assert!(!open);
    }
}
