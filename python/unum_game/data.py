"""Recorded games as arrays and tables, and the data set of docs/dataset.md.

>>> import tempfile, pathlib
>>> folder = pathlib.Path(tempfile.mkdtemp())
>>> _ = simulate(["hard", "random"], games=3, records=folder / "games.jsonl.gz")
>>> games = list(records(folder / "games.jsonl.gz"))
>>> rows = choices(games)
>>> len(games), rows["masks"].shape == (len(rows["actions"]), 91)
(3, True)

At the command line::

    python -m unum_game.data convert games.jsonl.gz games.npz       # or .parquet, which needs pyarrow
    python -m unum_game.data make FOLDER                            # the data set; --part 3/16 on one of sixteen machines
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import os
import sys
from pathlib import Path
from typing import Any, Iterable, Iterator, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _native
from .errors import RequestError, UnumError
from .lab import simulate

AnyPath = Union[str, "os.PathLike[str]"]

#: Rows of a group of a Parquet file: about 20 MB before compression.
GROUP = 50_000

# Reading.


def records(path: AnyPath) -> Iterator[_native.Record]:
    """The records of a file as ``--records`` writes it, one a line; compressed if its name ends in ``.gz``."""
    file = Path(path)
    with gzip.open(file, "rt", encoding="utf-8") if file.suffix == ".gz" else file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                try:
                    yield _native.Record.parse(line)
                except Exception as why:
                    why.args = (f"{file}, line {number}: {why}",)
                    raise


def choices(games: Iterable[_native.Record], payoff: str = "win") -> dict[str, npt.NDArray[Any]]:
    """Every choice of some games as arrays, one row each: docs/encoding.md has what ``Record.choices`` gives.

    ``games`` numbers the games from 0, and ``players`` says how many play. All games are of the same edition.
    """
    parts = list(_parts(games, payoff))
    if not parts:
        raise RequestError("there are no games")
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _parts(games: Iterable[_native.Record], payoff: str) -> Iterator[dict[str, npt.NDArray[Any]]]:
    edition: Optional[str] = None
    for number, game in enumerate(games):
        own = game.rules.edition
        if edition is not None and own != edition:
            raise RequestError(f"game {number} is of {own}, those before are of {edition}: their numbers mean different things")
        edition = own
        rows = game.choices(payoff)
        count = len(rows["actions"])
        yield {
            "games": np.full(count, number, np.uint32),
            "players": np.full(count, game.players, np.uint8),
            **rows,
        }


# Writing.


def save(games: Iterable[_native.Record], path: AnyPath, payoff: str = "win") -> int:
    """Writes every choice of some games to a file, ``.npz`` for NumPy or ``.parquet``; how many there were.

    Parquet needs pyarrow (``pip install pyarrow``) and little memory; NumPy's format holds all in memory.
    """
    kind = Path(path).suffix
    if kind == ".npz":
        rows = choices(games, payoff)
        # Its types take every name for its own option.
        write: Any = np.savez_compressed
        write(path, **rows)
        return len(rows["actions"])
    if kind == ".parquet":
        return _save_parquet(games, path, payoff)
    raise RequestError(f"a file of choices ends in .npz or .parquet, not {kind!r}")


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise RequestError("Parquet needs pyarrow: pip install pyarrow, or write .npz") from None
    return pyarrow


def _save_parquet(games: Iterable[_native.Record], path: AnyPath, payoff: str) -> int:
    arrow = _pyarrow()
    writer: Any = None
    waiting: list[dict[str, npt.NDArray[Any]]] = []
    rows = 0

    def flush() -> None:
        nonlocal writer
        whole = {name: np.concatenate([part[name] for part in waiting]) for name in waiting[0]}
        table = _table(arrow, whole, edition)
        if writer is None:
            writer = arrow.parquet.ParquetWriter(path, table.schema, compression="zstd")
        writer.write_table(table)
        waiting.clear()

    edition = ""

    def noting(games: Iterable[_native.Record]) -> Iterator[_native.Record]:
        nonlocal edition
        for game in games:
            edition = edition or game.rules.edition
            yield game

    _pyarrow()
    for part in _parts(noting(games), payoff):
        waiting.append(part)
        rows += len(part["actions"])
        if sum(len(part["actions"]) for part in waiting) >= GROUP:
            flush()
    if waiting:
        flush()
    if writer is None:
        raise RequestError("there are no games")
    writer.close()
    return rows


def _table(arrow: Any, rows: dict[str, npt.NDArray[Any]], edition: str) -> Any:
    """Rows for Parquet: observations as bytes of a fixed size, masks as lists of the ids that are legal."""
    masks, observations = rows["masks"], np.ascontiguousarray(rows["observations"])
    legal = np.nonzero(masks)[1].astype(np.uint16)
    ends = np.concatenate([[0], np.cumsum(masks.sum(axis=1))]).astype(np.int32)
    size = observations.shape[1]
    columns = {
        "game": arrow.array(rows["games"]),
        "players": arrow.array(rows["players"]),
        "round": arrow.array(rows["rounds"]),
        "move": arrow.array(rows["moves"]),
        "seat": arrow.array(rows["seats"]),
        "stage": arrow.array(rows["stages"]),
        "action": arrow.array(rows["actions"]),
        "legal": arrow.ListArray.from_arrays(arrow.array(ends), arrow.array(legal)),
        "observation": arrow.FixedSizeBinaryArray.from_buffers(
            arrow.binary(size), len(observations), [None, arrow.py_buffer(observations.tobytes())]
        ),
        "payoff": arrow.array(rows["payoffs"]),
    }
    about = {
        "edition": edition,
        "encoding_version": str(_native.ENCODING_VERSION),
        "actions": str(masks.shape[1]),
        "unum_version": _native.__version__,
    }
    return arrow.table(columns).replace_schema_metadata(about)


def values(game: _native.Record, worlds: int) -> Iterator[dict[str, Any]]:
    """What every action of every decision of a game was worth: chances to win the round, from imagined worlds."""
    for decision in game.review(worlds)["decisions"]:
        actions = [
            {
                "action": one["action"],
                "value": one["value"],
                "value_error": one["value_error"],
                "worlds": one["worlds"],
            }
            for one in decision["actions"]
        ]
        yield {
            "round": decision["round"],
            "move": decision["number"],
            "seat": decision["seat"],
            "played": decision["played"],
            "actions": actions,
        }


# The data set.

#: Who plays. An expert imagines 100 worlds per decision.
LEVELS = {"hard": "hard", "expert": "expert:100w"}
#: How many play: as often by two as by four.
PLAYERS = (2, 4)
#: Worlds per decision, on average, from which actions are valued.
WORLDS = 200
#: Every so many games the actions are valued.
VALUED = 10


def plan(rounds: int) -> list[dict[str, Any]]:
    """The parts of a data set of that many rounds: every edition, level and number of players, as evenly as it goes."""
    parts = [(edition, level, players) for edition in _native.EDITIONS for level in LEVELS for players in PLAYERS]
    share = [rounds * (number + 1) // len(parts) - rounds * number // len(parts) for number in range(len(parts))]
    return [
        {
            "name": f"{edition}-{level}-{players}",
            "edition": edition,
            "level": level,
            "players": players,
            "rounds": count,
            "seed": seed,
        }
        for seed, ((edition, level, players), count) in enumerate(zip(parts, share))
        if count > 0
    ]


class Crew:
    """Who makes a data set: this process, with threads of its own."""

    def __init__(self, threads: Optional[int] = None) -> None:
        self.threads = threads

    def play(self, players: Sequence[str], rules: dict[str, Any], games: int, seed: int, path: Path) -> None:
        """Plays games and writes their records."""
        simulate(players, rules, games=games, seed=seed, threads=self.threads, records=path)

    def value(self, games: Iterable[tuple[int, _native.Record]], worlds: int) -> Iterator[str]:
        """Values the choices of games, in order."""
        for number, game in games:
            yield from value_lines(number, game, worlds)


def make(
    folder: AnyPath,
    rounds: int = 100_000,
    *,
    worlds: int = WORLDS,
    expert: str = LEVELS["expert"],
    part: tuple[int, int] = (1, 1),
    threads: Optional[int] = None,
    crew: Optional[Crew] = None,
) -> Optional[dict[str, Any]]:
    """Makes the data set, or a part of it, and returns its manifest once all files are there.

    The same call makes the same lines byte for byte, with any number of threads and however it is cut. What is there already is
    kept, so a run that was interrupted goes on. ``crew`` is who does the work: by default, this process.
    """
    crew = crew or Crew(threads)
    number, of = part
    if not 1 <= number <= of:
        raise RequestError(f"there is no part {number} of {of}")
    if worlds > 0:
        # Too few are refused here, not after hours.
        _native.Match(record=True).record().review(worlds)
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    entries = plan(rounds)
    settings = {"rounds": rounds, "worlds": worlds, "expert": expert, "valued": VALUED}
    _check_settings(place, settings)
    for index, entry in enumerate(entries):
        if index % of != number - 1:
            continue
        games, valued = place / f"{entry['name']}.jsonl.gz", place / f"{entry['name']}.values.jsonl.gz"
        if not games.exists():
            bot = expert if entry["level"] == "expert" else LEVELS[entry["level"]]
            _say(f"{games.name}: {entry['rounds']:,} rounds")
            rules = {"edition": entry["edition"], "scoring": {"type": "single_round"}}
            crew.play([f"{bot}*{entry['players']}"], rules, entry["rounds"], entry["seed"], games)
        if worlds > 0 and not valued.exists():
            _say(f"{valued.name}: the values of every {VALUED}th round")
            chosen = ((number, game) for number, game in enumerate(records(games)) if number % VALUED == 0)
            _write_lines(valued, crew.value(chosen, worlds))
    return _manifest(place, entries, settings)


def _say(text: str) -> None:
    if sys.stderr.isatty():
        print(text, file=sys.stderr)


def value_lines(number: int, game: _native.Record, worlds: int) -> list[str]:
    """The values of a game as lines of the data set."""
    return [json.dumps({"game": number, **row}, separators=(",", ":")) for row in values(game, worlds)]


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    """Writes a compressed file, which is never half there."""
    unfinished = path.with_name(path.name + ".unfinished")
    with unfinished.open("wb") as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed:
        for line in lines:
            packed.write(line.encode() + b"\n")
    unfinished.replace(path)


def _check_settings(place: Path, settings: dict[str, Any]) -> None:
    """A folder holds one data set: other settings would make files that do not belong together."""
    known = place / "settings.json"
    text = json.dumps({**settings, "version": _native.__version__}, indent=1, sort_keys=True) + "\n"
    if not known.exists():
        known.write_text(text, encoding="utf-8")
    elif known.read_text(encoding="utf-8") != text:
        raise RequestError(f"{place} has a data set with other settings, see {known}: choose another folder")


def _manifest(place: Path, entries: list[dict[str, Any]], settings: dict[str, Any]) -> Optional[dict[str, Any]]:
    files = {}
    for entry in entries:
        for kind in ("jsonl.gz", "values.jsonl.gz") if settings["worlds"] > 0 else ("jsonl.gz",):
            file = place / f"{entry['name']}.{kind}"
            if not file.exists():
                return None
            files[file.name] = _contents(file)
    manifest = {
        "unum_version": _native.__version__,
        "rules_version": _native.RULES_VERSION,
        "encoding_version": _native.ENCODING_VERSION,
        **settings,
        "parts": entries,
        "files": files,
    }
    text = json.dumps(manifest, indent=1, sort_keys=True) + "\n"
    (place / "manifest.json").write_text(text, encoding="utf-8")
    return manifest


def _contents(file: Path) -> dict[str, Any]:
    """What is in a compressed file: compressors differ between versions, the lines do not."""
    digest, size, lines = hashlib.sha256(), 0, 0
    with gzip.open(file) as packed:
        for block in iter(lambda: packed.read(1 << 20), b""):
            digest.update(block)
            size += len(block)
            lines += block.count(b"\n")
    return {"lines": lines, "bytes": size, "packed_bytes": file.stat().st_size, "sha256": digest.hexdigest()}


# The command line.


def _part(text: str) -> tuple[int, int]:
    number, _, of = text.partition("/")
    try:
        part = int(number), int(of)
    except ValueError:
        part = 0, 0
    if not 1 <= part[0] <= part[1]:
        raise argparse.ArgumentTypeError("a part is its number and how many there are, as in 3/16")
    return part


def main(words: Optional[Sequence[str]] = None) -> int:
    """The command line; its exit code."""
    parser = argparse.ArgumentParser(prog="python -m unum_game.data", description="Recorded games as arrays and tables.")
    commands = parser.add_subparsers(dest="command", required=True)
    convert = commands.add_parser("convert", help="write the choices of recorded games as .npz or .parquet")
    convert.add_argument("records", help="a file written by --records")
    convert.add_argument("out", help="the file to write, .npz or .parquet")
    convert.add_argument("--payoff", choices=["win", "points"], default="win")
    making = commands.add_parser("make", help="make the data set of docs/dataset.md, or go on with it")
    making.add_argument("folder")
    making.add_argument("--rounds", type=int, default=100_000)
    making.add_argument("--worlds", type=int, default=WORLDS, help="worlds per decision for the values; 0 for none")
    making.add_argument("--expert", default=LEVELS["expert"], help="which expert plays")
    making.add_argument("--part", type=_part, default=(1, 1), metavar="K/N", help="only the files of this part")
    making.add_argument("--threads", type=int)
    given = parser.parse_args(words)
    try:
        if given.command == "convert":
            rows = save(records(given.records), given.out, given.payoff)
            print(f"{rows:,} choices in {given.out}")
            return 0
        manifest = make(
            given.folder,
            given.rounds,
            worlds=given.worlds,
            expert=given.expert,
            part=given.part,
            threads=given.threads,
        )
        if manifest is None:
            print("this part is done; the manifest is written when all parts lie in one folder and `make` runs there again")
        else:
            size = sum(file["packed_bytes"] for file in manifest["files"].values())
            print(f"{len(manifest['files'])} files, {size:,} bytes: {Path(given.folder) / 'manifest.json'}")
        return 0
    except (UnumError, OSError) as why:
        print(f"unum_game.data: {why}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
