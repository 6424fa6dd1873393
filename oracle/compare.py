"""What differs between the oracle and a reply of the engine."""

from collections import Counter

from oracle import OVER


def differences(expected, actual, where=""):
    """{path: (expected, actual)} for what differs."""
    if expected == actual and type(expected) is type(actual):
        return {}
    if isinstance(expected, dict) and isinstance(actual, dict):
        found = {}
        for name in sorted(set(expected) | set(actual)):
            path = f"{where}.{name}" if where else name
            if name not in expected or name not in actual:
                found[path] = (expected.get(name, "(missing)"), actual.get(name, "(missing)"))
            else:
                found.update(differences(expected[name], actual[name], path))
        return found
    return {where: (expected, actual)}


def state_differences(game, state):
    return differences(game.state(), state)


def all_cards(state):
    cards = Counter(state["draw_pile"] + state["discard_pile"])
    for hand in state["hands"]:
        cards.update(hand)
    return cards


def plain(action):
    """An action without the order of its fields and cards."""
    items = []
    for name in sorted(action):
        value = action[name]
        if isinstance(value, list):
            value = tuple(sorted(value))
        items.append((name, value))
    return tuple(items)


def legal_differences(expected, actual):
    found = {}
    ours = {entry["seat"]: {plain(a) for a in entry["actions"]} for entry in expected}
    theirs = {entry["seat"]: [plain(a) for a in entry["actions"]] for entry in actual}
    if len(theirs) != len(actual):
        found["seats"] = "a seat is listed twice"
    for seat in sorted(set(ours) | set(theirs)):
        mine, listed = ours.get(seat, set()), theirs.get(seat, [])
        if seat in theirs and not listed:
            found[f"seat {seat} listed without actions"] = []
        if len(set(listed)) != len(listed):
            found[f"seat {seat} repeated"] = [a for a, n in Counter(listed).items() if n > 1][:5]
        if mine - set(listed):
            found[f"seat {seat} missing"] = sorted(mine - set(listed), key=str)[:5]
        if set(listed) - mine:
            found[f"seat {seat} not legal"] = sorted(set(listed) - mine, key=str)[:5]
    return found


def adopt_texts(game, state):
    """The texts of the ten starters are the project's own: take them over."""
    if game.phase.get("prompt", "") is None:
        game.phase["prompt"] = state["phase"].get("prompt")
    blank = [banner for banner in game.banners if banner["text"] is None]
    texts = Counter(banner["text"] for banner in state["banners"] if "text" in banner)
    known = Counter(banner["text"] for banner in game.banners)
    new = list((texts - known).elements())
    for banner in blank if new else ():
        banner["text"] = new[0]


def loose_differences(game, state, cards_before):
    """As state_differences, but only what no order of the cards can change."""
    expected, names = game.state(), ["players", "dealer", "top", "color"]
    if not game.is_over and state["phase"]["type"] not in OVER:
        names += ["scores", "result", "winners", "idle"]
    found = differences({name: expected[name] for name in names},
                        {name: state[name] for name in names})
    if all_cards(state) != cards_before:
        found["cards as a whole"] = (sorted(cards_before.elements()), sorted(all_cards(state).elements()))
    return found


def fields_of(found):
    """The differing fields in one word, for the kind of a mismatch."""
    return ",".join(sorted({path.split(".")[0] for path in found}))
