//! Finds the objects of a JSON text one by one, each as its own piece of the text.

use serde::Deserialize;
use serde_json::value::RawValue;

/// What comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Next<'t> {
    Object(&'t str),
    /// No JSON at this byte; reading goes on behind it.
    Fault(usize),
    End,
}

/// A place in a JSON text, between objects.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'t> {
    text: &'t str,
    at: usize,
    faults: u32,
}

/// Faults after which the rest is given up: the search behind each may go to the end of the text.
const FAULTS: u32 = 100;

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str) -> Cursor<'t> {
        Cursor { text, at: 0, faults: 0 }
    }

    /// The next object, in a list or not. The object whose first key is `games` stands for what its list holds.
    pub(super) fn next(&mut self) -> Next<'t> {
        loop {
            let rest = &self.text[self.at..];
            let Some(c) = rest.chars().next() else { return Next::End };
            match c {
                '{' => match games(rest) {
                    Some(inside) => self.at += inside,
                    None => return self.object(),
                },
                '[' | ']' | ',' | '\u{FEFF}' => self.at += c.len_utf8(),
                c if c.is_whitespace() => self.at += c.len_utf8(),
                // The end of the object that began with `games`, and its other keys.
                '}' => self.at += 1,
                '"' => match string(rest) {
                    Some(length) => self.at += length,
                    None => return self.fault(self.at),
                },
                ':' => self.at += 1,
                c if c.is_ascii_alphanumeric() || c == '-' => {
                    let length = rest.find(|c: char| {
                        !c.is_ascii_alphanumeric() && !matches!(c, '-' | '+' | '.')
                    });
                    self.at += length.unwrap_or(rest.len());
                }
                _ => return self.fault(self.at),
            }
        }
    }

    fn object(&mut self) -> Next<'t> {
        let rest = &self.text[self.at..];
        let mut reader = serde_json::Deserializer::from_str(rest);
        match <&RawValue>::deserialize(&mut reader) {
            Ok(raw) => {
                self.at += raw.get().len();
                Next::Object(raw.get())
            }
            Err(_) => self.fault(self.at),
        }
    }

    /// Goes on with the next object at the start of a line.
    fn fault(&mut self, at: usize) -> Next<'t> {
        self.faults += 1;
        if self.faults == FAULTS {
            self.at = self.text.len();
            return Next::Fault(at);
        }
        let rest = &self.text[self.at..];
        self.at += rest.find("\n{").map_or(rest.len(), |line| line + 1);
        Next::Fault(at)
    }
}

/// Where the list begins in an object whose first key is `games`.
fn games(rest: &str) -> Option<usize> {
    let key = rest.get(1..)?.trim_start().strip_prefix("\"games\"")?;
    let list = key.trim_start().strip_prefix(':')?.trim_start();
    list.starts_with('[').then(|| rest.len() - list.len())
}

/// The length of the string at the start of `rest`.
fn string(rest: &str) -> Option<usize> {
    let mut reader = serde_json::Deserializer::from_str(rest);
    <&RawValue>::deserialize(&mut reader).ok().map(|raw| raw.get().len())
}
