"""A trained player as a program for `unum arena`. It needs NumPy alone, not what it was trained with.

    unum arena 'learner=program:python3 python/examples/learn/player.py FOLDER/player.npz' hard
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Union

import numpy as np
import numpy.typing as npt

import unum_game as unum
from unum_game import pipe


class Player:
    """Plays the legal action that its network rates highest."""

    def __init__(self, path: Union[str, Path]) -> None:
        with np.load(path) as file:
            weights = {name: file[name] for name in file.files}
        version = int(weights.pop("encoding_version"))
        if version != unum.ENCODING_VERSION:
            raise SystemExit(f"{path} was trained with version {version} of the encoding, not {unum.ENCODING_VERSION}")
        self.scale = weights.pop("scale")
        self.weights = weights

    def choose(self, observation: npt.NDArray[np.uint8], mask: npt.NDArray[np.bool_]) -> int:
        weights = self.weights
        if len(observation) != len(self.scale):
            raise SystemExit("this player was trained for another edition")
        layer: npt.NDArray[Any] = observation * self.scale
        layer = np.maximum(layer @ weights["w1"] + weights["b1"], 0)
        layer = np.maximum(layer @ weights["w2"] + weights["b2"], 0)
        ratings = layer @ weights["policy"] + weights["policy_bias"]
        return int(np.where(mask, ratings, -np.inf).argmax())


if __name__ == "__main__":
    pipe.play(Player(sys.argv[1]))
