"""Reading and checking a position `P` of the referee protocol."""

from collections import Counter

from cards import COLOR_OF, is_attack, is_wild, sort_cards
from oracle import MAX_BANNERS, OVER, Game, holds
from rules import Refused, check_table, is_int

FIELDS = {"players", "dealer", "direction", "phase", "top", "color", "hands", "draw_pile",
          "discard_pile", "liable", "idle", "draw_more", "face_up", "banners", "scores",
          "result", "winners"}
PHASE_FIELDS = {
    "turn": {"seat"},
    "drawn": {"seat", "cards"},
    "call_color": {"seat", "next"},
    "respond": {"seat", "by", "cards", "bluff"},
    "round_over": set(), "match_over": set(),
}


def need(condition, why):
    if not condition:
        raise Refused({"bad_position", "bad_request"}, why)


def parse_position(rules, position, source=None):
    need(isinstance(position, dict) and set(position) <= FIELDS, "unknown fields")
    given = {name: value for name, value in position.items() if value is not None}
    need("hands" in given and ("top" in given or given.get("discard_pile")), "hands and top are needed")
    given.setdefault("top", given.get("discard_pile", [None])[-1])
    players = given.get("players", len(given["hands"]))
    need(players == len(given["hands"]) and 2 <= players <= 10, "players")
    check_table(rules, players)
    game = Game(rules, players, source)
    put_cards(game, given)
    put_table(game, given)
    put_phase(game, given)
    put_color(game, given)
    put_notes(game, given)
    check_phase(game)
    check_hands(game)
    return game


def put_cards(game, given):
    game.draw_pile = list(given.get("draw_pile", []))
    game.discard_pile = list(given.get("discard_pile", [given["top"]]))
    need(game.discard_pile and game.top == given["top"], "discard_pile does not end in top")
    cards = Counter(game.draw_pile + game.discard_pile)
    for hand in given["hands"]:
        cards.update(hand)
    need(not cards - Counter(game.rules.deck), "cards that the deck does not have")
    game.hands = [sort_cards(hand) for hand in given["hands"]]


def put_table(game, given):
    game.dealer = given.get("dealer", 0)
    check_seats(game, [game.dealer])
    need(given.get("direction", "left") in ("left", "right"), "direction")
    game.direction = 1 if given.get("direction", "left") == "left" else -1
    game.scores = list(given.get("scores", [0] * game.players))
    need(len(game.scores) == game.players and min(game.scores) >= 0, "scores")
    game.result, game.winners = given.get("result"), given.get("winners")
    if game.rules.scoring != "single_round" and not game.winners:
        need(max(game.scores) < game.rules.target, "a score at the target, though the match goes on")
    if game.result:
        need(len(game.result["points"]) == game.players, "points of all players")


def check_seats(game, seats):
    need(all(is_int(seat) and 0 <= seat < game.players for seat in seats), "no such seat")


def put_phase(game, given):
    phase = dict(given.get("phase", {"type": "turn", "seat": (game.dealer + 1) % game.players}))
    kind = phase.get("type")
    need(kind in PHASE_FIELDS, "no such phase in a position")
    need(set(phase) - {"type"} <= PHASE_FIELDS[kind], "unknown field in phase")
    if kind == "call_color":
        phase.setdefault("next", phase.get("seat"))
    if kind == "respond":
        phase.setdefault("bluff", False)
        need(is_int(phase.get("cards")) and phase["cards"] > 0, "how many cards")
        need(phase.get("by") != phase.get("seat"), "an answer to the own attack")
    if kind == "drawn":
        phase["cards"] = sort_cards(phase.get("cards", []))
    check_seats(game, [phase.get(name) for name in ("seat", "by", "next")
                       if name in PHASE_FIELDS[kind]])
    game.phase = phase


def put_color(game, given):
    natural = COLOR_OF[game.top]
    game.color = given.get("color", natural)
    if natural is not None:
        need(game.color == natural, "color against a colored top")
    elif game.phase["type"] == "call_color":
        need(game.color is None, "the color is still to be called")
    elif game.is_over and game.color is None:
        need(game.top == "WH", "a wild on top needs a color")
    else:
        need(game.color in game.rules.colors, "a wild on top needs a color")


def put_notes(game, given):
    put_liable(game, given.get("liable", []))
    game.idle = given.get("idle", 0)
    need(0 <= game.idle < game.players, "idle for a whole circle")
    put_draw_more(game, given.get("draw_more", []))
    game.face_up = [(entry["seat"], entry["until"]) for entry in given.get("face_up", [])]
    need(len(set(game.face_up)) == len(game.face_up), "face_up twice the same")
    game.banners = [dict(banner) for banner in given.get("banners", [])]
    need(len(game.banners) <= MAX_BANNERS, "too many banners")


def put_liable(game, seats):
    check_seats(game, seats)
    need(all(len(game.hands[seat]) == 1 for seat in seats), "liable without exactly one card")
    need(game.rules.uno_penalty or not seats, "nobody is liable while uno_penalty is 0")
    game.liable = set(seats)


def put_draw_more(game, entries):
    game.draw_more = {entry["seat"]: entry["count"] for entry in entries}
    need(len(game.draw_more) == len(entries), "draw_more twice for a seat")
    need(all(1 <= count <= 20 for count in game.draw_more.values()), "draw_more outside 1-20")


def check_phase(game):
    phase, kind = game.phase, game.phase["type"]
    if kind == "drawn":
        hand = game.hands[phase["seat"]]
        need(phase["cards"] and holds(hand, phase["cards"]), "drawn cards not in the hand")
        need(all(game.may_play(phase["seat"], card) for card in phase["cards"]),
             "drawn cards that cannot be played")
    if kind == "respond":
        need(is_attack(game.top), "respond without an attack on top")
        need(game.top == "W+4" or not phase["bluff"], "a Draw Two is no bluff")
    if kind == "call_color":
        need(is_wild(game.top), "call_color without a wild on top")
    need((game.result is not None) == (kind in OVER), "result exactly when the round is over")
    need((game.winners is not None) == (kind == "match_over"), "winners exactly at the end")
    notes = game.liable or game.idle or game.draw_more or game.face_up or game.banners
    need(not (game.is_over and notes), "notes after the end of the round")


def check_hands(game):
    phase = game.phase
    for seat, hand in enumerate(game.hands):
        may_be_empty = game.is_over or (game.rules.has_blocks and phase.get("by") == seat)
        need(hand or may_be_empty, "an empty hand while the round goes on")
