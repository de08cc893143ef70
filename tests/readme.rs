//! README.md is a test: every command of its `console` blocks is run as written, and prints what is shown.
//!
//! In such a block a line with `$ ` is a command, the lines below it are all that it prints (standard output, then standard error),
//! and a line `...` stands for any lines. `echo $?` prints the exit status of the command before it.

use std::fs;

use crate::support::{qijian, root, stdout};

/// The commands in front of our arguments: the installed program, and the one built from source.
const PROGRAMS: [&str; 2] = ["cargo run --release -- ", "qijian "];

/// A command of the README with what it prints.
struct Step {
    line: usize,
    command: String,
    printed: Vec<String>,
}

fn readme() -> String {
    fs::read_to_string(root().join("README.md")).unwrap()
}

/// The commands of all `console` blocks, in order.
fn steps(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut inside = false;
    for (index, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if inside {
            match (line.strip_prefix("$ "), steps.last_mut()) {
                (Some(command), _) => steps.push(Step {
                    line: index + 1,
                    command: command.to_owned(),
                    printed: Vec::new(),
                }),
                (None, Some(step)) => step.printed.push(line.to_owned()),
                (None, None) => panic!("line {}: output without a command", index + 1),
            }
        }
    }
    steps
}

/// Whether `actual` is `shown`, where each `...` of `shown` stands for any lines.
fn matches(shown: &[String], actual: &[&str]) -> bool {
    match shown.split_first() {
        None => actual.is_empty(),
        Some((line, rest)) if line == "..." => {
            (0..=actual.len()).any(|skipped| matches(rest, &actual[skipped..]))
        }
        Some((line, rest)) => actual
            .split_first()
            .is_some_and(|(first, others)| first == line && matches(rest, others)),
    }
}

/// The arguments of a command, quotes taken off.
fn words(arguments: &str) -> Vec<&str> {
    arguments.split_whitespace().map(|word| word.trim_matches(['\'', '"'])).collect()
}

#[test]
fn every_command_prints_what_is_shown() {
    let mut status = None;
    let mut wrong = Vec::new();
    for step in steps(&readme()) {
        let arguments = PROGRAMS.iter().find_map(|program| step.command.strip_prefix(program));
        let printed = match arguments {
            Some(arguments) => {
                let output = qijian(&words(arguments));
                status = output.status.code();
                stdout(&output) + &String::from_utf8_lossy(&output.stderr)
            }
            None if step.command == "echo $?" => {
                format!("{}\n", status.expect("a command before it ended by itself"))
            }
            None => panic!("line {}: {} cannot be tested here", step.line, step.command),
        };
        let actual: Vec<&str> = printed.lines().map(str::trim_end).collect();
        let mut shown = step.printed;
        // A blank line in front of the next command is there for the eye.
        while shown.last().is_some_and(String::is_empty) {
            shown.pop();
        }
        if !matches(&shown, &actual) {
            wrong.push(format!("README.md:{}: {}\n{printed}", step.line, step.command));
        }
    }
    assert!(wrong.is_empty(), "these print something else:\n{}", wrong.join("\n"));
}

#[test]
fn the_first_screen_has_an_output_and_the_two_commands() {
    let text = readme();
    let first: Vec<&str> = text.lines().take(50).collect();
    for command in ["cargo run -- check samples/", "cargo test"] {
        assert!(first.iter().any(|line| line.starts_with(command)), "{command} comes too late");
    }
    assert!(first.iter().any(|line| line.starts_with("$ ")), "no output on the first screen");
}

#[test]
fn the_comparison_can_fail() {
    let shown = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(matches(&shown("a\n...\nd"), &["a", "b", "c", "d"]));
    assert!(matches(&shown("a\n..."), &["a"]));
    assert!(!matches(&shown("a\n...\nd"), &["a", "b"]));
    assert!(!matches(&shown("a"), &["a", "b"]));
    assert!(!matches(&shown("a\nb"), &["a"]));
    let steps = steps("```console\n$ qijian x\nout\n\n$ echo $?\n1\n```\n```sh\n$ no\n```");
    let commands: Vec<&str> = steps.iter().map(|step| &*step.command).collect();
    assert_eq!(commands, ["qijian x", "echo $?"]);
    assert_eq!(words("--select 'QJ2,QJ4' \"a\""), ["--select", "QJ2,QJ4", "a"]);
}
