//! `qijian rules [PROFILE]`

use std::io::Write;

use clap::Args;

use crate::{finding::Lang, rules::Profile};

use super::Outcome;

/// Prints the rule profiles and their values.
#[derive(Args, Debug)]
pub(super) struct Rules {
    /// 规则名或 .toml 文件 A profile or a .toml file; none lists the built-in ones
    profile: Option<String>,
    /// 语言 Language: zh or en
    #[arg(long, value_parser = super::parse_lang)]
    lang: Option<Lang>,
}

impl Rules {
    pub(super) fn run(self) -> anyhow::Result<Outcome> {
        let lang = self.lang.unwrap_or_else(super::locale);
        let mut out = std::io::stdout().lock();
        match self.profile {
            Some(name) => {
                let profile = Profile::load(&name)?;
                writeln!(out, "{}  {}", profile.name, profile.title.get(lang))?;
                for value in profile.values() {
                    let source = match value.source.as_deref() {
                        Some(source) => source,
                        None => match lang {
                            Lang::Zh => "（未找到出处）",
                            Lang::En => "(no source found)",
                        },
                    };
                    writeln!(out, "  {} = {}    # {source}", value.path, value.value)?;
                }
            }
            None => {
                for name in Profile::built_in() {
                    writeln!(out, "{name:18}  {}", Profile::load(name)?.title.get(lang))?;
                }
            }
        }
        out.flush()?;
        Ok(Outcome::Clean)
    }
}
