"""Positions with one fault in them, which must be refused.

A fault changes the position and returns whether it became wrong by that."""

import copy

from cards import COLOR_OF, FACE_OF, is_attack, is_wild
from oracle import MAX_BANNERS


def broken_position(rng, rules, position):
    """The position with one fault in it, and which; None if it does not fit."""
    position = copy.deepcopy(position)
    fault = rng.choice(FAULTS)
    fits = fault(rng, rules, position)
    return (fault.__name__, position) if fits else None


def fault_color(rng, rules, position):
    if is_wild(position["top"]):
        return False
    position["color"] = rng.choice([c for c in rules.colors if c != COLOR_OF[position["top"]]])
    return True


def fault_no_color(rng, rules, position):
    position["color"] = None
    kind = position.get("phase", {}).get("type")
    return is_wild(position["top"]) and kind in (None, "turn", "drawn", "respond")


def fault_foreign_color(rng, rules, position):
    position["color"] = "red" if rules.edition == "frozen" else "pink"
    return position.get("phase", {}).get("type") != "call_color"


def fault_discard_pile(rng, rules, position):
    pile = position.get("discard_pile", [])
    position["discard_pile"] = pile[::-1]
    return bool(pile) and pile[0] != pile[-1]


def fault_liable(rng, rules, position):
    seats = [s for s, hand in enumerate(position["hands"]) if len(hand) != 1]
    position["liable"] = seats[:1]
    return bool(seats)


def fault_drawn_not_held(rng, rules, position):
    hand = position["hands"][0]
    missing = [c for c in rules.deck if c not in hand and is_wild(c)]
    position["phase"] = {"type": "drawn", "seat": 0, "cards": missing[:1]}
    return bool(missing) and going_on(position) and has_color(position)


def fault_drawn_not_playable(rng, rules, position):
    color = COLOR_OF[position["top"]] or position.get("color")
    for seat, hand in enumerate(position["hands"]):
        for card in hand:
            if not is_wild(card) and COLOR_OF[card] != color and FACE_OF[card] != FACE_OF[position["top"]]:
                position["phase"] = {"type": "drawn", "seat": seat, "cards": [card]}
                return going_on(position) and has_color(position)
    return False


def fault_respond(rng, rules, position):
    position["phase"] = {"type": "respond", "seat": 1, "by": 0, "cards": 2}
    return not is_attack(position["top"]) and going_on(position) and has_color(position)


def fault_call_color(rng, rules, position):
    position["phase"] = {"type": "call_color", "seat": 1}
    return not is_wild(position["top"]) and going_on(position)


def fault_called_color(rng, rules, position):
    position["color"] = rng.choice(rules.colors)
    return position.get("phase", {}).get("type") == "call_color"


def fault_answer_to_oneself(rng, rules, position):
    phase = position.get("phase", {})
    if phase.get("type") != "respond":
        return False
    phase["seat"] = phase["by"]
    return True


def fault_respond_cards(rng, rules, position):
    position.get("phase", {})["cards"] = 0
    return position.get("phase", {}).get("type") == "respond"


def fault_bluffing_draw_two(rng, rules, position):
    phase = position.get("phase", {})
    phase["bluff"] = True
    return phase.get("type") == "respond" and FACE_OF[position["top"]] == "+2"


def fault_idle(rng, rules, position):
    position["idle"] = len(position["hands"])
    return going_on(position)


def fault_liable_without_penalty(rng, rules, position):
    position["liable"] = [s for s, hand in enumerate(position["hands"]) if len(hand) == 1]
    return bool(position["liable"]) and rules.uno_penalty == 0 and going_on(position)


def fault_note_twice(rng, rules, position):
    name, note = rng.choice((("draw_more", {"seat": 0, "count": 2}), ("face_up", {"seat": 0, "until": 1})))
    position[name] = [note, note]
    return going_on(position)


def fault_draw_more_count(rng, rules, position):
    position["draw_more"] = [{"seat": 1, "count": rng.choice((0, 21))}]
    return going_on(position)


def fault_note_after_the_end(rng, rules, position):
    position.update(rng.choice(({"draw_more": [{"seat": 0, "count": 2}]}, {"idle": 1},
                                {"face_up": [{"seat": 0, "until": 1}]},
                                {"banners": [{"seat": 0, "text": "x", "until": "uno"}]})))
    return not going_on(position)


def fault_many_banners(rng, rules, position):
    position["banners"] = [{"seat": 0, "text": "x", "until": "uno"}] * (MAX_BANNERS + 1)
    return going_on(position)


def fault_points(rng, rules, position):
    if going_on(position):
        return False
    position["result"]["points"].pop()
    return True


def fault_over_without_result(rng, rules, position):
    position["phase"] = {"type": rng.choice(("round_over", "match_over"))}
    position.pop("result", None)
    return has_color(position)


def fault_no_winners(rng, rules, position):
    position["phase"] = {"type": "match_over"}
    position["result"] = {"winner": 0, "points": [0] * len(position["hands"])}
    position["winners"] = None
    return has_color(position)


def fault_result_elsewhere(rng, rules, position):
    name, value = rng.choice((("result", {"winner": 0, "points": [0] * len(position["hands"])}),
                              ("winners", [0])))
    over = position.get("phase", {}).get("type") in ("round_over", "match_over")
    position[name] = value
    return not over


def fault_copies(rng, rules, position):
    card = rng.choice(sorted(rules.deck))
    position.setdefault("draw_pile", [])
    position["draw_pile"] = position["draw_pile"] + [card] * (rules.deck[card] + 1)
    return True


def fault_foreign_card(rng, rules, position):
    foreign = [c for c in COLOR_OF if c not in rules.deck]
    position["draw_pile"] = position.get("draw_pile", []) + [rng.choice(foreign)]
    return True


def fault_empty_hand(rng, rules, position):
    seat = rng.randrange(len(position["hands"]))
    position["hands"][seat] = []
    phase = position.get("phase", {"type": "turn"})
    position.pop("liable", None)
    return going_on(position) and phase.get("by") != seat and phase["type"] != "drawn"


def fault_phase(rng, rules, position):
    position["phase"] = rng.choice((
        {"type": "discard", "seat": 0, "count": 1}, {"type": "dare", "seat": 0, "prompt": "sing"},
        {"type": "vote", "seat": 0, "prompt": "sing", "waiting": [1]}, {"type": "lunch"}))
    return going_on(position) and has_color(position)


def fault_field(rng, rules, position):
    position["colors"] = "red"
    return True


def fault_seat(rng, rules, position):
    position["phase"] = {"type": "turn", "seat": len(position["hands"])}
    return going_on(position) and has_color(position)


def fault_target(rng, rules, position):
    scores = position.setdefault("scores", [0] * len(position["hands"]))
    scores[rng.randrange(len(scores))] = rules.target or 0
    return rules.scoring != "single_round" and position.get("phase", {}).get("type") != "match_over"


def going_on(position):
    return position.get("result") is None


def has_color(position):
    return not is_wild(position["top"]) or position.get("color") is not None


# codes other than bad_position that fit
FAULT_CODES = {"fault_field": {"bad_request"}, "fault_phase": {"bad_request"},
               "fault_seat": {"bad_seat"}, "fault_foreign_color": {"no_such_color"}}
FAULTS = [value for name, value in sorted(globals().items()) if name.startswith("fault_")]
