"""Recomputes what `qijian export` and `qijian stats` say, in other programs.

    python -m venv venv && venv/bin/pip install duckdb pandas polars pyarrow
    venv/bin/python tests/oracle/tables.py target/release/qijian ../shared/data

Exports the archive, opens the tables in DuckDB, pandas and Polars, and compares: the numbers of rows; every figure of the
statistics tables with plain SQL over the exported games, plies and findings; the Wilson intervals with their formula; the
opening codes with the tags. Prints one line a comparison and ends with status 1 if one differs.
"""

import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb
import pandas
import polars

program, data = sys.argv[1], sys.argv[2]
failures = 0


def same(what, ours, theirs):
    global failures
    agrees = ours == theirs
    failures += not agrees
    print(f"{'ok  ' if agrees else 'FAIL'} {what}" + ("" if agrees else f"\n     ours   {str(ours)[:400]}\n     theirs {str(theirs)[:400]}"))


def run(*arguments):
    done = subprocess.run([program, *arguments], capture_output=True)
    assert done.returncode in (0, 1), done.stderr.decode()
    return done.stdout


def wilson(part, whole):
    z = 1.959963984540054
    p = part / whole
    centre, spread = p + z * z / (2 * whole), z * math.sqrt(p * (1 - p) / whole + z * z / (4 * whole * whole))
    return [round(max(0, (centre - spread) / (1 + z * z / whole)), 6), round(min(1, (centre + spread) / (1 + z * z / whole)), 6)]


with tempfile.TemporaryDirectory() as directory:
    for kind in ("parquet", "csv", "jsonl"):
        run("export", data, "-o", f"{directory}/{kind}", "--as", kind, "--quiet")
    db = duckdb.connect()
    for table in ("games", "plies", "findings"):
        db.execute(f"create view {table} as select * from read_parquet('{directory}/parquet/{table}/**/*.parquet')")

    def sql(query):
        return db.execute(query).fetchall()

    manifest = json.loads(Path(f"{directory}/parquet/manifest.json").read_text())
    for table in ("games", "plies", "findings"):
        files = f"{directory}/parquet/{table}/*.parquet"
        rows = manifest["rows"][table]
        same(f"rows of {table}: DuckDB", rows, sql(f"select count(*) from {table}")[0][0])
        same(f"rows of {table}: Polars", rows, polars.scan_parquet(files).select(polars.len()).collect().item())
        frames = [pandas.read_parquet(path) for path in sorted(Path(f"{directory}/parquet/{table}").glob("*.parquet"))]
        same(f"rows of {table}: pandas", rows, sum(map(len, frames)))
        csv = sql(f"select count(*) from read_csv('{directory}/csv/{table}/*.csv', header=true, all_varchar=true, max_line_size=100000000, parallel=false)")
        same(f"rows of {table}: CSV in DuckDB", rows, csv[0][0])
        lines = polars.scan_ndjson(f"{directory}/jsonl/{table}/*.jsonl", infer_schema_length=None)
        same(f"rows of {table}: JSON lines in Polars", rows, lines.select(polars.len()).collect().item())
        metadata = dict(sql(f"select decode(key), decode(value) from parquet_kv_metadata('{directory}/parquet/{table}/part-00001.parquet')"))
        names = [column["name"] for column in json.loads(metadata["qijian.schema"])]
        same(f"schema of {table} in the metadata", names, polars.scan_parquet(files).collect_schema().names())

    # The tables hang together.
    same("every ply has its game", 0, sql("select count(*) from plies anti join games using (game_id)")[0][0])
    same("every finding has its game", 0, sql("select count(*) from findings anti join games using (game_id)")[0][0])
    same("ids are unique", 0, sql("select count(*) - count(distinct game_id) from games")[0][0])
    same("plies of each game", [], sql("select g.game_id from games g left join (select game_id, count(*) n from plies group by 1) p using (game_id) where g.plies != coalesce(n, 0)"))
    same("captures of each game", [], sql("select g.game_id from games g join (select game_id, count(captured) n, min(ply) filter (captured is not null) f from plies group by 1) p using (game_id) where g.captures != n or g.first_capture_ply is distinct from f"))
    same("checks of each game", [], sql("select g.game_id from games g join (select game_id, count(*) filter (\"check\") n from plies group by 1) p using (game_id) where g.checks != n"))
    same("final positions", [], sql("select g.game_id from games g join plies p on p.game_id = g.game_id and p.ply = g.plies where p.fen != g.final_fen"))
    same("occurrences", [], sql("select game_id from plies window w as (partition by game_id, hash order by ply) qualify occurrences not in (row_number() over w, row_number() over w + 1)"))
    same("material", [], sql("select game_id from games where plies > 0 and (length(regexp_replace(split_part(final_fen, ' ', 1), '[^A-Z]', '', 'g')) != length(red_material) or length(regexp_replace(split_part(final_fen, ' ', 1), '[^a-z]', '', 'g')) != length(black_material))"))

    # The statistics in plain SQL. Games alone count, not files without a game.
    stats = {t["name"]: t["rows"] for t in json.loads(run("stats", data, "--format", "json"))["tables"]}
    db.execute("create view g as select * from games where game > 0")
    outcomes = "count(*), count(*) filter (score = 1), count(*) filter (score = 0.5), count(*) filter (score = 0), count(*) filter (score is null)"
    red = ("games", "red_wins", "draws", "black_wins", "open")
    own = ("games", "as_red", "wins", "draws", "losses", "open")

    def rows(table, *columns):
        return sorted((tuple(row[c] for c in columns) for row in stats[table]), key=repr)

    def plain(query):
        return sorted(sql(query), key=repr)

    same("results", rows("results", *red), plain(f"select {outcomes} from g"))
    same("years", rows("years", "year", *red), plain(f"select year, {outcomes} from g group by 1"))
    same("events", rows("events", "event", *red), plain(f"select event, {outcomes} from g group by 1"))
    same("openings", rows("openings", "opening", *red), plain(f"select opening, {outcomes} from g group by 1"))
    db.execute("create view s as select red_player player, black_player opponent, red_club team, 'red' side, score, 1 as_red, year from g union all select black_player, red_player, black_club, 'black', 1 - score, 0, year from g")
    of_side = "count(*), sum(as_red), count(*) filter (score = 1), count(*) filter (score = 0.5), count(*) filter (score = 0), count(*) filter (score is null)"
    for table, key in (("players", "player"), ("teams", "team"), ("sides", "side")):
        same(table, rows(table, key, *own), plain(f"select {key}, {of_side} from s group by 1"))
    same("head to head", rows("head-to-head", "player", "opponent", *own), plain(f"select player, opponent, {of_side} from s where player is not null and opponent is not null and encode(player) < encode(opponent) group by 1, 2"))
    same("plies", rows("plies", "ply", "games", "captures", "checks"), plain('select ply, count(*), count(captured), count(*) filter ("check") from plies group by 1'))
    same("lengths", rows("lengths", "from", "games"), plain("select plies // 10 * 10, count(*) from g group by 1"))
    same("first captures", [r for r in rows("first-captures", "from", "games") if r[0] is not None], plain("select first_capture_ply // 10 * 10, count(*) from g where first_capture_ply is not null group by 1"))
    same("draws by cause", rows("draws", "drawn_by", "games"), plain("select termination, count(*) from g where score = 0.5 group by 1"))
    same("findings", rows("findings", "code", "severity", "findings", "games"), plain("select code, severity, count(*), count(distinct game_id) from findings join g using (game_id) group by 1, 2"))
    same("rulings", rows("limits", "code", "verdict", "findings", "games"), plain("select code, json_extract_string(data, '$.verdict'), count(*), count(distinct game_id) from findings join g using (game_id) where code in ('QJ501', 'QJ601', 'QJ602', 'QJ603') group by 1, 2"))
    same("first moves", sorted((r["first_move"], r["games"]) for r in stats["first-moves"] if r["first_move"] != "*"), sorted(sql("select move_zh, count(*) from plies join g using (game_id) where ply = 1 and standard_start group by 1")))
    same("activity", rows("activity", "player", "games", "first_year", "last_year", "years"), plain("select player, count(*), min(year), max(year), count(distinct year) from s where player is not null group by 1"))
    letters = {"帅": "K", "将": "K", "仕": "A", "士": "A", "相": "B", "象": "B", "马": "N", "车": "R", "炮": "C", "兵": "P", "卒": "P"}
    for row in stats["pieces"]:
        letter, side = letters[row["piece"]], row["side"]
        left = sql(f"select sum(length({side}_material) - length(replace({side}_material, '{letter}', ''))) from g where standard_start")
        same(f"pieces left: {side} {row['piece']}", row["left"], int(left[0][0]))
    two = [r for r in stats["tree"] if r["depth"] == 2]
    same("tree to two plies", sorted((r["moves"], r["games"], r["red_wins"]) for r in two), sorted(sql("select a.move_zh || ' ' || b.move_zh, count(*), count(*) filter (score = 1) from plies a join plies b using (game_id) join g using (game_id) where a.ply = 1 and b.ply = 2 and standard_start group by 1")))
    known = [row for row in stats["players"] if row["wins"] + row["draws"] + row["losses"]]
    ends = [[row["win_rate_low"], row["win_rate_high"]] for row in known]
    same("intervals", ends, [wilson(row["wins"], row["wins"] + row["draws"] + row["losses"]) for row in known])

    # What the openings cover, and how far they agree with the tags of the records.
    total, coded, distinct = sql("select count(*), count(opening), count(distinct opening) from g where standard_start and plies > 0")[0]
    print(f"     openings: {coded} of {total} games from the start position have a code, {distinct} codes occur")
    for source, condition in (("all", "true"), ("not CCPD, which the table was fitted to", "source not like '%ccpd%'")):
        tagged = f"from g where regexp_matches(ecco_tag, '^[A-E][0-9][0-9]') and opening is not null and {condition}"
        n, code, family, letter = sql(f"select count(*), count(*) filter (ecco_tag[:3] = opening), count(*) filter (ecco_tag[:2] = opening[:2]), count(*) filter (ecco_tag[:1] = opening[:1]) {tagged}")[0]
        print(f"     tags, {source}: {n} games, same code {code / n:.1%}, same two characters {family / n:.1%}, same letter {letter / n:.1%}")
    agreed = dict((r["tag_agrees"], r["games"]) for r in stats["ecco-tags"])
    n, code = sql("select count(*), count(*) filter (ecco_tag[:3] = opening) from g where regexp_matches(ecco_tag, '^[A-E][0-9][0-9]') and opening is not null")[0]
    same("agreement with tags", (sum(agreed.values()), agreed["code"]), (n, code))

print("all agree" if failures == 0 else f"{failures} differ")
sys.exit(failures > 0)
