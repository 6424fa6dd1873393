"""UNO for Gymnasium: one seat learns, bots have the others.

>>> import gymnasium
>>> import unum_game.gymnasium
>>> env = gymnasium.make("unum/Uno-v1", opponents=["hard", "easy"])
>>> observation, info = env.reset(seed=1)
>>> bool(info["action_mask"].any())
True
"""

from __future__ import annotations

from typing import Any, Optional, Sequence

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from . import _native


class UnoEnv(gymnasium.Env):  # type: ignore[misc,type-arg,unused-ignore]
    """One round per episode against bots of chosen levels, at a seat that moves from round to round.

    The mask of legal actions is in ``info["action_mask"]`` and comes from ``action_masks()`` (as MaskablePPO asks for it).
    What happens on an action that is not legal is chosen: ``illegal="raise"``, or ``illegal="random"`` for code without
    masks, which plays a random legal action instead and says so in ``info["illegal"]``.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        opponents: Sequence[str] = ("random", "random", "random"),
        rules: Optional[_native.AnyRules] = None,
        *,
        uno: str = "called",
        payoff: str = "win",
        illegal: str = "random",
        render_mode: Optional[str] = None,
    ) -> None:
        if illegal not in ("raise", "random"):
            raise ValueError('`illegal` is "raise" or "random"')
        self._rules = _native.Rules(rules)
        self._opponents = list(opponents)
        self._uno = uno
        self._payoff = payoff
        self._illegal = illegal
        self.render_mode = render_mode
        self.encoding = _native.Encoding(self._rules.edition)
        self.observation_space = spaces.Box(np.zeros_like(self.encoding.high), self.encoding.high, dtype=np.uint8)
        self.action_space = spaces.Discrete(self.encoding.actions)
        self._tables = [self._seat_at(seat) for seat in range(len(self._opponents) + 1)]
        self._tables[0].rewards(payoff)
        self._seat = 0

    def _seat_at(self, seat: int) -> _native.Table:
        bots: list[Optional[str]] = [*self._opponents[:seat], None, *self._opponents[seat:]]
        return _native.Table(self._rules, len(bots), bots=bots, uno=self._uno)

    @property
    def _table(self) -> _native.Table:
        return self._tables[self._seat]

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """What is legal now."""
        return self._table.mask()

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None
    ) -> tuple[npt.NDArray[np.uint8], dict[str, Any]]:
        super().reset(seed=seed)
        players = len(self._tables)
        self._seat = int((options or {}).get("seat", self.np_random.integers(players)))
        self._table.reset(int(self.np_random.integers(2**63)), int(self.np_random.integers(players)))
        return self._observe(), {"action_mask": self.action_masks(), "seat": self._seat}

    def _observe(self) -> npt.NDArray[np.uint8]:
        return self._table.observe(self._seat)

    def step(self, action: Any) -> tuple[npt.NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        table = self._table
        chosen = int(action)
        info: dict[str, Any] = {}
        if self._illegal == "random":
            legal = table.legal()
            if chosen not in legal and legal:
                chosen = int(self.np_random.choice(legal))
                info["illegal"] = True
        over = table.step(chosen) is None
        reward = table.rewards(self._payoff)[self._seat] if over else 0.0
        info["action_mask"] = table.mask()
        return self._observe(), reward, over, False, info

    def render(self) -> Optional[str]:  # type: ignore[override,unused-ignore]
        if self.render_mode is None:
            return None
        view = self._table.view(self._seat)
        return f"{view['top']} {view['color']}, hand {' '.join(view['hand'])}, hands {view['hand_sizes']}"


if "unum/Uno-v1" not in gymnasium.registry:
    gymnasium.register(id="unum/Uno-v1", entry_point="unum_game.gymnasium:UnoEnv")
