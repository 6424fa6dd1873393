"""Takes part in fair dealing for a client, and checks what the table reveals: docs/fairness.md in Python.

Show a Witness every message in order, and send the requests it returns. Its `alarms` say what is wrong with a deal; a
round about which nothing was stored is in `not_compared`. It believes nothing the table says about itself.
"""
import pathlib, secrets, sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import verify  # noqa: E402


class Witness:
    def __init__(self):
        self.me, self.seat, self.rules, self.next, self.gap = None, None, None, None, True
        self.own = None    # (commitment, attempt, seat), part and whether it was sent and opened
        self.seen = None   # what was published when parts were opened
        self.hand = None   # the cards we were dealt
        self.round = None  # the round that is played
        self.alarms, self.not_compared, self.used = [], [], []

    def pledge(self):
        """What `ready` and `start` carry; None as long as there is nothing to pledge for."""
        return self._pledge(self._part((*self.next, self.seat))) if self.next and self.seat is not None else None

    def _part(self, place):
        if not self.own or self.own["place"] != place:
            self.own = {"place": place, "part": secrets.token_bytes(32), "published": False, "sent": False, "opened": False}
        return self.own

    def _pledge(self, own):
        commitment, attempt, seat = own["place"]
        return verify.pledge(bytes.fromhex(commitment), attempt, seat, own["part"]).hex()

    def hear(self, message):
        """Looks at a message. Returns the requests to send, as (type, fields)."""
        what = message.get("what", {})
        if message["type"] == "welcome":
            self.me, self.gap, self.hand = message["you"], True, None
            if self.own:
                self.own["published"] = False
        if what.get("type") == "dealt":
            self.hand = next((event["cards"] for event in reversed(message.get("events", []))
                              if event["type"] == "dealt" and event["seat"] == self.seat and "cards" in event), None)
        if what.get("type") == "stood_in" and what["seat"] == self.seat:
            self.own = None  # a bot plays there from now on, and nobody waits for our part
        if what.get("type") == "part_opened" and self.seen and what["seat"] == self.seat:
            self.seen["heard"] = self.seen["own"] is not None
        if what.get("type") == "withheld" and self.seat in what["seats"]:
            unasked = not self.gap and self.own and self.own["published"] and not self.own["opened"]
            if unasked or self.seen and self.seen["heard"]:
                self.alarms.append("our part was not used")
        if message["type"] == "snapshot":
            self.rules = message["terms"]["settings"]["rules"]
        requests = self._look(message["lobby"], message.get("game")) if "lobby" in message else []
        if "terms" in message:
            self.rules = message["terms"]["settings"]["rules"]
        return requests

    def _look(self, lobby, game):
        fair, stage = lobby["fair"], lobby["stage"]
        self.seat = next((seat for seat, chair in enumerate(lobby["chairs"]) if chair["person"] == self.me), None)
        plays = self.seat is not None and "away" not in lobby["chairs"][self.seat]
        if self.own and not (plays and self.own["place"][2] == self.seat):
            self.own = None  # a part is for one seat, and for somebody who plays there
        if self.round and not (stage == "playing" and fair.get("dealt") == self.round["commitment"]):
            self._conclude(fair, stage, plays)
        if self.seen and "dealing" not in fair and stage != "playing":
            self._break_off(fair)
        if stage == "playing" and not self.round and game and "dealt" in fair:
            self._begin(fair, game, plays)
        if stage != "playing":
            self.hand = None  # cards of a round that was over before anything else was told of it
        requests = self._take_part(fair) if stage != "playing" else []
        self.next, self.gap = (fair["next"], fair["attempt"]), False
        return requests

    def _take_part(self, fair):
        dealing, place = fair.get("dealing"), (fair["next"], fair["attempt"], self.seat)
        published = (fair.get("pledges") or [None] * 10)[self.seat] if self.seat is not None else None
        if self.own and self.own["place"][0] == fair["next"] and published == self._pledge(self.own):
            self.own["published"] = True
        if not dealing:
            return []
        awaited = self.seat in dealing["waiting"]
        if dealing["step"] == "pledge":
            self.seen = None
            if awaited and not self._part(place)["sent"]:
                self.own["sent"] = True
                return [("pledge", {"pledge": self._pledge(self.own)})]
            return []
        now = {"commitment": fair["next"], "attempt": fair["attempt"], "pledges": fair.get("pledges") or [],
               "own": None, "heard": False, "gap": False}
        if not self.seen or (self.seen["commitment"], self.seen["attempt"]) != (now["commitment"], now["attempt"]):
            self.seen = now
        elif self.seen["pledges"] != now["pledges"]:
            self.alarms.append("the pledges changed after they were published")
            return []
        if not awaited or not self.own:
            return []
        if self.own["place"] == place and published == self._pledge(self.own):
            self.seen["own"] = (self.seat, self.own["part"].hex())
            if not self.own["opened"]:
                self.own["opened"] = True
                return [("open", {"part": self.own["part"].hex()})]
        elif self.own["published"] or published == self._pledge(self.own):
            same = self.own["place"] == place
            self.alarms.append("our pledge was exchanged" if same else "the table exchanged its commitment")
        return []

    def _begin(self, fair, game, plays):
        commitment, seen = fair["dealt"], self.seen
        if not seen and self.next and not self.gap:
            seen = {"commitment": self.next[0], "attempt": 1, "pledges": [], "own": None, "heard": False, "gap": False}
        if commitment in self.used and not self.gap:
            self.alarms.append("the table used a secret for a second time")
        if seen and seen["commitment"] != commitment:
            if seen["own"] and not self.gap:
                self.alarms.append("the table exchanged its commitment")
            seen = None
        skipped = self.own and self.own["published"] and not self.own["opened"] and self.own["place"][0] == commitment
        if skipped and plays and not self.gap:
            self.alarms.append("our part was not used")
        if seen:
            seen["gap"] = self.gap
        self.used = [*self.used[-63:], commitment]
        self.round = {"commitment": commitment, "seen": seen, "seat": self.seat, "hand": self.hand, "rules": self.rules,
                      "number": game["round"], "dealer": game["view"]["dealer"]}
        self.seen = self.own = self.hand = None

    def _conclude(self, fair, stage, plays):
        round, self.round, deal = self.round, None, fair.get("revealed")
        if stage == "playing" or not deal:
            if plays and not self.gap and stage != "closed":
                self.alarms.append("a round ended and its secret was not revealed")
            return
        if fair.get("dealt") != round["commitment"]:
            if self.gap:
                return
            self.alarms.append("the table exchanged its commitment")
        self._check(round["commitment"], round["seen"], deal)
        if round["seen"] is None or round["seen"]["gap"] and deal.get("attempt", 1) != round["seen"]["attempt"]:
            self.not_compared.append(round["number"])
        self._check_cards(round, deal)

    def _break_off(self, fair):
        seen, self.seen, deal = self.seen, None, fair.get("revealed")
        seen["gap"] = self.gap  # after a gap it may have been dealt in another attempt, and the round be over
        if deal and fair.get("dealt") == seen["commitment"]:
            self._check(seen["commitment"], seen, {**deal, "withheld": list(range(10))})
        elif not self.gap:
            self.alarms.append("a deal was broken off and its secret was not revealed")

    def _check(self, commitment, seen, deal):
        attempt = deal.get("attempt", 1)
        if verify.commitment(bytes.fromhex(deal["secret"])).hex() != commitment:
            self.alarms.append("the secret does not fit the commitment")
        if not seen or seen["gap"] and attempt != seen["attempt"]:
            return
        pledges = seen["pledges"] if attempt == seen["attempt"] else []
        for seat, part in enumerate(deal["entropy"]):
            pledged = pledges[seat] if seat < len(pledges) else None
            used = part and verify.pledge(bytes.fromhex(commitment), attempt, seat, bytes.fromhex(part)).hex()
            if used and used != pledged:
                self.alarms.append(f"the part of seat {seat} is not the one that was pledged")
            if pledged and not used and seat not in deal.get("withheld", []):
                self.alarms.append(f"the part of seat {seat} was left out without a word")
        if seen["heard"] and attempt == seen["attempt"] and deal["entropy"][seen["own"][0]] != seen["own"][1]:
            self.alarms.append("our part was not used")

    def _check_cards(self, round, deal):
        if not round["hand"] or not round["rules"] or round["seat"] is None:
            return
        record = {"rules": round["rules"], "players": len(deal["entropy"]), "deals": [deal]}
        if round["number"] > 1:
            record["dealer"] = round["dealer"]
        again = next(verify.rounds(record))
        if again["dealer"] != round["dealer"]:
            self.alarms.append("another player dealt than the rules say")
        if sorted(again["hands"][round["seat"]]) != sorted(round["hand"]):
            self.alarms.append("our cards do not follow from the secret and the parts")
