"""Cards, colors, decks and starter rules of unum: plain data, no game logic."""

from collections import Counter

COLORS = ("red", "pink", "yellow", "green", "blue")
FACES = tuple("0123456789") + ("S", "R", "+2")
WILDS = ("W", "W+4", "WO", "WF", "WH", "WC1", "WC2", "WC3")
CUSTOM_CARDS = ("WC1", "WC2", "WC3")

INITIAL = {"red": "R", "pink": "P", "yellow": "Y", "green": "G", "blue": "B"}
RANK = {"red": 0, "pink": 0, "yellow": 1, "green": 2, "blue": 3}

COLOR_OF = {}  # card -> color, None for a wild
FACE_OF = {}   # card -> "7", "S", "R", "+2", or the wild's own name
ORDER = {}     # card -> place in a sorted hand
POINTS = {}    # P1


def _points(card, face):
    if card in ("WH",) + CUSTOM_CARDS:
        return 40
    if card in WILDS:
        return 50
    return int(face) if face.isdigit() else 20


def _fill_tables():
    for color in COLORS:
        for place, face in enumerate(FACES):
            card = INITIAL[color] + face
            COLOR_OF[card], FACE_OF[card] = color, face
            ORDER[card] = RANK[color] * 20 + place
            POINTS[card] = _points(card, face)
    for place, card in enumerate(WILDS):
        COLOR_OF[card], FACE_OF[card] = None, card
        ORDER[card] = 100 + place
        POINTS[card] = _points(card, card)


_fill_tables()


def sort_cards(cards):
    """The order of every list of cards in a hand."""
    return sorted(cards, key=ORDER.__getitem__)


def is_wild(card):
    return COLOR_OF[card] is None


def is_number(card):
    return FACE_OF[card].isdigit()


def is_attack(card):
    return FACE_OF[card] in ("+2", "W+4")


def basic_deck(colors, zeros=1):
    """Everything that all five editions share."""
    deck = Counter()
    for color in colors:
        for face in FACES:
            deck[INITIAL[color] + face] = zeros if face == "0" else 2
    deck["W"] = deck["W+4"] = 4
    return deck


USUAL = ("red", "yellow", "green", "blue")
FROZEN = ("pink", "yellow", "green", "blue")

# One line per edition: colors, zeros per color, own cards, how the start card
# and W2 are read, table talk penalty, scoring.
EDITIONS = {
    "original": dict(colors=USUAL, suggestion_penalty=4),
    "fairies": dict(colors=USUAL, own={"WF": 4}),
    "frozen": dict(colors=FROZEN, own={"WO": 4}),
    "custom": dict(colors=USUAL, own={"WH": 1}, custom=True),
    "modern": dict(colors=USUAL, zeros=2, ignore_symbols_at_start=True,
                   wilds_match=True, scoring=("single_round", None)),
}


def _starter(title, *effects):
    return {"title": title, "text": "", "effects": list(effects)}


# The ten starters: only the effects matter here.
STARTERS = {
    1: _starter("Color hunt", {"do": "draw_until_color", "who": "next", "color": "called"}),
    2: _starter("No more wilds", {"do": "discard_all", "who": "others", "match": "wild"}),
    3: _starter("Triple draw", {"do": "draw_more", "who": "next", "count": 3}),
    4: _starter("Once more", {"do": "extra_turn"}),
    5: _starter("Seven it is", {"do": "level", "who": "next", "to": 7}),
    6: _starter("All to three", {"do": "level", "who": "all", "to": 3}),
    7: _starter("Open hands", {"do": "reveal", "who": "all"}),
    8: _starter("Comedian", {"do": "perform", "prompt": None,
                             "success": [{"do": "discard_down", "who": "self", "to": 1}],
                             "failure": [{"do": "draw", "who": "self", "count": 4}]}),
    9: _starter("Stiff arms", {"do": "banner", "who": "next", "text": None, "until": "uno"}),
    10: _starter("Rooster", {"do": "dare", "who": "next", "prompt": None,
                             "refuse": [{"do": "draw", "who": "next", "count": 4}]}),
}
