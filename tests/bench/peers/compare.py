"""CPU seconds for 100 000 plies: `qijian check` beside what users of other programs have, in one run.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install pyffish cchess
    cargo build --release && cargo build --release --manifest-path tests/bench/peers/chess/Cargo.toml
    /tmp/venv/bin/python tests/bench/peers/compare.py QIJIAN CHESS_PEER SHARED

The games are those of ../shared/data in which `check` finds nothing, joined to one file in Big5 and one in GB18030, each
ten times over; as files by themselves, those in which it finds nothing but repetitions and natural limits, which it has to
rule; and all games of the folder, faults and all, put together as `cat` does. pyffish and cchess get their coordinates and say of each move whether it is legal;
chess-peer (pgn-reader and shakmaty) and pgn-extract check as many plies of chess. A program that is not there is left
out, visibly.
"""

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

qijian, chess, shared = sys.argv[1:4]
work = tempfile.mkdtemp(prefix="qijian-peers-")


def cpu(*command):
    """CPU and wall seconds of a process, the least CPU of three runs; its findings are no failure."""
    best = None
    for _ in range(3):
        before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.time()
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wall, after = time.time() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
        used = (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)
        best = min(best or (used, wall), (used, wall))
    return best


def games(folder, allowed):
    """The files of a folder whose only game has no finding but of the families allowed, and its plies."""
    out = subprocess.run(
        [qijian, "check", os.path.join(shared, "data", folder), "--format", "jsonl"], stdout=subprocess.PIPE
    ).stdout.decode()
    seen = {}
    for line in out.splitlines():
        report = json.loads(line)
        seen.setdefault(report["source"], []).append(report)
    for source, reports in seen.items():
        clean = all(f["code"][:3] in allowed for f in reports[0]["findings"])
        if len(reports) == 1 and clean and reports[0]["plies"] and "!" not in source:
            yield source, reports[0]["plies"]


def join(folder, path, allowed=(), times=1):
    """So many times all such files of a folder as one file; how many plies it has."""
    found = list(games(folder, allowed))
    with open(path, "wb") as out:
        for source, _ in found * times:
            with open(source, "rb") as file:
                out.write(file.read() + b"\n\n")
    return times * sum(count for _, count in found)


def cat(folder, path):
    """All files of a folder as one file; how many plies `check` plays of it."""
    with open(path, "wb") as out:
        for top, folders, names in os.walk(os.path.join(shared, "data", folder)):
            folders.sort()
            for name in sorted(names):
                if name.lower().endswith(".pgn"):
                    with open(os.path.join(top, name), "rb") as file:
                        out.write(file.read())
    out = subprocess.run([qijian, "check", path, "--format", "jsonl"], stdout=subprocess.PIPE).stdout.decode()
    return sum(json.loads(line)["plies"] or 0 for line in out.splitlines())


rows = []


def row(name, used, plies, note=""):
    rows.append((name, used * 100_000 / plies, note))
    print(f"{name:34} {used * 100_000 / plies:9.4f} s for 100 000 plies  {note}", flush=True)


base = {}
for folder, name, label in [("pgn-big5-ccpd", "Big5", "big5"), ("pgn-gbk-online", "GB18030", "gb18030")]:
    path = os.path.join(work, name + ".pgn")
    plies = join(folder, path, times=10)
    used, _ = cpu(qijian, "check", path, "--jobs", "1")
    row(f"qijian, {name}", used, plies, f"{plies} plies")
    base[name] = used / plies
    if os.path.exists(chess):
        decoded, _ = cpu(chess, "decode", label, path)
        row(f"encoding_rs alone, {name}", decoded / 10, plies, f"qijian: {used / (decoded / 10):.1f} times")
    ruled = os.path.join(work, name + "-ruled.pgn")
    plies = join(folder, ruled, allowed=("QJ5", "QJ6"))
    row(f"qijian, {name}, with rulings", cpu(qijian, "check", ruled, "--jobs", "1")[0], plies, f"{plies} plies")
    skip = ("--ignore", "QJ5,QJ6")
    row(f"qijian, {name}, the same, none asked", cpu(qijian, "check", ruled, "--jobs", "1", *skip)[0], plies)
    everything = os.path.join(work, name + "-all.pgn")
    plies = cat(folder, everything)
    row(f"qijian, {name}, all games", cpu(qijian, "check", everything, "--jobs", "1")[0], plies, f"{plies} plies")

chess_pgn = os.path.join(work, "chess.pgn")
if os.path.exists(chess):
    with open(chess_pgn, "wb") as out:
        subprocess.run([chess, "make", "3000000"], stdout=out)
    row("pgn-reader + shakmaty, chess", cpu(chess, "replay", chess_pgn)[0], 3_000_000)
    if extract := shutil.which("pgn-extract", path=os.environ["PATH"] + ":/usr/games"):
        row("pgn-extract -r, chess", cpu(extract, "-r", "-s", chess_pgn)[0], 3_000_000)
    else:
        print("pgn-extract is not there")
else:
    print(f"{chess} is not there")

# Coordinates of the first games, as convert writes them.
first = os.path.join(work, "first.pgn")
with open(os.path.join(work, "GB18030.pgn"), "rb") as file:
    text = file.read(400_000)
with open(first, "wb") as out:
    out.write(text[: text.rfind(b"\n\n[")])
coordinates = os.path.join(work, "first.json")
subprocess.run(
    [qijian, "convert", first, "--to", "json", "--notation", "iccs", "-o", coordinates, "--quiet"],
    stdout=subprocess.DEVNULL,
    stderr=subprocess.DEVNULL,
)
played = []
with open(coordinates, encoding="utf-8") as file:
    for line in file:
        moves = json.loads(line)["moves"]
        if all(isinstance(move, str) and len(move) == 4 for move in moves):
            played.append([move.lower() for move in moves])


def python_peer(name, limit, play):
    count, begun = 0, time.process_time()
    for game in played:
        count += play(game)
        if count >= limit:
            break
    if count:
        row(name, time.process_time() - begun, count, f"{count} plies")


try:
    import pyffish

    def with_pyffish(game):
        # Its ranks begin at 1. It says in one call for all moves whether they are legal, which is its fastest way.
        moves = [m[0] + str(int(m[1]) + 1) + m[2] + str(int(m[3]) + 1) for m in game]
        pyffish.get_fen("xiangqi", pyffish.start_fen("xiangqi"), moves)
        return len(game)

    python_peer("pyffish, coordinates", 20_000, with_pyffish)
except ImportError:
    print("pyffish is not there")

try:
    import cchess

    def with_cchess(game):
        board = cchess.ChessBoard(cchess.FULL_INIT_FEN)
        for count, move in enumerate(game):
            if not board.is_valid_iccs_move(move) or board.move_iccs(move) is None:
                return count
            board.next_turn()
        return len(game)

    python_peer("cchess, coordinates", 2_000, with_cchess)
except ImportError:
    print("cchess is not there")

print()
print("| program | CPU seconds for 100 000 plies | times qijian on Big5 |")
print("| --- | --- | --- |")
for name, seconds, _ in rows:
    print(f"| {name} | {seconds:.4f} | {seconds / (base['Big5'] * 100_000):.2f} |")
shutil.rmtree(work)
