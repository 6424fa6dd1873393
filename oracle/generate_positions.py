"""Random small positions `P` in every phase that a position can have."""

from collections import Counter

from cards import COLOR_OF, FACE_OF, is_attack, is_wild
from oracle import Game, in_class
from rules import parse_rules


class PositionMaker:
    """Small valid positions in every phase that a position can have."""

    def __init__(self, rng, rules_object):
        self.rng = rng
        self.rules = parse_rules(rules_object)
        self.table = Game(self.rules, 2)  # to ask small questions

    def make(self):
        rng = self.rng
        self.players = rng.choice((2, 2, 2, 3, 3, 4, 5, 6, 8, 10))
        self.stock = self.mixed_deck()
        kind = self.pick_phase()
        self.top = self.take(self.wanted_top(kind))
        position = {"players": self.players, "top": self.top,
                    "dealer": rng.randrange(self.players),
                    "direction": rng.choice(("left", "right"))}
        position["discard_pile"] = self.take_some(rng.choice((0, 0, 1, 2, 4, 7))) + [self.top]
        position["hands"] = [self.take_some(self.hand_size()) for _ in range(self.players)]
        position["draw_pile"] = self.take_some(rng.choice((0, 0, 1, 2, 3, 6, 12, 25)))
        position["color"] = COLOR_OF[self.top] or rng.choice(self.rules.colors)
        position["scores"] = [rng.randrange(0, max(1, min(400, self.rules.target or 1)))
                              for _ in range(self.players)]
        if self.rules.scoring == "single_round":
            position["scores"] = [0] * self.players
        self.seat = rng.randrange(self.players)
        getattr(self, "make_" + kind)(position)
        return self.loosen(position)

    def mixed_deck(self):
        """The deck in random order, interesting cards first more often."""
        rng = self.rng
        favored = rng.choice((0.3, 0.6, 1.0, 3.0))
        colors = set(rng.sample(self.rules.colors, rng.choice((1, 2, 4))))

        def key(card):
            dull = is_wild(card) is False and FACE_OF[card] not in ("0", "7", "S", "R", "+2")
            off = not is_wild(card) and COLOR_OF[card] not in colors
            return rng.random() * (1 if dull else favored) + (0.4 if off else 0)

        return sorted(Counter(self.rules.deck).elements(), key=key)

    def take(self, wanted):
        for place, card in enumerate(self.stock):
            if wanted(card):
                return self.stock.pop(place)
        raise LookupError

    def take_some(self, count):
        some, self.stock = self.stock[:count], self.stock[count:]
        return self.rng.sample(some, len(some))

    def hand_size(self):
        if self.rng.random() < 0.03 and self.players <= 4:
            return self.rng.randint(10, 18)
        return self.rng.choice((1, 1, 1, 2, 2, 3, 3, 4, 5, 6))

    def plant(self, position, seat, wanted, chance=0.6):
        """Often put a card of that kind into a hand, if there is one left."""
        if self.rng.random() < chance and any(wanted(card) for card in self.stock):
            hand = position["hands"][seat]
            if len(hand) > 1 and self.rng.random() < 0.5:
                self.stock.append(hand.pop())
            hand.append(self.take(wanted))

    def plant_for_turn(self, position):
        """Cards that make this turn worth watching."""
        if self.rules.custom:
            self.plant(position, self.seat, self.rules.custom.__contains__)
        if self.rules.jump_in:
            other = self.rng.randrange(self.players)
            self.plant(position, other, self.top.__eq__)

    def plant_for_answer(self, position, victim):
        if self.rules.has_blocks:
            if self.rng.random() < 0.35:
                self.stock += position["hands"][victim]
                position["hands"][victim] = []
                self.plant(position, victim, "WF".__eq__, 1)
                if not position["hands"][victim]:
                    self.plant(position, victim, lambda card: True, 1)
            self.plant(position, victim, "WF".__eq__)
        if self.rules.stacking != "off":
            self.plant(position, victim, is_attack)
            self.plant(position, victim, is_attack, 0.3)

    def starve(self, position):
        """Sometimes a hand without a playable card, for drawing."""
        if self.rng.random() < 0.25:
            def dull(card):
                return not self.as_game(position).matches(card)
            count = len(position["hands"][self.seat])
            self.stock += position["hands"][self.seat]
            self.rng.shuffle(self.stock)
            some = [self.take(dull) for _ in range(min(count, 3))]
            position["hands"][self.seat] = some

    def pick_phase(self):
        kinds = ["turn"] * 6 + ["drawn"] * 2 + ["call_color", "over"]
        if self.attacks_that_wait():
            kinds += ["respond"] * 4
        return self.rng.choice(kinds)

    def attacks_that_wait(self):
        return [c for c in self.rules.deck if is_attack(c) and self.table.attack_waits(c)]

    def wanted_top(self, kind):
        if kind == "respond":
            return set(self.attacks_that_wait()).__contains__
        if kind == "call_color":
            return lambda card: is_wild(card) and card != "W+4"
        return lambda card: True

    def make_turn(self, position):
        rng = self.rng
        position["phase"] = {"type": "turn", "seat": self.seat}
        self.plant_for_turn(position)
        self.starve(position)
        if rng.random() < 0.3:
            position["idle"] = rng.randrange(self.players)
            if rng.random() < 0.8:
                position["draw_pile"], position["discard_pile"] = [], [self.top]
        if self.rules.custom and rng.random() < 0.2:
            self.thin_out(position)
        self.add_liable(position)
        self.add_notes(position, {self.seat})

    def thin_out(self, position):
        """Several hands that one effect can empty (C5)."""
        matches = [effect["match"] for rule in self.rules.custom.values() for effect in rule
                   if effect["do"] == "discard_all"]
        for seat, hand in enumerate(position["hands"]):
            if seat != self.seat and self.rng.random() < 0.8:
                self.stock += hand
                position["hands"][seat] = []
                match = self.rng.choice(matches or ["number"])
                self.plant(position, seat, lambda card: in_class(card, match), 1)
                if not position["hands"][seat]:
                    self.plant(position, seat, lambda card: True, 1)

    def make_drawn(self, position):
        self.plant_for_turn(position)
        game = self.as_game(position)
        hand = position["hands"][self.seat]
        playable = [c for c in hand if game.may_play(self.seat, c)]
        if not playable:
            return self.make_turn(position)
        count = 1
        if self.rules.edition == "custom" and self.rng.random() < 0.3:
            playable = [c for c in playable if game.rightly_playable(self.seat, c)] or playable[:1]
            count = min(len(playable), 3)
        position["phase"] = {"type": "drawn", "seat": self.seat,
                             "cards": self.rng.sample(playable, count)}
        self.add_notes(position, {self.seat})
        position["draw_more"] = [e for e in position.get("draw_more", []) if e["seat"] != self.seat]

    def make_call_color(self, position):
        follower = self.rng.choice((self.seat, (self.seat + 1) % self.players))
        position["phase"] = {"type": "call_color", "seat": self.seat, "next": follower}
        position["color"] = None
        self.add_liable(position)
        self.add_notes(position, {self.seat})

    def make_respond(self, position):
        rng = self.rng
        step = 1 if position["direction"] == "left" else -1
        victim = (self.seat + step) % self.players
        self.plant_for_answer(position, victim)
        four = self.top == "W+4"
        phase = {"type": "respond", "seat": victim, "by": self.seat, "cards": 4 if four else 2}
        if self.rules.stacking != "off" and rng.random() < 0.5:
            unit = 2 if self.rules.stacking == "any" else phase["cards"]
            phase["cards"] += unit * rng.randint(0, 3)
        if four and not self.rules.no_bluffing:
            phase["bluff"] = rng.random() < 0.5
        if self.rules.has_blocks and rng.random() < 0.4:
            position["hands"][self.seat] = []
            phase.pop("bluff", None)
        elif rng.random() < 0.1:
            position["idle"] = rng.randrange(self.players)
        position["phase"] = phase
        self.add_liable(position)
        self.add_notes(position, {self.seat})

    def make_over(self, position):
        winner = self.rng.choice((None, self.seat))
        if self.rules.scoring == "single_round":
            winner = None
        if winner is not None:
            position["hands"][winner] = []
        position["phase"] = {"type": "round_over"}
        position["result"] = {"winner": winner, "points": [0] * self.players}
        if self.rng.random() < 0.3:
            position["phase"] = {"type": "match_over"}
            position["winners"] = [self.seat]

    def as_game(self, position):
        game = Game(self.rules, self.players)
        game.hands, game.color = position["hands"], position["color"]
        game.discard_pile = position["discard_pile"]
        return game

    def add_liable(self, position):
        somebody_out = not all(position["hands"])
        if self.rules.uno_penalty and not somebody_out and self.rng.random() < 0.5:
            position["liable"] = [s for s, hand in enumerate(position["hands"])
                                  if len(hand) == 1 and self.rng.random() < 0.6]

    def add_notes(self, position, not_until):
        """draw_more, face_up and banners, as a Customizable card leaves them."""
        rng = self.rng
        if self.rules.edition != "custom" or rng.random() < 0.4:
            return
        seats = range(self.players)
        position["draw_more"] = [{"seat": s, "count": rng.randint(1, 5)} for s in seats
                                 if rng.random() < 0.4]
        authors = [s for s in seats if s not in not_until]
        pairs = {(rng.choice(seats), rng.choice(authors)) for _ in range(rng.randrange(4))}
        position["face_up"] = [{"seat": s, "until": u} for s, u in sorted(pairs)]
        banners = [self.random_banner(authors) for _ in range(rng.randrange(3))]
        position["banners"] = sorted(banners, key=lambda banner: banner["seat"])

    def random_banner(self, authors):
        seat = self.rng.randrange(self.players)
        if self.rng.random() < 0.5:
            return {"seat": seat, "text": "hop", "until": "uno"}
        return {"seat": seat, "text": "hush", "until": "next_turn", "by": self.rng.choice(authors)}

    def loosen(self, position):
        """Leave out, now and then, what has a default."""
        rng = self.rng
        if rng.random() < 0.5:
            return position
        if position["dealer"] == 0:
            del position["dealer"]
        if position["direction"] == "left":
            del position["direction"]
        if position["discard_pile"] == [self.top]:
            del position["discard_pile"]
        if not is_wild(self.top) or position["color"] is None:
            del position["color"]
        if not any(position["scores"]):
            del position["scores"]
        left = (position.get("dealer", 0) + 1) % self.players
        if position["phase"] == {"type": "turn", "seat": left}:
            del position["phase"]
        elif position["phase"].get("next") == position["phase"].get("seat"):
            position["phase"].pop("next", None)
        for name in ("liable", "idle", "draw_more", "face_up", "banners", "draw_pile"):
            if not position.get(name, True):
                del position[name]
        return position
