"""Requests beside the game: broken ones, and `set` of a running game."""

from broken_positions import FAULT_CODES, broken_position
from engine import dump
from generate_rules import BOUNDS, broken_rules, edge_rules
from match import GameOver
from rules import Refused, check_table, parse_rules


def set_again(match):
    """The state of a running game is a position."""
    if match.is_position():
        match.set_position(match.state)


def wrong_next_round(match):
    if not match.game.is_over:
        match.compare_refused({"op": "next_round"}, "next_round in play", {"wrong_phase"})


def broken_set(match):
    if not match.is_position():
        return
    broken = broken_position(match.rng, match.rules, match.state)
    if broken:
        name, bad = broken
        request = {"op": "set", "rules": match.rules_object, "position": bad, "seed": 1}
        codes = {"bad_position"} | FAULT_CODES.get(name, set())
        match.compare_refused(request, f"set with {name}", codes)


def crowded_set(match):
    """A position for which this many players could not be dealt hands."""
    if not match.is_position():
        return
    rules = {**match.rules_object, "house": {"hand_size": 20}}
    request = {"op": "set", "rules": rules, "position": match.state, "seed": 1}
    if match.game.players * 20 + 1 > match.rules.deck_size:
        match.compare_refused(request, "set with too large hands", {"bad_rules", "bad_position"})


def broken_new(match):
    name, rules = broken_rules(match.rng)
    request = {"op": "new", "rules": rules, "players": 3, "seed": 1}
    codes = {"bad_rules"} if name in BOUNDS else {"bad_rules", "bad_request"}
    match.compare_refused(request, f"new with bad rules ({name})", codes)


def broken_table(match):
    rng = match.rng
    request = rng.choice((
        {"op": "new", "rules": {"edition": "original"}, "players": rng.choice((0, 1, 11, 99)), "seed": 1},
        {"op": "new", "rules": {"edition": "original", "house": {"hand_size": 11}}, "players": 10, "seed": 1},
        {"op": "new", "rules": {"edition": "original"}, "players": 3, "dealer": 3, "seed": 1}))
    try:
        check_table(parse_rules(request["rules"]), request["players"])
        codes = {"bad_seat", "bad_request"}
    except Refused as refused:
        codes = refused.codes
    match.compare_refused(request, "new for an impossible table", codes)


def broken_request(match):
    request = match.rng.choice((
        "nonsense", "[]", "7", "{}", {"op": "dance"}, {"op": "state", "seat": 1},
        {"op": "act", "seat": 0}, {"op": "act", "action": {"type": "draw"}},
        {"op": "act", "seat": 0, "action": {"type": "draw"}, "comment": "hi"},
        {"op": "act", "seat": 0, "action": {"type": "fly"}},
        {"op": "act", "seat": 0, "action": {"type": "draw", "count": 2}},
        {"op": "act", "seat": "0", "action": {"type": "draw"}},
        {"op": "penalize"}, {"op": "legal", "seat": 0}))
    codes = {"bad_request", "bad_seat"} if "seat" in dump(request) else {"bad_request"}
    if match.game.is_over:
        codes.add("over")
    match.compare_refused(request, "malformed request", codes)


def broken_view(match):
    match.compare_refused({"op": "view", "seat": match.game.players}, "view of no seat",
                         {"bad_seat", "bad_request"})


def edge_new(match):
    rules = edge_rules(match.rng)
    request = {"op": "new", "rules": rules, "players": 3, "seed": 1}
    reply, = match.engine.ask(request)
    if not reply["ok"]:
        match.fail("new: rules at their bounds refused", request, actual=reply)
    match.tally.add("refused", match.rules.edition)
    raise GameOver


OFTEN = (set_again, broken_set)
SELDOM = (wrong_next_round, broken_new, broken_new, crowded_set, broken_table, broken_request, broken_view, edge_new)


def random_aside(match):
    match.rng.choice(OFTEN * 8 + SELDOM)(match)
