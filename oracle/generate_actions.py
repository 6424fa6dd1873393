"""Random actions: legal ones, any at all, and legal ones with one mistake."""

from cards import COLOR_OF, COLORS, FACE_OF, is_attack, is_wild


def pick_legal(rng, game):
    """One legal action: seat and kind first, so that rich choices do not drown the rest."""
    entry = rng.choice(game.legal())
    kinds = {}
    for action in entry["actions"]:
        kinds.setdefault((action["type"], action.get("card")), []).append(action)
    plays = [kind for kind in kinds if kind[0] == "play"]
    if plays and rng.random() < 0.6:
        kind = rng.choice(plays)
    else:
        kind = rng.choice(list(kinds))
    action = dict(rng.choice(kinds[kind]))
    return entry["seat"], dress(rng, game, entry["seat"], action)


def dress(rng, game, seat, action):
    """Choose freely listed discards, reorder cards, add `uno`."""
    hand = game.hands[seat]
    if action["type"] == "discard" and "count" in action:
        action = {"type": "discard", "cards": rng.sample(hand, action["count"])}
    for name in ("cards", "discard"):
        if name in action:
            action[name] = rng.sample(action[name], len(action[name]))
    if action["type"] in ("play", "block", "discard"):
        gone = len(action["cards"]) if action["type"] == "discard" else 1 + len(action.get("discard", []))
        if rng.random() < (0.5 if len(hand) - gone == 1 else 0.03):
            action["uno"] = True
        elif rng.random() < 0.03:
            action["uno"] = False
    return action


TYPES = ("play",) * 10 + ("draw", "keep", "call_color", "take", "challenge", "block", "call_uno",
                          "catch", "discard", "vote", "dare")


def pick_any(rng, game):
    """Any action at all, often wrong, by the seat to act or by another."""
    seat = rng.randrange(game.players)
    if rng.random() < 0.6:
        seat = game.phase.get("seat", seat)
    if rng.random() < 0.02:
        seat = game.players
    kind = rng.choice(TYPES)
    if game.phase["type"] == "respond" and rng.random() < 0.5:
        kind = rng.choice(("play", "play", "block", "challenge"))
    action = {"type": kind}
    hand = game.hands[seat] if seat < game.players else []
    {"play": fill_play, "call_color": fill_color, "block": fill_block, "catch": fill_catch,
     "discard": fill_discard, "vote": fill_vote, "dare": fill_dare}.get(kind, leave)(rng, game, hand, action)
    if rng.random() < 0.02:
        action["extra"] = 1
    return seat, action


def leave(rng, game, hand, action):
    pass


def any_color(rng, game):
    return rng.choice(game.rules.colors) if rng.random() < 0.85 else rng.choice(COLORS + ("mauve",))


def fill_play(rng, game, hand, action):
    card = rng.choice(hand) if hand and rng.random() < 0.85 else rng.choice(sorted(COLOR_OF))
    attacks = [c for c in hand if is_attack(c)]
    if rng.random() < 0.15:
        card = game.top
    elif attacks and game.phase["type"] == "respond":
        card = rng.choice(attacks)
    action["card"] = card
    if rng.random() < (0.85 if is_wild(card) and card != "WH" else 0.08):
        action["color"] = any_color(rng, game)
    if rng.random() < (0.8 if game.rules.seven_zero and FACE_OF[card] == "7" else 0.04):
        action["swap_with"] = rng.randrange(game.players + 1)
    if rng.random() < (0.7 if card == "WO" else 0.03) and hand:
        warm = [c for c in hand if COLOR_OF[c] in ("pink", "yellow")]
        source = warm if warm and rng.random() < 0.8 else hand
        action["discard"] = rng.sample(source, min(len(source), rng.randint(1, 4)))
        if rng.random() < 0.1:
            action["discard"].append("Y7")
    if rng.random() < 0.1:
        action["uno"] = True


def fill_color(rng, game, hand, action):
    if rng.random() < 0.95:
        action["color"] = any_color(rng, game)


def fill_block(rng, game, hand, action):
    fill_color(rng, game, hand, action)
    if rng.random() < 0.2:
        action["uno"] = True


def fill_catch(rng, game, hand, action):
    action["seat"] = rng.randrange(game.players + 1)


def fill_discard(rng, game, hand, action):
    count = game.phase.get("count", 1) if rng.random() < 0.7 else rng.randint(0, 3)
    action["cards"] = rng.sample(hand, min(len(hand), count))
    if rng.random() < 0.2 and action["cards"]:
        action["cards"][0] = rng.choice(sorted(COLOR_OF))
    if rng.random() < 0.2:
        action["uno"] = True


def fill_vote(rng, game, hand, action):
    action["yes"] = rng.random() < 0.3


def fill_dare(rng, game, hand, action):
    action["accept"] = rng.random() < 0.5


def spoil(rng, game, seat, action):
    """A legal action made wrong (or only different) in one place."""
    action = dict(action)
    change = rng.randrange(8)
    if change == 0:
        seat = rng.randrange(game.players)
    elif change == 1:
        action.pop("color", None)
    elif change == 2 and action["type"] in ("play", "block", "call_color"):
        action["color"] = any_color(rng, game)
    elif change == 3 and action["type"] == "play":
        action["swap_with"] = rng.randrange(game.players + 1)
    elif change == 4:
        action.pop("swap_with", None)
    elif change == 5 and action["type"] in ("play", "block", "discard"):
        action["uno"] = True
    elif change == 6 and action["type"] == "discard":
        action["cards"] = action["cards"][1:] if rng.random() < 0.5 else action["cards"] + action["cards"][:1]
    elif change == 7 and action["type"] == "play":
        action["card"] = rng.choice(sorted(COLOR_OF))
    return seat, action
