"""A bot that chooses by numbers, as a program on a pipe: docs/bots-protocol.md on one side, docs/encoding.md on the other.

A trained player becomes a program for ``unum arena`` by three lines::

    from unum_game import pipe

    pipe.play(Player())         # an object with choose(observation, mask), as in unum_game.arena

It sees what the engine's environments write, number by number, made from the view of each question:

>>> import unum_game as unum
>>> match = unum.Match("original", players=2, seed=3)
>>> question = {"type": "act", "seat": 1, "view": match.view(1), "legal": match.legal(1)}
>>> decide(Coder(match.rules), question, lambda observation, mask: int(mask.argmax())) in match.legal(1)
True
"""

from __future__ import annotations

import json
import sys
from typing import Any, Callable, Iterable, Mapping, Optional, Protocol, Sequence, TextIO

import numpy as np
import numpy.typing as npt

from . import _native
from .errors import IllegalAction

#: What decides: an id from an observation and a mask.
Choose = Callable[[npt.NDArray[np.uint8], npt.NDArray[np.bool_]], Any]


class Chooser(Protocol):
    """A player that knows nothing but numbers."""

    def choose(self, observation: npt.NDArray[np.uint8], mask: npt.NDArray[np.bool_]) -> Any: ...


class Coder:
    """Observations and ids of some rules, made from views and actions in words."""

    def __init__(self, rules: Optional[_native.AnyRules] = None) -> None:
        self.rules = _native.Rules(rules)
        self.encoding = _native.Encoding(self.rules.edition)
        #: The id of every choice in words.
        self.ids = {name: number for number, name in enumerate(self.encoding.names)}
        #: The place of every kind of card.
        self.places = {card: place for place, card in enumerate(self.encoding.cards)}
        self._start = {name: start for name, (start, _) in self.encoding.observation_sections.items()}
        self._room = self.encoding.observation_sections["open_hands"][1] // len(self.places)
        self._colors = {color: place for place, color in enumerate(self.rules.colors)}
        deck = self.rules.deck
        self._deck = np.array([deck.get(card, 0) for card in self.places], np.int64)

    def observe(
        self,
        view: Mapping[str, Any],
        seat: int,
        stage: Optional[str] = None,
        chosen: Iterable[str] = (),
        color: Optional[str] = None,
    ) -> npt.NDArray[np.uint8]:
        """What ``Table.observe`` writes for a seat with this view, in the middle of a decision if ``stage`` is given."""
        out = np.zeros(self.encoding.observation, np.int64)
        start, kinds, phase, players = self._start, len(self.places), view["phase"], view["players"]

        def relative(other: int) -> int:
            return int((other - seat) % players)

        def mark(section: str, place: Optional[int], value: int = 1) -> None:
            if place is not None:
                out[start[section] + place] = value

        hand = self._count(view.get("hand") or ())
        shown = {int(other): self._count(cards) for other, cards in view["shown"].items()}
        unseen = self._deck - hand - self._count(view["discard_pile"]) - sum(shown.values())
        out[start["hand"] : start["hand"] + kinds] = hand
        out[start["unseen"] : start["unseen"] + kinds] = np.maximum(unseen, 0)
        mark("top", self.places[view["top"]])
        mark("color", self._colors.get(view["color"]))
        mark("stage", STAGES.get(stage or phase["type"]))
        for other, size in enumerate(view["hand_sizes"]):
            mark("hand_sizes", relative(other), size)
        mark("awaited", relative(phase["seat"]) if "seat" in phase else None)
        if phase["type"] == "respond":
            mark("attacker", relative(phase["by"]))
            mark("attack", 0, min(phase["cards"], 255))
        for other in view["liable"]:
            mark("liable", relative(other))
        mark("players", 0, players)
        mark("direction", 0, int(view["direction"] == "left"))
        mark("to_discard", 0, phase["count"] if phase["type"] == "discard" else 0)
        mark("draw_pile", 0, view["draw_count"])
        mark("idle", 0, view["idle"])
        out[start["chosen"] : start["chosen"] + kinds] = self._count(chosen)
        mark("chosen_color", self._colors.get(color) if color is not None else None)
        for other in sorted(shown)[: self._room]:
            place = start["open_hands"] + (0 if self._room == 1 else relative(other) - 1) * kinds
            out[place : place + kinds] = shown[other]
            mark("open_seats", relative(other))
        for entry in view["draw_more"] if "draw_more" in start else ():
            mark("draw_more", relative(entry["seat"]), entry["count"])
        return out.astype(np.uint8)

    def _count(self, cards: Iterable[str]) -> npt.NDArray[np.int64]:
        return np.bincount([self.places[card] for card in cards], minlength=len(self.places))

    def name(self, action: Mapping[str, Any], seat: int, players: int) -> str:
        """The first choice that leads to an action, in words."""
        kind = action["type"]
        if kind in ("play", "block", "call_color"):
            return " ".join([kind, *(action[field] for field in ("card", "color") if field in action)])
        if kind == "catch":
            return f"catch {(action['seat'] - seat) % players}"
        if kind == "vote":
            return "vote yes" if action["yes"] else "vote no"
        if kind == "dare":
            return "dare accept" if action["accept"] else "dare refuse"
        return str(kind)


#: The places of the section ``stage``.
STAGES = {
    name: place
    for place, name in enumerate(
        "turn drawn call_color respond discard vote dare react along swap say".split()
    )
}


class _Decision:
    """One decision of a seat: asks for the choices it consists of."""

    def __init__(self, coder: Coder, question: Mapping[str, Any], choose: Choose) -> None:
        self.coder = coder
        self.choose = choose
        self.view: Mapping[str, Any] = question["view"]
        self.seat: int = question["seat"]
        self.reacting = question["type"] == "react"
        self.legal: Sequence[dict[str, Any]] = question["legal"]
        self.players: int = self.view["players"]

    def ask(
        self, stage: str, options: Iterable[str], chosen: Sequence[str] = (), color: Optional[str] = None
    ) -> str:
        """Lets the player choose among options in words."""
        coder = self.coder
        mask = np.zeros(coder.encoding.actions, np.bool_)
        mask[[coder.ids[option] for option in options]] = True
        number = int(self.choose(coder.observe(self.view, self.seat, stage, chosen, color), mask))
        if not 0 <= number < len(mask) or not mask[number]:
            raise IllegalAction(f"action {number} is not legal now: the action mask says what is")
        return coder.encoding.names[number]

    def decide(self) -> Optional[dict[str, Any]]:
        """The whole action; ``None`` to do nothing out of turn."""
        phase = self.view["phase"]
        if not self.reacting and phase["type"] == "discard":
            return self.discard(phase["count"])
        ways: dict[str, list[dict[str, Any]]] = {}
        for action in self.legal:
            if self.reacting or action["type"] not in ("catch", "call_uno"):
                ways.setdefault(self.coder.name(action, self.seat, self.players), []).append(action)
        options = [*ways, "pass"] if self.reacting else list(ways)
        name = self.ask("react" if self.reacting else phase["type"], options)
        if name == "pass":
            return None
        found = ways[name]
        if found[0].get("card") == "WO":
            return self.along(found)
        if "swap_with" in found[0]:
            return self.swap(found)
        return self.call_uno(found[0])

    def swap(self, found: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """The seat to swap hands with."""
        seats = {f"swap {(action['swap_with'] - self.seat) % self.players}": action for action in found}
        return self.call_uno(seats[self.ask("swap", seats, [found[0]["card"]])])

    def along(self, found: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """The cards that Olaf's Summertime takes along, one after the other in sorted order."""
        places = self.coder.places
        ways = {tuple(sorted(action.get("discard", ()), key=places.__getitem__)): action for action in found}
        picked: tuple[str, ...] = ()
        while True:
            longer = {way[len(picked)] for way in ways if len(way) > len(picked) and way[: len(picked)] == picked}
            if not longer:
                break
            options = [f"pick {card}" for card in longer]
            name = self.ask("along", [*options, "done"], ["WO", *picked], found[0]["color"])
            if name == "done":
                break
            picked += (name[len("pick ") :],)
        return self.call_uno(ways[picked])

    def discard(self, count: int) -> dict[str, Any]:
        """Cards to discard, one after the other in sorted order."""
        hand = sorted(self.view["hand"], key=self.coder.places.__getitem__)
        picked: list[str] = []
        first = 0
        while len(picked) < count:
            # As many as are needed have to come after.
            last = len(hand) - (count - len(picked))
            options = dict.fromkeys(f"pick {card}" for card in hand[first : last + 1])
            card = self.ask("discard", options, picked)[len("pick ") :]
            first = hand.index(card, first) + 1
            picked.append(card)
        return self.call_uno({"type": "discard", "cards": picked})

    def call_uno(self, action: dict[str, Any]) -> dict[str, Any]:
        """Calls "UNO" with an action that leaves one card."""
        gone = {"play": 1 + len(action.get("discard", ())), "block": 1, "discard": len(action.get("cards", ()))}
        left = len(self.view["hand"]) - gone.get(action["type"], 0)
        return {**action, "uno": True} if left == 1 and action["type"] in gone else action


def decide(coder: Coder, question: Mapping[str, Any], choose: Choose) -> Optional[dict[str, Any]]:
    """The action for a question ``act`` or ``react``; ``None`` to do nothing out of turn. "UNO" is always called."""
    return _Decision(coder, question, choose).decide()


def play(bot: Chooser, lines: Optional[Iterable[str]] = None, out: Optional[TextIO] = None) -> None:
    """Answers every question on standard input until it ends."""
    out = out or sys.stdout
    coder: Optional[Coder] = None
    known: Any = None
    for line in sys.stdin if lines is None else lines:
        message = json.loads(line)
        if message["type"] == "round" and message["rules"] != known:
            known = message["rules"]
            coder = Coder(known)
        elif message["type"] in ("act", "react") and coder is not None:
            print(json.dumps(decide(coder, message, bot.choose)), file=out, flush=True)
