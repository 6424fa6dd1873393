"""An independent implementation of unum's rules, written from the rules and
docs/referee.md alone, to be compared with the engine.  Rule ids are in comments.

    game = Game.new(parse_rules({"edition": "original"}), players=3)
    game.act(1, {"type": "draw"})       # raises Refused with the codes that may apply
    game.state(), game.view(1), game.legal()
"""

import random
from bisect import insort
from collections import Counter

from cards import (COLOR_OF, COLORS, CUSTOM_CARDS, FACE_OF, ORDER, POINTS,
                   is_attack, is_number, is_wild, sort_cards)
from rules import Refused, check_table, is_int

OVER = ("round_over", "match_over")
MOST_DISCARDS = 1000  # choices that `legal` lists
MAX_BANNERS = 160     # the oldest come down


class RandomSource:
    """Where unknown orders come from: here, from a random generator."""

    def __init__(self, seed=0):
        self.random = random.Random(seed)

    def shuffle(self, cards):
        """A new draw pile (T4) or a new deck."""
        cards = list(cards)
        self.random.shuffle(cards)
        return cards

    def shuffle_hands(self, cards, seats):
        """The collected hands (H1), to be dealt to `seats` one at a time."""
        return self.shuffle(cards)

    def next_card(self, game, seat, stop):
        """Take the next card off the draw pile, for `seat`; `stop` tells
        whether a card would end the drawing (None: it is counted)."""
        return game.draw_pile.pop(0)


# type -> (required fields, optional fields)
ACTION_FIELDS = {
    "play": ({"card"}, {"color", "uno", "discard", "swap_with"}),
    "draw": (set(), set()),
    "keep": (set(), set()),
    "call_color": ({"color"}, set()),
    "take": (set(), set()),
    "challenge": (set(), set()),
    "block": (set(), {"color", "uno"}),
    "call_uno": (set(), set()),
    "catch": ({"seat"}, set()),
    "discard": ({"cards"}, {"uno"}),
    "vote": ({"yes"}, set()),
    "dare": ({"accept"}, set()),
}


def is_card_list(value):
    return isinstance(value, list) and all(isinstance(c, str) for c in value)


FIELD_TYPES = {
    "card": lambda v: isinstance(v, str),
    "color": lambda v: isinstance(v, str),
    "uno": lambda v: isinstance(v, bool),
    "discard": is_card_list,
    "cards": is_card_list,
    "swap_with": lambda v: is_int(v) and v >= 0,
    "seat": lambda v: is_int(v) and v >= 0,
    "yes": lambda v: isinstance(v, bool),
    "accept": lambda v: isinstance(v, bool),
}


def well_formed(action):
    if not isinstance(action, dict) or action.get("type") not in ACTION_FIELDS:
        return False
    required, optional = ACTION_FIELDS[action["type"]]
    fields = set(action) - {"type"}
    if not required <= fields <= required | optional:
        return False
    return all(FIELD_TYPES[name](action[name]) for name in fields)


def holds(hand, cards):
    """Whether the hand has all these cards at once."""
    return not Counter(cards) - Counter(hand)


class Game:
    """A match at one table. Hands are always sorted."""

    def __init__(self, rules, players, source=None):
        self.rules = rules
        self.players = players
        self.source = source or RandomSource()
        self.dealer = 0
        self.direction = 1
        self.phase = {"type": "turn", "seat": 1 % players}
        self.color = None
        self.hands = [[] for _ in range(players)]
        self.draw_pile = []
        self.discard_pile = []
        self.liable = set()
        self.idle = 0
        self.draw_more = {}
        self.face_up = []       # (seat, until), oldest first
        self.banners = []       # dicts as in the state, oldest first
        self.scores = [0] * players
        self.result = None
        self.winners = None
        # What the notation of a position cannot say:
        self.evidence = None    # (seat, hand) when the latest Wild Draw Four was played
        self.challenged = None  # (challenger, seat, hand) until the next request
        self.pending = []       # effects still to come, last one first
        self.actor = None       # the player of the Customizable card
        self.extra_turn = False
        self.skips = 0

    def copy(self):
        twin = object.__new__(Game)
        twin.__dict__.update(self.__dict__)
        twin.phase = dict(self.phase)
        if "waiting" in twin.phase:
            twin.phase["waiting"] = list(twin.phase["waiting"])
        twin.hands = [list(hand) for hand in self.hands]
        for name in ("draw_pile", "discard_pile", "face_up", "scores", "pending"):
            setattr(twin, name, list(getattr(self, name)))
        twin.banners = [dict(banner) for banner in self.banners]
        twin.liable = set(self.liable)
        twin.draw_more = dict(self.draw_more)
        return twin

    # ------------------------------------------------------------ the deal

    @classmethod
    def new(cls, rules, players, dealer=None, source=None):
        check_table(rules, players)
        game = cls(rules, players, source)
        if dealer is None:
            dealer = game.first_dealer()
        elif not (is_int(dealer) and 0 <= dealer < players):
            raise Refused({"bad_seat", "bad_request"}, "dealer")
        game.dealer = dealer
        game.deal()
        return game

    def full_deck(self):
        return sort_cards(Counter(self.rules.deck).elements())

    def first_dealer(self):
        """D1. Both readings give every seat the same chance."""
        return self.source.shuffle(range(self.players))[0]

    def next_round(self):
        """D3."""
        if self.phase["type"] == "match_over":
            raise Refused({"over", "wrong_phase"})
        if self.phase["type"] != "round_over":
            raise Refused("wrong_phase")
        self.dealer = (self.dealer + 1) % self.players
        self.challenged = None
        self.deal()

    def deal(self):
        """D2, S1-S8."""
        self.result = None
        while True:
            deck = self.source.shuffle(self.full_deck())
            self.hands = [[] for _ in range(self.players)]
            for turn in range(self.rules.hand_size * self.players):
                seat = (self.dealer + 1 + turn) % self.players
                insort(self.hands[seat], deck.pop(0), key=ORDER.__getitem__)
            self.draw_pile, self.discard_pile = deck, []
            if self.turn_up():
                break
        self.start_play()
        if self.start_penalty():
            self.draw((self.dealer + 1) % self.players, 2)

    def turn_up(self):
        """Turn cards up until one can start the round; False: S8."""
        while self.draw_pile:
            card = self.draw_pile.pop(0)
            if self.rules.ignore_symbols_at_start:
                self.discard_pile.append(card)
                if is_number(card):
                    return True
            elif card == "W+4":  # S6
                if all(c == "W+4" for c in self.draw_pile):
                    return False
                self.draw_pile = self.source.shuffle(self.draw_pile + [card])
            else:
                self.discard_pile.append(card)
                return True
        return False

    def start_penalty(self):
        """S2, S7."""
        return FACE_OF[self.top] == "+2"

    def start_play(self):
        """Who begins and which way, from the start card alone (S1-S5)."""
        left = (self.dealer + 1) % self.players
        self.direction = 1
        self.color = COLOR_OF[self.top]
        face = FACE_OF[self.top]
        if is_wild(self.top):
            self.phase = {"type": "call_color", "seat": left, "next": left}
        elif face == "R":
            if not self.reverse_is_skip():
                self.direction = -1
            self.enter_turn(self.dealer)
        elif face in ("+2", "S"):
            self.enter_turn((left + 1) % self.players)
        else:
            self.enter_turn(left)

    # ------------------------------------------------------------ small questions

    @property
    def top(self):
        return self.discard_pile[-1]

    @property
    def is_over(self):
        return self.phase["type"] in OVER

    def step(self, seat, count=1):
        """The seat `count` places on in the direction of play."""
        return (seat + self.direction * count) % self.players

    def reverse_is_skip(self):
        return self.rules.reverse_skips_with_two and self.players == 2

    def matches(self, card):
        """T1, T3."""
        return (is_wild(card) or COLOR_OF[card] == self.color
                or FACE_OF[card] == FACE_OF[self.top])

    def breaks_w2(self, rest, color):
        """W2: whether a Wild Draw Four is a bluff with `rest` in the hand."""
        return any(COLOR_OF[c] == color or self.counts_as_wild(c) for c in rest)

    def counts_as_wild(self, card):
        """W2 in modern; under no_bluffing other Wild Draw Fours do not count."""
        if card == "W+4" and self.rules.no_bluffing:
            return False
        return self.rules.wilds_match and is_wild(card)

    def w2_allows(self, seat):
        rest = list(self.hands[seat])
        if "W+4" in rest:
            rest.remove("W+4")
        return not self.breaks_w2(rest, self.color)

    def may_play(self, seat, card):
        """Whether the card, being in the hand, may be laid on the top card."""
        if card == "W+4" and self.rules.no_bluffing:
            return self.w2_allows(seat)
        return self.matches(card)

    def rightly_playable(self, seat, card):
        """As may_play, but a Wild Draw Four counts only if W2 allows it."""
        if card == "W+4":
            return self.w2_allows(seat)
        return self.matches(card)

    def holds_playable(self, seat):
        return any(self.rightly_playable(seat, card) for card in self.hands[seat])

    def must_play_drawn(self, seat):
        """force_play, phase drawn."""
        return self.rules.force_play and any(
            self.rightly_playable(seat, card) for card in self.phase["cards"])

    def attack_waits(self, card):
        """Whether `respond` comes up for a card that did not end the round."""
        if self.rules.has_blocks or self.rules.stacking != "off":
            return True
        return card == "W+4" and self.rules.has_challenges

    def can_jump_in(self, seat, card):
        phase = self.phase
        return (self.rules.jump_in and phase["type"] == "turn" and phase["seat"] != seat
                and not is_wild(card) and card == self.top)

    def attacker_is_out(self):
        """In respond: F4, the card waiting for an answer ended the round."""
        return not self.hands[self.phase["by"]]

    def can_challenge(self):
        """W4, W8, in respond."""
        return (self.top == "W+4" and self.rules.has_challenges
                and not self.attacker_is_out())

    def can_stack(self, card):
        """House rule `stacking`, in respond: whether the card is an answer."""
        if self.rules.stacking == "off" or self.attacker_is_out() or not is_attack(card):
            return False
        if self.rules.stacking == "same":
            return FACE_OF[card] == FACE_OF[self.top]
        return self.matches(card)

    # ------------------------------------------------------------ refusals

    def refusals(self, seat, action):
        """The codes with which the action may be refused; none: it is accepted."""
        codes = {"over"} if self.is_over else set()
        if self.names_foreign_color(action):
            codes.add("no_such_color")
        if not (is_int(seat) and 0 <= seat < self.players):
            codes |= {"bad_seat"} if is_int(seat) and seat >= 0 else {"bad_seat", "bad_request"}
            return codes | (set() if well_formed(action) else {"bad_request"})
        if not well_formed(action):
            return codes | self.malformed_codes(action)
        codes |= getattr(self, "refuse_" + action["type"])(seat, action)
        return codes

    def names_foreign_color(self, action):
        """Whatever else is wrong: a color that this deck does not have."""
        color = action.get("color") if isinstance(action, dict) else None
        return isinstance(color, str) and color not in self.rules.colors

    def malformed_codes(self, action):
        """Some malformed actions have a code of their own as well."""
        codes = {"bad_request"}
        if not isinstance(action, dict):
            return codes
        if action.get("type") == "call_color":
            codes.add("color_required")
        if "swap_with" in action:
            codes.add("bad_swap")
        if "seat" in action:
            codes |= {"bad_seat", "not_liable"}
        return codes

    def wrong_moment(self, seat, *types):
        """Codes for an action that belongs to the seat of one of these phases."""
        codes = set()
        if self.is_over:
            return {"over"}
        if self.phase["type"] not in types:
            codes.add("wrong_phase")
        if self.phase["seat"] != seat:
            codes.add("not_your_turn")
        return codes

    def refuse_color(self, color):
        if color is None:
            return {"color_required"}
        if color not in COLORS:
            return {"no_such_color", "bad_request"}
        return set() if color in self.rules.colors else {"no_such_color"}

    def refuse_uno(self, action, left):
        """`uno` needs exactly one card left; false is the same as none."""
        return {"nothing_to_call"} if action.get("uno") and left != 1 else set()

    def refuse_play(self, seat, action):
        card = action["card"]
        if card not in COLOR_OF:
            return {"bad_request", "not_in_hand"} | self.wrong_moment(seat, "turn", "drawn", "respond")
        codes = self.refuse_moment_of_play(seat, card)
        if card not in self.hands[seat]:
            codes.add("not_in_hand")
        elif card == "W+4" and self.rules.no_bluffing and not self.w2_allows(seat):
            codes |= {"bluff_not_allowed", "does_not_match"}
        codes |= self.refuse_play_color(card, action)
        codes |= self.refuse_olaf(seat, card, action)
        codes |= self.refuse_swap(seat, card, action)
        left = len(self.hands[seat]) - 1 - len(action.get("discard", []))
        return codes | self.refuse_uno(action, left)

    def refuse_moment_of_play(self, seat, card):
        kind = self.phase["type"]
        if self.can_jump_in(seat, card):
            return set()
        codes = self.wrong_moment(seat, "turn", "drawn", "respond")
        if kind == "turn" and not self.matches(card):
            codes.add("does_not_match")
        elif kind == "turn" and codes and self.rules.jump_in:
            codes |= {"does_not_match"}
        elif kind == "drawn" and card not in self.phase["cards"]:
            codes.add("not_the_drawn_card")
            if not self.matches(card):
                codes.add("does_not_match")
        elif kind == "respond" and not self.can_stack(card):
            codes |= {"wrong_phase", "does_not_match"}
        return codes

    def refuse_play_color(self, card, action):
        if not is_wild(card) or card == "WH":
            return {"bad_request"} if "color" in action else set()
        return self.refuse_color(action.get("color"))

    def refuse_olaf(self, seat, card, action):
        """O1."""
        if "discard" not in action:
            return set()
        if card != "WO":
            return {"bad_request", "bad_discard"}
        cards = action["discard"]
        if any(c not in COLOR_OF for c in cards):
            return {"bad_discard", "bad_request", "not_in_hand"}
        codes = set()
        if len(cards) > 3 or {COLOR_OF[c] for c in cards} not in (set(), {"pink"}, {"yellow"}):
            codes.add("bad_discard")
        if not holds(self.hands[seat], cards):
            codes |= {"bad_discard", "not_in_hand"}
        return codes

    def needs_swap(self, seat, card):
        """seven_zero: a last card goes out without it."""
        return self.rules.seven_zero and FACE_OF[card] == "7" and len(self.hands[seat]) > 1

    def refuse_swap(self, seat, card, action):
        partner = action.get("swap_with")
        if not self.needs_swap(seat, card):
            return {"bad_swap"} if partner is not None else set()
        if partner is None or partner == seat:
            return {"bad_swap"}
        return {"bad_swap", "bad_seat"} if partner >= self.players else set()

    def refuse_draw(self, seat, action):
        codes = self.wrong_moment(seat, "turn")
        if not codes and self.rules.force_play and self.holds_playable(seat):
            codes.add("must_play")
        return codes

    def refuse_keep(self, seat, action):
        codes = self.wrong_moment(seat, "drawn")
        if not codes and self.must_play_drawn(seat):
            codes.add("must_play")
        return codes

    def refuse_call_color(self, seat, action):
        return self.wrong_moment(seat, "call_color") | self.refuse_color(action["color"])

    def refuse_take(self, seat, action):
        return self.wrong_moment(seat, "respond")

    def refuse_challenge(self, seat, action):
        codes = self.wrong_moment(seat, "respond")
        if self.phase["type"] == "respond" and not self.can_challenge():
            codes.add("wrong_phase")
        return codes

    def refuse_block(self, seat, action):
        codes = self.wrong_moment(seat, "respond")
        if "WF" not in self.hands[seat]:
            codes |= {"not_in_hand", "wrong_phase"}
        codes |= self.refuse_color(action.get("color"))
        return codes | self.refuse_uno(action, len(self.hands[seat]) - 1)

    def refuse_call_uno(self, seat, action):
        return set() if seat in self.liable else {"nothing_to_call"}

    def refuse_catch(self, seat, action):
        other = action["seat"]
        if other >= self.players:
            return {"bad_seat", "not_liable"}
        return set() if other in self.liable and other != seat else {"not_liable"}

    def refuse_discard(self, seat, action):
        codes = self.wrong_moment(seat, "discard")
        cards = action["cards"]
        if any(c not in COLOR_OF for c in cards):
            return codes | {"bad_discard", "bad_request", "not_in_hand"}
        if not holds(self.hands[seat], cards):
            codes |= {"bad_discard", "not_in_hand"}
        if self.phase["type"] == "discard" and len(cards) != self.phase["count"]:
            codes.add("bad_discard")
        return codes | self.refuse_uno(action, len(self.hands[seat]) - len(cards))

    def refuse_vote(self, seat, action):
        if self.phase["type"] != "vote":
            return self.wrong_moment(seat, "vote")
        return set() if seat in self.phase["waiting"] else {"not_your_turn", "wrong_phase"}

    def refuse_dare(self, seat, action):
        return self.wrong_moment(seat, "dare")

    # ------------------------------------------------------------ requests

    def act(self, seat, action):
        codes = self.refusals(seat, action)
        if codes:
            raise Refused(codes)
        self.challenged = None
        getattr(self, "do_" + action["type"])(seat, action)

    def refuse_penalty(self, seat):
        codes = set()
        if self.rules.suggestion_penalty == 0:
            codes.add("bad_rules")
        if self.is_over:
            codes |= {"over", "wrong_phase"}
        if not (is_int(seat) and 0 <= seat < self.players):
            codes |= {"bad_seat", "bad_request"}
        elif not self.hands[seat]:
            codes.add("wrong_phase")
        return codes

    def penalize(self, seat):
        """X1."""
        codes = self.refuse_penalty(seat)
        if codes:
            raise Refused(codes)
        self.challenged = None
        drawn = self.draw(seat, self.rules.suggestion_penalty)
        if self.phase["type"] == "discard" and self.phase["seat"] == seat:
            self.phase["count"] += len(drawn)

    # ------------------------------------------------------------ cards on the move

    def draw_one(self, seat, stop=None):
        """One card for `seat`, or None if there is none at all (T4)."""
        if not self.draw_pile:
            if len(self.discard_pile) < 2:
                return None
            rest, self.discard_pile = self.discard_pile[:-1], self.discard_pile[-1:]
            self.draw_pile = self.source.shuffle(rest)
        card = self.source.next_card(self, seat, stop)
        insort(self.hands[seat], card, key=ORDER.__getitem__)
        return card

    def draw(self, seat, count):
        """Draws `count` cards, or as many as there are; returns them."""
        return self.draw_while(seat, lambda drawn: len(drawn) < count)

    def draw_until(self, seat, stop):
        return self.draw_while(seat, lambda drawn: not drawn or not stop(drawn[-1]), stop)

    def draw_while(self, seat, wanted, stop=None):
        drawn = []
        while wanted(drawn):
            card = self.draw_one(seat, stop)
            if card is None:
                break
            drawn.append(card)
        self.trim_liable()
        return drawn

    def tuck(self, seat, cards):
        """Discarded cards go directly under the top card."""
        for card in cards:
            self.hands[seat].remove(card)
        self.discard_pile[-1:-1] = cards

    # ------------------------------------------------------------ UNO

    def trim_liable(self):
        """U4: the liability ends with any other number of cards."""
        self.liable = {s for s in self.liable if len(self.hands[s]) == 1}

    def owe_uno(self, seat, called):
        """U1: the seat's own play or discard has just changed its hand."""
        if called:
            self.uno_called()
        elif len(self.hands[seat]) == 1 and self.rules.uno_penalty > 0:
            self.liable.add(seat)

    def uno_called(self):
        self.banners = [b for b in self.banners if b["until"] != "uno"]

    def do_call_uno(self, seat, action):
        self.liable.discard(seat)
        self.uno_called()

    def do_catch(self, seat, action):
        """U2, U4."""
        self.liable.discard(action["seat"])
        self.draw(action["seat"], self.rules.uno_penalty)

    # ------------------------------------------------------------ turns

    def begin_turn(self, seat):
        """U3: closes every liability; uses up a draw_more."""
        self.liable.clear()
        self.draw_more.pop(seat, None)

    def enter_turn(self, seat):
        self.phase = {"type": "turn", "seat": seat}
        self.expire_notes(seat)

    def expire_notes(self, seat):
        """The turn has come to `seat`: what was to last until then ends."""
        self.face_up = [entry for entry in self.face_up if entry[1] != seat]
        self.banners = [b for b in self.banners if b.get("by") != seat]

    def do_draw(self, seat, action):
        """T2 and its house rules."""
        more = self.draw_more.get(seat)
        draws_more = more is not None and not self.holds_playable(seat)
        self.begin_turn(seat)
        if draws_more:
            drawn = self.draw(seat, more)
            playable = [c for c in drawn if self.rightly_playable(seat, c)]
        elif self.rules.draw_to_match:
            drawn = self.draw_until(seat, lambda card: self.may_play(seat, card))
            playable = [c for c in drawn[-1:] if self.may_play(seat, c)]
        else:
            drawn = self.draw(seat, 1)
            playable = [c for c in drawn if self.may_play(seat, c)]
        self.idle = 0 if drawn else self.idle + 1
        if playable:
            self.phase = {"type": "drawn", "seat": seat, "cards": sort_cards(playable)}
        elif self.idle >= self.players:
            self.end_round(None)  # T5
        else:
            self.enter_turn(self.step(seat))

    def do_keep(self, seat, action):
        self.enter_turn(self.step(seat))

    def do_call_color(self, seat, action):
        self.color = action["color"]
        self.enter_turn(self.phase["next"])

    # ------------------------------------------------------------ playing a card

    def do_play(self, seat, action):
        card, phase = action["card"], self.phase
        summed = phase["cards"] if phase["type"] == "respond" else 0
        if phase["type"] == "turn" and phase["seat"] != seat:
            self.expire_notes(seat)  # a jump-in
        if phase["type"] != "drawn":
            self.begin_turn(seat)
        before = self.color
        self.lay(seat, card, action.get("color"), action.get("discard", []))
        hand = self.hands[seat]
        self.owe_uno(seat, action.get("uno"))
        if not hand:
            self.go_out(seat, card, summed)
        else:
            bluff = card == "W+4" and self.breaks_w2(hand, before)
            if card == "W+4":
                self.evidence = (seat, list(hand))
            self.follow(seat, card, summed, bluff, action)

    def lay(self, seat, card, color, discards=()):
        """Put a card on the pile; discards (O2) go under it."""
        self.idle = 0
        self.hands[seat].remove(card)
        self.discard_pile.append(card)
        self.tuck(seat, discards)
        self.color = COLOR_OF[card] or color

    def follow(self, seat, card, summed, bluff, action):
        """What the card does, the hand not being empty."""
        face = FACE_OF[card]
        if is_attack(card):
            self.attack(seat, summed + (2 if face == "+2" else 4), bluff)
        elif face == "R":
            self.play_reverse(seat)
        elif face == "S":
            self.enter_turn(self.step(seat, 2))  # A3
        elif face == "7" and self.rules.seven_zero:
            self.swap_hands(seat, action["swap_with"])
        elif face == "0" and self.rules.seven_zero:
            self.pass_hands(seat)
        elif face == "WH":
            self.shuffle_hands(seat)
        elif face in CUSTOM_CARDS:
            self.start_custom(seat, card)
        else:
            self.enter_turn(self.step(seat))

    def play_reverse(self, seat):
        """A2."""
        if self.reverse_is_skip():
            self.enter_turn(self.step(seat, 2))
        else:
            self.direction = -self.direction
            self.enter_turn(self.step(seat))

    def swap_hands(self, seat, partner):
        self.hands[seat], self.hands[partner] = self.hands[partner], self.hands[seat]
        self.liable -= {seat, partner}
        self.enter_turn(self.step(seat))

    def pass_hands(self, seat):
        old = list(self.hands)
        for giver in range(self.players):
            self.hands[self.step(giver)] = old[giver]
        self.liable.clear()
        self.enter_turn(self.step(seat))

    def shuffle_hands(self, seat):
        """H1-H3."""
        seats = [(seat + 1 + i) % self.players for i in range(self.players)]
        cards = [card for hand in self.hands for card in hand]
        hands = [[] for _ in range(self.players)]
        for i, card in enumerate(self.source.shuffle_hands(cards, seats)):
            hands[seats[i % self.players]].append(card)
        self.hands = [sort_cards(hand) for hand in hands]
        self.liable.clear()
        self.phase = {"type": "call_color", "seat": seat, "next": self.step(seat)}

    # ------------------------------------------------------------ attacks and answers

    def attack(self, by, cards, bluff):
        """A1, W1; F1 and stacking through the phase `respond`."""
        victim = self.step(by)
        if self.attack_waits(self.top):
            self.phase = {"type": "respond", "seat": victim, "by": by,
                          "cards": cards, "bluff": bluff}
        else:
            self.draw(victim, cards)
            self.enter_turn(self.step(victim))

    def go_out(self, seat, card, summed):
        """G1, G2, F4."""
        if is_attack(card):
            victim = self.step(seat)
            cards = summed + (2 if FACE_OF[card] == "+2" else 4)
            if self.rules.has_blocks:
                self.phase = {"type": "respond", "seat": victim, "by": seat,
                              "cards": cards, "bluff": False}
                return
            self.draw(victim, cards)
        self.end_round(seat)

    def answered(self, seat, by):
        """The answer cost `seat` the turn."""
        if not self.hands[by]:
            self.end_round(by)  # F4
        elif not self.hands[seat]:
            self.end_round(seat)  # F3
        else:
            self.enter_turn(self.step(seat))

    def do_take(self, seat, action):
        by = self.phase["by"]
        self.draw(seat, self.phase["cards"])
        self.answered(seat, by)

    def do_block(self, seat, action):
        """F1."""
        by = self.phase["by"]
        self.begin_turn(seat)
        self.lay(seat, "WF", action["color"])
        self.owe_uno(seat, action.get("uno"))
        self.answered(seat, by)

    def do_challenge(self, seat, action):
        """W4-W7."""
        phase, by = self.phase, self.phase["by"]
        # A position that began in `respond` does not say what the hand was.
        owner, hand = self.evidence or (by, self.hands[by])
        assert owner == by
        self.challenged = (seat, by, list(hand))
        if phase["bluff"]:
            self.draw(by, phase["cards"])
            self.enter_turn(seat)
        else:
            self.draw(seat, phase["cards"] + 2)
            self.enter_turn(self.step(seat))

    # ------------------------------------------------------------ Customizable cards

    def start_custom(self, seat, card):
        """C3. Tasks wait on a stack, the next one last."""
        self.actor, self.extra_turn, self.skips = seat, False, 0
        self.pending = [("finish",)]
        self.push_effects(self.rules.custom[card])
        self.run_effects()

    def push_effects(self, effects):
        self.pending += [("effect", effect) for effect in reversed(effects)]

    def run_effects(self):
        """Until all is done, the round is over, or somebody has to act."""
        waiting = False
        while self.pending and not waiting:
            task = self.pending.pop()
            waiting = getattr(self, "task_" + task[0])(*task[1:])

    def targets(self, who):
        """C4."""
        others = [self.step(self.actor, i) for i in range(1, self.players)]
        return {"next": others[:1], "self": [self.actor], "others": others,
                "all": others + [self.actor]}[who]

    def task_effect(self, effect):
        if "who" not in effect:
            return getattr(self, "effect_" + effect["do"])(effect)
        seats = self.targets(effect["who"])
        self.pending.append(("carried_out", seats))
        self.pending += [("one", effect, seat) for seat in reversed(seats)]
        return False

    def task_one(self, effect, seat):
        return getattr(self, "effect_" + effect["do"])(effect, seat)

    def task_carried_out(self, seats):
        """C5."""
        out = [seat for seat in seats if not self.hands[seat]]
        if out:
            self.end_round(out[0])
        return False

    def task_finish(self):
        steps = 0 if self.extra_turn else 1 + self.skips
        self.enter_turn(self.step(self.actor, steps))
        return False

    def effect_draw(self, effect, seat):
        self.draw(seat, effect["count"])

    def effect_draw_until_color(self, effect, seat):
        color = self.color if effect["color"] == "called" else effect["color"]
        self.draw_until(seat, lambda card: COLOR_OF[card] == color)

    def effect_discard_all(self, effect, seat):
        match = effect["match"]
        cards = [c for c in self.hands[seat] if in_class(c, match)]
        if cards:
            self.tuck(seat, cards)
            self.trim_liable()
            self.owe_uno(seat, called=False)

    def effect_level(self, effect, seat):
        missing = effect["to"] - len(self.hands[seat])
        if missing > 0:
            self.draw(seat, missing)
            return False
        return self.effect_discard_down(effect, seat)

    def effect_discard_down(self, effect, seat):
        surplus = len(self.hands[seat]) - effect["to"]
        if surplus <= 0:
            return False
        self.phase = {"type": "discard", "seat": seat, "count": surplus}
        return True

    def do_discard(self, seat, action):
        self.tuck(seat, action["cards"])
        self.trim_liable()
        self.owe_uno(seat, action.get("uno"))
        self.run_effects()

    def effect_draw_more(self, effect, seat):
        self.draw_more[seat] = effect["count"]

    def effect_extra_turn(self, effect):
        self.extra_turn = True

    def effect_skip(self, effect):
        self.skips += 1

    def effect_reverse(self, effect):
        self.direction = -self.direction

    def effect_reveal(self, effect, seat):
        if (seat, self.actor) not in self.face_up:
            self.face_up.append((seat, self.actor))

    def effect_banner(self, effect, seat):
        banner = {"seat": seat, "text": effect["text"], "until": effect["until"]}
        if effect["until"] == "next_turn":
            banner["by"] = self.actor
        self.banners = (self.banners + [banner])[-MAX_BANNERS:]

    def effect_perform(self, effect):
        waiting = sorted(self.targets("others"))
        self.phase = {"type": "vote", "seat": self.actor, "prompt": effect["prompt"],
                      "waiting": waiting}
        self.pending.append(("vote_ended", effect))
        return True

    def do_vote(self, seat, action):
        self.phase["waiting"].remove(seat)
        if action["yes"] or not self.phase["waiting"]:
            _, effect = self.pending.pop()
            self.push_effects(effect["success"] if action["yes"] else effect["failure"])
            self.run_effects()

    def effect_dare(self, effect, seat):
        self.phase = {"type": "dare", "seat": seat, "prompt": effect["prompt"]}
        self.pending.append(("dare_ended", effect))
        return True

    def do_dare(self, seat, action):
        _, effect = self.pending.pop()
        if not action["accept"]:
            self.push_effects(effect["refuse"])
        self.run_effects()

    # ------------------------------------------------------------ the end

    def end_round(self, winner):
        """Scoring P2-P5."""
        self.liable, self.draw_more, self.face_up, self.banners = set(), {}, [], []
        self.idle, self.pending = 0, []
        points = self.round_points(winner)
        self.scores = [a + b for a, b in zip(self.scores, points)]
        self.result = {"winner": winner, "points": points}
        self.winners = self.match_winners(winner)
        self.phase = {"type": "match_over" if self.winners else "round_over"}

    def round_points(self, winner):
        values = [sum(POINTS[card] for card in hand) for hand in self.hands]
        if self.rules.scoring == "lowest_at":
            return values
        points = [0] * self.players
        if self.rules.scoring == "first_to" and winner is not None:
            points[winner] = sum(values) - values[winner]
        return points

    def match_winners(self, winner):
        if self.rules.scoring == "single_round":
            return None if winner is None else [winner]
        if max(self.scores) < self.rules.target:
            return None
        best = max(self.scores) if self.rules.scoring == "first_to" else min(self.scores)
        return [seat for seat, score in enumerate(self.scores) if score == best]

    # ------------------------------------------------------------ what can be done

    def legal(self):
        """Every action of every seat, the optional `uno` left out."""
        if self.is_over:
            return []
        actions = [self.uno_actions(seat) for seat in range(self.players)]
        for seat, action in getattr(self, "legal_" + self.phase["type"])():
            actions[seat].append(action)
        return [{"seat": seat, "actions": some} for seat, some in enumerate(actions) if some]

    def uno_actions(self, seat):
        actions = [{"type": "catch", "seat": other} for other in sorted(self.liable) if other != seat]
        if seat in self.liable:
            actions.append({"type": "call_uno"})
        return actions

    def plays(self, seat, card):
        """Every way to play a card that may be played."""
        base = {"type": "play", "card": card}
        if self.needs_swap(seat, card):
            return [{**base, "swap_with": other} for other in range(self.players) if other != seat]
        if not is_wild(card) or card == "WH":
            return [base]
        colored = [{**base, "color": color} for color in self.rules.colors]
        if card != "WO":
            return colored
        choices = self.olaf_choices(seat)
        return colored + [{**play, "discard": list(some)} for play in colored for some in choices]

    def olaf_choices(self, seat):
        """O1: every non-empty choice."""
        choices = []
        for color in ("pink", "yellow"):
            cards = [c for c in self.hands[seat] if COLOR_OF[c] == color]
            for size in (1, 2, 3):
                choices += choose(cards, size)
        return choices

    def legal_turn(self):
        seat = self.phase["seat"]
        for card in dict.fromkeys(self.hands[seat]):
            if self.may_play(seat, card):
                yield from ((seat, play) for play in self.plays(seat, card))
        if not (self.rules.force_play and self.holds_playable(seat)):
            yield seat, {"type": "draw"}
        for other in range(self.players):
            if self.top in self.hands[other] and self.can_jump_in(other, self.top):
                yield from ((other, play) for play in self.plays(other, self.top))

    def legal_drawn(self):
        seat = self.phase["seat"]
        for card in dict.fromkeys(self.phase["cards"]):
            if self.may_play(seat, card):
                yield from ((seat, play) for play in self.plays(seat, card))
        if not self.must_play_drawn(seat):
            yield seat, {"type": "keep"}

    def legal_call_color(self):
        for color in self.rules.colors:
            yield self.phase["seat"], {"type": "call_color", "color": color}

    def legal_respond(self):
        seat = self.phase["seat"]
        yield seat, {"type": "take"}
        if self.can_challenge():
            yield seat, {"type": "challenge"}
        if "WF" in self.hands[seat]:
            for color in self.rules.colors:
                yield seat, {"type": "block", "color": color}
        for card in dict.fromkeys(self.hands[seat]):
            if self.can_stack(card) and self.may_play(seat, card):
                yield from ((seat, play) for play in self.plays(seat, card))

    def legal_discard(self):
        seat, count = self.phase["seat"], self.phase["count"]
        choices = choose(self.hands[seat], count, MOST_DISCARDS)
        if choices is None:
            yield seat, {"type": "discard", "count": count}
        else:
            for cards in choices:
                yield seat, {"type": "discard", "cards": list(cards)}

    def legal_vote(self):
        for seat in self.phase["waiting"]:
            yield seat, {"type": "vote", "yes": True}
            yield seat, {"type": "vote", "yes": False}

    def legal_dare(self):
        yield self.phase["seat"], {"type": "dare", "accept": True}
        yield self.phase["seat"], {"type": "dare", "accept": False}

    # ------------------------------------------------------------ states and views

    def state(self):
        return {**self.public_state(), "phase": dict(self.phase),
                "hands": [list(hand) for hand in self.hands],
                "draw_pile": list(self.draw_pile)}

    def public_state(self):
        return {
            "players": self.players, "dealer": self.dealer,
            "direction": "left" if self.direction == 1 else "right",
            "top": self.top, "color": self.color,
            "discard_pile": list(self.discard_pile),
            "liable": sorted(self.liable), "idle": self.idle,
            "draw_more": [{"seat": s, "count": self.draw_more[s]} for s in sorted(self.draw_more)],
            "face_up": [{"seat": s, "until": u}
                        for s, u in sorted(self.face_up, key=lambda entry: entry[0])],
            "banners": sorted(self.banners, key=lambda banner: banner["seat"]),
            "scores": list(self.scores), "result": self.result, "winners": self.winners,
        }

    def view(self, seat):
        """What a seat may know; None: a spectator."""
        view = {**self.public_state(), "phase": self.phase_for(seat),
                "hand_sizes": [len(hand) for hand in self.hands],
                "draw_count": len(self.draw_pile), "shown": self.shown_to(seat)}
        if seat is not None:
            view["hand"] = list(self.hands[seat])
        return view

    def phase_for(self, seat):
        hidden = {"bluff"}
        if self.phase["type"] == "drawn" and self.phase["seat"] != seat:
            hidden.add("cards")
        return {name: value for name, value in self.phase.items() if name not in hidden}

    def shown_to(self, seat):
        shown = {}
        if self.challenged and self.challenged[0] == seat:
            _, other, hand = self.challenged
            shown[str(other)] = list(hand)
        open_seats = range(self.players) if self.is_over else [s for s, _ in self.face_up]
        for other in open_seats:
            if other != seat:
                shown[str(other)] = list(self.hands[other])
        return shown


def in_class(card, match):
    """discard_all: whether a card is of the kind named."""
    if match == "wild":
        return is_wild(card)
    if match == "number":
        return is_number(card)
    if match == "action":
        return FACE_OF[card] in ("S", "R", "+2")
    return COLOR_OF[card] == match


def count_choices(cards, size):
    """How many different multisets of that size the cards contain."""
    ways = [1] + [0] * size
    for copies in Counter(cards).values():
        ways = [sum(ways[total - used] for used in range(min(copies, total) + 1))
                for total in range(size + 1)]
    return ways[size]


def choose(cards, size, limit=None):
    """The different multisets of that size; None if more than `limit`."""
    if limit is not None and count_choices(cards, size) > limit:
        return None
    kinds = sorted(Counter(cards).items(), key=lambda item: ORDER[item[0]])
    choices = [()]
    # Build up kind by kind, never more than still fits.
    for place, (card, copies) in enumerate(kinds):
        later = sum(count for _, count in kinds[place + 1:])
        grown = []
        for chosen in choices:
            missing = size - len(chosen)
            for used in range(max(0, missing - later), min(copies, missing) + 1):
                grown.append(chosen + (card,) * used)
        choices = grown
    return [chosen for chosen in choices if len(chosen) == size]
