#!/usr/bin/env python3
"""Play random games on the unum engine and on the oracle and compare every step.

    differential.py --unum PATH [--seconds N | --games N] [--seed S]
                    [--edition NAME] [--keep-going] [--verbose]
"""

import argparse
import random
import signal
import sys
import time
import traceback
from collections import Counter

from asides import random_aside
from cards import EDITIONS
from engine import Engine, Mismatch, dump
from generate_positions import PositionMaker
from generate_rules import random_rules
from match import GameOver, Match
from scenes import random_scene
from secrecy import check_secrecy

DEALT_STEPS, PLACED_STEPS, SCENE_STEPS = 250, 40, 15


def play_match(engine, tally, rng, edition):
    match = Match(engine, tally, rng, random_rules(rng, edition))
    if rng.random() < 0.25:
        match.start_new()
        play_on(match, DEALT_STEPS)
    else:
        match.set_position(PositionMaker(rng, match.rules_object).make())
        play_on(match, PLACED_STEPS)


def play_scene(engine, tally, rng, edition):
    rules, position = random_scene(rng, edition)
    match = Match(engine, tally, rng, rules)
    match.set_position(position)
    play_on(match, SCENE_STEPS)


def play_on(match, steps):
    try:
        match.check_views()
        for _ in range(steps):
            if match.rng.random() < 0.03:
                random_aside(match)
            if not match.step():
                break
    except GameOver:
        pass


class Tally:
    """How much was compared, and how often each kind of mismatch came."""

    COLUMNS = ("exact", "deduced", "loose", "deals", "refused", "legal lists", "views", "secrecy")

    def __init__(self):
        self.counts = Counter()
        self.kinds = Counter()

    def add(self, column, edition, count=1):
        self.counts[column, edition] += count

    def total(self, *columns):
        return sum(n for (column, _), n in self.counts.items() if column in columns)

    def report(self, seconds):
        print(f"{'edition':10}" + "".join(f"{column:>12}" for column in self.COLUMNS))
        for edition in EDITIONS:
            print(f"{edition:10}" + "".join(f"{self.counts[column, edition]:12}" for column in self.COLUMNS))
        steps = self.total("exact", "deduced", "loose", "deals", "refused")
        print(f"{steps} steps in {seconds:.1f} s, {steps / max(seconds, 0.001):.0f} per second")
        for kind, count in self.kinds.most_common():
            print(f"  {count:6} x {kind}")
        print(f"{self.total(*self.COLUMNS)} passed, {sum(self.kinds.values())} failed")


def describe(number, mismatch):
    print(f"--- mismatch, game {number}: {mismatch.kind}")
    details = dict(mismatch.details)
    lines = details.pop("reproduce", [])
    for path, pair in details.pop("differ", {}).items():
        describe_difference(path, pair)
    for name, value in details.items():
        print(f"  {name}: {dump(value)}")
    print("  to reproduce:")
    for line in lines:
        print("   ", dump(line))
    sys.stdout.flush()


def describe_difference(path, pair):
    if isinstance(pair, tuple):
        print(f"  {path}: expected {dump(pair[0])}")
        print(f"  {' ' * len(path)}    actual {dump(pair[1])}")
    else:
        print(f"  {path}: {pair}")


def before_anything(engine, tally):
    """Requests about a game that has not begun."""
    for request in ({"op": "legal"}, {"op": "view", "seat": 0}, {"op": "state"}):
        reply, = engine.ask(request)
        if reply["ok"] or reply["error"]["code"] != "bad_request":
            raise Mismatch("before new or set: not bad_request", {"request": request, "actual": reply})
        tally.add("refused", "original")


def no_answer(signum, frame):
    raise TimeoutError


def play_number(engine, tally, options, number):
    """One game; it depends on the seed and its number alone."""
    rng = random.Random(f"{options.seed}/{number}")
    editions = [options.edition] if options.edition else list(EDITIONS) + ["custom", "fairies"]
    if number == 0:
        before_anything(engine, tally)
    play = rng.choices((play_match, play_scene, check_secrecy), (6, 3, 1))[0]
    play(engine, tally, rng, editions[number % len(editions)])


def mismatch_in(engine, tally, options, number):
    """The mismatch that this game ended with, or None."""
    try:
        play_number(engine, tally, options, number)
    except Mismatch as mismatch:
        return mismatch
    except (KeyError, TypeError, IndexError, AttributeError, ValueError) as error:
        return Mismatch(f"a reply of an unexpected shape: {error!r}", {"where": traceback.format_exc()})
    return None


def run(options):
    signal.signal(signal.SIGALRM, no_answer)
    engine, tally = Engine(options.unum), Tally()
    began, number = time.monotonic(), 0
    while not finished(options, number, time.monotonic() - began):
        mismatch = mismatch_in(engine, tally, options, number)
        if mismatch:
            if not tally.kinds[mismatch.kind] or options.verbose:
                describe(number, mismatch)
            tally.kinds[mismatch.kind] += 1
            if not options.keep_going:
                break
        number += 1
        if options.verbose and number % 100 == 0:
            print(f"{number} games", file=sys.stderr)
    engine.close()
    tally.report(time.monotonic() - began)
    return 1 if tally.kinds else 0


def finished(options, number, seconds):
    if options.games is not None:
        return number >= options.games
    return seconds >= options.seconds


def main():
    parser = argparse.ArgumentParser(description="compare the unum engine with the oracle")
    parser.add_argument("--unum", required=True, help="the engine; run as PATH referee")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--games", type=int)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--edition", choices=EDITIONS)
    parser.add_argument("--keep-going", action="store_true", help="do not stop at the first mismatch")
    parser.add_argument("--verbose", action="store_true")
    sys.exit(run(parser.parse_args()))


if __name__ == "__main__":
    main()
