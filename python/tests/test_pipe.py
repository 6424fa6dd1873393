"""Bots on a pipe that choose by numbers: made from views in words, the numbers are those of the engine."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import unum_game as unum
from unum_game import pipe

SAY = pipe.STAGES["say"]

HOUSES: list[dict[str, Any]] = [
    {},
    {"stacking": "any", "seven_zero": True, "jump_in": True},
    {"force_play": True, "draw_to_match": True, "no_challenges": True},
]


def question(match: unum.Match, seat: int, reacting: bool) -> dict[str, Any]:
    """What the arena would ask."""
    legal = match.legal(seat)
    if reacting:
        waits = match.seat == seat
        legal = [
            action
            for action in legal
            if action["type"] in ("catch", "call_uno") or (action["type"] == "play" and not waits)
        ]
    return {"type": "react" if reacting else "act", "seat": seat, "view": match.view(seat), "legal": legal}


def random_action(match: unum.Match, random: np.random.Generator) -> tuple[int, dict[str, Any]]:
    seats = [seat for seat in range(match.players) if match.legal(seat)]
    seat = int(random.choice(seats))
    legal = match.legal(seat)
    # Plays more often than draws, so that rounds end.
    plays = [action for action in legal if action["type"] == "play"]
    actions = plays if plays and random.random() < 0.7 else legal
    action = dict(actions[int(random.integers(len(actions)))])
    if action["type"] == "discard" and "count" in action:
        hand = match.hand(seat)
        picked = sorted(random.permutation(len(hand))[: action["count"]])
        action = {"type": "discard", "cards": [hand[int(place)] for place in picked]}
    return seat, action


def plain(action: dict[str, Any]) -> dict[str, Any]:
    """Without what may differ: the call of "UNO", and the order of cards."""
    kept = {field: value for field, value in action.items() if field not in ("uno", "swap_with")}
    lists = {field: sorted(kept[field]) for field in ("cards", "discard") if field in kept}
    return {**kept, **lists, "swap_with": action.get("swap_with")}


@pytest.mark.parametrize("edition", unum.EDITIONS)
@pytest.mark.parametrize("house", range(len(HOUSES)))
def test_observations_and_masks_are_those_of_the_engine(edition: str, house: int) -> None:
    rules = unum.Rules(edition, house=HOUSES[house], scoring={"type": "first_to", "target": 10_000})
    random = np.random.default_rng(house)
    coder = pipe.Coder(rules)
    stages = set()
    for players in (2, 4):
        match = unum.Match(rules, players=players, seed=house, record=True)
        asked: list[tuple[dict[str, Any], dict[str, Any]]] = []
        while len(asked) < 250:
            if match.round_over:
                match.next_round()
                continue
            seat, action = random_action(match, random)
            waits = any(entry["type"] not in ("catch", "call_uno") for entry in match.legal(seat))
            phase = match.view(None)["phase"]
            awaited = phase.get("seat") == seat if phase["type"] != "vote" else waits
            reacting = action["type"] in ("catch", "call_uno") or not awaited
            asked.append((question(match, seat, reacting), action))
            match.apply(seat, action)
        rows = match.record().choices()
        row = 0

        def follow(observation: Any, mask: Any) -> int:
            nonlocal row
            differing = np.nonzero(mask != rows["masks"][row])[0]
            assert not len(differing), f"mask of row {row}: {[coder.encoding.names[place] for place in differing]}"
            wrong = np.nonzero(observation != rows["observations"][row])[0]
            assert not len(wrong), f"observation of row {row}: places {wrong}"
            row += 1
            return int(rows["actions"][row - 1])

        for entry, action in asked:
            decided = pipe.decide(coder, entry, follow)
            assert decided is not None and plain(decided) == plain(action)
            # In a record, calling "UNO" is a choice of its own.
            while row < len(rows["stages"]) and rows["stages"][row] == SAY:
                row += 1
        assert row == len(rows["actions"])
        stages.update(rows["stages"])
    assert {pipe.STAGES[name] for name in ("turn", "drawn")} <= stages
    if house == 1:
        assert pipe.STAGES["swap"] in stages
    if edition == "frozen":
        assert pipe.STAGES["along"] in stages


def test_discards_and_votes_follow_the_engine() -> None:
    cards = [
        {"title": "Less", "effects": [{"do": "discard_down", "who": "others", "to": 4}]},
        {"title": "Sing", "effects": [{"do": "perform", "prompt": "Sing", "success": [], "failure": []}]},
        {"title": "Dare", "effects": [{"do": "dare", "who": "next", "prompt": "Dance", "refuse": []}]},
    ]
    rules = unum.Rules("custom", custom_cards=cards)
    coder, seen = pipe.Coder(rules), set()
    for seed in range(40):
        match = unum.Match(rules, players=3, seed=seed)
        table = np.random.default_rng(seed)
        for _ in range(150):
            if match.round_over:
                break
            seats = [seat for seat in range(3) if match.legal(seat)]
            seat = seats[int(table.integers(len(seats)))]
            if all(action["type"] in ("catch", "call_uno") for action in match.legal(seat)):
                continue
            phase = match.view(None)["phase"]
            entry = question(match, seat, phase["type"] != "vote" and phase["seat"] != seat)
            action = pipe.decide(coder, entry, lambda _, mask: int(table.choice(np.nonzero(mask)[0])))
            if action is not None:
                seen.add(action["type"])
                match.apply(seat, action)
    assert {"discard", "vote", "dare"} <= seen


def test_an_id_that_is_not_legal_is_refused() -> None:
    match = unum.Match("original", players=2, seed=1)
    entry = question(match, match.seat or 0, False)
    for wrong in (-1, 91, 5000, pipe.Coder("original").ids["take"]):
        with pytest.raises(unum.IllegalAction):
            pipe.decide(pipe.Coder(match.rules), entry, lambda _observation, _mask: wrong)


class First:
    """Chooses by the numbers alone."""

    def choose(self, observation: Any, mask: Any) -> int:
        ids = np.nonzero(mask)[0]
        return int(ids[int(observation.astype(np.int64) @ np.arange(len(observation))) % len(ids)])


def test_a_program_plays_as_the_same_player_in_process(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "from test_pipe import First\nfrom unum_game import pipe\npipe.play(First())\n"
    )
    rules = unum.Rules("frozen", house={"seven_zero": True})
    piped = unum.arena([f"me=program:{sys.executable} {program}", "easy*2"], rules, deals=12, threads=1)
    here = unum.arena([("me", First), "easy*2"], rules, deals=12, threads=1)
    failures = piped.data["sides"][0]["failures"]
    assert failures.pop("asked") > 50 and set(failures.values()) == {0}
    assert piped.rows() == here.rows()


def test_messages_that_are_no_questions_have_no_answer() -> None:
    match = unum.Match("original", players=2, seed=1)
    messages = [
        {"type": "hello", "protocol": 1},
        {"type": "round", "seat": 0, "players": 2, "rules": match.rules.spec},
        {"type": "events", "events": match.seen_events(0)},
        question(match, match.seat or 0, False),
        {"type": "something new"},
    ]
    out = io.StringIO()
    pipe.play(First(), [json.dumps(message) + "\n" for message in messages], out)
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    assert len(answers) == 1 and answers[0]["type"] in ("play", "draw")
