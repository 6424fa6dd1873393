"""Arenas and simulations, with their results as rows, arrays or data frames."""

from __future__ import annotations

import gzip
import os
import shutil
from typing import TYPE_CHECKING, Any, Iterable, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _native

if TYPE_CHECKING:
    import pandas


class _Result:
    """A result: ``data`` is everything, as the command's ``--json`` has it."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data

    def rows(self) -> list[dict[str, Any]]:
        raise NotImplementedError

    def frame(self) -> "pandas.DataFrame":
        """The rows as a data frame of pandas, which has to be installed."""
        import pandas

        return pandas.DataFrame(self.rows())

    def array(self) -> npt.NDArray[Any]:
        """The rows as a structured array of NumPy. Ends of intervals that cannot be told are NaN."""
        rows = self.rows()
        names = list(rows[0]) if rows else []
        kinds = [(name, _kind([row[name] for row in rows])) for name in names]
        values = [tuple(np.nan if row[name] is None else row[name] for name in names) for row in rows]
        return np.array(values, dtype=kinds)


def _kind(values: list[Any]) -> str:
    if any(isinstance(value, str) for value in values):
        return f"U{max(len(str(value)) for value in values)}"
    return "i8" if all(isinstance(value, int) for value in values) else "f8"


def _interval(name: str, estimate: Optional[dict[str, Any]]) -> dict[str, Any]:
    found = estimate or {"mean": None, "low": None, "high": None}
    return {name: found["mean"], f"{name}_low": found["low"], f"{name}_high": found["high"]}


class ArenaResult(_Result):
    """The result of an arena: one row per side, with 95 % intervals."""

    def rows(self) -> list[dict[str, Any]]:
        rows = []
        for side in self.data["sides"]:
            row: dict[str, Any] = {"side": side["name"], "places": side["places"]}
            for figure in ("wins", "points", "net_points", "elo"):
                row.update(_interval(figure, side[figure]))
            row["refused"] = side["refused"]
            rows.append(row)
        return rows

    def __repr__(self) -> str:
        sides = ", ".join(f"{row['side']} {row['wins']:.3f}" for row in self.rows())
        return f"<ArenaResult after {self.data['deals']} deals: {sides}>"


class SimulationResult(_Result):
    """The result of a simulation: one row per rules and measure, with 95 % intervals."""

    def rows(self) -> list[dict[str, Any]]:
        rows = _measures(0, self.data)
        for number, variant in enumerate(self.data["variants"], 1):
            rows += _measures(number, variant)
        return rows

    def differences(self) -> list[dict[str, Any]]:
        """What the other rules change: one row per variant and measure."""
        return [
            {"rules": number, "measure": row["measure"], **_interval("difference", row)}
            for number, variant in enumerate(self.data["variants"], 1)
            for row in variant["differences"]
        ]

    def __repr__(self) -> str:
        return f"<SimulationResult after {self.data['games']} games>"


def _measures(rules: int, data: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"rules": rules, "measure": row["measure"], "total": row["total"], **_interval("mean", row)}
        for row in data["measures"]
    ]


def arena(
    players: Iterable[Any],
    rules: Optional[_native.AnyRules] = None,
    *,
    deals: int = 10_000,
    matches: bool = False,
    seed: int = 1,
    threads: Optional[int] = None,
    margin: Optional[float] = None,
    adjust_luck: bool = False,
) -> ArenaResult:
    """Lets players play each other on duplicate deals: who is better, and how sure is that?

    A player is a name as in ``unum arena`` (``"hard"``, ``"random*3"``, ``"expert:500w"``), a class or function that makes
    bots, a bot, or a pair of a name and one of these. A bot has a method ``act(seen)`` that returns an action, or
    ``choose(observation, mask)`` that returns an id; and if it likes ``react(seen)``, ``begin(seen)``, ``see(event)`` and
    ``renew(seed)``. A bot that is passed as such plays on all its seats; a class or function makes one for each.
    An exception of a bot ends the arena and is raised here.

    With ``margin`` (percentage points) it stops as soon as the answer is clear, after ``deals`` deals at the latest.

    >>> arena(["hard", "random"], deals=200).data["sides"][0]["wins"]["mean"] > 0.6
    True
    """
    return ArenaResult(
        _native.arena(
            players,
            rules,
            deals=deals,
            matches=matches,
            seed=seed,
            threads=threads,
            margin=margin,
            adjust_luck=adjust_luck,
        )
    )


def arena_part(
    players: Iterable[Any],
    rules: Optional[_native.AnyRules] = None,
    *,
    part: tuple[int, int],
    deals: int = 10_000,
    matches: bool = False,
    seed: int = 1,
    threads: Optional[int] = None,
) -> str:
    """Plays a part of an arena, such as ``(3, 16)``: its exact sums as text, for ``merge_arena``."""
    sums: str = _native.arena(players, rules, deals=deals, matches=matches, seed=seed, threads=threads, part=part)
    return sums


def merge_arena(
    sums: Sequence[str],
    players: Iterable[Any],
    rules: Optional[_native.AnyRules] = None,
    *,
    deals: int = 10_000,
    matches: bool = False,
    seed: int = 1,
) -> ArenaResult:
    """The result of an arena that was played in parts, in their order: exactly that of one run.

    >>> parts = [arena_part(["easy", "random"], part=(number, 3), deals=50) for number in (1, 2, 3)]
    >>> merge_arena(parts, ["easy", "random"], deals=50).data == arena(["easy", "random"], deals=50).data
    True
    """
    return ArenaResult(_native.arena(players, rules, deals=deals, matches=matches, seed=seed, sums=list(sums)))


def simulate(
    players: Iterable[Any] = ("random*4",),
    rules: Optional[_native.AnyRules] = None,
    *,
    games: int = 100_000,
    matches: bool = False,
    seed: int = 1,
    threads: Optional[int] = None,
    compare: Sequence[_native.AnyRules] = (),
    records: Optional[Union[str, "os.PathLike[str]"]] = None,
) -> SimulationResult:
    """Plays rounds, or whole matches, and counts what happens; ``compare`` are other rules on the same deals.

    ``records`` is a file for a record of every game, one a line, compressed if its name ends in ``.gz``; it is never half there.
    The cards are then dealt as records deal them, so results differ from a run without it.

    >>> result = simulate(["random*4"], games=500, compare=[Rules("original", house={"stacking": "any"})])
    >>> [row["measure"] for row in result.rows()][:2]
    ['rounds', 'turns']
    """
    unfinished = None if records is None else f"{os.fspath(records)}.unfinished"
    result = _native.simulate(
        players,
        rules,
        games=games,
        matches=matches,
        seed=seed,
        threads=threads,
        compare=list(compare),
        records=unfinished,
    )
    if records is not None and unfinished is not None:
        _finish(unfinished, os.fspath(records))
    return SimulationResult(result)


def simulate_part(
    players: Iterable[Any] = ("random*4",),
    rules: Optional[_native.AnyRules] = None,
    *,
    part: tuple[int, int],
    games: int = 100_000,
    matches: bool = False,
    seed: int = 1,
    threads: Optional[int] = None,
    compare: Sequence[_native.AnyRules] = (),
    records: Optional[Union[str, "os.PathLike[str]"]] = None,
) -> str:
    """Plays a part of a simulation: its exact sums as text, for ``merge_simulation``.

    ``records`` gets the games of the part, uncompressed. Those of all parts, end to end, are those of one run.
    """
    sums: str = _native.simulate(
        players,
        rules,
        games=games,
        matches=matches,
        seed=seed,
        threads=threads,
        compare=list(compare),
        records=None if records is None else os.fspath(records),
        part=part,
    )
    return sums


def merge_simulation(
    sums: Sequence[str],
    players: Iterable[Any] = ("random*4",),
    rules: Optional[_native.AnyRules] = None,
    *,
    games: int = 100_000,
    matches: bool = False,
    seed: int = 1,
    compare: Sequence[_native.AnyRules] = (),
) -> SimulationResult:
    """The result of a simulation that was played in parts, in their order: exactly that of one run."""
    return SimulationResult(
        _native.simulate(
            players, rules, games=games, matches=matches, seed=seed, compare=list(compare), sums=list(sums)
        )
    )


def _finish(unfinished: str, path: str) -> None:
    """Gives a file of records its name, compressed if that ends in .gz."""
    if not path.endswith(".gz"):
        os.replace(unfinished, path)
        return
    packed = f"{unfinished}.gz"
    with open(unfinished, "rb") as plain, open(packed, "wb") as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as out:
        shutil.copyfileobj(plain, out)
    os.remove(unfinished)
    os.replace(packed, path)


Rules = _native.Rules
