"""The vectorized environment: thousands of rounds at once."""

from __future__ import annotations

from typing import Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _native


class VectorEnv:
    """Many rounds side by side, written into arrays that stay in place.

    Every table is a round of its own. ``step`` makes one choice at each, on all cores and without the interpreter's lock,
    and overwrites the arrays below. A round that ends is dealt again in the same step: ``dones`` and ``rewards`` are then
    of the round that ended, the rest of the new one. All seats without a bot are yours; ``seats`` says who decides.

    >>> env = VectorEnv("original", players=4, tables=256)
    >>> env.reset(seed=1)
    >>> for _ in range(100):
    ...     env.step(env.sample())
    >>> env.observations.shape == (256, env.encoding.observation) and bool(env.masks.any(axis=1).all())
    True
    """

    #: What the seat to decide may know, one row per table.
    observations: npt.NDArray[np.uint8]
    #: What it can choose.
    masks: npt.NDArray[np.bool_]
    #: What each seat got, where a round has just ended; else 0.
    rewards: npt.NDArray[np.float32]
    #: Who decides.
    seats: npt.NDArray[np.uint8]
    #: Where a round has just ended.
    dones: npt.NDArray[np.bool_]

    def __init__(
        self,
        rules: Optional[_native.AnyRules] = None,
        players: int = 4,
        tables: int = 1024,
        *,
        bots: Optional[Sequence[Optional[str]]] = None,
        uno: str = "called",
        payoff: str = "win",
        threads: Optional[int] = None,
    ) -> None:
        self.rules = _native.Rules(rules)
        self.players = players
        self.tables = tables
        self.encoding = _native.Encoding(self.rules.edition)
        self._native = _native.Vector(
            self.rules, players, tables, bots=bots, uno=uno, payoff=payoff, threads=threads
        )
        self.observations = np.zeros((tables, self.encoding.observation), np.uint8)
        self.masks = np.zeros((tables, self.encoding.actions), np.bool_)
        self.rewards = np.zeros((tables, players), np.float32)
        self.seats = np.zeros(tables, np.uint8)
        self.dones = np.zeros(tables, np.bool_)
        self._actions = np.zeros(tables, np.int64)
        self.reset(0)

    def reset(self, seed: int = 0) -> None:
        """Deals all rounds again. The same seed gives the same rounds."""
        self._native.reset(seed, self.observations, self.masks, self.rewards, self.seats, self.dones)

    def step(self, actions: Union[npt.NDArray[np.int64], Sequence[int]]) -> None:
        """Makes one choice at every table. An id that is not legal raises ``IllegalAction``; nothing has changed then."""
        ids = np.ascontiguousarray(actions, np.int64)
        self._native.step(ids, self.observations, self.masks, self.rewards, self.seats, self.dones)

    def sample(self) -> npt.NDArray[np.int64]:
        """A random legal action for every table, in an array that is overwritten by the next call."""
        self._native.sample(self._actions)
        return self._actions
