#!/usr/bin/env python3
"""Pairs the rounds of simulate_swiss with FIDE's Dutch system and compares.

    pip install caissify-pairings
    cargo run --release --example simulate_swiss -- 40 rounds.jsonl
    python3 tests/oracle/swiss_dutch.py rounds.jsonl

caissify-pairings is cross-validated by its author against bbpPairings (which no registry has). The Dutch system is not
the xiangqi rule: it puts colours before the number of floaters of lower scores in places, and folds score groups by
rating. Compared is what both want: score gaps from the top down, colours, floats of those who floated lately.
"""

import collections
import json
import sys

from caissify_pairings import generate_pairings


def gaps(players, pairs):
    score = {p["id"]: p["score"] for p in players}
    sums = {s: 0 for s in score.values()}
    for a, b in pairs:
        sums[max(score[a], score[b])] += abs(score[a] - score[b])
    return [sums[s] for s in sorted(sums, reverse=True)]


def colour_costs(players, pairs):
    """Differences past 1 and colours in a row past 2 after the round."""
    history = {p["id"]: p["colours"] for p in players}
    uneven = runs = 0
    for red, black in pairs:
        for who, colour in ((red, True), (black, False)):
            games = history[who] + [colour]
            uneven += max(0, abs(2 * sum(games) - len(games)) - 1)
            runs += len(games) > 2 and len(set(games[-3:])) == 1
    return uneven, runs


def dutch(line):
    players = []
    for p in line["players"]:
        floats = [{1: "down", -1: "up", 0: "none"}[f] for f in p["floats"]]
        colours = ["white" if c else "black" for c in p["colours"]]
        colours = ["none"] * (len(floats) - len(colours)) + colours
        players.append({
            "id": p["id"] + 1, "name": str(p["id"]), "score": p["score"] / 2, "rating": 2600 - p["rank"],
            "starting_number": p["rank"], "color_hist": colours, "float_history": floats, "bye_count": int(p["bye"]),
        })
    met = {(min(p["id"], o) + 1, max(p["id"], o) + 1) for p in line["players"] for o in p["met"]}
    found = generate_pairings(system="dutch", players=players, previous_pairings=met,
                              round_number=line["round"], total_rounds=line["rounds"])
    pairs, bye = [], None
    for pair in found:
        white, black = pair["white_id"], pair["black_id"]
        if white and black:
            pairs.append((white - 1, black - 1))
        else:
            bye = (white or black) - 1
    return pairs, bye


def main():
    counts = collections.Counter()
    for text in open(sys.argv[1]):
        line = json.loads(text)
        if line["round"] == 1:
            continue
        try:
            theirs, bye = dutch(line)
        except Exception as error:  # what it refuses is counted, never dropped
            counts[f"refused: {type(error).__name__}"] += 1
            continue
        score = {p["id"]: p["score"] for p in line["players"]}
        counts["rounds"] += 1
        if (bye is None) != (line["bye"] is None) or (bye is not None and score[bye] != score[line["bye"]]):
            counts["bye to another score"] += 1
            continue
        ours_gaps, theirs_gaps = line["gaps"], gaps(line["players"], theirs)
        counts["gaps: equal" if ours_gaps == theirs_gaps else "gaps: ours better" if ours_gaps < theirs_gaps
               else "gaps: theirs better"] += 1
        counts["sum of gaps, ours"] += sum(ours_gaps)
        counts["sum of gaps, theirs"] += sum(theirs_gaps)
        for name, pairs in (("ours", line["pairs"]), ("theirs", theirs)):
            uneven, runs = colour_costs(line["players"], pairs)
            counts[f"differences past 1, {name}"] += uneven
            counts[f"three colours in a row, {name}"] += runs
            floats = {p["id"]: p["floats"] for p in line["players"]}
            for a, b in pairs:
                for one, other in ((a, b), (b, a)):
                    step = (score[one] > score[other]) - (score[one] < score[other])
                    counts[f"floats again within two rounds, {name}"] += step != 0 and step in floats[one][-2:]
    for name, count in sorted(counts.items()):
        print(f"{name}: {count}")


if __name__ == "__main__":
    main()
