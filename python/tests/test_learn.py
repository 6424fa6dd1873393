"""The worked example that learns: a short training, interrupted and not."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import unum_game as unum

pytest.importorskip("jax", reason="JAX is not installed: pip install jax")
FOLDER = Path(__file__).parents[1] / "examples" / "learn"
sys.path.insert(0, str(FOLDER))

import player  # noqa: E402
import train  # noqa: E402

SHORT = train.Settings(iterations=3, tables=32, steps=48, hidden=16, epochs=1, batch=256)


def weights(folder: Path) -> dict[str, Any]:
    with np.load(folder / "player.npz") as file:
        return {name: file[name] for name in file.files}


def test_an_interrupted_training_ends_with_the_same_player(tmp_path: Path) -> None:
    whole = list(train.training(tmp_path / "whole", SHORT, every=1, check=50))
    going = train.training(tmp_path / "parts", SHORT, every=1, check=50)
    next(going), next(going)
    going.close()
    # A line of work that was lost.
    with (tmp_path / "parts" / "log.jsonl").open("a") as file:
        file.write("half a li")
    said: list[str] = []
    rest = list(train.training(tmp_path / "parts", SHORT, every=1, check=50, say=said.append))
    assert said == ["going on after iteration 2"] and [told["iteration"] for told in rest] == [3]
    one, other = weights(tmp_path / "whole"), weights(tmp_path / "parts")
    assert all((one[name] == other[name]).all() for name in one)
    logs = [[json.loads(line) for line in (tmp_path / name / "log.jsonl").open()] for name in ("whole", "parts")]
    figures = [[(told["iteration"], told["entropy"], told["rounds"]) for told in log] for log in logs]
    assert figures[0] == figures[1] and len(figures[0]) == 3
    assert whole[-1]["wins"] == rest[-1]["wins"]
    with pytest.raises(SystemExit, match="other settings"):
        list(train.training(tmp_path / "parts", train.Settings(iterations=4)))


def test_advantages_are_those_of_each_seat() -> None:
    """Compared with a loop over every seat's own decisions."""
    random = np.random.default_rng(5)
    steps, tables, players, decay = 60, 7, 3, 0.9
    seats = random.integers(players, size=(steps, tables)).astype(np.uint8)
    dones = random.random((steps, tables)) < 0.1
    rewards = np.where(dones[..., None], random.standard_normal((steps, tables, players)), 0).astype(np.float32)
    values = random.standard_normal((steps, tables)).astype(np.float32)
    moments = train.Moments(*[np.zeros(0)] * 2, np.zeros(0), np.zeros(0), values, seats, rewards, dones)
    found, known = train.advantages(moments, decay)
    for table in range(tables):
        for seat in range(players):
            own = [step for step in range(steps) if seats[step, table] == seat]
            later, following = None, 0.0
            for step in reversed(own):
                end = next((at for at in range(step, steps) if dones[at, table]), None)
                if later is None or (end is not None and end < later):
                    later, following = None, 0.0
                    if end is None:
                        assert not known[step, table]
                        later, following = step, 0.0
                        continue
                    ahead = rewards[end, table, seat] - values[step, table]
                else:
                    ahead = values[later, table] - values[step, table] + decay * following
                assert known[step, table] and abs(found[step, table] - ahead) < 1e-5
                later, following = step, float(found[step, table])


def test_the_player_chooses_what_the_network_rates_highest(tmp_path: Path) -> None:
    learner = train.Learner.new(SHORT)
    learner.save(tmp_path)
    bot = player.Player(tmp_path / "player.npz")
    env = unum.VectorEnv("original", players=2, tables=64)
    for _ in range(20):
        env.step(env.sample())
    best = train.best_now(learner.weights, train.scale(SHORT), env.observations, env.masks)
    assert [bot.choose(*row) for row in zip(env.observations, env.masks)] == best.tolist()
    with pytest.raises(SystemExit, match="another edition"):
        bot.choose(np.zeros(7, np.uint8), np.ones(91, np.bool_))


def test_it_learns(tmp_path: Path) -> None:
    """A short training wins far more rounds against `random` than the untrained network it began with."""
    settings = train.Settings(iterations=20, tables=128, steps=96, hidden=64, epochs=2, batch=2048)
    before = train.wins(settings, train.new_weights(settings), "random", 1000, 3)
    *_, last = train.training(tmp_path, settings, check=1000)
    assert last["wins"]["random"] > max(before + 0.2, 0.4), (before, last)


def test_the_program_plays_in_the_arena(tmp_path: Path) -> None:
    train.Learner.new(SHORT).save(tmp_path)
    program = f"me=program:{sys.executable} {FOLDER / 'player.py'} {tmp_path / 'player.npz'}"
    result = unum.arena([program, "random"], deals=10, threads=1)
    failures = result.data["sides"][0]["failures"]
    assert failures.pop("asked") > 20 and set(failures.values()) == {0}, result.data["sides"][0]
