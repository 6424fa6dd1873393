"""UNO for PettingZoo: an AEC environment with action masks.

>>> from unum_game.pettingzoo import env
>>> table = env(players=4)
>>> table.reset(seed=1)
>>> for agent in table.agent_iter():
...     observation, reward, termination, truncation, info = table.last()
...     done = termination or truncation
...     table.step(None if done else int(observation["action_mask"].argmax()))
"""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv

from . import _native


class UnoEnv(AECEnv):  # type: ignore[misc,unused-ignore]
    """One round per episode, 2 to 10 players, any rules.

    Observations are ``{"observation": bytes, "action_mask": 0 or 1 per id}``; docs/encoding.md says what the numbers mean.
    Rewards come at the end: 1 for the winner, shared as a loss by the others, or with ``payoff="points"`` hundredths of
    points.
    """

    metadata = {"name": "unum_v1", "render_modes": ["human", "ansi"], "is_parallelizable": False}

    def __init__(
        self,
        rules: Optional[_native.AnyRules] = None,
        players: int = 4,
        *,
        uno: str = "called",
        payoff: str = "win",
        render_mode: Optional[str] = None,
    ) -> None:
        super().__init__()
        self._table = _native.Table(rules, players, uno=uno)
        self._table.rewards(payoff)
        self._payoff = payoff
        self.encoding = _native.Encoding(self._table.rules.edition)
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        space = spaces.Dict(
            {
                "observation": spaces.Box(np.zeros_like(self.encoding.high), self.encoding.high, dtype=np.uint8),
                "action_mask": spaces.Box(0, 1, (self.encoding.actions,), np.int8),
            }
        )
        self.observation_spaces = {agent: space for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self.encoding.actions) for agent in self.possible_agents}
        self._random = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None) -> None:
        if seed is not None:
            self._random = np.random.default_rng(seed)
        players = len(self.possible_agents)
        dealer = int((options or {}).get("dealer", self._random.integers(players)))
        self._table.reset(int(self._random.integers(2**63)), dealer)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._table.seat or 0]

    def observe(self, agent: str) -> dict[str, npt.NDArray[Any]]:
        return self._table.look(self._seats[agent])

    def last(
        self, observe: bool = True
    ) -> tuple[Optional[dict[str, npt.NDArray[Any]]], float, bool, bool, dict[str, Any]]:
        # As the base class does, without asking for everything by name twice: a loop in Python is slow enough.
        agent = self.agent_selection
        return (
            self._table.look(self._seats[agent]) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        seat = self._table.step(action)
        if seat is not None:
            self.agent_selection = self.possible_agents[seat]
            if self.render_mode == "human":
                self.render()
            return
        won = self._table.rewards(self._payoff)
        self.rewards = {agent: won[self._seats[agent]] for agent in self.agents}
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, True)
        self._deads_step_first()

    def render(self) -> Optional[str]:
        if self.render_mode is None:
            return None
        view = self._table.view(None)
        sizes = " ".join(str(size) for size in view["hand_sizes"])
        text = f"{view['top']} {view['color']}, hands {sizes}, {view['phase']['type']}"
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        pass


def env(**options: Any) -> UnoEnv:
    """An environment that refuses actions outside the mask with ``IllegalAction``."""
    return UnoEnv(**options)
