"""Recorded games as arrays and tables, and a small version of the data set."""

from __future__ import annotations

import gzip
import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import unum_game as unum
from unum_game import data


def play(path: Path, edition: str = "original", games: int = 4) -> list[unum.Record]:
    unum.simulate(["hard", "random*2"], edition, games=games, seed=3, records=path)
    return list(data.records(path))


def test_records_are_those_of_the_games(tmp_path: Path) -> None:
    games = play(tmp_path / "games.jsonl")
    packed = play(tmp_path / "games.jsonl.gz")
    assert len(games) == 4 and games == packed
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["games.jsonl", "games.jsonl.gz"]
    for game in games:
        assert game.verify().winners is not None and game.names == ["hard", "random", "random"]


@pytest.mark.parametrize("edition", unum.EDITIONS)
def test_choices_follow_the_encoding(tmp_path: Path, edition: str) -> None:
    games = play(tmp_path / "games.jsonl", edition)
    rows = data.choices(games)
    encoding = unum.Encoding(edition)
    count = len(rows["actions"])
    assert count > 40 and {len(column) for column in rows.values()} == {count}
    assert rows["observations"].shape == (count, encoding.observation)
    assert (rows["observations"] <= encoding.high).all()
    assert rows["masks"].shape == (count, encoding.actions)
    assert rows["masks"][np.arange(count), rows["actions"]].all()
    start, _ = encoding.observation_sections["stage"]
    assert (rows["observations"][np.arange(count), start + rows["stages"]] == 1).all()
    assert list(np.unique(rows["games"])) == [0, 1, 2, 3] and (rows["players"] == 3).all()
    for number, game in enumerate(games):
        own = rows["games"] == number
        winner = game.outcome["winners"][0]
        assert (rows["payoffs"][own & (rows["seats"] == winner)] == 1).all()
        assert (rows["payoffs"][own & (rows["seats"] != winner)] == -0.5).all()


def test_a_clone_that_repeats_the_choices_plays_the_same_round(tmp_path: Path) -> None:
    """The actions of the record, taken at the table the record describes, are the choices."""
    game = play(tmp_path / "games.jsonl", games=1)[0]
    rows = data.choices([game])
    names = unum.Encoding("original").names
    told = [move for move in game.moves if move["type"] == "act"]
    draws = sum(move["action"]["type"] == "draw" for move in told)
    assert draws == sum(names[action] == "draw" for action in rows["actions"])
    assert list(dict.fromkeys(zip(rows["moves"], rows["seats"]))) == [
        (number, move["seat"]) for number, move in enumerate(game.moves, 1) if move["type"] == "act"
    ]


def test_numpy_and_parquet_hold_the_same(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow.parquet")
    games = play(tmp_path / "games.jsonl")
    rows = data.choices(games)
    assert data.save(games, tmp_path / "choices.npz") == len(rows["actions"])
    with np.load(tmp_path / "choices.npz") as stored:
        assert set(stored.files) == set(rows)
        assert all(np.array_equal(stored[name], column, equal_nan=name == "payoffs") for name, column in rows.items())
    assert data.save(games, tmp_path / "choices.parquet") == len(rows["actions"])
    table = arrow.read_table(tmp_path / "choices.parquet")
    assert table.num_rows == len(rows["actions"])
    assert table.schema.metadata[b"edition"] == b"original"
    for name, column in [("action", "actions"), ("seat", "seats"), ("move", "moves"), ("game", "games")]:
        assert np.array_equal(table[name].to_numpy(), rows[column])
    seen = b"".join(table["observation"].to_pylist())
    assert seen == rows["observations"].tobytes()
    assert [list(np.flatnonzero(mask)) for mask in rows["masks"]] == table["legal"].to_pylist()


def test_parquet_without_pyarrow_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games = play(tmp_path / "games.jsonl", games=1)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(unum.RequestError, match="pip install pyarrow"):
        data.save(games, tmp_path / "choices.parquet")
    with pytest.raises(unum.RequestError, match=r"\.npz or \.parquet"):
        data.save(games, tmp_path / "choices.csv")
    with pytest.raises(unum.RequestError, match="no games"):
        data.choices([])


def test_what_is_no_record_is_named(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    play(file, games=2)
    lines = file.read_text().splitlines()
    file.write_text("\n".join([lines[0], "{}", lines[1]]))
    with pytest.raises(unum.RecordError, match="line 2"):
        list(data.records(file))
    mixed = play(tmp_path / "a.jsonl", games=1) + play(tmp_path / "b.jsonl", "frozen", games=1)
    with pytest.raises(unum.RequestError, match="mean different things"):
        data.choices(mixed)


def small(folder: Path, **options: Any) -> Any:
    return data.make(folder, 10, worlds=64, expert="expert:8w", **options)


def test_a_small_data_set_is_the_same_again(tmp_path: Path) -> None:
    manifest = small(tmp_path / "whole", threads=2)
    assert len(manifest["files"]) == 20 and len(manifest["parts"]) == 10
    assert {part["edition"] for part in manifest["parts"]} == set(unum.EDITIONS)
    assert sum(part["rounds"] for part in manifest["parts"]) == 10
    # In three parts and with another number of threads; the last one finds everything there.
    assert small(tmp_path / "parts", part=(1, 3), threads=1) is None
    assert small(tmp_path / "parts", part=(3, 3), threads=1) is None
    assert small(tmp_path / "parts", part=(2, 3), threads=1) == manifest
    for name, about in manifest["files"].items():
        text = gzip.decompress((tmp_path / "whole" / name).read_bytes())
        assert about["sha256"] == hashlib.sha256(text).hexdigest() and about["lines"] == text.count(b"\n")
    values = gzip.decompress((tmp_path / "whole" / f"{manifest['parts'][0]['name']}.values.jsonl.gz").read_bytes())
    row = json.loads(values.splitlines()[0])
    assert row["game"] == 0 and len(row["actions"]) > 1 and 0 <= row["played"] < len(row["actions"])
    assert all(0 <= one["value"] <= 1 for one in row["actions"])
    # A folder holds one data set.
    with pytest.raises(unum.RequestError, match="other settings"):
        data.make(tmp_path / "whole", 60, worlds=64)
    with pytest.raises(unum.RequestError, match="at least 64 worlds"):
        data.make(tmp_path / "few", 60, worlds=40)


def test_the_whole_data_set_has_a_hundred_thousand_rounds() -> None:
    parts = data.plan(100_000)
    assert sum(part["rounds"] for part in parts) == 100_000
    assert {part["edition"] for part in parts} == set(unum.EDITIONS)
    assert {part["level"] for part in parts} == {"hard", "expert"}
    assert len({part["seed"] for part in parts}) == len(parts)


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.jsonl"
    play(file, games=2)
    assert data.main(["convert", str(file), str(tmp_path / "out.npz")]) == 0
    assert "choices in" in capsys.readouterr().out
    assert data.main(["convert", str(file), str(tmp_path / "out.csv")]) == 1
    assert "ends in .npz or .parquet" in capsys.readouterr().err
    assert data.main(["make", str(tmp_path / "set"), "--rounds", "2", "--worlds", "0", "--part", "1/2"]) == 0
    assert "manifest" in capsys.readouterr().out
