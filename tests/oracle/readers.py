#!/usr/bin/env python3
"""The share of real files that reads, by format, beside `cchess` of PyPI on the same files.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install cchess
    /tmp/venv/bin/python tests/oracle/readers.py target/release/qijian ../shared/data [N]

With N only every Nth XQF file is given to cchess, which takes most of its time for these.
A file counts as read by qijian if it gives at least one game, by cchess if `Game.read_from` (for libraries
`Game.read_from_lib`) gives a game without an exception within 20 seconds. Moves are those of the first game's main line
as coordinates: they agree if both lists are equal. cchess chooses its reader by the file name's extension, so only
files whose names it takes are given to it. It reads in processes of its own, as some files send it into a long search.
Prints the table in Markdown, then every file that qijian refuses with the reason.
"""

import collections
import json
import multiprocessing
import os
import subprocess
import sys

SECONDS = 20
SINGLE, LIBRARY = {".xqf", ".pgn", ".cbf", ".cbr"}, {".cbl"}


def by_cchess(path):
    """The moves of the first game, or the name of the exception."""
    from cchess import Game

    extension = os.path.splitext(path)[1].lower()
    try:
        if extension in LIBRARY:
            games = Game.read_from_lib(path)
            games = games.get("games", games) if isinstance(games, dict) else games
            game = games[0]
        else:
            game = Game.read_from(path)
        if game is None:
            return "no game", None
        moves, move = [], game.first_move
        while move:
            moves.append(move.to_iccs())
            move = move.next_move
        return None, moves
    except RecursionError:
        return "RecursionError", None
    except Exception as error:  # whatever it raises is what is counted
        return type(error).__name__, None


def child(path, queue):
    sys.setrecursionlimit(10_000)
    sys.stdout = open(os.devnull, "w")
    queue.put(by_cchess(path))


def with_limit(path):
    queue = multiprocessing.Queue()
    process = multiprocessing.Process(target=child, args=(path, queue))
    process.start()
    try:
        answer = queue.get(timeout=SECONDS)
    except Exception:  # queue.Empty: too long, or the process has died
        answer = ("timeout", None)
    process.terminate()
    process.join()
    return answer


def batch(paths):
    """Many files in one process; those that it does not survive are tried again one by one."""
    with multiprocessing.Pool(1, maxtasksperchild=200) as pool:
        for path in paths:
            answer = pool.apply_async(by_cchess, (path,))
            try:
                yield path, answer.get(timeout=SECONDS)
            except multiprocessing.TimeoutError:
                pool.terminate()
                yield path, ("timeout", None)
                yield from batch(paths[paths.index(path) + 1:])
                return


def main():
    program, data = sys.argv[1:3]
    every = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    output = subprocess.run(
        [program, "check", data, "--format", "jsonl", "--moves", "--progress", "never"],
        capture_output=True, text=True, check=False).stdout
    files = collections.OrderedDict()
    for line in output.splitlines():
        game = json.loads(line)
        files.setdefault(game["source"], []).append(game)
    read = {name: [game for game in games if game["game"] > 0] for name, games in files.items()}
    own = collections.Counter()
    games = collections.Counter()
    formats = {}
    for name, found in read.items():
        extension = os.path.splitext(name)[1].lower()
        formats[name] = found[0]["format"] if found else extension.lstrip(".") or "?"
        own[formats[name], bool(found)] += 1
        games[formats[name]] += len(found)
    taken = [name for name in files
             if os.path.splitext(name)[1].lower() in SINGLE | LIBRARY and "!" not in name]
    records = [name for name in taken if formats[name] == "xqf"]
    passed = set(records) - set(records[::every])
    taken = [name for name in taken if name not in passed]
    theirs, agree, differ, why = (collections.Counter() for _ in range(4))
    sys.stdout.flush()
    for name, (error, moves) in batch(taken):
        kind = formats[name]
        theirs[kind, error is None] += 1
        if error:
            why[kind, error] += 1
        elif read[name]:
            ours = read[name][0].get("moves", [])
            (agree if moves == ours else differ)[kind] += 1
    print("| format | files | qijian reads | games | cchess is given | cchess reads | same main line | cchess fails with |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for kind in sorted({kind for kind, _ in own}):
        count = own[kind, True] + own[kind, False]
        given = theirs[kind, True] + theirs[kind, False]
        fails = ", ".join(f"{error} {n}" for (k, error), n in sorted(why.items()) if k == kind)
        print(f"| {kind} | {count} | {own[kind, True]} | {games[kind]} | {given or '–'} | "
              f"{theirs[kind, True] if given else '–'} | "
              f"{f'{agree[kind]} of {agree[kind] + differ[kind]}' if given else '–'} | {fails} |")
    print("\nRefused by qijian:\n")
    for name, found in read.items():
        if not found:
            reasons = "; ".join(f"{f['code']} {f['message']}" for f in files[name][0]["findings"])
            print(f"- `{os.path.relpath(name, data)}`: {reasons}")


if __name__ == "__main__":
    main()
