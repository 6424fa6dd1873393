#!/usr/bin/env python3
"""The oracle behind the referee protocol, to try out differential.py without
the engine:  differential.py --unum ./oracle_referee.py"""

import json
import sys

from oracle import Game, RandomSource
from position import parse_position
from rules import Refused, is_int, parse_rules

NEEDED = {"new": {"rules", "players"}, "set": {"rules", "position"}, "act": {"seat", "action"},
          "penalize": {"seat"}}
FIELDS = {"new": {"rules", "players", "seed", "dealer"}, "set": {"rules", "position", "seed"},
          "act": {"seat", "action"}, "penalize": {"seat"}, "next_round": set(),
          "legal": set(), "view": {"seat"}, "state": set()}


class Referee:
    def __init__(self):
        self.game = None

    def answer(self, line):
        try:
            return {"ok": True, **self.handle(line)}
        except Refused as refused:
            code = sorted(refused.codes, key=lambda c: (c == "bad_request", c))[0]
            return {"ok": False, "error": {"code": code, "message": str(refused)}}

    def handle(self, line):
        try:
            request = json.loads(line)
        except ValueError:
            raise Refused("bad_request") from None
        if not isinstance(request, dict) or request.get("op") not in FIELDS:
            raise Refused("bad_request")
        op = request.pop("op")
        if not NEEDED.get(op, set()) <= set(request) <= FIELDS[op]:
            raise Refused("bad_request")
        if self.game is None and op not in ("new", "set"):
            raise Refused("bad_request")
        return getattr(self, "op_" + op)(**request)

    def reply(self):
        return {"events": [], "state": self.game.state()}

    def op_new(self, rules=None, players=None, seed=0, dealer=None):
        self.game = Game.new(parse_rules(rules), players, dealer, RandomSource(seed))
        return self.reply()

    def op_set(self, rules=None, position=None, seed=0):
        self.game = parse_position(parse_rules(rules), position, RandomSource(seed))
        return self.reply()

    def op_act(self, seat=None, action=None):
        self.game.act(seat, action)
        return self.reply()

    def op_penalize(self, seat=None):
        self.game.penalize(seat)
        return self.reply()

    def op_next_round(self):
        self.game.next_round()
        return self.reply()

    def op_legal(self):
        return {"legal": self.game.legal()}

    def op_view(self, seat=None):
        if seat is not None and not (is_int(seat) and 0 <= seat < self.game.players):
            raise Refused("bad_seat")
        return {"view": self.game.view(seat), "events": []}

    def op_state(self):
        return self.reply()


def main():
    referee = Referee()
    for line in sys.stdin:
        print(json.dumps(referee.answer(line)), flush=True)


if __name__ == "__main__":
    main()
