#!/usr/bin/env python3
"""Plays a fairly dealt record again without the engine, and compares every state.

    fair.py --unum PATH RECORD.json

The shuffles come from examples/verify.py, the rules from the oracle: both are written from the
documents alone. What the engine says is only compared, after the deal and after every move, with
the order of the draw pile. The exit code is 0 only if nothing differed.
"""

import argparse
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "examples"))

from compare import adopt_texts, state_differences  # noqa: E402
from oracle import Game, RandomSource  # noqa: E402
from rules import parse_rules  # noqa: E402
import verify  # noqa: E402


class FairSource(RandomSource):
    """The shuffles of one round, as docs/fairness.md has them. There the last card of a list is
    drawn first; the oracle's piles begin with it."""

    def __init__(self, deal, deck_size):
        entropy = [None if part is None else bytes.fromhex(part) for part in deal["entropy"]]
        self.chance = verify.Chance(verify.key(bytes.fromhex(deal["secret"]), deal.get("attempt", 1), entropy))
        self.deck_size = deck_size
        self.dealing = False  # nothing has been drawn since the deck was shuffled

    def shuffle(self, cards):
        cards = list(cards)
        if len(cards) == self.deck_size:
            self.dealing = True
        elif self.dealing:  # S6: the card put back lies where it lay
            cards = cards[-2::-1] + cards[-1:]
        else:               # T4: the newest discard comes first
            cards.reverse()
        self.chance.shuffle(cards)
        return cards[::-1]

    def shuffle_hands(self, cards, seats):
        self.chance.shuffle(cards)
        return cards[::-1]

    def next_card(self, game, seat, stop):
        self.dealing = False
        return super().next_card(game, seat, stop)


def games(record):
    """The oracle's game after the deal and after every move."""
    rules = parse_rules(record["rules"])
    size = sum(rules.deck.values())
    sources = [FairSource(deal, size) for deal in record["deals"]]
    players, dealer = record["players"], record.get("dealer")
    if dealer is None:
        dealer = verify.choose_dealer(record["rules"], players, sources[0].chance)
    game = Game.new(rules, players, dealer, sources.pop(0))
    yield game
    for move in record["moves"]:
        if move["op"] == "act":
            game.act(move["seat"], move["action"])
        elif move["op"] == "penalize":
            game.penalize(move["seat"])
        else:
            game.source = sources.pop(0)
            game.next_round()
        yield game


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--unum", required=True, help="the binary")
    parser.add_argument("record", help="a record of version 3 as JSON")
    options = parser.parse_args()
    with open(options.record) as file:
        record = json.load(file)
    replay = subprocess.run([options.unum, "replay", options.record, "--state"], check=True, stdout=subprocess.PIPE)
    states = [json.loads(line) for line in replay.stdout.splitlines()]
    for number, (game, state) in enumerate(zip(games(record), states, strict=True)):
        adopt_texts(game, state)
        found = state_differences(game, state)
        if found:
            sys.exit(f"after move {number}: {found}")
    print(f"{len(states)} states of {len(record['deals'])} rounds are the same, draw piles included")


if __name__ == "__main__":
    main()
