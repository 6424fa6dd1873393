"""The speed of the package next to RLCard's, in one run: `cargo xtask bench-python`.

Ratios are what counts: everything runs on the same machine within a minute, each measurement three times, the best kept. What runs in
one thread is measured by its computing time, so that other programs disturb it less; two threads can only be measured by the clock.
"""

from __future__ import annotations

import time
from typing import Any, Callable

import numpy as np
import rlcard
from rlcard.agents import RandomAgent

import unum_game as unum
from unum_game.pettingzoo import env as pettingzoo_env

TABLES = 8192
SECONDS = 1.5


def rate(work: Callable[[], int], clock: Callable[[], float] = time.process_time) -> float:
    """How many of what it counts `work` does in a second, the best of three times."""
    best = 0.0
    for _ in range(3):
        begin, done = clock(), 0
        while clock() - begin < SECONDS:
            done += work()
        best = max(best, done / (clock() - begin))
    return best


def vector(threads: int) -> Callable[[], int]:
    env = unum.VectorEnv("original", players=4, tables=TABLES, threads=threads)

    def work() -> int:
        for _ in range(20):
            env.step(env.sample())
        return 20 * TABLES

    return work


def aec() -> Callable[[], int]:
    env = pettingzoo_env(players=2)
    random = np.random.default_rng(1)

    def work() -> int:
        env.reset(seed=int(random.integers(1 << 30)))
        steps = 0
        for _ in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            if termination or truncation:
                env.step(None)
                continue
            env.step(int(observation["action_mask"].argmax()))
            steps += 1
        return steps

    return work


def rlcard_run() -> Callable[[], int]:
    """As RLCard's own examples run it: its random agents, trajectories collected."""
    env = rlcard.make("uno", config={"seed": 1})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(2)])

    def work() -> int:
        trajectories, _ = env.run(is_training=False)
        return sum(len(seat) // 2 for seat in trajectories)

    return work


def rlcard_steps() -> Callable[[], int]:
    env = rlcard.make("uno", config={"seed": 1})

    def work() -> int:
        state, _ = env.reset()
        steps = 0
        while not env.is_over():
            state, _ = env.step(next(iter(state["legal_actions"])))
            steps += 1
        return steps

    return work


def table_steps() -> Callable[[], int]:
    table = unum.Table("original", 4)
    moves: list[tuple[int, list[int]]] = []
    random = np.random.default_rng(1)
    for seed in range(200):
        table.reset(seed)
        ids = []
        while table.seat is not None:
            ids.append(int(random.choice(table.legal())))
            table.step(ids[-1])
        moves.append((seed, ids))

    def work() -> int:
        step, done = table.step, 0
        for seed, ids in moves:
            table.reset(seed)
            for identity in ids:
                step(identity)
            done += len(ids)
        return done

    return work


def match_applies() -> Callable[[], int]:
    games: list[tuple[Any, list[tuple[int, dict[str, Any]]]]] = []
    random = np.random.default_rng(1)
    for seed in range(100):
        start = unum.Match("original", 4, seed)
        match, moves = start.copy(), []
        while match.seat is not None:
            actions = match.legal(match.seat)
            moves.append((match.seat, actions[random.integers(len(actions))]))
            match.apply(*moves[-1])
        games.append((start, moves))

    def work() -> int:
        done = 0
        for start, moves in games:
            apply = start.copy().apply
            for seat, action in moves:
                apply(seat, action)
            done += len(moves)
        return done

    return work


def main() -> None:
    theirs, bare = rate(rlcard_run()), rate(rlcard_steps())
    one, by_clock = rate(vector(1)), rate(vector(1), time.perf_counter)
    two = rate(vector(2), time.perf_counter)
    loop = rate(aec())
    step = 1e9 / rate(table_steps())
    apply = 1e9 / rate(match_applies())
    def row(what: str, figure: float, unit: str) -> None:
        print(f"| {what} | {figure:,.0f} {unit} | {figure / theirs:,.1f} × | {figure / bare:,.1f} × |")

    print("| what | figure | next to RLCard's random agents | next to its bare steps |")
    print("| --- | --- | --- | --- |")
    row("RLCard 1.2 `uno`, two players: `env.run` with its random agents", theirs, "steps a second")
    row("the same, bare: `env.step` with the first legal action", bare, "steps a second")
    row("`VectorEnv`, 4 players, random legal actions, one thread", one, "decisions a second")
    row(f"the same, two threads ({two / by_clock:.2f} × one by the clock)", two, "decisions a second")
    row("PettingZoo AEC, two players, a loop in Python with the first legal action", loop, "steps a second")
    print(f"| one `Table.step` from Python, everything included | {step:,.0f} ns | | |")
    print(f"| one `Match.apply` from Python, everything included | {apply:,.0f} ns | | |")


main()
