"""Secrecy: two tables that look the same to a seat must give it the same bytes."""

from cards import sort_cards
from compare import state_differences
from engine import Mismatch, dump
from generate_actions import pick_legal
from generate_positions import PositionMaker
from generate_rules import random_rules
from position import parse_position
from rules import parse_rules
from shuffles import follow_reply

STEPS = 6


def check_secrecy(engine, tally, rng, edition):
    rules = random_rules(rng, edition)
    position = PositionMaker(rng, rules).make()
    first = parse_position(parse_rules(rules), position)
    seat = rng.choice([None] + list(range(first.players)))
    second = hidden_twin(rng, first, seat)
    if second is None:
        return
    twins = Twins(engine, rules, seat, [first, second])
    for _ in range(STEPS):
        twins.check_views()
        tally.add("secrecy", edition)
        if not twins.act(*pick_legal(rng, first)):
            return
        first = twins.games[0]


def hidden_twin(rng, game, seat):
    """The same position with other cards where `seat` cannot see them;
    None if there is no such position."""
    if game.is_over:
        return None
    if game.phase["type"] == "drawn" and game.phase["seat"] != seat:
        return None
    twin = game.copy()
    secret = [s for s in range(game.players) if s not in visible_seats(game, seat)]
    cards = list(game.draw_pile)
    for other in secret:
        cards += game.hands[other]
    rng.shuffle(cards)
    for other in secret:
        size = len(game.hands[other])
        twin.hands[other], cards = sort_cards(cards[:size]), cards[size:]
    twin.draw_pile = cards
    if twin.phase["type"] == "respond" and twin.top == "W+4" and game.can_challenge():
        twin.phase["bluff"] = not twin.phase["bluff"]
    return twin


def visible_seats(game, seat):
    return {s for s, _ in game.face_up} | {seat}


class Twins:
    """Two tables that `seat` cannot tell apart, and the lines that lead there."""

    def __init__(self, engine, rules, seat, games):
        self.engine, self.rules, self.seat, self.games = engine, rules, seat, games
        self.scripts = [[{"op": "set", "rules": rules, "position": game.state(), "seed": 5}]
                        for game in games]

    def check_views(self):
        ask = {"op": "view", "seat": self.seat}
        views = [self.engine.raw(*script, ask)[-1] for script in self.scripts]
        if views[0] != views[1]:
            raise Mismatch("secrecy: two tables that look the same have different views",
                           {"rules": self.rules, "seat": self.seat,
                            "first": [dump(line) for line in self.scripts[0]],
                            "reproduce": self.scripts[1] + [ask],
                            "views": [view.decode() for view in views]})

    def act(self, actor, action):
        """The same act at both tables; whether they still look the same."""
        if any(game.refusals(actor, action) for game in self.games):
            return False
        seen = []
        for i, script in enumerate(self.scripts):
            script.append({"op": "act", "seat": actor, "action": action})
            reply = self.engine.ask(*script)[-1]
            if not reply["ok"]:
                return False  # the business of the other comparison
            after, reader = follow_reply(self.games[i], reply, lambda game: game.act(actor, action))
            if after.is_over or state_differences(after, reply["state"]):
                return False
            seen.append((after.view(self.seat), self.visible_draws(self.games[i], after, reader)))
            self.games[i] = after
        return seen[0] == seen[1]

    def visible_draws(self, before, after, reader):
        """The cards drawn into hands that lie open to the seat, in order."""
        visible = visible_seats(before, self.seat) | visible_seats(after, self.seat)
        return [(seat, card) for seat, card in reader.drawn if seat in visible]
