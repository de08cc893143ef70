//! Tags, and the standard keys of the contract.

use std::borrow::Cow;

use arrayvec::ArrayString;

use crate::finding::Span;

/// A tag as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tag<'a> {
    /// The name as written.
    pub name: Cow<'a, str>,
    /// The value as written.
    pub value: Cow<'a, str>,
    /// The value in the source.
    pub span: Span,
}

/// The bytes of a name that are looked at, more than any known one has.
const LONGEST: usize = 32;

/// The standard key in lower snake case of a tag called `name` in any case, in the spellings of PGN, XQF and CBR
/// programs and in the Chinese words of scoresheets; `None` if it has no standard key and keeps its own name.
///
/// ```
/// use qijian::record::standard_key;
///
/// assert_eq!(standard_key("WhiteTeam"), Some("red_team"));
/// assert_eq!(standard_key("紅方"), Some("red"));
/// assert_eq!(standard_key("Weather"), None);
/// ```
pub fn standard_key(name: &str) -> Option<&'static str> {
    let mut folded = ArrayString::<LONGEST>::new();
    // A longer name than all that are known is none of them.
    if name.is_ascii() {
        for byte in name.bytes().filter(u8::is_ascii_alphanumeric) {
            folded.try_push(char::from(byte.to_ascii_lowercase())).ok()?;
        }
    } else {
        for c in name.chars().filter(|c| c.is_alphanumeric()).map(simplified) {
            for c in c.to_lowercase() {
                folded.try_push(c).ok()?;
            }
        }
    }
    let key = match folded.as_str() {
        "game" => "game",
        "title" | "titlea" | "标题" | "局名" | "棋局名称" => "title",
        "event" | "赛事" | "赛事名称" | "比赛" | "比赛名称" => "event",
        "site" | "place" | "地点" | "比赛地点" => "site",
        "date" | "日期" | "比赛日期" | "比赛时间" => "date",
        "round" | "轮次" | "轮" => "round",
        "red" | "white" | "红" | "红方" | "红方棋手" | "先手" => "red",
        "black" | "黑" | "黑方" | "黑方棋手" | "后手" => "black",
        "redteam" | "whiteteam" | "红方单位" | "红方队" | "红方团体" => "red_team",
        "blackteam" | "黑方单位" | "黑方队" | "黑方团体" => "black_team",
        "redelo" | "whiteelo" | "redrating" | "红方等级分" => "red_elo",
        "blackelo" | "blackrating" | "黑方等级分" => "black_elo",
        "redtime" | "红方用时" => "red_time",
        "blacktime" | "黑方用时" => "black_time",
        "result" | "win" | "结果" | "对局结果" | "比赛结果" => "result",
        "termination" | "endtype" => "termination",
        "opening" | "open" | "开局" | "布局" => "opening",
        "variation" | "变例" => "variation",
        "ecco" | "eco" => "ecco",
        "timecontrol" | "timerule" | "用时规则" | "用时限" | "时限" => "time_control",
        "fen" | "起始局面" => "fen",
        "setup" => "setup",
        "format" => "format",
        "variant" => "variant",
        "annotator" | "remark" | "rmkwriter" | "writer" | "评注" | "评注者" | "讲评" => {
            "annotator"
        }
        "creator" | "author" | "作者" => "author",
        _ => return None,
    };
    Some(key)
}

/// The traditional characters of the words above as simplified ones.
fn simplified(c: char) -> char {
    match c {
        '標' => '标',
        '題' => '题',
        '賽' => '赛',
        '稱' => '称',
        '點' => '点',
        '時' => '时',
        '間' => '间',
        '輪' => '轮',
        '紅' => '红',
        '後' => '后',
        '單' => '单',
        '隊' => '队',
        '團' => '团',
        '體' => '体',
        '級' => '级',
        '結' => '结',
        '對' => '对',
        '開' => '开',
        '變' => '变',
        '規' => '规',
        '則' => '则',
        '評' => '评',
        '註' | '注' => '注',
        '講' => '讲',
        _ => c,
    }
}
