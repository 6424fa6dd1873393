"""The laboratory on a Ray cluster of several processes, with workers that are killed."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any, Iterator

import pytest

import unum_game as unum
from unum_game import data

# A slow machine may take its time, a full one must not end tasks, and nobody is told that this ran.
os.environ.update(
    RAY_raylet_start_wait_time_s="600", RAY_memory_monitor_refresh_ms="0", RAY_USAGE_STATS_ENABLED="0"
)
ray = pytest.importorskip("ray", reason="Ray is not installed: pip install ray")

from unum_game import ray as cluster  # noqa: E402


@pytest.fixture(scope="module", autouse=True)
def running() -> Iterator[None]:
    ray.init(
        num_cpus=2, object_store_memory=200_000_000, include_dashboard=False, log_to_driver=False, configure_logging=False
    )
    yield
    ray.shutdown()


def mortal(path: Path) -> Any:
    """A bot whose process is killed at the first decision for which the file is not there yet."""
    name = str(path)

    class Mortal:
        def act(self, seen: unum.Seen) -> dict[str, Any]:
            try:
                os.close(os.open(name, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                return seen.legal[0]
            os.kill(os.getpid(), signal.SIGKILL)
            raise AssertionError("unreachable")

    return Mortal


def test_figures_are_those_of_one_run() -> None:
    told: list[tuple[int, int]] = []
    players = ["hard", "random*2"]
    spread = cluster.arena(players, deals=101, seed=4, parts=7, progress=lambda *now: told.append(now))
    assert spread.data == unum.arena(players, deals=101, seed=4).data
    assert told == [(number, 7) for number in range(1, 8)]


def test_a_part_whose_worker_was_killed_is_played_again(tmp_path: Path) -> None:
    bot = mortal(tmp_path / "died")
    spread = cluster.arena([("mortal", bot), "easy"], deals=30, parts=5)
    assert (tmp_path / "died").exists(), "a worker was killed"
    assert spread.data == unum.arena([("mortal", bot), "easy"], deals=30).data


def test_workers_that_are_always_lost_are_an_error(tmp_path: Path) -> None:
    class Doomed:
        def act(self, seen: unum.Seen) -> dict[str, Any]:
            os.kill(os.getpid(), signal.SIGKILL)
            raise AssertionError("unreachable")

    with pytest.raises(ray.exceptions.WorkerCrashedError):
        cluster.arena([Doomed, "easy"], deals=4, parts=1, retries=0)


def test_exceptions_of_bots_are_their_own(tmp_path: Path) -> None:
    class Broken:
        def act(self, seen: unum.Seen) -> dict[str, Any]:
            raise KeyError("no idea")

    with pytest.raises(KeyError, match="no idea"):
        cluster.arena([Broken, "easy"], deals=4)
    with pytest.raises(unum.RequestError, match="there is no bot"):
        cluster.arena(["clever", "random"], deals=4)
    with pytest.raises(unum.RequestError, match="parts"):
        cluster.arena(["easy", "random"], deals=4, parts=0)


def test_simulations_and_their_records(tmp_path: Path) -> None:
    other = unum.Rules("original", house={"stacking": "any"})
    spread = cluster.simulate(["random*3"], games=300, compare=[other], parts=4)
    assert spread.data == unum.simulate(["random*3"], games=300, compare=[other]).data
    for name in ("games.jsonl", "games.jsonl.gz"):
        here, there = tmp_path / f"one-{name}", tmp_path / f"many-{name}"
        alone = unum.simulate(["hard", "easy"], "frozen", games=25, seed=2, records=here)
        assert cluster.simulate(["hard", "easy"], "frozen", games=25, seed=2, records=there).data == alone.data
        assert there.read_bytes() == here.read_bytes()
    with pytest.raises(unum.RequestError):
        cluster.simulate(["clever"], games=5, records=tmp_path / "none.jsonl")
    assert not list(tmp_path.glob("none*"))


def test_reviews_and_the_data_set(tmp_path: Path) -> None:
    unum.simulate(["hard*2"], games=3, records=tmp_path / "games.jsonl")
    games = list(data.records(tmp_path / "games.jsonl"))
    assert list(cluster.review(games, 64)) == [game.review(64) for game in games]
    options: dict[str, Any] = {"worlds": 64, "expert": "expert:20w"}
    spread, alone = (make(tmp_path / name, 3, **options) for name, make in (("many", cluster.make), ("one", data.make)))
    assert spread == alone and spread is not None
