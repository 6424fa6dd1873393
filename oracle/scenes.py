"""Positions arranged around rules that random games seldom reach. A scene
returns the rules and a position in which the rare thing is one action away."""

from collections import Counter

from cards import COLOR_OF, FACE_OF, POINTS, is_attack, is_number, is_wild
from generate_rules import random_scoring
from oracle import MAX_BANNERS, in_class
from rules import parse_rules


def is_card(card):
    return True


class Stage:
    """The deck of some rules, handed out card by card."""

    def __init__(self, rng, rules):
        self.rng = rng
        self.stock = sorted(Counter(parse_rules(rules).deck).elements())
        rng.shuffle(self.stock)

    def players(self):
        return self.rng.choice((2, 2, 3, 3, 4, 6))

    def take(self, wanted=is_card):
        """A card of the wanted kind, or any other if there is none left."""
        card = next((card for card in self.stock if wanted(card)), self.stock[0])
        self.stock.remove(card)
        return card

    def take_some(self, count, wanted=is_card):
        return [self.take(wanted) for _ in range(count)]

    def position(self, top, seat, hands, **more):
        rng, players = self.rng, len(hands)
        position = {
            "players": players, "top": top, "hands": hands,
            "color": COLOR_OF[top] or rng.choice(("yellow", "green", "blue")),
            "direction": rng.choice(("left", "right")), "dealer": rng.randrange(players),
            "phase": {"type": "turn", "seat": seat},
            "discard_pile": self.take_some(rng.choice((0, 1, 5))) + [top],
            "draw_pile": self.take_some(rng.choice((0, 1, 3, 12))),
        }
        return {**position, **more}


def custom_rules(*effects, **house):
    return {"edition": "custom", "house": house,
            "custom_cards": [{"title": "Scene", "effects": list(effects)}]}


def maybe(rng, *names):
    """Each of these switches on or off."""
    return {name: rng.random() < 0.5 for name in names}


def misses(top):
    """Whether a card can not be laid on this colored card."""
    return lambda card: not (is_wild(card) or COLOR_OF[card] == COLOR_OF[top] or FACE_OF[card] == FACE_OF[top])


def emptied_hands(rng):
    """C5: one effect empties several hands, others are still to come."""
    match = rng.choice(("red", "blue", "number", "action", "wild"))
    empty = {"do": "discard_all", "who": rng.choice(("others", "all", "next")), "match": match}
    wrapped = rng.choice((
        empty, empty,
        {"do": "perform", "prompt": "sing", "success": [empty], "failure": [empty]},
        {"do": "dare", "who": "next", "prompt": "hop", "refuse": [empty, {"do": "reverse"}]}))
    later = rng.choice(({"do": "draw", "who": "all", "count": 1}, {"do": "reveal", "who": "all"},
                        {"do": "level", "who": "all", "to": 2}, {"do": "reverse"}))
    rules = custom_rules(*rng.choice(([wrapped, later], [{"do": "reverse"}, wrapped, later], [wrapped])),
                         suggestion_penalty=rng.choice((0, 2)))
    rules["scoring"] = random_scoring(rng)
    table = Stage(rng, rules)
    players = table.players()
    card = table.take("WC1".__eq__)
    hands = [table.take_some(rng.choice((1, 1, 2)),
                             (lambda c: in_class(c, match)) if rng.random() < 0.6 else is_number)
             for _ in range(players)]
    seat = rng.randrange(players)
    hands[seat].append(card)
    return rules, table.position(table.take(is_number), seat, hands)


def last_attack(rng):
    """F4 and stacking: an answer that goes out, and a block of the whole sum."""
    rules = {"edition": rng.choice(("fairies", "fairies", "original")),
             "house": {"stacking": rng.choice(("same", "any")), **maybe(rng, "no_challenges")},
             "scoring": random_scoring(rng)}
    table = Stage(rng, rules)
    players = table.players()
    top = table.take(is_attack)
    hands = [table.take_some(rng.choice((1, 2, 3)), lambda card: card == "WF" or is_attack(card))
             for _ in range(players)]
    by = rng.randrange(players)
    direction = rng.choice(("left", "right"))
    seat = (by + (1 if direction == "left" else -1)) % players
    hands[seat] = [table.take(lambda card: FACE_OF[card] == FACE_OF[top])]
    phase = {"type": "respond", "seat": seat, "by": by, "cards": 4 if top == "W+4" else 2}
    return rules, table.position(top, seat, hands, direction=direction, phase=phase)


def jump_in(rng):
    """jump_in into seven_zero, ending notes, with and without a last card."""
    rules = custom_rules({"do": "reveal", "who": "all"}, {"do": "banner", "who": "others", "text": "hop",
                                                          "until": "next_turn"},
                         jump_in=True, **maybe(rng, "seven_zero", "force_play"))
    table = Stage(rng, rules)
    players = table.players()
    top = table.take(lambda card: FACE_OF[card] in rng.choice((("7",), ("7", "S", "R", "+2"))))
    hands = [table.take_some(rng.choice((0, 1, 1, 3))) for _ in range(players)]
    jumper, seat = rng.sample(range(players), 2)
    if top in table.stock:
        hands[jumper].append(table.take(top.__eq__))
    hands = [hand or [table.take()] for hand in hands]
    liable = [s for s, hand in enumerate(hands) if len(hand) == 1 and rng.random() < 0.5]
    return rules, table.position(
        top, seat, hands, liable=liable,
        draw_more=[{"seat": jumper, "count": 2}] if rng.random() < 0.5 else [],
        face_up=[{"seat": s, "until": jumper} for s in range(players) if rng.random() < 0.4],
        banners=[{"seat": s, "text": "hush", "until": "next_turn", "by": jumper}
                 for s in range(players) if rng.random() < 0.4])


def passed_hands(rng):
    """seven_zero: a 0, also out of turn, while neighbors are liable."""
    rules = {"edition": "modern", "house": {"seven_zero": True, "jump_in": True}, "scoring": random_scoring(rng)}
    table = Stage(rng, rules)
    players = table.players()
    top = table.take(lambda card: FACE_OF[card] == "0")
    hands = [table.take_some(rng.choice((1, 2))) for _ in range(players)]
    seat = rng.randrange(players)
    hands[rng.randrange(players)].append(table.take(top.__eq__))
    hands[seat].append(table.take(lambda card: FACE_OF[card] == "0"))
    liable = [s for s, hand in enumerate(hands) if len(hand) == 1]
    return rules, table.position(top, seat, hands, liable=liable)


def draw_more(rng):
    """draw_more under every drawing rule, with Wild Draw Fours among the cards."""
    rules = custom_rules({"do": "draw_more", "who": "next", "count": rng.randint(1, 4)},
                         **maybe(rng, "force_play", "draw_to_match", "no_bluffing"))
    table = Stage(rng, rules)
    players = table.players()
    top = table.take(is_number)
    seat = rng.randrange(players)
    hands = [table.take_some(2) for _ in range(players)]
    hands[seat] = table.take_some(rng.choice((1, 2)), misses(top))
    if rng.random() < 0.3:
        hands[seat].append("W+4")
        table.stock.remove("W+4")
    pile = table.take_some(2, "W+4".__eq__) + table.take_some(3) + table.take_some(2, is_wild)
    return rules, table.position(top, seat, hands, draw_pile=rng.sample(pile, rng.randint(0, len(pile))),
                                 draw_more=[{"seat": seat, "count": rng.randint(1, 6)}])


def caught_before_challenge(rng):
    """W4: cards drawn between a Wild Draw Four and the challenge are not shown."""
    rules = {"edition": rng.choice(("original", "fairies", "modern")),
             "house": {"stacking": rng.choice(("off", "same", "any")), "suggestion_penalty": rng.choice((0, 1, 4)),
                       "uno_penalty": rng.choice((1, 2))}}
    table = Stage(rng, rules)
    players = table.players()
    seat = rng.randrange(players)
    hands = [table.take_some(rng.choice((2, 3))) for _ in range(players)]
    hands[seat] = [table.take("W+4".__eq__)] + table.take_some(rng.choice((1, 1, 2)))
    if rng.random() < 0.4:
        hands[(seat + 1) % players][0] = table.take("W+4".__eq__)
    return rules, table.position(table.take(is_number), seat, hands, draw_pile=table.take_some(20))


def only_wild_draw_fours(rng):
    """no_bluffing in modern: Wild Draw Fours do not forbid each other, other wilds do."""
    rules = {"edition": "modern", "house": {"no_bluffing": True, "stacking": rng.choice(("off", "same", "any")),
                                            **maybe(rng, "force_play", "draw_to_match")}}
    table = Stage(rng, rules)
    hands = [table.take_some(2, "W+4".__eq__) for _ in range(2)]
    hands[rng.randrange(2)] += rng.choice(([], table.take_some(1), [table.take("W".__eq__)]))
    return rules, table.position(table.take(is_number), rng.randrange(2), hands)


def interrupted_effects(rng):
    """Catches, calls and penalties while a vote, a dare or a discard is on."""
    inner = rng.choice(([{"do": "discard_down", "who": "all", "to": 1}], [{"do": "level", "who": "others", "to": 2}],
                        [{"do": "draw_until_color", "who": "others", "color": "called"}]))
    rules = custom_rules(*rng.choice((
        [{"do": "perform", "prompt": "sing", "success": inner, "failure": [{"do": "skip"}]}],
        [{"do": "dare", "who": "next", "prompt": "hop", "refuse": inner}, {"do": "skip"}],
        inner + [{"do": "extra_turn"}])),
        suggestion_penalty=rng.choice((1, 3)), uno_penalty=rng.choice((0, 1, 2)))
    table = Stage(rng, rules)
    players = table.players()
    seat = rng.randrange(players)
    hands = [table.take_some(rng.choice((1, 2, 3, 4))) for _ in range(players)]
    hands[seat] = [table.take("WC1".__eq__)] + table.take_some(1)
    return rules, table.position(table.take(is_number), seat, hands)


def tied_totals(rng):
    """lowest_at: equal lowest totals share the win (P3)."""
    rules = {"edition": rng.choice(("original", "frozen", "modern")),
             "scoring": {"type": "lowest_at", "target": 40}}
    table = Stage(rng, rules)
    players = rng.choice((3, 4))
    top = table.take(is_number)
    seat = rng.randrange(players)
    hands = [[table.take(lambda card: POINTS[card] == 20)] for _ in range(players)]
    hands[seat] = [table.take(lambda card: COLOR_OF[card] == COLOR_OF[top] and is_number(card))]
    scores = [rng.choice((0, 0, 39)) for _ in range(players)]
    scores[seat] = 20
    return rules, table.position(top, seat, hands, scores=scores)


def blocked_round(rng):
    """T5, P5: no card left to draw, under every scoring."""
    rules = {"edition": rng.choice(("original", "fairies", "frozen", "custom", "modern")),
             "scoring": random_scoring(rng), "house": maybe(rng, "draw_to_match")}
    table = Stage(rng, rules)
    players = table.players()
    top = table.take(is_number)
    seat = rng.randrange(players)
    hands = [table.take_some(2, misses(top)) for _ in range(players)]
    return rules, table.position(top, seat, hands, draw_pile=[], discard_pile=[top],
                                 idle=rng.randrange(players))


def shuffled_hands(rng):
    """WH as last card, or with hands of one card each."""
    rules = {**custom_rules(), "scoring": random_scoring(rng)}
    table = Stage(rng, rules)
    players = table.players()
    seat = rng.randrange(players)
    hands = [table.take_some(rng.choice((1, 1, 3))) for _ in range(players)]
    hands[seat] = [table.take("WH".__eq__)] + table.take_some(rng.choice((0, 1, 1, 2)))
    liable = [s for s, hand in enumerate(hands) if len(hand) == 1 and rng.random() < 0.5]
    return rules, table.position(table.take(is_number), seat, hands, liable=liable)


def many_banners(rng):
    """More banners than there is room for."""
    effects = [{"do": "banner", "who": "all", "text": str(i), "until": rng.choice(("uno", "next_turn"))}
               for i in range(rng.randint(5, 20))]
    rules = custom_rules(*effects)
    table = Stage(rng, rules)
    players = 10
    seat = rng.randrange(players)
    hands = [table.take_some(2) for _ in range(players)]
    hands[seat].append(table.take("WC1".__eq__))
    old = rng.randint(MAX_BANNERS - 60, MAX_BANNERS)
    banners = [{"seat": i * players // old, "text": f"old {i}", "until": "uno"} for i in range(old)]
    return rules, table.position(table.take(is_number), seat, hands, banners=banners)


def drawn_olaf(rng):
    """O1-O3 in phase `drawn`."""
    rules = {"edition": "frozen", "house": maybe(rng, "force_play", "draw_to_match"), "scoring": random_scoring(rng)}
    table = Stage(rng, rules)
    players = table.players()
    seat = rng.randrange(players)
    hands = [table.take_some(2) for _ in range(players)]
    warm = rng.choice(("pink", "yellow"))
    hands[seat] = table.take_some(rng.choice((1, 2, 3, 4)), lambda card: COLOR_OF[card] == warm)
    hands[seat].append(table.take("WO".__eq__))
    return rules, table.position(table.take(is_number), seat, hands,
                                 phase={"type": "drawn", "seat": seat, "cards": ["WO"]})


SCENES = (emptied_hands, last_attack, jump_in, passed_hands, draw_more, caught_before_challenge,
          only_wild_draw_fours, interrupted_effects, tied_totals, blocked_round, shuffled_hands, many_banners,
          drawn_olaf)


def random_scene(rng, edition):
    """The rules and the position of a scene in that edition."""
    while True:
        rules, position = rng.choice(SCENES)(rng)
        if rules["edition"] == edition:
            return rules, position
