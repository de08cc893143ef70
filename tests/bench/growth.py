"""Whether time grows faster than the text: one game, or many broken ones, of 0.4 and of 1.6 MB of each of some fifty kinds.

    python3 tests/bench/growth.py QIJIAN [COMMAND]

COMMAND is `check` (the default), `fix`, `convert` or `audit`. Prints the seconds of each and their ratio, 4 where time
grows as the text does, and marks ratios above 6 of what takes over half a second. Asserts nothing.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

qijian = sys.argv[1]
command = sys.argv[2] if len(sys.argv) > 2 else "check"
work = Path(tempfile.mkdtemp(prefix="qijian-growth-"))
out = str(work / "out.pgn")
ARGUMENTS = {
    "check": ["check"],
    "fix": ["check", "--fix", "--force", "-o", out],
    "convert": ["convert", "--to", "pgn", "--notation", "wxf", "--force", "-o", out],
    "audit": ["audit", "--format", "html"],
}[command]

HEAD = '[Game "Chinese Chess"]\n\n'
CYCLE = ["炮二平五", "马8进7", "炮五平二", "马7退8"]
FEN = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"


def fill(size, *tokens):
    text = " ".join(tokens) + " "
    return text * (size // len(text.encode()) + 1)


def rounds(size, number, line="{}. {} {}\n"):
    """Numbered rounds of a cycle of moves."""
    count = size // 32
    return "".join(line.format(number(n), CYCLE[2 * n % 4], CYCLE[2 * n % 4 + 1]) for n in range(count))


def dhtmlxq(body):
    return f"[DhtmlXQ]\n{body}\n[/DhtmlXQ]"


KINDS = {
    "legal": lambda n: HEAD + fill(n, *CYCLE),
    "numbered": lambda n: HEAD + rounds(n, lambda i: i + 1),
    "numbers that jump": lambda n: HEAD + rounds(n, lambda i: 3 * i + 1),
    "numbers at random": lambda n: HEAD + rounds(n, lambda i: i * 7919 % 1000),
    "numbers alone": lambda n: HEAD + "".join(f"{i}. " for i in range(n // 7)),
    "illegal": lambda n: HEAD + fill(n, "炮二平五", "马8进7"),
    "illegal, comments": lambda n: HEAD + fill(n, "炮二平五", "{abc}"),
    "nonstandard": lambda n: HEAD + fill(n, "炮2平5", "马八进七", "炮5平2", "马七退八"),
    "blanks": lambda n: HEAD + fill(n, "炮二平五", "……", "马8进7"),
    "said to be missing": lambda n: HEAD + fill(n, "炮二平五", "{[%missing 2]}", "马8进7"),
    "dots": lambda n: HEAD + fill(n, "..."),
    "short form": lambda n: HEAD + fill(n, "炮25", "马87", "炮52", "马78"),
    "WXF": lambda n: HEAD + fill(n, "C2.5", "h8+7", "C5.2", "h7-8"),
    "ICCS": lambda n: HEAD + fill(n, "h2e2", "h9g7", "e2h2", "g7h9"),
    "clocks": lambda n: HEAD + fill(n, *(f"{move} {{[%clk 0:01:00]}}" for move in CYCLE)),
    "offers": lambda n: HEAD + fill(n, "炮二平五 {提和}", "马8进7 {提和}", "炮五平二 {[%draw]}", "马7退8"),
    "comments": lambda n: HEAD + fill(n, *(f"{move} {{好棋}}" for move in CYCLE)),
    "variations": lambda n: HEAD + fill(n, "炮二平五", "(炮八平五)"),
    "variations of one ply": lambda n: HEAD + "炮二平五 " + fill(n, "(炮八平五)"),
    "illegal variations": lambda n: HEAD + "兵七进一 卒7进1 " + fill(n // 8, "(马三进四)"),
    "nested variations": lambda n: HEAD + fill(n // 2, "炮二平五 (炮八平五") + ")" * (n // 20),
    "brackets": lambda n: HEAD + "炮二平五 " + "(" * (n // 2) + ")" * (n // 2),
    "braces opened": lambda n: HEAD + fill(n, "{"),
    "braces closed": lambda n: HEAD + fill(n, "}"),
    "semicolons": lambda n: HEAD + fill(n, ";"),
    "slashes": lambda n: HEAD + fill(n, "/*"),
    "signs": lambda n: HEAD + fill(n, "炮二平五 $1 $2 ! ?"),
    "results": lambda n: HEAD + fill(n, "1-0"),
    "stars": lambda n: fill(n, "*"),
    "prose": lambda n: HEAD + fill(n, "hello world 红方优势"),
    "one long word": lambda n: HEAD + "x" * n,
    "one long tag": lambda n: '[Event "' + "x" * n + '"]\n\n炮二平五 *\n',
    "one tag again and again": lambda n: '[A "b"]\n' * (n // 8),
    "other tags": lambda n: "".join(f'[T{i} "b"]\n' for i in range(n // 13)),
    "event tags": lambda n: '[Event "b"]\n' * (n // 12),
    "FEN tags": lambda n: f'[FEN "{FEN}"]\n' * (n // 70),
    "tags that are not closed": lambda n: '[Event "\n' * (n // 9),
    "square brackets": lambda n: fill(n, "["),
    "line feeds": lambda n: "\n" * n,
    "returns": lambda n: "\r" * n,
    "zeros": lambda n: "\0" * n,
    "blanks before a move": lambda n: HEAD + " " * n + "炮二平五",
    "games": lambda n: '[Event "a"]\n\n1. 炮二平五 *\n\n' * (n // 34),
    "illegal games": lambda n: '[Event "a"]\n\n1. 炮二平五 炮二平五 马8进7 车一平二 *\n\n' * (n // 700),
    "DhtmlXQ": lambda n: dhtmlxq(f"[DhtmlXQ_movelist]{'7747796777477967' * (n // 16)}[/DhtmlXQ_movelist]"),
    "DhtmlXQ comments": lambda n: dhtmlxq(
        "[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]\n"
        + "".join(f"[DhtmlXQ_comment{i}]x[/DhtmlXQ_comment{i}]\n" for i in range(n // 45))
    ),
    "DhtmlXQ variations": lambda n: dhtmlxq(
        "[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]\n"
        + "".join(f"[DhtmlXQ_move_0_1_{i}]7967[/DhtmlXQ_move_0_1_{i}]\n" for i in range(n // 55))
    ),
    "sheet": lambda n: "着 红 黑\n" + rounds(n, lambda i: i + 1, "{} {} {}\n"),
    "CSV": lambda n: "game,ply,move\n"
    + "".join(f"1,{i + 1},{['h2e2', 'h9g7', 'e2h2', 'g7h9'][i % 4]}\n" for i in range(n // 15)),
    "JSON": lambda n: '{"moves":["h2e2"' + ',"h9g7"' * (n // 7) + "]}",
    "JSON brackets": lambda n: "[" * n,
    "WXF file": lambda n: "FORMAT\tWXF\nGAME\tx\nSTART{\n"
    + "".join(f"{i + 1}. C2.5 h8+7 \n" for i in range(n // 18))
    + "}END\n",
}


def seconds(text):
    path = work / "in.pgn"
    path.write_bytes(text.encode())
    begun = time.time()
    call = [qijian, ARGUMENTS[0], str(path), *ARGUMENTS[1:]]
    done = subprocess.run(call, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert done.returncode in (0, 1, 2), (done.returncode, done.stderr[-500:])
    return time.time() - begun


for name, make in KINDS.items():
    small, large = seconds(make(400_000)), seconds(make(1_600_000))
    ratio = large / max(small, 0.001)
    mark = "<-- grows faster" if large > 0.5 and ratio > 6 else ""
    print(f"{name:26} {small:7.3f} s {large:7.3f} s {ratio:6.1f} {mark}", flush=True)
