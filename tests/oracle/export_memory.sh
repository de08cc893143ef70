#!/usr/bin/env bash
# Peak memory of `export` on a small and a large input, and what is left of runs that are killed.
#
#   tests/oracle/export_memory.sh target/release/qijian ../shared/data /tmp/work [SMALL_MB LARGE_MB KILLED_MB KILLS]
#
# The input repeats the PGN files of the archive with other tags, a folder a copy, until it is large enough. Prints the peak memory
# of both runs and their ratio. Then, on an input of KILLED_MB: kills ten runs at random moments of the time that a whole run takes, up
# to three times each, resumes them until they are whole, and compares the files with those of a single run. Ends with status 1 if
# the ratio is 1.2 or more, or if a file differs. SEED=N repeats the same random moments.
set -euo pipefail
program=$1 data=$2 work=$3 small=${4:-1000} large=${5:-4000} killed=${6:-200} kills=${7:-10}
RANDOM=${SEED:-7}
mkdir -p "$work"

make_input() { # MB FOLDER
  python3 - "$1" "$2" "$data" <<'PY'
import sys
from pathlib import Path

megabytes, folder, data = int(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])
texts = []
for path in sorted(data.glob("pgn-gbk-online/**/*")) + sorted(data.glob("pgn-misc/**/*.pgn")):
    if path.is_file():
        for encoding in ("utf-8-sig", "gb18030"):
            try:
                texts.append(path.read_bytes().decode(encoding))
                break
            except UnicodeDecodeError:
                pass
written, copy = 0, 0
while written < megabytes * 1_000_000:
    copy += 1
    for number, text in enumerate(texts):
        if written >= megabytes * 1_000_000:
            break
        text = text.replace('[Event "', f'[Event "第{copy}次 ')
        target = folder / f"{copy:04}" / f"{number:05}.pgn"
        target.parent.mkdir(parents=True, exist_ok=True)
        written += target.write_bytes(text.encode())
print(f"{folder}: {written / 1e6:.0f} MB, {copy} copies of {len(texts)} files")
PY
}

run() { # INPUT OUT [MORE]; status 1 only says that there are findings of severity error
  local status=0
  "$program" export "$1" -o "$2" --quiet --progress never "${@:3}" || status=$?
  [ "$status" -le 1 ]
}

peak() { # INPUT OUT: kilobytes
  rm -rf "$2"
  python3 - "$program" "$1" "$2" <<'PY'
import resource, subprocess, sys, time
begun = time.time()
done = subprocess.run([sys.argv[1], "export", sys.argv[2], "-o", sys.argv[3], "--quiet", "--progress", "never"], check=False)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"{sys.argv[2]}: {used.ru_maxrss} kB, {time.time() - begun:.0f} s, of the processor {used.ru_utime + used.ru_stime:.0f} s", file=sys.stderr)
assert done.returncode <= 1, done.returncode
print(used.ru_maxrss)
PY
}

for size in "$small" "$large" "$killed"; do
  [ -d "$work/$size" ] || make_input "$size" "$work/$size"
done
one=$(peak "$work/$small" "$work/small-out")
rm -rf "$work/small-out"
four=$(peak "$work/$large" "$work/large-out")
rm -rf "$work/large-out"
awk -v one="$one" -v four="$four" 'BEGIN { printf "ratio %.3f\n", four / one; exit !(four / one < 1.2) }'

# Killed at random moments, then resumed. Small parts, so that there are many moments between two of them.
part=100000
rm -rf "$work/whole"
begun=$(date +%s)
run "$work/$killed" "$work/whole" --part "$part"
seconds=$(($(date +%s) - begun + 1))
for number in $(seq "$kills"); do
  out="$work/killed-$number"
  rm -rf "$out"
  left=()
  for _ in 1 2 3; do
    run "$work/$killed" "$out" --part "$part" --resume &
    pid=$!
    sleep "$(awk -v r="$RANDOM" -v s="$seconds" 'BEGIN { printf "%.2f", r / 32768 * s }')"
    # The child of the subshell is the program itself.
    pkill -9 -P "$pid" 2> /dev/null || true
    wait "$pid" 2> /dev/null || true
    left+=("$(grep -c '"part":' "$out/manifest.json" 2> /dev/null || true)")
  done
  run "$work/$killed" "$out" --part "$part" --resume
  diff -r "$work/whole" "$out" > /dev/null || { echo "run $number differs"; exit 1; }
  echo "run $number: the same, after kills at ${left[*]} whole parts"
  rm -rf "$out"
done
rm -rf "$work/whole"
