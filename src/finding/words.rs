//! The same words in Chinese and English.

use std::borrow::Cow;

/// The language of messages to people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lang {
    /// 中文
    Zh,
    /// English
    En,
}

/// A sentence in both languages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Words {
    /// 中文
    pub zh: Cow<'static, str>,
    /// English
    pub en: Cow<'static, str>,
}

impl Words {
    /// Both texts of one sentence.
    pub fn new(zh: impl Into<Cow<'static, str>>, en: impl Into<Cow<'static, str>>) -> Words {
        Words { zh: zh.into(), en: en.into() }
    }

    /// The text in `lang`.
    pub fn get(&self, lang: Lang) -> &str {
        match lang {
            Lang::Zh => &self.zh,
            Lang::En => &self.en,
        }
    }
}
