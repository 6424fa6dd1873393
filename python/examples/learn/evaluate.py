"""How good is a trained player? It plays every level in the arena, as a program on a pipe.

    python3 python/examples/learn/evaluate.py FOLDER/player.npz

The figures are those of
`unum arena 'learned=program:python3 python/examples/learn/player.py FOLDER/player.npz' random --deals 5000 --seed 1`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Optional, Sequence

import unum_game as unum

LEVELS = ("random", "easy", "normal", "hard")


def table(path: Path, players: int, deals: int, threads: Optional[int] = None) -> list[str]:
    """A row per level: the share of rounds won against it in the other seats, with 95 % intervals."""
    program = f"'{sys.executable}' '{Path(__file__).with_name('player.py')}' '{path}'"
    lines = ["| against | deals | wins | even | failures |", "| --- | ---: | ---: | ---: | ---: |"]
    for level in LEVELS:
        result = unum.arena([f"learned=program:{program}", f"{level}*{players - 1}"], deals=deals, threads=threads)
        row, side = result.rows()[0], result.data["sides"][0]
        failures = sum(count for kind, count in side["failures"].items() if kind != "asked")
        reach = (row["wins_high"] - row["wins_low"]) / 2
        even = 100 / players
        lines.append(f"| `{level}` | {deals:,} | {100 * row['wins']:.1f} % ±{100 * reach:.1f} | {even:.0f} % | {failures} |")
    return lines


def main(words: Optional[Sequence[str]] = None) -> None:
    parser = argparse.ArgumentParser(description="Lets a trained player play every level in the arena.")
    parser.add_argument("player", type=Path)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--deals", type=int, default=5000)
    given = parser.parse_args(words)
    print("\n".join(table(given.player, given.players, given.deals)))


if __name__ == "__main__":
    main()
