#!/usr/bin/env bash
# Peak memory of `export` on a small and a large input, and what is left of runs that are killed.
#
#   tests/oracle/export_memory.sh target/release/qijian ../shared/data /tmp/work [SMALL_MB LARGE_MB KILLS]
#
# The input repeats the PGN files of the archive with other tags, 200 MB a folder. Prints the peak memory of both runs and their
# ratio; then kills ten runs at random moments, resumes each until it is whole, and compares the tables with those of
# a single run. Ends with status 1 if the ratio is 1.2 or more, or if a file differs.
set -euo pipefail
program=$1 data=$2 work=$3 small=${4:-1000} large=${5:-4000} kills=${6:-10}
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

peak() { # INPUT OUT: kilobytes
  rm -rf "$2"
  /usr/bin/env python3 - "$program" "$1" "$2" <<'PY'
import resource, subprocess, sys, time
begun = time.time()
subprocess.run([sys.argv[1], "export", sys.argv[2], "-o", sys.argv[3], "--quiet", "--progress", "never"], check=False)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, f"{time.time() - begun:.0f}s", file=sys.stderr)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
PY
}

[ -d "$work/small" ] || make_input "$small" "$work/small"
[ -d "$work/large" ] || make_input "$large" "$work/large"
one=$(peak "$work/small" "$work/small-out")
four=$(peak "$work/large" "$work/large-out")
echo "peak: $one kB on $small MB, $four kB on $large MB"
awk -v one="$one" -v four="$four" 'BEGIN { printf "ratio %.3f\n", four / one; exit !(four / one < 1.2) }'

# Killed at random moments, then resumed.
for run in $(seq "$kills"); do
  out="$work/killed-$run"
  rm -rf "$out"
  tries=0
  while true; do
    tries=$((tries + 1))
    "$program" export "$work/small" -o "$out" --resume --quiet --progress never &
    pid=$!
    if [ "$tries" -le 3 ]; then
      sleep "$(awk -v seed="$RANDOM" 'BEGIN { srand(seed); printf "%.2f", 1 + rand() * 20 }')"
      kill -9 "$pid" 2> /dev/null || true
    fi
    wait "$pid" 2> /dev/null || true
    grep -q '"complete": true' "$out/manifest.json" 2> /dev/null && break
  done
  diff -r "$work/small-out" "$out" > /dev/null || { echo "run $run differs"; exit 1; }
  echo "run $run: the same after $tries tries"
  rm -rf "$out"
done
