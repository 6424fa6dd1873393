"""Arenas and simulations, with bots written in Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import unum_game as unum
from unum_game import _native


class First:
    """Plays the first legal action."""

    def __init__(self) -> None:
        self.events = 0
        self.rounds = 0

    def begin(self, seen: unum.Seen) -> None:
        self.rounds += 1
        assert len(seen.hand) >= 7 and seen.legal == []

    def see(self, event: dict[str, Any]) -> None:
        self.events += 1

    def act(self, seen: unum.Seen) -> dict[str, Any]:
        assert seen.hand == seen.view["hand"] and seen.top == seen.view["top"]
        return seen.legal[0]


class Lowest:
    """The same by numbers."""

    def choose(self, observation: Any, mask: Any) -> int:
        assert observation.dtype == np.uint8 and mask.dtype == np.bool_
        return int(mask.argmax())


def test_arena_of_levels_is_that_of_the_command() -> None:
    result = unum.arena(["hard", "random*3"], deals=300, seed=2, threads=2)
    again = unum.arena(["hard", "random*3"], deals=300, seed=2, threads=1)
    assert result.data == again.data and result.data["complete"]
    rows = result.rows()
    assert [row["side"] for row in rows] == ["hard", "random"] and rows[0]["wins"] > 0.3
    array = result.array()
    assert array["wins"].shape == (2,) and array["side"][0] == "hard"
    assert rows[0]["wins_low"] < rows[0]["wins"] < rows[0]["wins_high"]


def test_bots_in_python_play_in_the_arena() -> None:
    made: list[First] = []

    def make() -> First:
        made.append(First())
        return made[-1]

    result = unum.arena([("first", make), ("lowest", Lowest), "random"], deals=20, threads=2)
    assert result.data["games"] == 60 and result.data["complete"]
    assert all(row["refused"] == 0 for row in result.rows())
    assert sum(bot.rounds for bot in made) == 60 and all(bot.events for bot in made if bot.rounds)


def test_results_are_data_frames_where_pandas_is_installed() -> None:
    pytest.importorskip("pandas")
    frame = unum.arena(["easy", "random"], deals=10).frame()
    assert list(frame["side"]) == ["easy", "random"]


def test_an_exception_of_a_bot_is_raised() -> None:
    class Broken(First):
        def act(self, seen: unum.Seen) -> dict[str, Any]:
            raise RuntimeError("no idea")

    class Cheat(First):
        def act(self, seen: unum.Seen) -> dict[str, Any]:
            return {"type": "play", "card": "W", "color": "red"} if "W" not in seen.hand else seen.legal[0]

    with pytest.raises(RuntimeError, match="no idea"):
        unum.arena([Broken, "random"], deals=50)
    with pytest.raises(unum.Refusal) as refused:
        unum.arena([Cheat, "random"], deals=50)
    assert refused.value.code == "not_in_hand"
    with pytest.raises(TypeError):
        unum.arena([object(), "random"], deals=1)
    with pytest.raises(unum.RequestError, match="there is no bot"):
        unum.arena(["clever", "random"], deals=1)


def test_parts_give_the_figures_of_one_run() -> None:
    """Also with bots written in Python, and records laid end to end."""
    players = [("lowest", Lowest), "random*2"]
    parts = [unum.arena_part(players, part=(number, 3), deals=31, threads=1) for number in (1, 2, 3)]
    whole = unum.arena(players, deals=31).data
    assert unum.merge_arena(parts, players, deals=31).data == whole
    for wrong in (parts[:2], [parts[1], parts[0], parts[2]], [*parts[:2], "{}"], [*parts[:2], "no"]):
        with pytest.raises(unum.RequestError, match="part"):
            unum.merge_arena(wrong, players, deals=31)
    for options in ({"part": (4, 3)}, {"part": (0, 3)}, {"part": (1, 3), "margin": 1.0}):
        with pytest.raises(unum.RequestError):
            _native.arena(players, deals=31, **options)


def test_parts_of_simulations_and_their_records(tmp_path: Path) -> None:
    other = unum.Rules("frozen", house={"stacking": "any"})
    options: dict[str, Any] = {"games": 50, "compare": [other], "seed": 9}
    files = [tmp_path / f"{number}.jsonl" for number in range(1, 5)]
    parts = [
        unum.simulate_part(["hard", "easy"], "frozen", part=(number, 4), records=file, **options)
        for number, file in enumerate(files, 1)
    ]
    whole = unum.simulate(["hard", "easy"], "frozen", records=tmp_path / "whole.jsonl", **options)
    assert unum.merge_simulation(parts, ["hard", "easy"], "frozen", **options).data == whole.data
    assert b"".join(file.read_bytes() for file in files) == (tmp_path / "whole.jsonl").read_bytes()


def test_simulations_compare_rules() -> None:
    other = unum.Rules("original", house={"stacking": "any"})
    result = unum.simulate(["random*4"], games=2_000, compare=[other])
    rows = result.rows()
    turns = [row["mean"] for row in rows if row["measure"] == "turns"]
    differences = {row["measure"]: row["difference"] for row in result.differences()}
    assert len(turns) == 2 and abs(turns[1] - turns[0] - differences["turns"]) < 1e-9
    assert result.data["version"] == unum.__version__
    assert result.array()["mean"].shape == (len(rows),)
