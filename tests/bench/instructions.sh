#!/usr/bin/env bash
# Instructions that `qijian check` executes, counted by callgrind: of one text in Big5 and one in GB18030, with and
# without rulings, of XQF files, and of 1, 2 and 4 times a text. Prints figures and asserts nothing.
#
#   tests/bench/instructions.sh QIJIAN [SHARED]
set -euo pipefail
qijian=$1
shared=${2:-$(dirname "$0")/../../../shared}
if ! command -v valgrind > /dev/null; then
  echo "instructions: skipped, there is no valgrind"
  exit 0
fi
if [ ! -d "$shared/data" ]; then
  echo "instructions: skipped, there is no $shared/data"
  exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# So many files of a folder as one text; a blank line keeps the games apart.
join() {
  find "$shared/data/$1" -type f -iname '*.pgn' | LC_ALL=C sort | sed -n "1,$2p" | while read -r file; do
    cat "$file"
    printf '\n\n'
  done
}
join pgn-big5-ccpd 400 > "$work/big5.pgn"
join pgn-gbk-online 400 > "$work/gb18030.pgn"
cat "$work/big5.pgn" "$work/big5.pgn" > "$work/twice.pgn"
cat "$work/twice.pgn" "$work/twice.pgn" > "$work/four.pgn"
mkdir "$work/xqf"
find "$shared/data/xqf" -type f -iname '*.xqf' | LC_ALL=C sort | sed -n 1,300p | nl -w 4 -n rz | while read -r number file; do
  cp "$file" "$work/xqf/$number.xqf"
done

# count NAME WHAT OPTION...: of one run on one core.
count() {
  local name=$1 what=$2
  shift 2
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$qijian" check "$what" --jobs 1 --quiet "$@" \
    > /dev/null 2> "$work/log" || true # 1 says that there are findings
  local plies collected
  collected=$(sed -n 's/.*Collected : *//p' "$work/log")
  plies=$("$qijian" check "$what" --format jsonl "$@" | grep -o '"plies":[0-9]*' | awk -F: '{ n += $2 } END { print n }' || true)
  awk -v name="$name" -v all="$collected" -v plies="$plies" \
    'BEGIN { printf "instructions: %-28s %10.1f million %8d plies %7.0f a ply\n", name, all / 1e6, plies, all / plies }'
}
count "Big5" "$work/big5.pgn"
count "Big5, no rulings" "$work/big5.pgn" --ignore QJ5,QJ6
count "Big5, twice" "$work/twice.pgn"
count "Big5, four times" "$work/four.pgn"
count "GB18030" "$work/gb18030.pgn"
count "GB18030, no rulings" "$work/gb18030.pgn" --ignore QJ5,QJ6
count "XQF" "$work/xqf"
