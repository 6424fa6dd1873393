"""The engine from Python: the rules' own scenarios, perft, records, errors."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path
from typing import Any

import pytest

import unum_game as unum

SCENARIOS = Path(__file__).parents[2] / "crates/unum-rules/scenarios"


def scenarios() -> list[Any]:
    """Those that start from a position and leave nothing to chance."""
    files = [json.loads(path.read_text()) for path in sorted(SCENARIOS.glob("*.json"))]
    every = [(file["rule"], scenario) for file in files for scenario in file["scenarios"]]
    plain = [(rule, one) for rule, one in every if "position" in one and not one.get("shuffles") and not one.get("picks")]
    assert len(plain) > 200
    return [pytest.param(one, id=f"{rule}: {one['name']}") for rule, one in plain]


def codes(wanted: Any) -> list[str]:
    return [wanted] if isinstance(wanted, str) else wanted


def check(seen: dict[str, Any], expect: dict[str, Any]) -> None:
    if "hands" in seen:
        seen = {**seen, "hand_sizes": [len(hand) for hand in seen["hands"]], "draw_count": len(seen["draw_pile"])}
    seen = {**seen, "discard_count": len(seen["discard_pile"])}
    for field, value in expect.items():
        if value == "absent":
            assert field not in seen
        else:
            assert seen[field] == value, field


@pytest.mark.parametrize("scenario", scenarios())
def test_scenario(scenario: dict[str, Any]) -> None:
    if "refused" in scenario:
        with pytest.raises(unum.UnumError) as refused:
            unum.Match.from_position(scenario["position"], scenario["rules"])
        assert refused.value.code in codes(scenario["refused"])
        return
    match = unum.Match.from_position(scenario["position"], scenario["rules"])
    check(match.state(), scenario.get("expect", {}))
    for step in scenario.get("steps", []):
        if "view" in step:
            check(match.view(step["view"]), step["expect"])
            continue
        if "legal" in step:
            key = json.dumps
            found = sorted(match.legal(step["legal"]), key=lambda action: key(action, sort_keys=True))
            assert found == sorted(step["is"], key=lambda action: key(action, sort_keys=True))
            continue

        def act(step: dict[str, Any] = step) -> None:
            if "action" in step:
                match.apply(step["seat"], step["action"])
            elif "penalize" in step:
                match.penalize(step["penalize"])
            else:
                match.next_round()

        if "refused" in step:
            before = match.state()
            with pytest.raises(unum.UnumError) as refused:
                act()
            assert refused.value.code in codes(step["refused"]), str(refused.value)
            assert match.state() == before
        else:
            act()
            check(match.state(), step.get("expect", {}))


def test_values_are_json() -> None:
    """Every value survives JSON unchanged: keys are texts, there are no tuples."""
    match = unum.Match("custom", players=4, seed=3)
    for number in range(200):
        if match.round_over:
            break
        values = [match.state(), match.events(), match.legal(), *(match.view(seat) for seat in (None, 0, 3))]
        assert json.loads(json.dumps(values)) == values
        choices = match.legal(match.seat)
        match.apply(match.seat, choices[number % len(choices)])


def test_perft() -> None:
    references = unum.perft_references()
    assert len(references) > 5
    for reference in references:
        for depth in (1, 2, 3):
            if depth > len(reference["counts"]) or reference["counts"][depth - 1] > 20_000:
                break
            arguments = (reference["position"], depth, reference["rules"], reference["seed"])
            assert unum.perft(*arguments) == reference["counts"][depth - 1], reference["name"]
            assert sum(branch["count"] for branch in unum.divide(*arguments)) == reference["counts"][depth - 1]


def play(match: unum.Match) -> None:
    number = 0
    while match.winners is None:
        if match.round_over:
            match.next_round()
            continue
        actions = match.legal(match.seat)
        match.apply(match.seat, actions[number % len(actions)])
        number += 1


def test_records_replay_and_find_what_was_altered() -> None:
    rules = unum.Rules("original", scoring={"type": "first_to", "target": 100})
    match = unum.Match(rules, players=3, seed=5, names=["Ann", None, "Cy"], record=True)
    play(match)
    record = match.record()
    assert (record.players, record.seed, record.names) == (3, 5, ["Ann", None, "Cy"])
    assert record.rules == rules and record.outcome["scores"] == match.scores
    for text in (record.to_text(), record.to_json()):
        again = unum.Record.parse(text)
        assert again == record
        assert again.verify().state() == match.state()
    steps = record.steps()
    assert steps[-1]["state"] == match.state() and steps[0]["move"] is None
    assert [step["move"] for step in steps[1:]] == record.moves
    seen = record.steps(seat=1)
    assert "hands" not in seen[0]["view"] and len(seen) == len(steps)
    text = record.to_json()
    seed = text.index('"seed"')
    altered = text[:seed] + text[seed:].replace("5", "6", 1)
    with pytest.raises(unum.RecordError):
        unum.Record.parse(altered).verify()
    with pytest.raises(unum.RequestError, match="record=True"):
        unum.Match().record()


def test_reviews() -> None:
    match = unum.Match("modern", players=2, seed=2, record=True)
    play(match)
    review = match.record().review(worlds=0)
    assert review["players"] == 2 and len(review["rounds"]) == 1
    judged = match.record().review(worlds=64, seat=1)
    assert {decision["seat"] for decision in judged["decisions"] if decision["worlds"]} <= {1}


def test_errors_have_sentences_codes_and_rules() -> None:
    match = unum.Match(players=3, seed=1, dealer=0)
    assert match.seat is not None
    other = (match.seat + 1) % 3
    with pytest.raises(unum.Refusal, match="act first") as refused:
        match.apply(other, {"type": "draw"})
    assert (refused.value.code, refused.value.rule) == ("not_your_turn", "T1")
    again = pickle.loads(pickle.dumps(refused.value))
    assert (str(again), again.code, again.rule) == (str(refused.value), "not_your_turn", "T1")
    for error, code, call in [
        (unum.RequestError, "bad_seat", lambda: match.apply(3, {"type": "draw"})),
        (unum.RequestError, "bad_seat", lambda: match.view(-1)),
        (unum.RequestError, "bad_request", lambda: match.apply(0, {"type": "dance"})),
        (unum.RequestError, "bad_request", lambda: match.apply(0, {"type": "draw", "card": "R7"})),
        (unum.RequestError, "bad_request", lambda: match.apply(0, "draw")),
        (unum.Refusal, "no_such_color", lambda: match.apply(0, {"type": "play", "card": "W", "color": "mauve"})),
        (unum.Refusal, "no_such_color", lambda: match.apply(0, {"type": "play", "card": "W", "color": "pink"})),
        (unum.Refusal, "not_in_hand", lambda: match.apply(0, {"type": "play", "card": "P7"})),
        (unum.RequestError, "bad_request", lambda: unum.Match(players=11)),
        (unum.RequestError, "bad_request", lambda: unum.Match(players=-1)),
        (unum.RequestError, "bad_seat", lambda: unum.Match(players=2, dealer=2)),
        (unum.RulesError, "bad_rules", lambda: unum.Match({"edition": "original", "house": {"hand_size": 20}}, 9)),
        (unum.RulesError, "bad_rules", lambda: unum.Rules("classic")),
        (unum.RulesError, "bad_rules", lambda: unum.Rules("original", house={"stack": True})),
        (unum.PositionError, "bad_position", lambda: unum.Match.from_position({"hands": [["R7"], ["R8"]]})),
        (unum.Refusal, "wrong_phase", match.next_round),
    ]:
        before = match.state()
        with pytest.raises(error) as refused_again:
            call()
        assert refused_again.value.code == code, str(refused_again.value)
        assert match.state() == before


def test_rules_are_values() -> None:
    rules = unum.Rules("frozen", house={"stacking": "any", "hand_size": 5})
    assert rules.spec == {"edition": "frozen", "house": {"stacking": "any", "hand_size": 5}}
    assert rules == unum.Rules(rules.spec) == pickle.loads(pickle.dumps(rules))
    assert hash(rules) == hash(unum.Rules(rules.spec)) and rules != unum.Rules("frozen")
    assert (rules.hand_size, rules.colors[0], sum(rules.deck.values())) == (5, "pink", 112)
    assert (rules.points("WO"), unum.Rules().points("R7")) == (50, 7)
    with pytest.raises(unum.RequestError):
        rules.points("R7")


def test_copies_go_on_by_themselves_with_the_same_shuffles() -> None:
    match = unum.Match(players=4, seed=9)
    for other in (match.copy(), copy.copy(match), copy.deepcopy(match)):
        assert other.state() == match.state()
        other.finish_round(seed=1)
        assert other.state() != match.state()
    first, second = match.copy(), match.copy()
    assert first.finish_round(seed=4) == second.finish_round(seed=4) > 0
    assert first.state() == second.state()


@pytest.mark.parametrize("level", ["random", "easy", "normal", "hard", "expert:64w"])
def test_bots_play_whole_rounds(level: str) -> None:
    match = unum.Match("original", players=3, seed=4)
    bots = [unum.Bot(level, seed=seat) for seat in range(3)]
    for seat, bot in enumerate(bots):
        bot.begin(match, seat)
    for _ in range(2_000):
        if match.round_over:
            break
        reactions = ((seat, bot.react(match, seat)) for seat, bot in enumerate(bots))
        reaction = next(((seat, action) for seat, action in reactions if action), None)
        seat, action = reaction or (match.seat, bots[match.seat].act(match, match.seat))
        match.apply(seat, action)
        for other, bot in enumerate(bots):
            bot.watch(match, other)
    assert match.round_over
    with pytest.raises(unum.RequestError):
        bots[0].act(match, 0)


def test_a_position_fits_into_one_line() -> None:
    match = unum.Match.from_position("R5B3/G1G2 R7 Y1", seed=1)
    assert match.line() == "R5B3/G1G2 R7 Y1 turn:1"
    assert unum.Match.from_position(match.line()).state() == match.state()
    dealt = unum.Match("custom", 4, 9)
    assert unum.Match.from_position(dealt.line(), "custom").state() == dealt.state()
    assert unum.perft("R5B3/G1G2 R7 Y1", 2) == unum.perft(match.state(), 2)
    for wrong in ["", "R5B3", "R5B3/G1 X7", "R5/R5/R5 R5"]:
        with pytest.raises(unum.PositionError):
            unum.Match.from_position(wrong)
