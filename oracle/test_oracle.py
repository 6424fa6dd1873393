"""Hand-written checks of the oracle, named after the rule ids; checks of the
comparison; and random games in which only invariants are checked."""

import random
import unittest
from collections import Counter

import generate_actions as actions
from broken_positions import broken_position
from cards import EDITIONS, POINTS
from compare import all_cards, loose_differences, state_differences
from generate_positions import PositionMaker
from generate_rules import broken_rules, edge_rules, random_rules
from oracle import MAX_BANNERS, Game, RandomSource, choose, count_choices
from position import parse_position
from rules import Refused, parse_rules
from scenes import random_scene
from shuffles import follow_reply, order_is_lost


def table(edition="original", house=None, scoring=None, custom=None, **position):
    """A game from a position."""
    rules = {"edition": edition}
    if house:
        rules["house"] = house
    if scoring:
        rules["scoring"] = scoring
    if custom is not None:
        rules["custom_cards"] = custom
    return parse_position(parse_rules(rules), position)


def effects(*some):
    return [{"title": "t", "effects": list(some)}]


def play(card, **more):
    return {"type": "play", "card": card, **more}


DRAW, KEEP, TAKE = {"type": "draw"}, {"type": "keep"}, {"type": "take"}
CHALLENGE, CALL = {"type": "challenge"}, {"type": "call_uno"}


def block(color, **more):
    return {"type": "block", "color": color, **more}


def catch(seat):
    return {"type": "catch", "seat": seat}


def respond(seat, by, cards, **more):
    return {"type": "respond", "seat": seat, "by": by, "cards": cards, **more}


class Case(unittest.TestCase):
    def refused(self, code, game, seat, action):
        with self.assertRaises(Refused) as caught:
            game.act(seat, action)
        self.assertIn(code, caught.exception.codes)

    def turn(self, game, seat):
        self.assertEqual(game.phase, {"type": "turn", "seat": seat})

    def actions(self, game, seat):
        return next((e["actions"] for e in game.legal() if e["seat"] == seat), [])


class Decks(Case):
    def test_sizes(self):
        sizes = {e: parse_rules({"edition": e}).deck_size for e in EDITIONS}
        self.assertEqual(sizes, dict(original=108, fairies=112, frozen=112, custom=112, modern=112))
        self.assertEqual(parse_rules({"edition": "custom", "custom_cards": []}).deck_size, 109)

    def test_p1(self):
        self.assertEqual([POINTS[c] for c in ("R0", "B9", "Y+2", "GR", "PS", "W", "WF", "WH", "WC2")],
                         [0, 9, 20, 20, 20, 50, 50, 40, 40])


class Start(Case):
    def started(self, top, edition="original", players=3, house=None):
        rules = parse_rules({"edition": edition, "house": house or {}})
        game = Game(rules, players)
        game.dealer, game.discard_pile = 0, [top]
        game.start_play()
        return game

    def test_s1_s4(self):
        self.turn(self.started("R5"), 1)
        self.turn(self.started("R+2"), 2)
        self.turn(self.started("RS"), 2)
        game = self.started("RR")
        self.turn(game, 0)
        self.assertEqual(game.direction, -1)

    def test_s3_two_players(self):
        game = self.started("RR", players=2, house={"reverse_skips_with_two": True})
        self.turn(game, 0)
        self.assertEqual(game.direction, 1)

    def test_s5(self):
        game = self.started("WH", "custom")
        self.assertEqual(game.phase, {"type": "call_color", "seat": 1, "next": 1})
        self.assertIsNone(game.color)

    def test_s2_draws(self):
        for seed in range(300):
            game = Game.new(parse_rules({"edition": "original"}), 2, 0, RandomSource(seed))
            extra = 2 if game.top.endswith("+2") else 0
            self.assertEqual([len(h) for h in game.hands], [7, 7 + extra])
            self.assertNotEqual(game.top, "W+4")

    def test_s2_modern(self):
        for seed in range(100):
            game = Game.new(parse_rules({"edition": "modern"}), 2, 0, RandomSource(seed))
            self.assertTrue(game.top[1:].isdigit())
            self.assertFalse(any(c[1:].isdigit() for c in game.discard_pile[:-1]))


class Turns(Case):
    def test_t2_unplayable_moves_on(self):
        game = table(top="R5", hands=[["B1"], ["B2"]], draw_pile=["G9"])
        game.act(1, DRAW)
        self.turn(game, 0)

    def test_t2_only_the_drawn_card(self):
        game = table(top="R5", hands=[["B1"], ["R2"]], draw_pile=["R9"])
        game.act(1, DRAW)
        self.assertEqual(game.phase, {"type": "drawn", "seat": 1, "cards": ["R9"]})
        self.refused("not_the_drawn_card", game, 1, play("R2"))
        game.act(1, play("R9"))

    def test_t4_not_earlier(self):
        game = table(top="R5", discard_pile=["W", "R5"], hands=[["B1"], ["B2"]], draw_pile=["G9"])
        game.act(1, DRAW)
        self.assertEqual((game.draw_pile, game.discard_pile), ([], ["W", "R5"]))
        game.act(0, DRAW)
        self.assertEqual((game.draw_pile, game.discard_pile), ([], ["R5"]))
        self.assertEqual(game.phase["cards"], ["W"])

    def test_t5_blocked(self):
        game = table(top="R5", hands=[["B1"], ["B2"], ["B3"]], idle=1, liable=[0])
        game.act(1, DRAW)
        self.assertEqual((game.idle, game.liable), (2, set()))
        game.act(2, DRAW)
        self.assertEqual(game.phase, {"type": "round_over"})
        self.assertEqual(game.result, {"winner": None, "points": [0, 0, 0]})
        self.assertEqual(game.idle, 0)

    def test_t5_take_does_not_count(self):
        game = table(house={"stacking": "same"}, top="R+2", hands=[["B1"], ["B2"], ["B3"]],
                     phase=respond(1, 0, 2), idle=1)
        game.act(1, TAKE)
        self.assertEqual(game.idle, 1)

    def test_t5_lowest_at_counts_hands(self):
        game = table(scoring={"type": "lowest_at", "target": 9}, top="R5", hands=[["B1"], ["B9"]], idle=1)
        game.act(1, DRAW)
        self.assertEqual(game.result, {"winner": None, "points": [1, 9]})
        self.assertEqual((game.phase["type"], game.winners), ("match_over", [0]))


class Actions(Case):
    def test_a1_at_once(self):
        game = table(top="R5", hands=[["B1"], ["R+2", "B2"], ["G1"]], draw_pile=["G2", "G3", "G4"])
        game.act(1, play("R+2", uno=True))
        self.assertEqual(game.hands[2], ["G1", "G2", "G3"])
        self.turn(game, 0)

    def test_a2_two_players(self):
        hands = [["B1"], ["RR", "B2"]]
        game = table(top="R5", hands=hands)
        game.act(1, play("RR"))
        self.turn(game, 0)
        game = table(house={"reverse_skips_with_two": True}, top="R5", hands=hands)
        game.act(1, play("RR"))
        self.turn(game, 1)
        self.assertEqual(game.direction, 1)

    def test_color_arguments(self):
        game = table(top="R5", hands=[["B1"], ["W", "R1"]])
        self.refused("color_required", game, 1, play("W"))
        self.refused("no_such_color", game, 1, play("W", color="pink"))
        self.refused("bad_request", game, 1, play("R1", color="red"))
        self.refused("nothing_to_call", game, 0, CALL)


class DrawFour(Case):
    def test_w2_bluff(self):
        game = table(top="R5", hands=[["B1"], ["W+4", "R1"], ["G1"]])
        game.act(1, play("W+4", color="blue"))
        self.assertEqual(game.phase, respond(2, 1, 4, bluff=True))

    def test_w2_modern_counts_wilds(self):
        for edition, bluff in (("modern", True), ("original", False)):
            game = table(edition, top="R5", hands=[["B1"], ["W+4", "W+4"], ["G1"]])
            game.act(1, play("W+4", color="blue"))
            self.assertEqual(game.phase["bluff"], bluff)

    def test_w5_guilty(self):
        game = table(top="W+4", color="red", hands=[["B1"], ["G1"], ["G2"]], liable=[0],
                     phase=respond(1, 0, 4, bluff=True), draw_pile=["R1", "R2", "R3", "R4", "R5"])
        game.act(1, CHALLENGE)
        self.turn(game, 1)
        self.assertEqual(len(game.hands[0]), 5)
        self.assertEqual(game.liable, set())
        self.assertEqual(game.view(1)["shown"], {"0": ["B1"]})
        self.assertEqual(game.view(2)["shown"], {})
        game.act(1, DRAW)
        self.assertEqual(game.view(1)["shown"], {})

    def test_w4_shows_the_hand_as_played(self):
        game = table(top="R5", hands=[["B1", "B2"], ["W+4", "G4"], ["G1", "G2"]],
                     draw_pile=["R1", "R2", "Y1", "Y2", "Y3", "Y4", "Y5", "Y6"])
        game.act(1, play("W+4", color="blue"))
        game.act(0, {"type": "catch", "seat": 1})
        self.assertEqual(len(game.hands[1]), 3)
        game.act(2, CHALLENGE)
        self.assertEqual(game.view(2)["shown"], {"1": ["G4"]})
        self.assertEqual(game.view(0)["shown"], {})

    def test_w4_position_in_respond(self):
        game = table(top="W+4", color="red", hands=[["B1", "B2"], ["G1"], ["G2"]],
                     phase=respond(1, 0, 4, bluff=True), draw_pile=["R1", "R2", "R3", "R4"] * 2)
        game.penalize(0)
        game.act(1, CHALLENGE)
        self.assertEqual(game.view(1)["shown"], {"0": ["R1", "R2", "R3", "R4", "B1", "B2"]})

    def test_w6_innocent(self):
        game = table(top="W+4", color="red", hands=[["B1"], ["G1"], ["G2"]], liable=[0],
                     phase=respond(1, 0, 4), draw_pile=["R1", "R2", "R3", "R4", "R5", "R6", "R7"])
        game.act(1, CHALLENGE)
        self.turn(game, 2)
        self.assertEqual(len(game.hands[1]), 7)
        self.assertEqual(game.liable, {0})

    def test_w8_last_card(self):
        game = table(top="R5", hands=[["B1"], ["W+4"], ["G1"]], draw_pile=["W", "W", "R1", "R2", "R3"])
        game.act(1, play("W+4", color="red"))
        self.assertEqual(game.result, {"winner": 1, "points": [0, 105, 0]})

    def test_no_bluffing(self):
        game = table(house={"no_bluffing": True}, top="R5", hands=[["B1"], ["W+4", "R1"], ["G1"]])
        self.refused("bluff_not_allowed", game, 1, play("W+4", color="red"))
        self.assertNotIn("W+4", [a.get("card") for a in self.actions(game, 1)])
        game = table(house={"no_bluffing": True}, top="R5", hands=[["B1"], ["W+4", "B2"], ["G1"]])
        game.act(1, play("W+4", color="red"))
        self.turn(game, 0)

    def test_no_bluffing_in_modern(self):
        house = {"no_bluffing": True}
        game = table("modern", house=house, top="R5", hands=[["B1"], ["W+4", "W+4", "G1"], ["G2"]])
        game.act(1, play("W+4", color="red"))
        self.turn(game, 0)
        game = table("modern", house=house, top="R5", hands=[["B1"], ["W+4", "W+4", "W"], ["G2"]])
        self.refused("bluff_not_allowed", game, 1, play("W+4", color="red"))


class Flitterific(Case):
    def test_f1_waits_and_blocks(self):
        game = table("fairies", top="R5", hands=[["B1"], ["R+2", "B2"], ["WF", "G1"]])
        game.act(1, play("R+2"))
        self.assertEqual(game.phase, respond(2, 1, 2, bluff=False))
        self.assertEqual(game.liable, {1})
        game.act(2, block("green"))
        self.turn(game, 0)
        self.assertEqual((game.liable, game.color, game.top), ({2}, "green", "WF"))

    def test_f3_block_goes_out(self):
        game = table("fairies", top="R+2", hands=[["B1"], ["WF"]], phase=respond(1, 0, 2))
        game.act(1, block("red"))
        self.assertEqual(game.result["winner"], 1)

    def test_f4(self):
        game = table("fairies", top="R5", hands=[["R+2"], ["WF", "R1"], ["R9"]],
                     phase={"type": "turn", "seat": 0}, draw_pile=["Y1", "Y2"])
        game.act(0, play("R+2"))
        self.assertEqual(game.phase["type"], "respond")
        self.refused("wrong_phase", game, 1, CHALLENGE)
        game.act(1, block("blue", uno=True))
        self.assertEqual(game.result, {"winner": 0, "points": [10, 0, 0]})

    def test_f4_last_block_does_not_win(self):
        game = table("fairies", top="R+2", hands=[[], ["WF"]], phase=respond(1, 0, 2))
        game.act(1, block("blue"))
        self.assertEqual(game.result, {"winner": 0, "points": [0, 0]})

    def test_block_refusals(self):
        game = table("fairies", top="R+2", hands=[["B1"], ["G1"]], phase=respond(1, 0, 2))
        self.refused("not_in_hand", game, 1, block("red"))
        self.refused("wrong_phase", game, 1, CHALLENGE)


class Olaf(Case):
    def test_o1_o2(self):
        game = table("frozen", top="B5", hands=[["B1"], ["P1", "P2", "PS", "P9", "Y1", "WO"]])
        self.refused("bad_discard", game, 1, play("WO", color="blue", discard=["P1", "Y1"]))
        self.refused("bad_discard", game, 1, play("WO", color="blue", discard=["P1", "P2", "PS", "P9"]))
        game.act(1, play("WO", color="blue", discard=["PS", "P1", "P2"]))
        self.assertEqual(game.discard_pile, ["B5", "PS", "P1", "P2", "WO"])
        self.assertEqual(game.color, "blue")

    def test_o3(self):
        game = table("frozen", top="B5", hands=[["B1"], ["P1", "P2", "WO"]])
        game.act(1, play("WO", color="blue", discard=["P1"]))
        self.assertEqual(game.liable, {1})
        game = table("frozen", top="B5", hands=[["B1"], ["P1", "P2", "WO"]])
        game.act(1, play("WO", color="blue", discard=["P1", "P2"]))
        self.assertEqual(game.result["winner"], 1)

    def test_legal(self):
        game = table("frozen", top="B5", hands=[["B1"], ["P1", "P1", "Y2", "WO"]])
        plays = [a for a in self.actions(game, 1) if a.get("card") == "WO"]
        self.assertEqual(len(plays), 4 * (1 + 2 + 1))


class ShuffleHands(Case):
    def test_h1_h2(self):
        game = table("custom", top="R5", hands=[["B1"], ["WH", "B2", "B3"], ["B4", "B5", "B6"]],
                     direction="right", liable=[0])
        game.act(1, play("WH"))
        self.assertEqual([len(h) for h in game.hands], [2, 2, 2])
        self.assertEqual(game.phase, {"type": "call_color", "seat": 1, "next": 0})
        self.assertIsNone(game.color)
        self.assertEqual(game.liable, set())
        game.act(1, {"type": "call_color", "color": "blue"})
        self.turn(game, 0)

    def test_h3(self):
        game = table("custom", top="R5", hands=[["B1"], ["WH"]])
        game.act(1, play("WH"))
        self.assertEqual((game.result["winner"], game.color), (1, None))


class Uno(Case):
    def hands(self, **more):
        return table(top="R5", hands=[["B1"], ["R1", "B2"], ["G1", "R2"]],
                     draw_pile=["G2", "G3", "G4"], **more)

    def test_u1_liable_until_next_begins(self):
        game = self.hands()
        game.act(1, play("R1"))
        self.assertEqual(game.liable, {1})
        self.refused("not_liable", game, 1, catch(1))
        self.refused("not_liable", game, 2, catch(0))
        game.act(2, play("R2", uno=True))
        self.assertEqual(game.liable, set())

    def test_u2_caught(self):
        game = self.hands()
        game.act(1, play("R1"))
        game.act(0, catch(1))
        self.assertEqual((len(game.hands[1]), game.liable), (3, set()))

    def test_uno_with_the_play(self):
        game = self.hands()
        game.act(1, play("R1", uno=True))
        self.assertEqual(game.liable, set())
        self.refused("nothing_to_call", game, 1, CALL)
        game = table(top="R5", hands=[["B1"], ["R1", "B2", "B3"]])
        self.refused("nothing_to_call", game, 1, play("R1", uno=True))

    def test_penalty_zero(self):
        game = self.hands(house={"uno_penalty": 0})
        game.act(1, play("R1"))
        self.assertEqual(game.liable, set())

    def test_u4_caught_with_no_cards(self):
        game = table(top="R5", hands=[["B1"], ["B2"]], liable=[0])
        game.act(1, catch(0))
        self.assertEqual(game.liable, set())

    def test_u3_forced_draw_keeps_liability(self):
        game = table(top="R5", hands=[["B1"], ["R+2", "B2"], ["G1"]], draw_pile=["G2", "G3"])
        game.act(1, play("R+2"))
        self.assertEqual(game.liable, {1})


class Penalty(Case):
    def test_x1(self):
        game = table(top="R5", hands=[["B1"], ["B2"]], liable=[0], draw_pile=["R1", "R2", "R3", "R4"])
        game.penalize(0)
        self.assertEqual((len(game.hands[0]), game.liable), (5, set()))
        with self.assertRaises(Refused) as caught:
            table("modern", top="R5", hands=[["B1"], ["B2"]]).penalize(0)
        self.assertEqual(caught.exception.codes, {"bad_rules"})

    def test_grows_the_discard(self):
        game = table("custom", {"suggestion_penalty": 2}, None,
                     effects({"do": "level", "who": "next", "to": 1}), top="R5",
                     hands=[["B1", "B2"], ["WC1", "R1", "R2"]], draw_pile=["Y1", "Y2", "Y3"])
        game.act(1, play("WC1", color="red"))
        self.assertEqual(game.phase, {"type": "discard", "seat": 0, "count": 1})
        game.penalize(0)
        self.assertEqual(game.phase["count"], 3)


class House(Case):
    def test_stacking_sum(self):
        game = table(house={"stacking": "any"}, top="R5",
                     hands=[["B+2", "B1", "B3"], ["R+2", "B2"], ["W+4", "G1", "R8"]],
                     draw_pile=["Y1", "Y2", "Y3", "Y4", "Y5", "Y6", "Y7", "Y8", "Y9"])
        game.act(1, play("R+2"))
        game.act(2, play("W+4", color="blue"))
        self.assertEqual(game.phase, respond(0, 2, 6, bluff=True))
        self.assertIn(play("B+2"), self.actions(game, 0))
        game.act(0, CHALLENGE)
        self.assertEqual(len(game.hands[2]), 8)

    def test_stacking_color_on_draw_four(self):
        game = table(house={"stacking": "any"}, top="W+4", color="red", hands=[["B1"], ["B+2", "R+2"]],
                     phase=respond(1, 0, 4))
        self.refused("does_not_match", game, 1, play("B+2"))
        game.act(1, play("R+2"))
        self.assertEqual(game.phase["cards"], 6)

    def test_stacking_same(self):
        game = table(house={"stacking": "same"}, top="R+2", hands=[["B1"], ["W+4", "B+2"]],
                     phase=respond(1, 0, 2))
        self.refused("does_not_match", game, 1, play("W+4", color="red"))
        self.assertEqual(game.legal()[0]["actions"], [TAKE, play("B+2")])

    def test_last_card_is_not_stacked_on(self):
        game = table(house={"stacking": "same"}, top="R+2", hands=[["B+2", "B1"], ["G+2"]],
                     phase=respond(1, 0, 4), draw_pile=["Y1"] * 2 + ["Y2"] * 2 + ["Y3"] * 2 + ["Y4"])
        game.act(1, play("G+2"))
        self.assertEqual(game.result["winner"], 1)
        self.assertEqual(len(game.hands[0]), 8)

    def test_seven(self):
        game = table(house={"seven_zero": True}, top="R5", hands=[["B1", "B9"], ["R7", "B2"], ["G1"]])
        self.refused("bad_swap", game, 1, play("R7"))
        self.refused("bad_swap", game, 1, play("R7", swap_with=1))
        game.act(1, play("R7", swap_with=2, uno=True))
        self.assertEqual((game.hands[1], game.hands[2], game.liable), (["G1"], ["B2"], set()))
        game = table(house={"seven_zero": True}, top="R5", hands=[["B1"], ["R7"]])
        self.refused("bad_swap", game, 1, play("R7", swap_with=0))
        game.act(1, play("R7"))
        self.assertEqual(game.result["winner"], 1)

    def test_zero(self):
        game = table(house={"seven_zero": True}, top="R5", direction="right",
                     hands=[["B1"], ["R0", "B2"], ["G1"]])
        game.act(1, play("R0"))
        self.assertEqual(game.hands, [["B2"], ["G1"], ["B1"]])
        self.assertEqual(game.liable, set())

    def test_jump_in(self):
        game = table(house={"jump_in": True}, top="R5", hands=[["B1", "B4"], ["B2"], ["R5", "B3"]], liable=[1])
        game.act(2, play("R5"))
        self.turn(game, 0)
        self.assertEqual(game.liable, {2})
        self.refused("not_your_turn", game, 2, play("B3"))

    def test_draw_to_match(self):
        game = table(house={"draw_to_match": True}, top="R5", hands=[["B1"], ["B2"]],
                     draw_pile=["G1", "G2", "W+4", "R1"])
        game.act(1, DRAW)
        self.assertEqual(game.phase["cards"], ["W+4"])
        self.assertEqual(game.hands[1], ["G1", "G2", "B2", "W+4"])

    def test_force_play(self):
        game = table(house={"force_play": True}, top="R5", hands=[["B1"], ["R2", "W+4"]])
        self.refused("must_play", game, 1, DRAW)
        game = table(house={"force_play": True}, top="R5", hands=[["B1"], ["B2"]], draw_pile=["W+4"])
        game.act(1, DRAW)
        self.refused("must_play", game, 1, KEEP)
        game = table("modern", {"force_play": True}, top="R5", hands=[["B1"], ["W+4", "W+4"]], draw_pile=["B4"])
        game.act(1, DRAW)


class Custom(Case):
    def start(self, *some, hands=None, house=None, **more):
        hands = hands or [["B1", "B2"], ["WC1", "R1", "R2"], ["G1", "W", "W+4"]]
        game = table("custom", house, None, effects(*some), top="R5", hands=hands,
                     **{"draw_pile": ["Y1", "Y2", "Y3", "R9", "Y4"], **more})
        return game

    def test_c3_last_card_has_no_effects(self):
        game = self.start({"do": "draw", "who": "all", "count": 2}, hands=[["B1"], ["WC1"]])
        game.act(1, play("WC1", color="red"))
        self.assertEqual(game.result, {"winner": 1, "points": [0, 1]})

    def test_c5(self):
        game = self.start({"do": "discard_all", "who": "others", "match": "wild"},
                          {"do": "draw", "who": "all", "count": 1},
                          hands=[["W"], ["WC1", "R1", "R2"], ["W", "W+4"]])
        game.act(1, play("WC1", color="red"))
        self.assertEqual(game.result["winner"], 2)
        self.assertEqual(game.discard_pile, ["R5", "W", "W+4", "W", "WC1"])

    def test_discard_all_makes_liable(self):
        game = self.start({"do": "discard_all", "who": "others", "match": "wild"})
        game.act(1, play("WC1", color="red"))
        self.assertEqual(game.liable, {2})
        self.turn(game, 2)

    def test_draw_until_called(self):
        game = self.start({"do": "draw_until_color", "who": "next", "color": "called"})
        game.act(1, play("WC1", color="red"))
        self.assertEqual(len(game.hands[2]), 7)
        self.assertEqual(game.draw_pile, ["Y4"])

    def test_extra_turn_voids_skips(self):
        game = self.start({"do": "skip"}, {"do": "extra_turn"}, {"do": "skip"})
        game.act(1, play("WC1", color="red"))
        self.turn(game, 1)

    def test_skip_and_reverse(self):
        game = self.start({"do": "reverse"}, {"do": "skip"})
        game.act(1, play("WC1", color="red"))
        self.turn(game, 2)

    def test_reveal(self):
        game = self.start({"do": "reveal", "who": "all"})
        game.act(1, play("WC1", color="red"))
        self.assertEqual(game.state()["face_up"], [{"seat": s, "until": 1} for s in range(3)])
        self.assertEqual(set(game.view(0)["shown"]), {"1", "2"})
        game.act(2, DRAW)
        game.act(0, DRAW)
        self.assertEqual(game.face_up, [])
        game = self.start({"do": "reveal", "who": "all"}, {"do": "extra_turn"})
        game.act(1, play("WC1", color="red"))
        self.assertEqual(game.face_up, [])

    def test_level_all_in_order(self):
        game = self.start({"do": "level", "who": "all", "to": 1})
        game.act(1, play("WC1", color="red"))
        self.assertEqual(game.phase, {"type": "discard", "seat": 2, "count": 2})
        self.refused("bad_discard", game, 2, {"type": "discard", "cards": ["W", "W"]})
        game.act(2, {"type": "discard", "cards": ["W+4", "W"], "uno": True})
        self.assertEqual(game.discard_pile, ["R5", "W+4", "W", "WC1"])
        game.act(0, {"type": "discard", "cards": ["B1"]})
        self.assertEqual(game.liable, {0})
        game.act(1, {"type": "discard", "cards": ["R1"]})
        self.assertEqual(game.liable, {0, 1})
        self.turn(game, 2)

    def test_draw_more(self):
        game = self.start({"do": "draw_more", "who": "next", "count": 3},
                          hands=[["B1"], ["WC1", "R1", "R2"], ["G1"]], draw_pile=["W+4", "R1", "W", "B9"])
        game.act(1, play("WC1", color="red"))
        self.assertEqual(game.state()["draw_more"], [{"seat": 2, "count": 3}])
        game.act(2, DRAW)
        self.assertEqual(game.phase["cards"], ["R1", "W"])  # W+4: W2 forbids it beside R1
        self.assertEqual(game.draw_more, {})

    def test_draw_more_not_when_holding_playable(self):
        game = self.start({"do": "draw_more", "who": "next", "count": 3},
                          hands=[["B1"], ["WC1", "R1", "R2"], ["R4"]])
        game.act(1, play("WC1", color="red"))
        game.act(2, DRAW)
        self.assertEqual((len(game.hands[2]), game.draw_more), (2, {}))

    def test_perform(self):
        rule = {"do": "perform", "prompt": "sing", "success": [{"do": "discard_down", "who": "self", "to": 1}],
                "failure": [{"do": "draw", "who": "self", "count": 4}]}
        game = self.start(rule)
        game.act(1, play("WC1", color="red"))
        self.assertEqual(game.phase, {"type": "vote", "seat": 1, "prompt": "sing", "waiting": [0, 2]})
        game.act(2, {"type": "vote", "yes": False})
        self.refused("not_your_turn", game, 2, {"type": "vote", "yes": True})
        game.act(0, {"type": "vote", "yes": True})
        self.assertEqual(game.phase, {"type": "discard", "seat": 1, "count": 1})

    def test_dare(self):
        rule = {"do": "dare", "who": "next", "prompt": "hop",
                "refuse": [{"do": "draw", "who": "next", "count": 2}, {"do": "skip"}]}
        game = self.start(rule)
        game.act(1, play("WC1", color="red"))
        self.assertEqual(game.phase, {"type": "dare", "seat": 2, "prompt": "hop"})
        game.act(2, {"type": "dare", "accept": False})
        self.assertEqual(len(game.hands[2]), 5)
        self.turn(game, 0)

    def test_banner_and_its_own_uno(self):
        game = self.start({"do": "banner", "who": "next", "text": "b", "until": "uno"},
                          hands=[["B1"], ["WC1", "R1"], ["G1"]],
                          banners=[{"seat": 0, "text": "old", "until": "uno"}])
        game.act(1, play("WC1", color="red", uno=True))
        self.assertEqual(game.banners, [{"seat": 2, "text": "b", "until": "uno"}])

    def test_oldest_banners_come_down(self):
        old = [{"seat": 0, "text": str(i), "until": "uno"} for i in range(MAX_BANNERS)]
        game = self.start({"do": "banner", "who": "others", "text": "b", "until": "uno"}, banners=old)
        game.act(1, play("WC1", color="red"))
        self.assertEqual(len(game.banners), MAX_BANNERS)
        self.assertEqual([b["text"] for b in game.banners[:1] + game.banners[-2:]], ["2", "b", "b"])

    def test_many_discards_once(self):
        hand = ["R1", "R2", "R3", "R4", "R6", "R7", "R8", "R9", "G1", "G2", "G3", "G4", "G5"]
        self.assertEqual(count_choices(hand, 6), 1716)
        self.assertEqual(len(choose(hand, 3, 1000)), 286)
        game = self.start({"do": "level", "who": "next", "to": 7},
                          hands=[["B1"], ["WC1", "B2"], hand])
        game.act(1, play("WC1", color="red", uno=True))
        self.assertEqual(self.actions(game, 2), [{"type": "discard", "count": 6}])


class Views(Case):
    def test_hidden(self):
        game = table(top="R5", hands=[["B1"], ["R2"]], phase={"type": "drawn", "seat": 1, "cards": ["R2"]})
        self.assertEqual(game.view(0)["phase"], {"type": "drawn", "seat": 1})
        self.assertEqual(game.view(1)["phase"]["cards"], ["R2"])
        self.assertNotIn("hand", game.view(None))
        game = table(top="W+4", color="red", hands=[["B1"], ["R2"]], phase=respond(1, 0, 4, bluff=True))
        self.assertNotIn("bluff", game.view(0)["phase"])

    def test_over(self):
        game = table(top="R5", hands=[["B1"], ["R2"], ["G1"]])
        game.act(1, play("R2"))
        self.assertEqual(game.view(0)["shown"], {"1": [], "2": ["G1"]})


class Positions(Case):
    def test_defaults(self):
        game = table(top="R5", hands=[["W", "B1"], ["R2"]])
        self.assertEqual(game.state()["discard_pile"], ["R5"])
        self.assertEqual(game.hands[0], ["B1", "W"])
        self.turn(game, 1)

    def test_refused(self):
        rng = random.Random(3)
        for _ in range(600):
            rules = random_rules(rng, rng.choice(sorted(EDITIONS)))
            parsed = parse_rules(rules)
            position = PositionMaker(rng, rules).make()
            parse_position(parsed, position)
            broken = broken_position(rng, parsed, position)
            if broken:
                with self.assertRaises(Refused, msg=broken):
                    parse_position(parsed, broken[1])

    def test_too_many_cards_to_deal(self):
        hands = [["B1"], ["B2"], ["B3"], ["B4"], ["B5"], ["B6"]]
        with self.assertRaises(Refused) as caught:
            table(house={"hand_size": 18}, top="R5", hands=hands)
        self.assertIn("bad_rules", caught.exception.codes)
        table(house={"hand_size": 17}, top="R5", hands=hands)

    def test_scenes(self):
        rng = random.Random(5)
        for number in range(300):
            rules, position = random_scene(rng, sorted(EDITIONS)[number % 5])
            parse_position(parse_rules(rules), position)

    def test_rules(self):
        rng = random.Random(4)
        for _ in range(300):
            name, rules = broken_rules(rng)
            with self.assertRaises(Refused, msg=name):
                parse_rules(rules)
            parse_rules(edge_rules(rng))


class LoggingSource(RandomSource):
    """Also writes the `drew` events of an engine."""

    def __init__(self, seed):
        super().__init__(seed)
        self.events = []

    def next_card(self, game, seat, stop):
        card = super().next_card(game, seat, stop)
        self.events.append({"type": "drew", "seat": seat, "cards": [card]})
        return card


class Shuffles(Case):
    """The comparison itself: it follows every order and hides no difference."""

    EFFECTS = ({"do": "draw_until_color", "who": "next", "color": "red"},
               {"do": "draw", "who": "all", "count": 2},
               {"do": "draw_until_color", "who": "all", "color": "blue"},
               {"do": "discard_all", "who": "next", "match": "green"})

    def reply_for(self, seed):
        pile = ["R1", "R2", "R3", "G1", "G2", "G3", "Y1", "Y2", "Y3", "B1", "B2", "B3", "B4", "W", "R5"]
        before = table("custom", custom=effects(*self.EFFECTS), top="R5", discard_pile=pile,
                       hands=[["Y9", "G9"], ["WC1", "Y8"], ["Y7"]], draw_pile=["G5"])
        engine = before.copy()
        engine.source = LoggingSource(seed)
        self.step(engine)
        return before, {"state": engine.state(), "events": engine.source.events}

    def step(self, game):
        game.act(1, play("WC1", color="red"))

    def test_events_tell_every_order(self):
        for seed in range(200):
            before, reply = self.reply_for(seed)
            after, _ = follow_reply(before, reply, self.step)
            self.assertEqual(state_differences(after, reply["state"]), {})

    def test_without_events_only_loosely(self):
        loose = 0
        for seed in range(200):
            before, reply = self.reply_for(seed)
            reply["events"] = []
            after, reader = follow_reply(before, reply, self.step)
            if state_differences(after, reply["state"]):
                loose += 1
                self.assertTrue(order_is_lost(before.rules, reader, reply))
                self.assertEqual(loose_differences(after, reply["state"], all_cards(before.state())), {})
        self.assertGreater(loose, 0)

    def test_a_difference_is_never_hidden(self):
        for seed in range(50):
            before, reply = self.reply_for(seed)
            reply["state"]["hands"][2].append("B9")
            after, reader = follow_reply(before, reply, self.step)
            self.assertTrue(state_differences(after, reply["state"]))
            self.assertFalse(order_is_lost(before.rules, reader, reply))
            self.assertTrue(loose_differences(after, reply["state"], all_cards(before.state())))


class RandomGames(Case):
    """Cards are conserved, what is listed is accepted, what is not listed is refused."""

    def test_invariants(self):
        for number in range(400):
            rng = random.Random(number)
            self.play_game(rng, sorted(EDITIONS)[number % 5])

    def play_game(self, rng, edition):
        rules = random_rules(rng, edition)
        game = parse_position(parse_rules(rules), PositionMaker(rng, rules).make())
        cards = self.cards(game)
        for _ in range(40):
            if game.is_over:
                break
            self.check_listed(rng, game)
            seat, action = actions.pick_legal(rng, game)
            if not game.refusals(seat, action):
                game.act(seat, action)
            self.assertEqual(self.cards(game), cards)
            self.check_sound(game)

    def cards(self, game):
        cards = Counter(game.draw_pile + game.discard_pile)
        for hand in game.hands:
            cards.update(hand)
        return cards

    def check_listed(self, rng, game):
        listed = {(e["seat"], self.plain(a)) for e in game.legal() for a in e["actions"]}
        many = any(dict(action).get("count") for _, action in listed)
        for seat, action in rng.sample(sorted(listed, key=str), min(5, len(listed))):
            if "count" not in dict(action):
                action = {k: list(v) if isinstance(v, tuple) else v for k, v in action}
                self.assertEqual(game.refusals(seat, action), set())
        for _ in range(5):
            seat, action = actions.pick_any(rng, game)
            without = {k: v for k, v in action.items() if k != "uno"}
            if not game.refusals(seat, action) and not many:
                self.assertIn((seat, self.plain(without)), listed)

    def plain(self, action):
        return tuple(sorted((k, tuple(sorted(v)) if isinstance(v, list) else v) for k, v in action.items()))

    def check_sound(self, game):
        if game.is_over:
            self.assertFalse(game.liable or game.face_up or game.banners or game.draw_more or game.idle)
        self.assertTrue(all(len(game.hands[seat]) == 1 for seat in game.liable))
        if game.phase["type"] in ("turn", "drawn", "discard", "vote", "dare"):
            self.assertTrue(all(game.hands))


if __name__ == "__main__":
    unittest.main()
