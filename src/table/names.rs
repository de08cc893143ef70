//! Names of players and teams: spellings of one name brought together, by the rules of `SCHEMA.md`, section Names.

use std::collections::BTreeMap;

use serde::Deserialize;

/// Whose name it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Of {
    /// A player.
    Player,
    /// A team, a club, a delegation.
    Team,
}

/// A rule that has changed something in a spelling.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Rule {
    /// Full-width characters.
    Width,
    /// Traditional characters.
    Traditional,
    /// A bracket at the end.
    Bracket,
    /// A title of the field.
    Title,
    /// Blanks and punctuation, or capital letters.
    Blank,
    /// The user's aliases.
    Alias,
}

impl Rule {
    /// Its name in the report of groups.
    pub const fn as_str(self) -> &'static str {
        match self {
            Rule::Width => "width",
            Rule::Traditional => "traditional",
            Rule::Bracket => "bracket",
            Rule::Title => "title",
            Rule::Blank => "blank",
            Rule::Alias => "alias",
        }
    }
}

/// Titles of the field, simplified, longest first where one holds another.
const TITLES: [&str; 16] = [
    "特级国际大师",
    "国际特级大师",
    "象棋特级大师",
    "象棋国际大师",
    "特级大师",
    "国际大师",
    "象棋大师",
    "棋协大师",
    "地方大师",
    "大师",
    "特大",
    "国大",
    "全国冠军",
    "冠军",
    "亚军",
    "季军",
];

/// The rules, and the user's aliases.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Names {
    /// From a normalised spelling to the name that stands for it.
    aliases: BTreeMap<(Of, String), String>,
}

/// An alias file that cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AliasError {
    /// It is not TOML of the shape that is documented.
    #[error("{0}")]
    Toml(String),
    /// One spelling stands for two names.
    #[error("{0}: 同时是 {1} 和 {2} 的别名 / an alias of both {1} and {2}")]
    Twice(String, String, String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    players: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    teams: BTreeMap<String, Vec<String>>,
}

impl Names {
    /// The rules with the aliases of a TOML document: tables `players` and `teams`, each a name with its other spellings.
    ///
    /// ```
    /// use qijian::table::{Names, Of};
    ///
    /// let names = Names::with_aliases("[players]\n\"许银川\" = ['许仙', 'Xu Yinchuan']")?;
    /// assert_eq!(names.key(Of::Player, "XU  YINCHUAN").as_deref(), Some("许银川"));
    /// assert_eq!(names.key(Of::Player, "特級大師 許銀川").as_deref(), Some("许银川"));
    /// # Ok::<(), qijian::table::AliasError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The text is not such a document, or one spelling stands for two names.
    pub fn with_aliases(text: &str) -> Result<Names, AliasError> {
        let file: File =
            toml::from_str(text).map_err(|error| AliasError::Toml(error.to_string()))?;
        let mut aliases: BTreeMap<(Of, String), String> = BTreeMap::new();
        for (of, names) in [(Of::Player, file.players), (Of::Team, file.teams)] {
            for (name, spellings) in names {
                let plain = normalise(&name).0;
                for spelling in spellings.iter().chain([&name]) {
                    let key = (of, normalise(spelling).0);
                    let other = aliases.insert(key, plain.clone());
                    if let Some(other) = other.filter(|other| *other != plain) {
                        return Err(AliasError::Twice(spelling.clone(), other, plain));
                    }
                }
            }
        }
        Ok(Names { aliases })
    }

    /// The name that `text` is a spelling of; `None` if it is no name: empty, `?`, `-`.
    pub fn key(&self, of: Of, text: &str) -> Option<String> {
        self.explain(of, text).map(|(key, _)| key)
    }

    /// [`Names::key`] with the rules that have changed something.
    pub fn explain(&self, of: Of, text: &str) -> Option<(String, Vec<Rule>)> {
        let (key, mut rules) = normalise(stated(text)?);
        if key.is_empty() {
            return None;
        }
        match self.aliases.get(&(of, key.clone())) {
            Some(name) if *name != key => {
                rules.push(Rule::Alias);
                Some((name.clone(), rules))
            }
            _ => Some((key, rules)),
        }
    }
}

/// The value of a tag, unless it says that nothing is known.
pub(super) fn stated(text: &str) -> Option<&str> {
    let text = text.trim();
    (!text.chars().all(|c| matches!(c, '?' | '？' | '-' | '－' | '*' | '.' | ' '))).then_some(text)
}

/// `text` by the rules, and which of them have changed something.
fn normalise(text: &str) -> (String, Vec<Rule>) {
    let mut rules = Vec::new();
    let mut name = text.to_owned();
    let mut apply = |rule: Rule, name: &mut String, changed: String| {
        if changed != *name {
            rules.push(rule);
            *name = changed;
        }
    };
    let changed = name.chars().map(half_width).collect();
    apply(Rule::Width, &mut name, changed);
    if name.chars().any(is_chinese) {
        // Character by character: a name is no phrase that a dictionary of phrases could know.
        let changed = name.chars().map(simplified).collect();
        apply(Rule::Traditional, &mut name, changed);
    }
    let changed = without_bracket(&name).to_owned();
    apply(Rule::Bracket, &mut name, changed);
    let changed = without_titles(&name).to_owned();
    apply(Rule::Title, &mut name, changed);
    let changed = without_blanks(&name);
    apply(Rule::Blank, &mut name, changed);
    (name, rules)
}

fn half_width(c: char) -> char {
    match c {
        '！'..='～' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '\u{3000}' => ' ',
        _ => c,
    }
}

fn is_chinese(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// The simplified form of one character.
fn simplified(c: char) -> char {
    if !is_chinese(c) {
        return c;
    }
    let mut buffer = [0; 4];
    let converted = hanconv::t2s(&*c.encode_utf8(&mut buffer));
    let mut chars = converted.chars();
    match (chars.next(), chars.next()) {
        (Some(one), None) => one,
        _ => c,
    }
}

/// Without a bracket at the end, unless nothing stands before it.
fn without_bracket(name: &str) -> &str {
    const PAIRS: [(char, char); 4] = [('(', ')'), ('[', ']'), ('【', '】'), ('〔', '〕')];
    let mut name = name.trim();
    for _ in 0..2 {
        let Some((open, close)) = PAIRS.into_iter().find(|(_, close)| name.ends_with(*close))
        else {
            break;
        };
        let inside = &name[..name.len() - close.len_utf8()];
        match inside.rfind(open).map(|at| inside[..at].trim_end()) {
            Some(before) if !before.is_empty() => name = before,
            _ => break,
        }
    }
    name
}

/// Without titles in front and behind, unless nothing that could be a name is left.
fn without_titles(name: &str) -> &str {
    let mut name = name.trim();
    // Each round takes a title off, and a name has few.
    for _ in 0..4 {
        let shorter = TITLES.iter().find_map(|title| {
            let left = name.strip_prefix(title).or_else(|| name.strip_suffix(title))?;
            let left =
                left.trim_matches(|c: char| c.is_whitespace() || matches!(c, ':' | '-' | '·'));
            (left.chars().count() >= 2).then_some(left)
        });
        match shorter {
            Some(left) => name = left,
            None => break,
        }
    }
    name
}

/// Without blanks and punctuation in Chinese names; others in lower case with single blanks.
fn without_blanks(name: &str) -> String {
    let is_gap = |c: char| {
        c.is_whitespace()
            || c.is_control()
            || matches!(c, '·' | '•' | '・' | '．' | '.' | ',' | '、' | '_' | '-' | '\'')
    };
    if name.chars().any(is_chinese) {
        return name.chars().filter(|c| !is_gap(*c)).flat_map(char::to_lowercase).collect();
    }
    let words: Vec<String> =
        name.split(is_gap).filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> Option<String> {
        Names::default().key(Of::Player, text)
    }

    #[test]
    fn spellings_of_one_name_come_together() {
        for spelling in [
            "许银川",
            "許銀川",
            "许 银 川",
            "许　银川",
            "特级大师许银川",
            "許銀川特級大師",
            "许银川 (广东)",
            "许银川（广东）",
            "许银川 特级国际大师",
            "许银川特大",
        ] {
            assert_eq!(key(spelling).as_deref(), Some("许银川"), "{spelling}");
        }
        for spelling in ["Xu Yinchuan", "XU  YINCHUAN", "Ｘｕ　Ｙｉｎｃｈｕａｎ", "xu-yinchuan"]
        {
            assert_eq!(key(spelling).as_deref(), Some("xu yinchuan"), "{spelling}");
        }
    }

    #[test]
    fn the_document_lists_every_title() {
        let document = include_str!("SCHEMA.md");
        assert!(TITLES.iter().all(|title| document.contains(title)));
    }

    #[test]
    fn different_names_stay_apart() {
        assert_ne!(key("赵国荣"), key("赵国栋"));
        // 大师 alone is a handle, no title of nobody; a bracket with nothing before it is the name.
        assert_eq!(key("大师").as_deref(), Some("大师"));
        assert_eq!(key("(无名)").as_deref(), Some("(无名)"));
        assert_eq!(key("象棋大师").as_deref(), Some("象棋"));
    }

    #[test]
    fn what_says_nothing_is_no_name() {
        for text in ["", " ", "?", "？？", "-", "*", "..."] {
            assert_eq!(key(text), None, "{text}");
        }
    }

    #[test]
    fn the_rules_that_were_used_are_told() {
        let names = Names::with_aliases("[players]\n\"许银川\" = [\"许仙\"]").unwrap();
        let rules = |text| names.explain(Of::Player, text).unwrap().1;
        assert_eq!(rules("许银川"), []);
        assert_eq!(
            rules("許　銀川(粵)"),
            [Rule::Width, Rule::Traditional, Rule::Bracket, Rule::Blank]
        );
        assert_eq!(rules("许仙"), [Rule::Alias]);
        // A team of that name is another matter.
        assert_eq!(names.key(Of::Team, "许仙").as_deref(), Some("许仙"));
    }

    #[test]
    fn faulty_alias_files_are_refused() {
        for text in ["[players]\n\"甲\" = \"乙\"", "[people]\n", "["] {
            assert!(matches!(Names::with_aliases(text), Err(AliasError::Toml(_))), "{text}");
        }
        let twice = Names::with_aliases("[teams]\n\"甲队\" = [\"丙\"]\n\"乙队\" = [\"丙\"]");
        assert!(matches!(twice, Err(AliasError::Twice(..))));
    }

    proptest::proptest! {
        #[test]
        fn no_spelling_makes_a_panic(text in "\\PC{0,20}") {
            let _ = key(&text);
        }
    }
}
