//! Pages for a browser and for paper: one self-contained file, which asks nothing of the network.

mod audit;
pub(super) mod checked;
pub(super) mod findings;
pub(super) mod player;

pub use audit::audit_html;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::finding::Lang;

use super::svg;

/// A whole page.
pub(super) fn page(title: &str, lang: Lang, body: Markup) -> String {
    let code = match lang {
        Lang::Zh => "zh-CN",
        Lang::En => "en",
    };
    let page = html! {
        (DOCTYPE)
        html lang=(code) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                // Whatever a record says, the page loads nothing and runs no script but its own.
                meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";
                meta name="generator" content=(concat!("qijian ", env!("CARGO_PKG_VERSION")));
                title { (title) }
                style { (PreEscaped(include_str!("style.css"))) }
            }
            body {
                svg class="defs" aria-hidden="true" width="0" height="0" { (svg::discs()) }
                (body)
            }
        }
    };
    page.into_string() + "\n"
}

/// `zh` or `en`.
pub(super) const fn say(lang: Lang, zh: &'static str, en: &'static str) -> &'static str {
    match lang {
        Lang::Zh => zh,
        Lang::En => en,
    }
}
