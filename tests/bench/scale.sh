#!/usr/bin/env bash
# What large inputs cost `qijian check`: one PGN file of so many MB with one job and with two, its peak memory, and a tree of
# so many small files beside `cat` of all of them. Prints figures and asserts nothing; wants two cores for itself.
#
#   tests/bench/scale.sh QIJIAN [SHARED] [MB] [FILES]
set -euo pipefail
qijian=$1
shared=${2:-$(dirname "$0")/../../../shared}
megabytes=${3:-1000} files=${4:-100000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 - "$shared" "$work" "$megabytes" "$files" <<'PY'
import sys
from itertools import cycle, islice
from pathlib import Path

shared, work, megabytes, files = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
games = [path.read_bytes() for path in sorted((shared / "data/pgn-big5-ccpd").glob("**/*.PGN"))]
games += [path.read_bytes() for path in sorted((shared / "data/pgn-big5-ccpd").glob("**/*.pgn"))]
with open(work / "large.pgn", "wb") as out:
    for game in cycle(games):
        out.write(game + b"\n\n")
        if out.tell() >= megabytes * 1_000_000:
            break
for number, game in enumerate(islice(cycle(games), files)):
    path = work / "tree" / f"{number // 1000:04}" / f"{number:07}.pgn"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(game)
PY

# run NAME COMMAND...: wall seconds, CPU seconds, peak memory; a status of 1 only says that there are findings.
run() {
  python3 - "$@" <<'PY'
import resource, subprocess, sys, time
begun = time.time()
done = subprocess.run(sys.argv[2:], stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
assert done.returncode <= 1, done.returncode
print(f"{sys.argv[1]:28} {time.time() - begun:8.2f} s, CPU {used.ru_utime + used.ru_stime:8.2f} s, peak {used.ru_maxrss / 1024:6.1f} MB")
PY
}
for _ in 1 2; do
  run "one file, one job" "$qijian" check "$work/large.pgn" --quiet --jobs 1
  run "one file, two jobs" "$qijian" check "$work/large.pgn" --quiet --jobs 2
  run "small files, cat" sh -c "find '$work/tree' -type f -print0 | xargs -0 cat"
  run "small files, one job" "$qijian" check "$work/tree" --quiet --progress never --jobs 1
  run "small files, two jobs" "$qijian" check "$work/tree" --quiet --progress never --jobs 2
done
