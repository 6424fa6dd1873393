"""UNO for code that was written for RLCard: ``from unum_game import rlcard`` instead of ``import rlcard``.

>>> from unum_game import rlcard
>>> env = rlcard.make("uno", config={"seed": 1})
>>> env.num_actions, env.state_shape[0]
(61, [4, 4, 15])

The interface, the 61 actions and the four planes are RLCard's. The rules are unum's, which makes a difference:

- 2 to 10 play (``config={"game_num_players": 4}``); RLCard has two.
- Start cards act, a Reverse changes the direction only, and a Wild Draw Four needs no help from chance.
- As in RLCard, "draw" is offered only where no card can be played, and a card just drawn is played if possible.
- By default, ``no_bluffing`` is on, as in RLCard: a Wild Draw Four only without a card of the color, and no challenges.
  ``config={"rules": ...}`` plays by any other rules of these 61 actions; attacks that wait for an answer are then taken.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, Optional, Sequence

import numpy as np
import numpy.typing as npt

from . import _native

_COLORS = {"r": "red", "g": "green", "b": "blue", "y": "yellow"}
_FACES = {**{str(number): str(number) for number in range(10)}, "skip": "S", "reverse": "R", "draw_2": "+2"}
_WILDS = {"wild": "W", "wild_draw_4": "W+4"}
_TRAITS = [*_FACES, *_WILDS]

#: Every action by its id, as RLCard has them.
ACTION_LIST = [f"{color}-{trait}" for color in _COLORS for trait in _TRAITS] + ["draw"]
#: Every id by its action.
ACTION_SPACE = OrderedDict((action, number) for number, action in enumerate(ACTION_LIST))


def _names(encoding: _native.Encoding) -> dict[str, int]:
    return {name: number for number, name in enumerate(encoding.names)}


def _play_name(action: str) -> str:
    color, trait = action.split("-")
    if trait in _WILDS:
        return f"play {_WILDS[trait]} {_COLORS[color]}"
    return f"play {color.upper()}{_FACES[trait]}"


def _card_name(card: str, color: Optional[str] = None) -> str:
    """A card as RLCard writes it; a wild has the color that was called, or red."""
    if card.startswith("W"):
        trait = "wild" if card == "W" else "wild_draw_4"
        return f"{(color or 'red')[0]}-{trait}"
    face = next(trait for trait, short in _FACES.items() if short == card[1:])
    return f"{card[0].lower()}-{face}"


class UnoEnv:
    """RLCard's environment ``uno``, by the rules of unum."""

    name = "uno"

    def __init__(self, config: dict[str, Any]) -> None:
        self.num_players = int(config.get("game_num_players", 2))
        rules = config.get("rules") or {"edition": "original", "house": {"no_bluffing": True}}
        self._table = _native.Table(rules, self.num_players)
        if set(self._table.rules.deck) - {_native_card(action) for action in ACTION_LIST[:-1]}:
            raise ValueError("RLCard's actions have room for the cards of the edition `original`, not for those of others")
        ids = _names(_native.Encoding(self._table.rules.edition))
        self._draw, self._keep, self._take = ids["draw"], ids["keep"], ids["take"]
        self._ids = [ids[_play_name(action)] for action in ACTION_LIST[:-1]]
        self._back = {identity: number for number, identity in enumerate(self._ids)}
        self._back[self._draw] = self._back[self._keep] = 60
        self._calls = {ids[f"call_color {color}"]: color for color in _COLORS.values()}
        self.num_actions = len(ACTION_LIST)
        self.state_shape = [[4, 4, 15] for _ in range(self.num_players)]
        self.action_shape: list[Optional[list[int]]] = [None] * self.num_players
        self.allow_step_back = bool(config.get("allow_step_back", False))
        self.timestep = 0
        self.agents: Sequence[Any] = ()
        self.action_recorder: list[tuple[int, str]] = []
        self._history: list[tuple[_native.Table, int]] = []
        self._last = 0
        self.seed(config.get("seed"))

    def seed(self, seed: Optional[int] = None) -> None:
        self.np_random = np.random.default_rng(seed)

    def reset(self) -> tuple[dict[str, Any], int]:
        dealer = int(self.np_random.integers(self.num_players))
        self._table.reset(int(self.np_random.integers(2**63)), dealer)
        self.action_recorder = []
        self._history = []
        self._skip_other_decisions()
        return self.get_state(self._last), self._last

    def _skip_other_decisions(self) -> None:
        """Decisions that RLCard does not have: a start card's color is chosen at random, attacks are taken."""
        table = self._table
        while table.seat is not None:
            if table.stage == "call_color":
                table.step(int(self.np_random.choice(list(self._calls))))
            elif table.stage == "respond":
                table.step(self._take)
            else:
                break
        if table.seat is not None:
            self._last = table.seat

    def step(self, action: Any, raw_action: bool = False) -> tuple[dict[str, Any], int]:
        legal = self._legal()
        name = action if raw_action else (ACTION_LIST[action] if action in legal else None)
        number = ACTION_SPACE.get(name) if name is not None else int(self.np_random.choice(list(legal)))
        if number is None or number not in legal:
            raise ValueError(f"{action!r} is not legal now: {[ACTION_LIST[legal_id] for legal_id in legal]}")
        if self.allow_step_back:
            self._history.append((self._table.copy(), self._last))
        self.timestep += 1
        self.action_recorder.append((self._last, ACTION_LIST[number]))
        self._table.step(legal[number])
        self._skip_other_decisions()
        return self.get_state(self._last), self._last

    def step_back(self) -> Any:
        if not self.allow_step_back:
            raise Exception("step_back is off: set allow_step_back=True in make")
        if not self._history:
            return False
        self._table, self._last = self._history.pop()
        self.action_recorder.pop()
        return self.get_state(self._last), self._last

    def _legal(self) -> "OrderedDict[int, int]":
        """RLCard's ids that are legal, with ours."""
        ours = {self._back[identity]: identity for identity in self._table.legal() if identity in self._back}
        if len(ours) > 1:
            ours.pop(60, None)
        return OrderedDict(sorted(ours.items()))

    def get_state(self, player_id: int) -> dict[str, Any]:
        table = self._table
        view = table.view(player_id)
        hand = [_card_name(card) for card in view["hand"]]
        target = _card_name(view["top"], view["color"])
        legal = self._legal() if table.seat == player_id else OrderedDict[int, int]()
        names = [ACTION_LIST[number] for number in legal]
        raw = {
            "hand": hand,
            "target": target,
            "played_cards": [_card_name(card) for card in view["discard_pile"]],
            "legal_actions": names,
            "num_cards": view["hand_sizes"],
            "num_players": self.num_players,
            "current_player": self._last,
        }
        return {
            "obs": _planes(hand, target),
            "legal_actions": OrderedDict.fromkeys(legal),
            "raw_obs": raw,
            "raw_legal_actions": names,
            "action_record": self.action_recorder,
        }

    def set_agents(self, agents: Sequence[Any]) -> None:
        self.agents = agents

    def run(self, is_training: bool = False) -> tuple[list[list[Any]], npt.NDArray[Any]]:
        trajectories: list[list[Any]] = [[] for _ in range(self.num_players)]
        state, player = self.reset()
        trajectories[player].append(state)
        while not self.is_over():
            agent = self.agents[player]
            action = agent.step(state) if is_training else agent.eval_step(state)[0]
            following, next_player = self.step(action, agent.use_raw)
            trajectories[player].append(action)
            state, player = following, next_player
            if not self.is_over():
                trajectories[player].append(state)
        for player in range(self.num_players):
            trajectories[player].append(self.get_state(player))
        return trajectories, self.get_payoffs()

    def is_over(self) -> bool:
        return self._table.seat is None

    def get_player_id(self) -> int:
        return self._last

    def get_payoffs(self) -> npt.NDArray[Any]:
        """1 for the winner, −1 for each of the others."""
        winner = self._table.winner
        if winner is None:
            return np.zeros(self.num_players)
        return np.array([1 if seat == winner else -1 for seat in range(self.num_players)])

    def get_action_feature(self, action: int) -> npt.NDArray[np.int8]:
        feature = np.zeros(self.num_actions, np.int8)
        feature[action] = 1
        return feature

    def get_perfect_information(self) -> dict[str, Any]:
        state = self.get_state(self._last)["raw_obs"]
        hands = [[_card_name(card) for card in hand] for hand in self._table.hands()]
        return {**{key: state[key] for key in state if key not in ("hand", "num_cards")}, "hand_cards": hands}


def _native_card(action: str) -> str:
    color, trait = action.split("-")
    return _WILDS.get(trait) or f"{color.upper()}{_FACES[trait]}"


def _planes(hand: list[str], target: str) -> npt.NDArray[np.int64]:
    """Three planes of the hand (no copy, one, two of each card) and one of the card to match."""
    planes = np.zeros((4, 4, 15), np.int64)
    planes[0] = 1
    for card in set(hand):
        number = ACTION_SPACE[card]
        color, trait = divmod(number, 15)
        rows = slice(None) if trait >= 13 else color
        planes[0, rows, trait] = 0
        planes[1 if trait >= 13 else min(hand.count(card), 2), rows, trait] = 1
    color, trait = divmod(ACTION_SPACE[target], 15)
    planes[3, color, trait] = 1
    return planes


def make(env_id: str = "uno", config: Optional[dict[str, Any]] = None) -> UnoEnv:
    """The environment: only ``uno`` exists here."""
    if env_id != "uno":
        raise ValueError(f"there is no environment {env_id!r} here, only 'uno'")
    return UnoEnv(config or {})
