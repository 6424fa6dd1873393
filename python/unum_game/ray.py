"""Arenas, simulations, reviews and the data set on a Ray cluster (``pip install 'unum-game[ray]'``).

Work is cut into parts. A part whose worker is lost is played again elsewhere, and the result is exactly that of one run::

    import unum_game.ray as cluster

    cluster.arena(["expert", "hard"], deals=100_000)        # as unum_game.arena, on all machines
    cluster.make("FOLDER")                                  # the data set

Without ``ray.init(...)`` before, Ray connects to the cluster of ``RAY_ADDRESS``, or starts one on this machine.
"""

from __future__ import annotations

import gzip
import os
import sys
import tempfile
from collections import deque
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator, Optional, Sequence, Union

import ray

from . import _native, data, lab
from .errors import RequestError

#: Called with how many parts are done, and how many there are.
Progress = Callable[[int, int], None]
AnyPath = Union[str, "os.PathLike[str]"]

#: How often a part is played again when its worker was lost.
RETRIES = 3
#: The most games of a part that writes records: a part travels in one piece.
RECORDED = 2_000
#: The most parts there are.
MOST = 10_000


def arena(
    players: Iterable[Any],
    rules: Optional[_native.AnyRules] = None,
    *,
    deals: int = 10_000,
    matches: bool = False,
    seed: int = 1,
    parts: Optional[int] = None,
    retries: int = RETRIES,
    progress: Optional[Progress] = None,
) -> lab.ArenaResult:
    """``unum_game.arena`` on the cluster, with the same figures. Bots written in Python travel to the workers.

    ``parts`` is how many pieces the work is cut into, by default four per processor.
    """
    who, spec = list(players), _native.Rules(rules).spec
    options: dict[str, Any] = {"deals": deals, "matches": matches, "seed": seed}
    count = _cut(deals, parts)
    tasks = ((who, spec, {**options, "part": (number, count)}) for number in range(1, count + 1))
    sums = list(_in_order(_arena_part, tasks, count, retries, progress))
    return lab.merge_arena(sums, who, spec, **options)


def simulate(
    players: Iterable[Any] = ("random*4",),
    rules: Optional[_native.AnyRules] = None,
    *,
    games: int = 100_000,
    matches: bool = False,
    seed: int = 1,
    compare: Sequence[_native.AnyRules] = (),
    records: Optional[AnyPath] = None,
    parts: Optional[int] = None,
    retries: int = RETRIES,
    progress: Optional[Progress] = None,
) -> lab.SimulationResult:
    """``unum_game.simulate`` on the cluster, with the same figures and the same file of records, which is written here."""
    who, spec = list(players), _native.Rules(rules).spec
    others = [_native.Rules(other).spec for other in compare]
    options: dict[str, Any] = {"games": games, "matches": matches, "seed": seed, "compare": others}
    least = 1 if records is None else -(-games // RECORDED)
    count = _cut(games, parts, least)
    recorded = records is not None
    tasks = ((who, spec, {**options, "part": (number, count)}, recorded) for number in range(1, count + 1))
    played = _in_order(_simulation_part, tasks, count, retries, progress)
    sums = []
    with _Lines(records) as lines:
        for text, packed in played:
            sums.append(text)
            lines.write(gzip.decompress(packed))
    return lab.merge_simulation(sums, who, spec, **options)


def review(
    games: Iterable[_native.Record],
    worlds: int = 1000,
    *,
    retries: int = RETRIES,
    progress: Optional[Progress] = None,
) -> Iterator[dict[str, Any]]:
    """The reviews of some games, in their order; ``Record.review`` explains them."""
    all_games = list(games)
    tasks = ((game.to_json(), worlds) for game in all_games)
    return _in_order(_review, tasks, len(all_games), retries, progress)


def make(
    folder: AnyPath,
    rounds: int = 100_000,
    *,
    worlds: int = data.WORLDS,
    expert: str = data.LEVELS["expert"],
    retries: int = RETRIES,
    progress: Optional[Progress] = None,
) -> Optional[dict[str, Any]]:
    """``unum_game.data.make`` on the cluster: the same lines, written here."""
    return data.make(folder, rounds, worlds=worlds, expert=expert, crew=_Cluster(retries, progress))


class _Cluster(data.Crew):
    """Makes the data set on all machines."""

    def __init__(self, retries: int, progress: Optional[Progress]) -> None:
        super().__init__()
        self.retries = retries
        self.progress = progress

    def play(self, players: Sequence[str], rules: dict[str, Any], games: int, seed: int, path: Path) -> None:
        simulate(
            players, rules, games=games, seed=seed, records=path, retries=self.retries, progress=self.progress
        )

    def value(self, games: Iterable[tuple[int, _native.Record]], worlds: int) -> Iterator[str]:
        chosen = [(number, game.to_json(), worlds) for number, game in games]
        for lines in _in_order(_value, chosen, len(chosen), self.retries, self.progress):
            yield from lines


# What workers do, each with one processor.


def _arena_part(players: list[Any], rules: dict[str, Any], options: dict[str, Any]) -> str:
    return lab.arena_part(players, rules, threads=1, **options)


def _simulation_part(
    players: list[Any], rules: dict[str, Any], options: dict[str, Any], recorded: bool
) -> tuple[str, bytes]:
    """The sums of a part, and its records, packed."""
    if not recorded:
        return lab.simulate_part(players, rules, threads=1, **options), gzip.compress(b"")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.jsonl"
        sums = lab.simulate_part(players, rules, threads=1, records=path, **options)
        return sums, gzip.compress(path.read_bytes())


def _review(game: str, worlds: int) -> dict[str, Any]:
    return _native.Record.parse(game).review(worlds)


def _value(number: int, game: str, worlds: int) -> list[str]:
    return data.value_lines(number, _native.Record.parse(game), worlds)


# How it is spread.


def _processors() -> int:
    if not ray.is_initialized():
        ray.init()
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def _cut(work: int, parts: Optional[int], least: int = 1) -> int:
    """How many parts there are: as many as wanted, or four per processor."""
    if work < 1:
        raise RequestError(f"there is at least one deal or game to play, not {work}")
    if parts is None:
        parts = min(max(4 * _processors(), least), work)
    if not 1 <= parts <= MOST:
        raise RequestError(f"a run is cut into 1 to {MOST:,} parts, not {parts}")
    return parts


def _in_order(
    work: Callable[..., Any],
    tasks: Iterable[tuple[Any, ...]],
    count: int,
    retries: int,
    progress: Optional[Progress],
) -> Iterator[Any]:
    """What `work` makes of every task, in their order.

    Only some are under way at a time, so a result that nobody has taken yet holds up new ones instead of filling memory.
    """
    window = 4 * _processors()
    tell = progress or _show
    remote = ray.remote(num_cpus=1, max_retries=retries, retry_exceptions=False)(work)
    waiting = iter(tasks)
    order: deque[Any] = deque()
    open_tasks: list[Any] = []
    finished: set[Any] = set()
    done = 0
    try:
        while True:
            while len(order) < window and (task := next(waiting, None)) is not None:
                order.append(remote.remote(*task))
                open_tasks.append(order[-1])
            if not order:
                return
            ready, open_tasks = ray.wait(open_tasks, num_returns=1)
            finished.update(ready)
            done += len(ready)
            tell(done, count)
            while order and order[0] in finished:
                yield _result(order[0])
                finished.discard(order.popleft())
    finally:
        for task in open_tasks:
            ray.cancel(task, force=True)


def _result(task: Any) -> Any:
    """What a task returned; its own exception if there was one."""
    try:
        return ray.get(task)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, Exception):
            raise error.cause from None
        raise


def _show(done: int, count: int) -> None:
    """Progress on standard error, if that is a terminal."""
    if sys.stderr.isatty():
        end = "\n" if done == count else ""
        print(f"\r{done:,} of {count:,} parts", end=end, file=sys.stderr, flush=True)


class _Lines:
    """A file of records that is never half there; compressed if its name ends in .gz. Nothing without a name."""

    def __init__(self, path: Optional[AnyPath]) -> None:
        self.path = None if path is None else os.fspath(path)
        self.raw: Any = None
        self.out: Any = None

    def __enter__(self) -> "_Lines":
        if self.path is not None:
            self.raw = open(f"{self.path}.unfinished", "wb")
            self.out = gzip.GzipFile("", "wb", fileobj=self.raw, mtime=0) if self.path.endswith(".gz") else self.raw
        return self

    def write(self, lines: bytes) -> None:
        if self.out is not None:
            self.out.write(lines)

    def __exit__(self, kind: Any, *_: Any) -> None:
        if self.path is None:
            return
        self.out.close()
        self.raw.close()
        if kind is None:
            os.replace(self.raw.name, self.path)
        else:
            os.remove(self.raw.name)
