#!/usr/bin/env python3
"""A small UNO player for `unum arena`, to copy and to improve. The protocol is in docs/bots-protocol.md.

It sheds action cards first, keeps its wilds, calls the color it holds most of, and never forgets to call "UNO".
"""

import json
import random
import sys


def points(card):
    """What a card costs the player left with it; good enough for all editions."""
    if card.startswith("W"):
        return 50
    return int(card[1:]) if card[1:].isdigit() else 20


def rate_play(action, view, hand):
    """How good it is to play this card now; anything positive is better than drawing."""
    card = action["card"]
    rest = list(hand)
    for gone in [card, *action.get("discard", [])]:
        rest.remove(gone)
    if not rest:
        return 1000  # the last card
    color = action.get("color", card)[0].upper()  # "red" and "R7" are both R
    rating = 3 * sum(other[0] == color for other in rest) + 2 * len(action.get("discard", []))
    if card.startswith("W"):
        rating += 1 if card == "W+4" else 5  # wilds are for later
    else:
        rating += 50 + points(card)
    others = [size for seat, size in enumerate(view["hand_sizes"]) if seat != view["seat"]]
    if min(others) <= 2 and (card[1:] in ("S", "R", "+2") or card == "W+4"):
        rating += 60  # somebody is about to go out
    if "swap_with" in action:
        rating += 10 * (len(rest) - view["hand_sizes"][action["swap_with"]])
    return rating


def rate(action, view, hand):
    """Every kind of action there is, compared by one number."""
    kind = action["type"]
    if kind == "play":
        return rate_play(action, view, hand)
    if kind == "call_color":
        return sum(card[0] == action["color"][0].upper() for card in hand)
    if kind == "discard":
        return sum(map(points, action["cards"]))
    if kind == "dare":
        return action["accept"]  # refusing has a price
    if kind == "block":
        return 1 + sum(card[0] == action["color"][0].upper() for card in hand)
    # Catching and calling cost nothing. A bluff is seldom worth a challenge. Votes are as good as each other.
    return {"catch": 2000, "call_uno": 2000, "challenge": -1}.get(kind, 0)


def spell_out(action, hand):
    """Replaces a discard with too many choices to list by the choice of the most expensive cards."""
    if action["type"] == "discard" and "count" in action:
        costly = sorted(hand, key=points, reverse=True)
        return {"type": "discard", "cards": costly[: action["count"]]}
    return action


def call_uno(action, hand):
    """Calls "UNO" with an action that leaves exactly one card."""
    gone = {
        "play": 1 + len(action.get("discard", [])),
        "block": 1,
        "discard": len(action.get("cards", [])),
    }
    if len(hand) - gone.get(action["type"], 0) == 1 and action["type"] in gone:
        return {**action, "uno": True}
    return action


def choose(question):
    """The best of the legal actions; among equals, any."""
    view, hand = question["view"], question["view"]["hand"]
    view["seat"] = question["seat"]
    legal = [spell_out(action, hand) for action in question["legal"]]
    best = max(legal, key=lambda action: (rate(action, view, hand), random.random()))
    return call_uno(best, hand)


def main():
    for line in sys.stdin:
        message = json.loads(line)
        # A reaction (to catch, to call late, to jump in) could be declined by `null`. This bot never does.
        if message["type"] in ("act", "react"):
            print(json.dumps(choose(message)), flush=True)


if __name__ == "__main__":
    main()
