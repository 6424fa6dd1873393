"""Learns UNO by playing against itself: proximal policy optimization (PPO) with action masks, in JAX.

    python3 python/examples/learn/train.py FOLDER

FOLDER gets `log.jsonl`, a line per iteration; `checkpoint.npz`, from which the same command goes on; and `player.npz`, the network
for player.py. The same settings give the same player on the same machine, however often the training was interrupted.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Callable, Iterator, Optional, Sequence

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

import unum_game as unum

Weights = dict[str, Any]


@dataclass(frozen=True)
class Settings:
    """What a training is. A folder belongs to one."""

    edition: str = "original"
    players: int = 2
    iterations: int = 200
    tables: int = 512
    steps: int = 128
    hidden: int = 256
    epochs: int = 3
    batch: int = 4096
    rate: float = 1e-3
    clip: float = 0.2
    entropy: float = 0.01
    decay: float = 0.95
    seed: int = 1


# The network: two layers, then a rating per action and the value of the moment.


def new_weights(settings: Settings) -> Weights:
    encoding = unum.Encoding(settings.edition)
    random = np.random.default_rng(settings.seed)

    def layer(inputs: int, outputs: int, size: float) -> npt.NDArray[np.float32]:
        return np.asarray(random.standard_normal((inputs, outputs)) * size / np.sqrt(inputs), np.float32)

    hidden = settings.hidden
    return {
        "w1": layer(encoding.observation, hidden, 1.4),
        "b1": np.zeros(hidden, np.float32),
        "w2": layer(hidden, hidden, 1.4),
        "b2": np.zeros(hidden, np.float32),
        "policy": layer(hidden, encoding.actions, 0.01),
        "policy_bias": np.zeros(encoding.actions, np.float32),
        "value": layer(hidden, 1, 0.1),
        "value_bias": np.zeros(1, np.float32),
    }


def scale(settings: Settings) -> npt.NDArray[np.float32]:
    """What observations are multiplied by: counts of cards become halves, flags stay 0 or 1."""
    return (1 / np.sqrt(unum.Encoding(settings.edition).high)).astype(np.float32)


def judge(weights: Weights, inputs: Any, masks: Any) -> tuple[Any, Any]:
    """Logarithms of the chances of every action, illegal ones at minus a billion, and values."""
    layer = jax.nn.relu(inputs @ weights["w1"] + weights["b1"])
    layer = jax.nn.relu(layer @ weights["w2"] + weights["b2"])
    ratings = jnp.where(masks, layer @ weights["policy"] + weights["policy_bias"], -1e9)
    values = (layer @ weights["value"] + weights["value_bias"])[:, 0]
    return jax.nn.log_softmax(ratings), values


def draw(weights: Weights, factors: Any, observations: Any, masks: Any, key: Any) -> tuple[Any, Any, Any]:
    """Actions drawn by their chances, with the logarithms of these, and values."""
    chances, values = judge(weights, observations * factors, masks)
    actions = jax.random.categorical(key, chances)
    return actions, jnp.take_along_axis(chances, actions[:, None], 1)[:, 0], values


def best(weights: Weights, factors: Any, observations: Any, masks: Any) -> Any:
    """The actions with the highest chances."""
    return judge(weights, observations * factors, masks)[0].argmax(1)


draw_now, best_now = jax.jit(draw), jax.jit(best)


# Playing.


@dataclass
class Moments:
    """What was seen, done and thought, by step and table."""

    observations: npt.NDArray[np.uint8]
    masks: npt.NDArray[np.bool_]
    actions: npt.NDArray[np.int64]
    chances: npt.NDArray[np.float32]
    values: npt.NDArray[np.float32]
    seats: npt.NDArray[np.uint8]
    rewards: npt.NDArray[np.float32]
    dones: npt.NDArray[np.bool_]


def play(settings: Settings, env: unum.VectorEnv, weights: Weights, iteration: int) -> Moments:
    """Plays on all tables from new deals, which depend on the iteration alone."""
    steps, tables, encoding = settings.steps, settings.tables, env.encoding
    moments = Moments(
        np.empty((steps, tables, encoding.observation), np.uint8),
        np.empty((steps, tables, encoding.actions), np.bool_),
        np.empty((steps, tables), np.int64),
        np.empty((steps, tables), np.float32),
        np.empty((steps, tables), np.float32),
        np.empty((steps, tables), np.uint8),
        np.empty((steps, tables, settings.players), np.float32),
        np.empty((steps, tables), np.bool_),
    )
    factors = scale(settings)
    env.reset(settings.seed * 1_000_000 + iteration)
    keys = jax.random.split(jax.random.key(settings.seed * 1_000_000 + iteration), steps)
    for step in range(steps):
        moments.observations[step], moments.masks[step], moments.seats[step] = env.observations, env.masks, env.seats
        actions, chances, values = draw_now(weights, factors, env.observations, env.masks, keys[step])
        moments.actions[step], moments.chances[step], moments.values[step] = actions, chances, values
        env.step(moments.actions[step])
        moments.rewards[step], moments.dones[step] = env.rewards, env.dones
    return moments


def advantages(moments: Moments, decay: float) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
    """How much better than expected each decision turned out (generalized advantage estimation), seat by seat.

    What follows a decision is the next one of the same seat, or the end of the round. A seat's last decision in a round that was
    still going on has neither: it is left out, and stands for what follows the one before.
    """
    steps, tables = moments.values.shape
    everyone = np.arange(tables)
    found = np.zeros((steps, tables), np.float32)
    known = np.zeros((steps, tables), np.bool_)
    next_value = np.zeros_like(moments.rewards[0])
    next_found = np.zeros_like(next_value)
    has_next = np.zeros(next_value.shape, np.bool_)
    for step in reversed(range(steps)):
        done, seat = moments.dones[step], moments.seats[step]
        next_value[done] = moments.rewards[step][done]
        next_found[done] = 0
        has_next[done] = True
        value = moments.values[step]
        known[step] = has_next[everyone, seat]
        ahead = next_value[everyone, seat] - value + decay * next_found[everyone, seat]
        found[step] = np.where(known[step], ahead, 0)
        next_value[everyone, seat] = value
        next_found[everyone, seat] = found[step]
        has_next[everyone, seat] = True
    return found, known


# Learning.


def learn(
    settings: Settings, weights: Weights, memory: tuple[Weights, Weights], count: Any, rate: Any, batch: Any
) -> tuple[Weights, tuple[Weights, Weights], Any]:
    """One step of Adam on the clipped objective of PPO."""
    inputs, masks, actions, old, targets, gains = batch
    gains = (gains - gains.mean()) / (gains.std() + 1e-8)

    def loss(weights: Weights) -> tuple[Any, Any]:
        chances, values = judge(weights, inputs * scale(settings), masks)
        own = jnp.take_along_axis(chances, actions[:, None], 1)[:, 0]
        ratio = jnp.exp(own - old)
        clipped = jnp.clip(ratio, 1 - settings.clip, 1 + settings.clip)
        policy = -jnp.minimum(ratio * gains, clipped * gains).mean()
        value = jnp.square(values - targets).mean()
        entropy = -jnp.where(masks, jnp.exp(chances) * chances, 0).sum(1).mean()
        told = {
            "policy_loss": policy,
            "value_loss": value,
            "entropy": entropy,
            "divergence": (old - own).mean(),
            "clipped": (jnp.abs(ratio - 1) > settings.clip).mean(),
        }
        return policy + 0.5 * value - settings.entropy * entropy, told

    gradient, told = jax.grad(loss, has_aux=True)(weights)
    size = jnp.sqrt(sum(jnp.square(part).sum() for part in gradient.values()))
    gradient = {name: part * jnp.minimum(1, 0.5 / (size + 1e-8)) for name, part in gradient.items()}
    first = {name: 0.9 * memory[0][name] + 0.1 * part for name, part in gradient.items()}
    second = {name: 0.999 * memory[1][name] + 0.001 * jnp.square(part) for name, part in gradient.items()}

    def moved(name: str) -> Any:
        step = first[name] / (1 - 0.9**count) / (jnp.sqrt(second[name] / (1 - 0.999**count)) + 1e-5)
        return weights[name] - rate * step

    return {name: moved(name) for name in weights}, (first, second), told


learn_now = jax.jit(learn, static_argnames="settings")


@dataclass
class Learner:
    """Everything that goes on from iteration to iteration, and into a checkpoint."""

    settings: Settings
    weights: Weights
    first: Weights
    second: Weights
    updates: int = 0
    iteration: int = 0

    @staticmethod
    def new(settings: Settings) -> Learner:
        weights = new_weights(settings)
        nothing = {name: np.zeros_like(part) for name, part in weights.items()}
        return Learner(settings, weights, nothing, nothing)

    def iterate(self, env: unum.VectorEnv) -> dict[str, Any]:
        """Plays, learns from it, and tells how that went."""
        settings, begin = self.settings, time.perf_counter()
        moments = play(settings, env, self.weights, self.iteration)
        played = time.perf_counter()
        gains, known = advantages(moments, settings.decay)
        targets = gains + moments.values
        chosen = (
            moments.observations[known],
            moments.masks[known],
            moments.actions[known],
            moments.chances[known],
            targets[known],
            gains[known],
        )
        told = self._update(chosen)
        self.iteration += 1
        variance = float(targets[known].var())
        return {
            "iteration": self.iteration,
            "decisions": int(known.sum()),
            "rounds": int(moments.dones.sum()),
            "playing": round(played - begin, 3),
            "learning": round(time.perf_counter() - played, 3),
            "explained": round(1 - float(gains[known].var()) / variance, 4) if variance > 0 else None,
            **{name: round(value, 5) for name, value in told.items()},
        }

    def _update(self, chosen: Sequence[npt.NDArray[Any]]) -> dict[str, float]:
        settings = self.settings
        random = np.random.default_rng([settings.seed, self.iteration])
        rate = settings.rate * (1 - self.iteration / settings.iterations)
        notes = []
        for _ in range(settings.epochs):
            order = random.permutation(len(chosen[0]))
            # A last batch that is not full waits for the next order.
            for start in range(0, len(order) - settings.batch + 1, settings.batch):
                part = order[start : start + settings.batch]
                self.updates += 1
                batch = tuple(column[part] for column in chosen)
                self.weights, (self.first, self.second), told = learn_now(
                    settings, self.weights, (self.first, self.second), self.updates, rate, batch
                )
                notes.append(told)
        if not notes:
            raise SystemExit("there are fewer decisions than a batch: more tables, more steps or a smaller batch")
        return {name: float(np.mean([note[name] for note in notes])) for name in notes[0]}

    def save(self, folder: Path) -> None:
        """Writes the checkpoint and the player; neither is ever half there."""
        parts = {
            f"{kind}.{name}": np.asarray(part)
            for kind, all_parts in (("weights", self.weights), ("first", self.first), ("second", self.second))
            for name, part in all_parts.items()
        }
        numbers = np.array([self.updates, self.iteration])
        write(folder / "checkpoint.npz", settings=np.array(json.dumps(asdict(self.settings))), numbers=numbers, **parts)
        write(
            folder / "player.npz",
            encoding_version=np.array(unum.ENCODING_VERSION),
            scale=scale(self.settings),
            **{name: np.asarray(part) for name, part in self.weights.items() if not name.startswith("value")},
        )

    @staticmethod
    def load(folder: Path, settings: Settings) -> Learner:
        """Where the training in this folder was, or a new one."""
        path = folder / "checkpoint.npz"
        if not path.exists():
            return Learner.new(settings)
        with np.load(path) as file:
            told = json.loads(str(file["settings"]))
            if told != asdict(settings):
                raise SystemExit(f"{path} is of a training with other settings: choose another folder\n{told}")
            kinds: dict[str, Weights] = {"weights": {}, "first": {}, "second": {}}
            for name in file.files:
                kind, _, part = name.partition(".")
                if part:
                    kinds[kind][part] = file[name]
            updates, iteration = (int(number) for number in file["numbers"])
        return Learner(settings, **kinds, updates=updates, iteration=iteration)


def write(path: Path, **arrays: npt.NDArray[Any]) -> None:
    unfinished = path.with_suffix(".unfinished.npz")
    with unfinished.open("wb") as file:
        # The types take every name for an option of their own.
        save: Any = np.savez_compressed
        save(file, **arrays)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)


def wins(settings: Settings, weights: Weights, bot: str, tables: int, seed: int) -> float:
    """The share of rounds that the learner wins on one seat against bots on the others: a first round at every table."""
    env = unum.VectorEnv(settings.edition, settings.players, tables, bots=[None, *[bot] * (settings.players - 1)])
    env.reset(seed)
    factors, open_tables, won = scale(settings), np.ones(tables, np.bool_), 0
    while open_tables.any():
        env.step(np.asarray(best_now(weights, factors, env.observations, env.masks), np.int64))
        won += int((env.rewards[open_tables, 0] > 0).sum())
        open_tables &= ~env.dones
    return won / tables


def training(
    folder: Path, settings: Settings, every: int = 10, check: int = 2000, say: Callable[[str], None] = print
) -> Iterator[dict[str, Any]]:
    """Trains to the end, from where it was, with a checkpoint every so many iterations; yields every line of the log.

    Every twentieth line says how many of `check` rounds the learner wins against bots in the same process.
    """
    folder.mkdir(parents=True, exist_ok=True)
    learner = Learner.load(folder, settings)
    log = folder / "log.jsonl"
    # Lines after the checkpoint belong to work that was lost.
    lines = log.read_text().splitlines()[: learner.iteration] if log.exists() else []
    log.write_text("".join(line + "\n" for line in lines))
    if learner.iteration:
        say(f"going on after iteration {learner.iteration}")
    env = unum.VectorEnv(settings.edition, settings.players, settings.tables)
    while learner.iteration < settings.iterations:
        told = learner.iterate(env)
        last = learner.iteration == settings.iterations
        if learner.iteration % 20 == 0 or last:
            told["wins"] = {bot: round(wins(settings, learner.weights, bot, check, 7), 4) for bot in ("random", "hard")}
        with log.open("a") as file:
            file.write(json.dumps(told) + "\n")
        if learner.iteration % every == 0 or last:
            learner.save(folder)
        yield told


def main(words: Optional[Sequence[str]] = None) -> None:
    parser = argparse.ArgumentParser(description="Learns UNO by playing against itself.")
    parser.add_argument("folder", type=Path)
    for name, default in asdict(Settings()).items():
        parser.add_argument(f"--{name}", type=type(default), default=default, help=f"by default {default}")
    given = vars(parser.parse_args(words))
    folder = given.pop("folder")
    for told in training(folder, Settings(**given)):
        if told["iteration"] % 10 == 0 or "wins" in told:
            print(json.dumps(told), flush=True)
    print(f"{folder / 'player.npz'} can play: python3 {Path(__file__).with_name('player.py')} {folder / 'player.npz'}")


if __name__ == "__main__":
    main()
