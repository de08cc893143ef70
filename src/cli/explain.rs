//! `qijian explain CODE`

use std::io::Write;

use clap::Args;

use crate::finding::{self, Code, Lang};

use super::Outcome;

/// Prints what a finding means.
#[derive(Args, Debug)]
pub(super) struct Explain {
    /// 代码 Codes such as QJ301; none lists them all
    codes: Vec<Code>,
    /// 语言 Language: zh or en
    #[arg(long, value_parser = super::parse_lang)]
    lang: Option<Lang>,
}

impl Explain {
    pub(super) fn run(self) -> anyhow::Result<Outcome> {
        let lang = self.lang.unwrap_or_else(super::locale);
        let mut out = std::io::stdout().lock();
        if self.codes.is_empty() {
            for code in Code::all() {
                let entry = code.entry();
                writeln!(out, "{code}  {:24} {}", entry.name, entry.title().get(lang))?;
            }
        }
        for (index, code) in self.codes.iter().enumerate() {
            if index > 0 {
                writeln!(out)?;
            }
            writeln!(out, "{}", finding::explain(*code, lang).trim_end())?;
        }
        out.flush()?;
        Ok(Outcome::Clean)
    }
}
