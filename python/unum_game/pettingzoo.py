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

import copy
import secrets
from typing import Any, Optional

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv

from . import _native


class UnoEnv(_native.Aec, AECEnv):  # type: ignore[misc,unused-ignore]
    """One round per episode, 2 to 10 players, any rules.

    Observations are ``{"observation": bytes, "action_mask": 0 or 1 per id}``; docs/encoding.md says what the numbers mean.
    Rewards come at the end: 1 for the winner, shared as a loss by the others, or with ``payoff="points"`` hundredths of
    points.

    While a round lasts, ``last``, ``step`` and ``agent_iter`` are those of the native half. What is here happens once per round.
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
        self._invite(self.possible_agents, render_mode == "human")
        self._nobody = dict.fromkeys(self.possible_agents, False)
        self._nothing = dict.fromkeys(self.possible_agents, 0.0)
        self._seed, self._rounds = secrets.randbits(63), 0

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None) -> None:
        if seed is not None:
            self._seed, self._rounds = int(seed) % (1 << 64), 0
        self.agents = self.possible_agents.copy()
        self.rewards = self._nothing.copy()
        self._cumulative_rewards = self._nothing.copy()
        self.terminations = self._nobody.copy()
        self.truncations = self._nobody.copy()
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        dealer = options.get("dealer") if options else None
        self._deal(self._seed, self._rounds, dealer, list(self.infos.values()))
        self._rounds += 1

    def observe(self, agent: str) -> dict[str, npt.NDArray[Any]]:
        return self._table.look(self._seats[agent])

    def _last_of_all(self, observe: bool) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """What `last` tells when the round is over."""
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def _step_of_the_dead(self, action: Any) -> None:
        """What `step` does when the round is over: everybody leaves, one after the other."""
        if action is not None:
            raise ValueError("when an agent is dead, the only valid action is None")
        agent = self.agent_selection
        del self.terminations[agent], self.truncations[agent], self.infos[agent]
        del self.rewards[agent], self._cumulative_rewards[agent]
        agents = self.agents
        agents.remove(agent)
        for other in agents:
            self.rewards[other] = 0.0
        if agents:
            self.agent_selection = agents[0]

    def _settle(self) -> None:
        """Pays everybody when the round has just ended."""
        self.rewards = dict(zip(self.agents, self._table.rewards(self._payoff)))
        # The first that they get in this round.
        self._cumulative_rewards = self.rewards.copy()
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]

    def __deepcopy__(self, memo: dict[int, Any]) -> "UnoEnv":
        other: Any = type(self).__new__(type(self))
        memo[id(self)] = other
        other.__dict__.update(copy.deepcopy(self.__dict__, memo))
        other._resume(self, list(other.infos.values()) if self.agents else [])
        copied: UnoEnv = other
        return copied

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
