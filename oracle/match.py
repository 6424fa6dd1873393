"""One table on the engine and on the oracle, kept in step."""

import json
from collections import Counter

import generate_actions as actions
from cards import is_number, sort_cards
from compare import (adopt_texts, all_cards, differences, fields_of, legal_differences,
                     loose_differences, state_differences)
from engine import Mismatch
from oracle import Game
from position import parse_position
from rules import parse_rules
from shuffles import follow_reply, order_is_lost

POSITION_PHASES = ("turn", "drawn", "call_color", "respond", "round_over", "match_over")


class GameOver(Exception):
    """Nothing more to be compared at this table."""


class Match:
    """One table on both sides, kept in step."""

    def __init__(self, engine, tally, rng, rules):
        self.engine, self.tally, self.rng = engine, tally, rng
        self.rules_object = rules
        self.rules = parse_rules(rules)
        self.game = None
        self.state = None     # the last state the engine gave
        self.lines = []       # a short way to reproduce it

    def fail(self, kind, request, **details):
        raise Mismatch(kind, {"rules": self.rules_object, "before": self.state, "request": request,
                              **details, "reproduce": self.way_to(request)})

    def way_to(self, request):
        """Lines that lead from nothing to this request."""
        op = request.get("op") if isinstance(request, dict) else None
        if op in ("act", "penalize", "next_round") and self.is_position():
            return [self.as_set(), request]
        return self.lines + ([request] if request not in self.lines else [])

    def is_position(self):
        return bool(self.state) and self.state["phase"]["type"] in POSITION_PHASES

    def as_set(self):
        return {"op": "set", "rules": self.rules_object, "position": self.state, "seed": 1}

    def remember(self, request):
        """Keep the shortest list of lines that leads here."""
        if self.is_position():
            self.lines = [self.as_set()]
        self.lines.append(request)

    # -- starting

    def start_new(self):
        rng = self.rng
        most = min(10, (self.rules.deck_size - 1) // self.rules.hand_size)
        players = rng.choice([p for p in (2, 2, 3, 4, 5, 7, 10) if p <= most])
        request = {"op": "new", "rules": self.rules_object, "players": players,
                   "seed": rng.randrange(1 << 32)}
        if rng.random() < 0.5:
            request["dealer"] = rng.randrange(players)
        again = rng.random() < 0.1
        lines = self.engine.raw(*[request] * (1 + again))
        if again and lines[0] != lines[1]:
            self.fail("new: the same request twice, two matches", request)
        self.deal_reply(request, json.loads(lines[0]), players, request.get("dealer"), [0] * players)

    def set_position(self, position):
        request = {"op": "set", "rules": self.rules_object, "position": position,
                   "seed": self.rng.randrange(1 << 32)}
        reply, legal = self.engine.ask(request, {"op": "legal"})
        self.state = None
        self.lines = [request]
        if not reply["ok"]:
            self.fail(f"set: refused with {reply['error']['code']}", request, actual=reply)
        self.game = parse_position(self.rules, position)
        self.check_state(request, reply["state"], "set")
        self.state = reply["state"]
        self.check_legal(legal)
        self.tally.add("exact", self.rules.edition)

    def deal_reply(self, request, reply, players, dealer, scores):
        """D1-D3, S1-S8: what the dealt cards must have led to."""
        op = request["op"]
        if not reply["ok"]:
            self.fail(f"{op}: refused with {reply['error']['code']}", request, actual=reply)
        state = reply["state"]
        game = Game(self.rules, players)
        game.dealer = state["dealer"] if dealer is None else dealer
        game.scores = list(scores)
        game.hands = [sort_cards(hand) for hand in state["hands"]]
        game.draw_pile, game.discard_pile = list(state["draw_pile"]), list(state["discard_pile"])
        fault = self.deal_fault(game)
        if fault:
            self.fail(f"{op}: {fault}", request, actual=state)
        game.start_play()
        self.game = game
        self.check_state(request, state, op)
        self.remember(request)
        self.state = state
        self.tally.add("deals", self.rules.edition)

    def deal_fault(self, game):
        """What is wrong with a deal before its start card acts."""
        rules, pile = self.rules, game.discard_pile
        if all_cards(game.state()) != Counter(rules.deck):
            return "the cards are not the deck"
        if not 0 <= game.dealer < game.players:
            return "no such dealer"
        if rules.ignore_symbols_at_start:
            if [is_number(card) for card in pile] != [False] * (len(pile) - 1) + [True]:
                return "S2: not turned until the first number"
        elif len(pile) != 1 or pile[0] == "W+4":
            return "S6: wrong start card"
        sizes = [rules.hand_size] * game.players
        if game.start_penalty():
            left = rules.deck_size - rules.hand_size * game.players - 1
            sizes[(game.dealer + 1) % game.players] += min(2, left)
        if [len(hand) for hand in game.hands] != sizes:
            return "D2, S2: wrong number of cards in the hands"
        return None

    # -- comparing

    def check_state(self, request, state, what):
        adopt_texts(self.game, state)
        found = state_differences(self.game, state)
        if found:
            self.fail(f"state after {what}: {fields_of(found)}", request, differ=found)

    def check_legal(self, reply):
        found = (legal_differences(self.game.legal(), reply["legal"]) if reply["ok"]
                 else {"refused": reply["error"]})
        if found:
            self.fail(f"legal in {self.game.phase['type']}", {"op": "legal"}, differ=found)
        self.tally.add("legal lists", self.rules.edition)

    def check_views(self):
        seats = [None] + list(range(self.game.players))
        requests = [{"op": "view", "seat": seat} for seat in seats]
        for seat, request, reply in zip(seats, requests, self.engine.ask(*requests)):
            found = (differences(self.game.view(seat), reply["view"]) if reply["ok"]
                     else {"refused": (None, reply["error"])})
            if found:
                self.fail(f"view in {self.game.phase['type']}: {fields_of(found)}", request, differ=found)
        self.tally.add("views", self.rules.edition, len(seats))

    # -- one step

    def step(self):
        rng = self.rng
        if self.game.is_over and rng.random() < 0.7:
            return self.step_next_round()
        roll = rng.random()
        if roll < self.penalty_chance():
            return self.step_penalize()
        if self.game.is_over or roll < 0.13:
            seat, action = actions.pick_any(rng, self.game)
        else:
            seat, action = actions.pick_legal(rng, self.game)
            if roll < 0.21:
                seat, action = actions.spoil(rng, self.game, seat, action)
        return self.step_act(seat, action)

    def penalty_chance(self):
        if not self.rules.suggestion_penalty:
            return 0.005
        return 0.3 if self.game.phase["type"] in ("discard", "vote", "dare") else 0.03

    def step_act(self, seat, action):
        request = {"op": "act", "seat": seat, "action": action}
        card = f" {card_class(action['card'])}" if "card" in action else ""
        label = f"{action['type']}{card} in {self.game.phase['type']}"
        return self.compare(request, label, self.game.refusals(seat, action),
                            lambda game: game.act(seat, action))

    def step_penalize(self):
        seat = self.rng.randrange(self.game.players + (self.rng.random() < 0.05))
        if self.rng.random() < 0.4:
            seat = self.game.phase.get("seat", seat)
        return self.compare({"op": "penalize", "seat": seat}, f"penalize in {self.game.phase['type']}",
                            self.game.refuse_penalty(seat), lambda game: game.penalize(seat))

    def compare(self, request, label, codes, apply):
        """Send a request that the oracle refuses with `codes` or applies."""
        if codes:
            return self.compare_refused(request, label, codes)
        reply, legal = self.engine.ask(request, {"op": "legal"})
        if not reply["ok"]:
            self.fail(f"{label}: refused with {reply['error']['code']}", request, actual=reply["error"])
        closeness = self.follow(request, label, reply, apply)
        self.remember(request)
        self.state = reply["state"]
        self.check_legal(legal)
        self.tally.add(closeness, self.rules.edition)
        if self.game.challenged or self.rng.random() < 0.12:
            self.check_views()
        return True

    def follow(self, request, label, reply, apply):
        """Bring the oracle to where the engine is; how closely they agreed."""
        after, reader = follow_reply(self.game, reply, apply)
        found = state_differences(after, reply["state"])
        lost = found and order_is_lost(self.rules, reader, reply)
        if lost:
            found = loose_differences(after, reply["state"], all_cards(self.state))
        if found:
            self.fail(f"state after {label}: {fields_of(found)}", request, differ=found)
        if lost:
            self.tally.add("loose", self.rules.edition)
            raise GameOver
        self.game = after
        return "deduced" if reader.used else "exact"

    def compare_refused(self, request, label, codes):
        reply, state, legal = self.engine.ask(request, {"op": "state"}, {"op": "legal"})
        if reply["ok"]:
            self.fail(f"{label}: accepted, should be refused ({min(codes)})", request,
                      expected=sorted(codes), actual=reply.get("state"))
        code = reply["error"]["code"]
        if code not in codes:
            self.fail(f"{label}: code {code} instead of {sorted(codes)}", request,
                      expected=sorted(codes), actual=reply["error"])
        if not isinstance(reply["error"].get("message"), str):
            self.fail("a refusal without a message", request, actual=reply["error"])
        found = differences(self.state, state["state"])
        if found:
            self.fail(f"{label}: refused, but the state changed", request, differ=found)
        self.check_legal(legal)
        self.tally.add("refused", self.rules.edition)
        return True

    def step_next_round(self):
        request = {"op": "next_round"}
        if self.game.phase["type"] == "match_over":
            self.compare_refused(request, "next_round", {"over", "wrong_phase"})
            return False
        game = self.game
        reply, = self.engine.ask(request)
        self.deal_reply(request, reply, game.players, (game.dealer + 1) % game.players, game.scores)
        return True


def card_class(card):
    """The kind of a card, for the label of a mismatch."""
    if card[0] not in "RPYGB":
        return card
    return "number" if card[1:].isdigit() else card[1:]
