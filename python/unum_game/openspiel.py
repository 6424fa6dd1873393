"""UNO for OpenSpiel: importing this module registers the game ``python_unum``.

Where the name of the game is an option, one line changes: ``from unum_game.openspiel import pyspiel`` instead of
``import pyspiel``.

>>> import pyspiel
>>> import unum_game.openspiel
>>> game = pyspiel.load_game("python_unum(players=3,chance=explicit)")
>>> state = game.new_initial_state()
>>> len(state.chance_outcomes())
54

Parameters:

- ``players``: 2 to 10.
- ``edition``: ``original`` and so on. Other rules: make the game by ``UnumGame({"players": 3}, rules=...)``.
- ``chance``: with ``deals`` there is one chance node, at the beginning: which of 4,096 fixed deals is played, with all its later
  shuffles. With ``explicit`` every random event is a node with its probabilities; a shuffle is a node per card.
"""

from __future__ import annotations

from typing import Any, Optional, Union

import numpy as np
import pyspiel

from . import _native

#: How many deals there are where they are numbered.
_DEALS = 4_096

_EVENLY = [(deal, 1 / _DEALS) for deal in range(_DEALS)]

_LONGEST = 20_000
_PARAMETERS = {"players": 2, "edition": "original", "chance": "deals"}


def _game_type() -> Any:
    return pyspiel.GameType(
        short_name="python_unum",
        long_name="UNO by unum",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=10,
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_PARAMETERS,
    )


class UnumGame(pyspiel.Game):  # type: ignore[misc,unused-ignore]
    """One round."""

    def __init__(self, params: Optional[dict[str, Any]] = None, rules: Optional[_native.AnyRules] = None) -> None:
        chosen = {**_PARAMETERS, **(params or {})}
        self.chance = str(chosen["chance"])
        if self.chance not in ("deals", "explicit"):
            raise ValueError('`chance` is "deals" or "explicit"')
        self.players = int(str(chosen["players"]))
        self.rules = _native.Rules(rules if rules is not None else str(chosen["edition"]))
        self.encoding = _native.Encoding(self.rules.edition)
        _native.Table(self.rules, self.players)
        information = pyspiel.GameInfo(
            num_distinct_actions=self.encoding.actions,
            max_chance_outcomes=60 if self.chance == "explicit" else _DEALS,
            num_players=self.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=_LONGEST,
        )
        super().__init__(_game_type(), information, params or {})

    def new_initial_state(self) -> "UnumState":
        return UnumState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "UnumObserver":
        return UnumObserver(self.encoding)


class UnumState(pyspiel.State):  # type: ignore[misc,unused-ignore]
    """A round in progress."""

    def __init__(self, game: UnumGame) -> None:
        super().__init__(game)
        self._game = game
        # Who deals makes no difference to the cards: the seats are rotated.
        self._round: Union[_native.Table, _native.Explicit, None] = None
        if game.chance == "explicit":
            self._round = _native.Explicit(game.rules, game.players, dealer=game.players - 1)

    def __deepcopy__(self, memo: dict[int, Any]) -> "UnumState":
        other = UnumState(self._game)
        other._round = None if self._round is None else self._round.copy()
        return other

    def _over(self) -> bool:
        round_ = self._round
        if round_ is None:
            return False
        return round_.over if isinstance(round_, _native.Explicit) else round_.seat is None

    def current_player(self) -> int:
        if self._over():
            return int(pyspiel.PlayerId.TERMINAL)
        seat = None if self._round is None else self._round.seat
        return int(pyspiel.PlayerId.CHANCE) if seat is None else seat

    def _legal_actions(self, player: int) -> list[int]:
        return [] if self._round is None else self._round.legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self._round.chance_outcomes() if isinstance(self._round, _native.Explicit) else _EVENLY

    def _apply_action(self, action: int) -> None:
        round_ = self._round
        if round_ is None:
            game = self._game
            self._round = _native.Table(game.rules, game.players, seed=action, dealer=game.players - 1)
        elif isinstance(round_, _native.Explicit) and round_.seat is None:
            round_.happen(action)
        else:
            round_.step(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action}" if self._round is None else f"chance {action}"
        return self._game.encoding.names[action]

    def is_terminal(self) -> bool:
        return self._over()

    def returns(self) -> list[float]:
        if self._round is None or not self._over():
            return [0.0] * self._game.players
        return [float(reward) for reward in self._round.rewards()]

    def __str__(self) -> str:
        return "/".join(str(action) for action in self.history())


class UnumObserver:
    """Writes observations into arrays of floats, scaled to 0–1 by the largest value of each place."""

    def __init__(self, encoding: _native.Encoding) -> None:
        self.tensor = np.zeros(encoding.observation, np.float32)
        self._high = encoding.high.astype(np.float32)
        self.dict = {
            name: self.tensor[start : start + count]
            for name, (start, count) in encoding.observation_sections.items()
        }

    def set_from(self, state: UnumState, player: int) -> None:
        if state._round is None:
            self.tensor[:] = 0
        else:
            self.tensor[:] = state._round.observe(player)
            self.tensor /= self._high

    def string_from(self, state: UnumState, player: int) -> str:
        self.set_from(state, player)
        return " ".join(
            f"{name}:{','.join(f'{value:.3g}' for value in values)}" for name, values in self.dict.items() if values.any()
        )


pyspiel.register_game(_game_type(), UnumGame)
