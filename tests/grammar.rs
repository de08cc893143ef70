//! The grammars of `grammars/` and the parsers of `notation` describe the same texts.
//!
//! Sentences generated from a grammar are accepted by the parser; sentences changed by a few characters are accepted by
//! the parser if and only if the crate `bnf` recognises them by the same grammar, and what is refused has a place.

use std::{collections::BTreeMap, fs, path::Path};

use bnf::{
    Expression, Grammar, GrammarParser, Production, RandomWalk, Term,
    rand::{Rng, SeedableRng, rngs::StdRng},
};
use qijian::notation::{Dialect, LeadingNumber, Notation, Ranks, check_shape};

const SENTENCES: usize = 10_000;

#[test]
fn chinese() {
    compare("chinese.bnf", "move", Notation::Chinese.into());
}

#[test]
fn short() {
    compare("short.bnf", "move", Notation::Short.into());
}

#[test]
fn wxf() {
    compare("wxf.bnf", "move", Notation::Wxf.into());
}

#[test]
fn wxf_with_piece_codes() {
    let numbers = LeadingNumber::Piece;
    compare("wxf.bnf", "move.codes", Dialect { numbers, ..Notation::Wxf.into() });
}

#[test]
fn iccs() {
    compare("iccs.bnf", "move", Notation::Iccs.into());
}

#[test]
fn uci() {
    compare("uci.bnf", "move", Notation::Uci.into());
}

#[test]
fn san() {
    compare("san.bnf", "move", Notation::San.into());
}

#[test]
fn san_with_ranks_from_zero() {
    let ranks = Ranks::FromZero;
    compare("san.bnf", "move.zero", Dialect { ranks, ..Notation::San.into() });
}

#[test]
fn viet() {
    compare("viet.bnf", "move", Notation::Viet.into());
}

/// Every move text of README.md is accepted by the notation of its section.
#[test]
fn examples_of_the_readme() {
    let readme = fs::read_to_string(folder().join("README.md")).unwrap();
    let mut tested = 0;
    for section in readme.split("\n## ").skip(1) {
        let name = section.split_whitespace().next().unwrap_or_default();
        let Some(notation) = Notation::from_name(name) else { continue };
        for row in section.lines().filter(|line| line.starts_with("| `")) {
            let text = row.split('`').nth(1).unwrap();
            assert_eq!(check_shape(text, notation.into()), Ok(()), "{name}: {text}");
            tested += 1;
        }
    }
    assert!(tested >= 40, "{tested}");
}

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/grammars"))
}

fn compare(file: &str, start: &str, dialect: Dialect) {
    let rows = charset_rows();
    let grammar = grammar(file, start, &rows);
    let recogniser = grammar.build_parser().unwrap();
    let blanks = &rows["signs.blanks"];
    let alphabet: Vec<char> =
        rows.values().flatten().copied().chain("跑〇十炮x好é𠂢".chars()).collect();

    let mut walk = RandomWalk::from_seed([7; 32]);
    let mut rng = StdRng::from_seed([11; 32]);
    let mut refused = 0;
    for n in 0..SENTENCES {
        let mut sentence = grammar.generate_seeded_with_strategy(&mut walk).unwrap();
        if n % 2 == 0 {
            sentence.retain(|c| !blanks.contains(&c));
        }
        assert_eq!(check_shape(&sentence, dialect), Ok(()), "{file} generated {sentence:?}");

        let mutant = mutate(&sentence, &alphabet, &mut rng);
        let recognised = recognises(&recogniser, &mutant);
        match check_shape(&mutant, dialect) {
            Ok(()) => assert!(recognised, "{file} refuses {mutant:?}, the parser does not"),
            Err(at) => {
                assert!(!recognised, "{file} accepts {mutant:?}, the parser stops at {at}");
                assert!(mutant.is_char_boundary(at), "{mutant:?}: {at}");
                let understood = check_shape(&mutant[..at], dialect);
                assert!(understood.is_ok() || understood == Err(at), "{mutant:?}: {at}");
                refused += 1;
            }
        }
    }
    assert!(refused > SENTENCES / 4, "{file}: only {refused} mutants were refused");
}

fn recognises(recogniser: &GrammarParser<'_>, text: &str) -> bool {
    recogniser.parse_input(text).next().is_some()
}

/// One or two characters put in, left out, replaced or exchanged.
fn mutate(sentence: &str, alphabet: &[char], rng: &mut StdRng) -> String {
    let mut chars: Vec<char> = sentence.chars().collect();
    for _ in 0..rng.random_range(1..=2) {
        let new = alphabet[rng.random_range(0..alphabet.len())];
        let at = rng.random_range(0..=chars.len());
        match rng.random_range(0..4) {
            0 => chars.insert(at, new),
            1 if at < chars.len() => chars[at] = new,
            2 if at < chars.len() => drop(chars.remove(at)),
            _ if at + 1 < chars.len() => chars.swap(at, at + 1),
            _ => {}
        }
    }
    chars.into_iter().collect()
}

/// The grammar of `file` with `start` as its first rule, and a rule for each row of the table that it names.
fn grammar(file: &str, start: &str, rows: &BTreeMap<String, Vec<char>>) -> Grammar {
    let text = fs::read_to_string(folder().join(file)).unwrap();
    let own: Grammar = text.parse().unwrap();
    let mut rules: Vec<Production> = own.productions_iter().cloned().collect();
    let first = Term::Nonterminal(start.to_owned());
    rules.sort_by_key(|rule| rule.lhs != first);
    for (name, row) in rows {
        let terminals =
            row.iter().map(|c| Expression::from_parts(vec![Term::Terminal(c.to_string())]));
        rules.push(Production::from_parts(Term::Nonterminal(name.clone()), terminals.collect()));
    }
    Grammar::from_parts(rules)
}

/// The rows of `charset.toml` by the names that the grammars use.
fn charset_rows() -> BTreeMap<String, Vec<char>> {
    let text = fs::read_to_string(folder().join("charset.toml")).unwrap();
    let table: toml::Table = toml::from_str(&text).unwrap();
    let chars = |value: &toml::Value| value.as_str().unwrap().chars().collect::<Vec<char>>();
    let mut rows: BTreeMap<String, Vec<char>> = BTreeMap::new();
    for (kind, sides) in table["pieces"].as_table().unwrap() {
        let names = sides.as_table().unwrap().values().flat_map(chars).collect();
        rows.insert(format!("pieces.{kind}"), names);
    }
    for (system, values) in table["numbers"].as_table().unwrap() {
        for (n, value) in (1..).zip(values.as_array().unwrap()) {
            rows.entry(format!("numbers.{system}")).or_default().extend(chars(value));
            rows.entry(format!("numbers.{n}")).or_default().extend(chars(value));
        }
    }
    for section in ["verbs", "marks", "signs"] {
        for (name, row) in table[section].as_table().unwrap() {
            rows.insert(format!("{section}.{name}"), chars(row));
        }
    }
    let look_alikes = table["look_alikes"].as_table().unwrap().keys();
    rows.insert("look_alikes".to_owned(), look_alikes.flat_map(|key| key.chars()).collect());
    for sign in ('!'..='~').filter(|&c| c != '<' && c != '>') {
        rows.insert(format!("latin.{sign}"), vec![sign]);
    }
    let latin = &table["latin"];
    for (wide, narrow) in chars(&latin["full_width"]).into_iter().zip(chars(&latin["ascii"])) {
        rows.entry(format!("latin.{narrow}")).or_default().push(wide);
    }
    rows.entry("latin.-".to_owned()).or_default().extend(chars(&latin["hyphens"]));
    for (alphabet, kinds) in table["letters"].as_table().unwrap() {
        for (kind, letters) in kinds.as_table().unwrap() {
            for letter in chars(letters) {
                for (case, suffix) in [(letter, ""), (letter.to_ascii_lowercase(), ".lower")] {
                    let forms = rows[&format!("latin.{case}")].clone();
                    rows.entry(format!("letters.{alphabet}.{kind}{suffix}"))
                        .or_default()
                        .extend(forms);
                }
            }
        }
    }
    rows
}
