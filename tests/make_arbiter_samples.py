#!/usr/bin/env python3
"""Writes samples/arbiter/: for each article a record that passes, one that fails and one that leaves it unknown.

Run from the repository root; the files are committed. What each is expected to give stands in tests/arbiter.rs.
"""

import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent.parent / "samples"
OUT = HERE / "arbiter"
OPENING = ["h2e2", "h9g7", "h0g2", "i9h9", "i0h0", "b9c7", "b0c2", "g6g5"]
ENDING = "4k4/4a4/r8/9/9/9/9/R8/4A4/4K4 w - - 0 1"
SHUT = "3aka3/9/9/9/p8/9/9/9/R7N/3K3NC w - - 0 1"
MATE = "4k4/R8/9/9/9/9/9/9/1R7/3K5 w - - 0 1"
CHECKS = "3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 0 1"
REPEAT = ["e1d1", "d9e9", "d1e1", "e9d9"]


def long_line():
    """A line of sixty rounds without captures, checks or repetitions, from the sample of the natural limit."""
    text = (HERE / "natural-limit-reached.pgn").read_text()
    return re.findall(r"\b[a-i]\d[a-i]\d\b", text.split("\n\n", 1)[1])


def clock(seconds):
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def pgn(name, moves, notes=None, result="*", tags=(), fen=None):
    """`notes` has the comment behind each number of plies."""
    notes = notes or {}
    lines = [f'[Event "{name}"]'] + [f'[{key} "{value}"]' for key, value in tags]
    lines.append(f'[Result "{result}"]')
    if fen:
        lines.append(f'[FEN "{fen}"]')
    words = [f"{{{notes[0]}}}"] if 0 in notes else []
    for ply, move in enumerate(moves, 1):
        if ply % 2:
            words.append(f"{ply // 2 + 1}.")
        elif ply - 1 in notes:
            words.append(f"{ply // 2}...")
        words.append(move)
        if ply in notes:
            words.append(f"{{{notes[ply]}}}")
    words.append(result)
    body, line = [], ""
    for word in words:
        if line and len(line) + len(word) > 100:
            body.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    body.append(line)
    (OUT / f"{name}.pgn").write_text("\n".join(lines) + "\n\n" + "\n".join(body) + "\n")


def sheet(name, rows, head=(), foot=(), columns=("回合", "红方", "黑方")):
    lines = list(head) + ["", "| " + " | ".join(columns) + " |", "|" + " --- |" * len(columns)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    (OUT / f"{name}.txt").write_text("\n".join(lines + [""] + list(foot)).rstrip() + "\n")


def timed(name, control, times, missing=(), moves=None):
    """Red's times taken; Black takes a second a move."""
    moves, notes = moves or long_line()[:2 * len(times)], {}
    for number, seconds in enumerate(times):
        if number not in missing:
            notes[2 * number + 1] = f"[%emt {clock(seconds)}]"
    pgn(name, moves, notes, tags=[("TimeControl", control)], fen=ENDING)


def periods(article, topic, control, moves, limit):
    """The last move of the period completed on the last second, one second later, and with a time missing."""
    each = limit // moves - 1
    times = [each + 5, each - 4] + [each] * (moves - 3)
    times.append(limit - sum(times))
    timed(f"{article}-{topic}-pass", control, times)
    timed(f"{article}-{topic}-fail", control, times[:-1] + [times[-1] + 1])
    timed(f"{article}-{topic}-unknown", control, times, missing={3})


def touches():
    pairs = [
        ("5.1", "own-piece", "h0", "h0g2", "b0c2"),
        ("5.2", "other-piece", "b9", "b2b9", "h0g2"),
        ("5.3", "own-then-other", "b2 b9", "b2b9", "b2b5"),
        ("5.4", "other-then-own", "b9 h0", "b2b9", "h0g2"),
        ("5.5", "both-at-once", "h0+b9", "b2b9", "h0g2"),
    ]
    for article, topic, squares, good, bad in pairs:
        note = {2: f"[%touch red {squares}]"}
        pgn(f"{article}-{topic}-pass", ["h2e2", "h9g7", good], note)
        pgn(f"{article}-{topic}-fail", ["h2e2", "h9g7", bad], note)
        pgn(f"{article}-{topic}-unknown", ["h2e2", "h9g7"], note)
    for article, topic, piece in [("9.1.5", "own-piece-that-cannot-move", "i0"), ("9.1.6", "piece-that-cannot-be-taken", "d9")]:
        other = "a1" if article == "9.1.5" else "a5"
        pgn(f"{article}-{topic}-pass", ["a1a5"], {0: f"[%touch red {other}]"}, fen=SHUT)
        pgn(f"{article}-{topic}-fail", ["a1a5"], {0: f"[%touch red {piece}]"}, fen=SHUT)
        pgn(f"{article}-{topic}-unknown", ["……", "……", "a1a5"], {2: f"[%touch red {piece}]"}, fen=SHUT)


def recording():
    # Few pieces, so that the search for what fills the gap is short.
    full = [("1", "e4e5", "d9d8"), ("2", "e5e6", "d8d7")]
    gap = lambda count: [("3", "", ""), ("4", "", "" if count == 4 else "d8d7")]
    rest = [("5", "f0f1", "d7d8")]
    head = ["红方：甲方", "黑方：乙方", "FEN：3k5/9/9/9/9/4P4/9/9/9/5K3 w - - 0 1"]
    owned = head + ["记录者：红方"]
    left = lambda rows, clocks: [(n, red, time, black) for (n, red, black), time in zip(rows, clocks)]
    columns = ("回合", "红方", "红余时", "黑方")
    rows = full + gap(4) + rest
    long = ["59:00", "58:00", "", "", "50:00"]
    short = ["10:00", "2:50", "", "", "1:00"]
    sheet("7.1-three-omitted-pass", full + gap(3) + rest, owned)
    sheet("7.1-four-omitted-fail", left(rows, long), owned, columns=columns)
    sheet("7.1-four-omitted-unknown", rows, owned)
    sheet("7.1-nobody-s-sheet-unknown", rows, head)
    sheet("7.2-under-three-minutes-pass", left(rows, short), owned, columns=columns)
    period, shorter = ["用时限：每5分钟4着"], ["4:30", "2:50", "", "", "1:00"]
    sheet("7.2-not-made-up-fail", left(rows, shorter), owned + period, columns=columns)
    sheet("7.2-fell-below-in-between-unknown", left(rows, ["59:00", "58:00", "", "", "1:00"]), owned, columns=columns)
    timeless = [(n, red, time, black, time) for (n, red, black), time in zip(full, ["0:30", "0:10"])]
    five = ("回合", "红方", "用时", "黑方", "用时")
    signed = ["结果：和棋", "红方签字：甲方    黑方签字：乙方    裁判签字：丙方"]
    sheet("10.1-signed-pass", timeless, head + ["红方用时：0:40", "黑方用时：0:40"], signed, columns=five)
    sheet("10.1-not-signed-fail", timeless, head, ["结果：和棋", "红方签字：甲方    黑方签字：    裁判签字："], columns=five)
    sheet("10.1-used-time-fail", timeless, head + ["红方用时：5:00", "黑方用时：0:40"], signed, columns=five)
    sheet("10.1-used-time-unknown", full, head + ["红方用时：5:00"], signed)


def lateness():
    control = ("TimeControl", "3600")
    moves, limit = OPENING[:2], ("LateLimit", "900")
    note = {0: "[%late red 10:00]", 1: "[%clk 0:49:30]"}
    pgn("21.1-late-pass", moves, note, tags=[control, limit])
    pgn("21.1-late-fail", moves, {0: "[%late red 15:01]"}, result="1-0", tags=[control, limit])
    pgn("21.1-late-unknown", moves, {0: "[%late red 10:00]"}, tags=[control])
    pgn("21.2-lateness-deducted-pass", moves, note, tags=[control])
    pgn("21.2-lateness-deducted-fail", moves, {**note, 1: "[%clk 0:59:30]"}, tags=[control])
    pgn("21.2-lateness-deducted-unknown", moves, {0: "[%late red 10:00]"})
    both = [("RedLate", "901"), ("BlackLate", "902"), limit]
    pgn("21.3-both-late-fail", [], result="*", tags=both)
    pgn("21.3-both-late-pass", moves, tags=[("RedLate", "600"), ("BlackLate", "900"), limit])
    pgn("21.3-both-late-unknown", moves, tags=both[:2])


def clocks():
    periods("6.1", "ninety-minutes", "40/5400:10/900", 40, 5400)
    periods("6.2", "sixty-minutes", "每方60分钟30着，以后每10分钟10着", 30, 3600)
    periods("6.3", "ten-minutes", "6.3", 40, 600)
    periods("6.4", "five-minutes", "6.4", 30, 300)
    periods("6.5", "sudden-death", "包干20分钟", 6, 1200)
    for name, seconds in [("pass", 30), ("fail", 61), ("unknown", 45)]:
        # Two chariots side by side have two readings in the short form without bars, which other tests write.
        timed(f"6-increment-{name}", "60分+30秒", [3600, seconds], moves=["a2b2", "e9d9", "b2c2", "d9e9"])
    for name, seconds in [("pass", 30), ("fail", 31)]:
        timed(f"6-each-move-{name}", "每着限时30秒", [20, 12, seconds, 9])
    timed("6-each-move-unknown", "每着限时30秒", [20, 12, 25, 9], missing={2})
    left = lambda times: {2 * n + 1: f"[%clk {clock(t)}]" for n, t in enumerate(times)}
    control = [("TimeControl", "3600")]
    pgn("6-clock-runs-backwards-pass", OPENING[:5], left([3590, 3500, 3400]), tags=control)
    pgn("6-clock-runs-backwards-fail", OPENING[:5], left([3590, 3500, 3550]), tags=control)
    pgn("6-clock-runs-backwards-unknown", OPENING[:5], left([3590, 3500, 3550]))
    both = lambda times: {2 * n + 1: f"[%clk {clock(a)}] [%emt {clock(b)}]" for n, (a, b) in enumerate(times)}
    pgn("6-clock-and-time-taken-pass", OPENING[:3], both([(3590, 10), (3570, 20)]), tags=control)
    pgn("6-clock-and-time-taken-fail", OPENING[:3], both([(3590, 10), (3500, 20)]), tags=control)
    pgn("6-clock-and-time-taken-unknown", OPENING[:5], both([(3590, 10), (3570, 20), (3600, 5)]))
    pgn("22.2-flag-fail", OPENING[:4], {4: "[%flag red]"}, result="1-0")
    pgn("22.2-flag-pass", OPENING[:4], {4: "[%flag red]"}, result="0-1")
    minute = [("TimeControl", "60")]
    # At 0:00 the flag may have fallen or not, and nobody has noted it.
    pgn("22.2-flag-unknown", OPENING[:4], {3: "[%clk 0:00:00]"}, tags=minute)
    mate = lambda name, note: pgn(name, ["b1b9"], {1: note}, "1-0", minute, MATE)
    mate("22.5-mate-before-the-press-pass", "[%emt 0:01:05] [%xmt 50]")
    mate("22.5-mate-before-the-press-fail", "[%emt 0:01:05] [%xmt 62]")
    mate("22.5-mate-before-the-press-unknown", "[%emt 0:01:05]")


def offers():
    offer = lambda side: f"[%offer {side} draw]"
    pgn("23.1-offers-in-turn-pass", OPENING, {1: offer("red"), 4: offer("black") + " [%reply red refuse]", 7: offer("red")})
    pgn("23.1-repeated-offer-fail", OPENING, {1: offer("red") + " [%reply black refuse]", 5: offer("red")})
    pgn("23.1-offer-before-the-move-fail", OPENING, {2: offer("red")})
    pgn("23.1-reply-without-offer-fail", OPENING, {2: "[%reply red refuse]"})
    # Black may have offered too, among the plies that are not recorded.
    gap = OPENING[:4] + ["……", "……", "i0h0"]
    pgn("23.1-repeated-offer-unknown", gap, {1: offer("red"), 7: offer("red")})
    # Nothing says whether the offer was answered.
    pgn("4.2.2-agreed-unknown", OPENING, {8: offer("black")})
    # Somebody has resigned, and nothing says who.
    pgn("4.1.9-resigned-unknown", OPENING, {8: "[%resign]"})
    pgn("4.2.2-agreed-pass", OPENING, {8: "[%offer draw] [%reply accept]"}, "1/2-1/2")
    pgn("4.2.2-agreed-fail", OPENING, {8: "[%offer draw] [%reply accept]"}, "1-0")
    pgn("4.1.9-resigned-pass", OPENING, {8: "[%resign red]"}, "0-1")
    pgn("4.1.9-resigned-fail", OPENING, {8: "[%resign red]"}, "1-0")


def claims():
    claim = "[%claim red natural-limit]"
    line = long_line()
    left = lambda before, after: {39: f"[%clk {clock(before)}]", 40: claim, 41: f"[%clk {clock(after)}]"}
    control = [("TimeControl", "3600")]
    pgn("23.3-five-minutes-added-fail", line[:42], left(600, 295), tags=control, fen=ENDING)
    pgn("23.3-five-minutes-overstep-fail", line[:40], {39: "[%clk 0:04:59]", 40: claim}, "1-0", control, ENDING)
    pgn("23.3-five-minutes-not-added-fail", line[:42], left(600, 590), tags=control, fen=ENDING)
    pgn("23.3-true-claim-pass", line, {120: claim}, "1/2-1/2", fen=ENDING)
    pgn("23.3-past-not-known-unknown", line[:40], {40: claim}, fen=ENDING.replace("0 1", "- -"))
    pgn("8.5-claim-in-own-time-pass", line, {120: claim}, "1/2-1/2", fen=ENDING)
    pgn("8.5-claim-in-the-other-s-time-fail", OPENING, {4: "[%claim black repetition]"})
    # Words stand on a row: when in it Black has spoken they do not say.
    pgn("8.5-claim-in-words-unknown", OPENING, {4: "黑方要求裁决"})
    cycle = REPEAT * 2 + REPEAT[:1]
    pgn("24.1-ruling-claimed-pass", cycle, {9: "[%claim black repetition]"}, "0-1", fen=CHECKS)
    pgn("24.1-ruling-claimed-fail", cycle, {9: "[%claim black repetition]"}, "1-0", fen=CHECKS)
    idle = ["h0i2", "h9i7", "i2h0", "i7h9"] * 2
    pgn("24.2-ruling-claimed-pass", idle, {8: "[%claim red repetition]"}, "1/2-1/2")
    pgn("24-ruling-claimed-fail", OPENING[:4], {4: "[%claim red repetition]"})
    pgn("24-ruling-claimed-unknown", OPENING[:4] + ["……", "……", "i0h0"], {6: "[%claim red repetition]"})


def fouls():
    foul = lambda side, code: f"[%foul {side} {code}]"
    two = {2: foul("red", "9.1.1"), 4: foul("red", "9.1.2")}
    pgn("4.1.8-two-fouls-pass", OPENING, two, "1-0")
    pgn("4.1.8-three-fouls-pass", OPENING, {**two, 6: foul("red", "9.1.8")}, "0-1")
    pgn("4.1.8-three-fouls-fail", OPENING, {**two, 6: foul("red", "9.1.8")}, "1-0")
    # The third foul is a claim that may have been true: what was played before the position is not known.
    claim = {40: "[%claim red natural-limit]"}
    pgn("4.1.8-three-fouls-unknown", long_line()[:40], {**two, **claim}, "1-0", fen=ENDING.replace("0 1", "- -"))
    pgn("9-unknown-foul-fail", OPENING, {2: foul("red", "9.9.9")})
    pgn("9.2-announced-pass", OPENING, {1: "[%offer red draw]", 5: "[%offer red draw] [%foul red 9.1.3]"})
    pgn("9.2-not-announced-fail", OPENING, {1: "[%offer red draw]", 5: "[%offer red draw]"})
    # An announcement that does not say whose foul it was.
    pgn("9.2-announced-unknown", OPENING, {5: "[%foul 9.1.3]"})
    pgn("malformed-annotation-fail", OPENING, {1: "[%clk soon]", 2: "[%claim red]", 3: "[%foul 9.1.1]"})
    pgn("rapid-two-fouls-fail", OPENING, two, "1-0")
    pgn("rapid-telephone-fail", OPENING, {4: foul("black", "phone")}, "0-1")
    pgn("rapid-false-claim-fail", OPENING, {8: "[%claim red natural-limit]"}, "1-0")
    pgn("rapid-claim-after-the-game-pass", long_line()[:100], {100: "[%claim black natural-limit]"}, "1/2-1/2", fen=ENDING)
    pgn("amateur-illegal-move-fail", ["h2e2", "h9h8"], result="*")


OUT.mkdir(exist_ok=True)
for old in OUT.iterdir():
    old.unlink()
for part in (touches, recording, lateness, clocks, offers, claims, fouls):
    part()
