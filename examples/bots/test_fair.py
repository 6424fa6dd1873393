#!/usr/bin/env python3
"""A table that lies is caught by the example's Witness; one that does not is not accused. Plain unittest.

    python3 examples/bots/test_fair.py
"""
import copy, pathlib, sys, unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from fair import Witness, verify  # noqa: E402

SECRET, OTHER, PART = bytes(range(32)), bytes([9] * 32), bytes([7] * 32)
RULES = {"edition": "original"}


class Table:
    """As much of a table as a deal needs: we sit in seat 0, somebody else in seat 1."""

    def __init__(self, lie=lambda message: None):
        self.witness, self.lie = Witness(), lie
        self.bound = verify.commitment(SECRET).hex()
        self.theirs = verify.pledge(verify.commitment(SECRET), 1, 1, PART).hex()
        self.chairs = [{"person": 1, "ready": True}, {"person": 2, "ready": True}]

    def tell(self, message):
        message = copy.deepcopy(message)
        self.lie(message)
        return self.witness.hear(message)

    def lobby(self, stage="lobby", next=None, **fair):
        return {"stage": stage, "chairs": self.chairs, "fair": {"next": next or self.bound, "attempt": 1, **fair}}

    def update(self, kind, lobby, about={}, **more):
        return self.tell({"type": "update", "seq": 1, "what": {"type": kind, **about}, "lobby": lobby, **more})

    def play(self):
        """One round, from sitting down to the scores."""
        self.tell({"type": "welcome", "you": 1})
        terms = {"settings": {"rules": RULES}}
        self.tell({"type": "snapshot", "seq": 1, "terms": terms, "lobby": self.lobby()})
        pledges = [self.witness.pledge(), self.theirs]
        self.update("ready", self.lobby(pledges=pledges))
        opened = self.update("pledges_closed", self.lobby(pledges=pledges, dealing={"step": "open", "waiting": [0, 1]}))
        part = opened[0][1]["part"] if opened else "00" * 32
        waiting = {"step": "open", "waiting": [1]}
        self.update("part_opened", self.lobby(pledges=pledges, dealing=waiting), {"seat": 0})
        deal = {"secret": SECRET.hex(), "entropy": [part, PART.hex()]}
        dealt = next(verify.rounds({"rules": RULES, "players": 2, "deals": [deal]}))
        game = {"round": 1, "view": {"dealer": dealt["dealer"]}}
        events = [{"type": "dealt", "seat": 0, "cards": dealt["hands"][0]}]
        self.update("dealt", self.lobby("playing", dealt=self.bound), {"round": 1}, game=game, events=events)
        over = self.lobby("scores", next="11" * 32, dealt=self.bound, revealed=deal)
        self.update("committed", over)
        return self.witness


def fair(message):
    return message.get("lobby", {}).get("fair", {})


def revealed(change):
    def lie(message):
        if "revealed" in fair(message):
            change(fair(message))
    return lie


class Lies(unittest.TestCase):
    def found(self, lie):
        return " / ".join(Table(lie).play().alarms)

    def test_a_fair_table_is_not_accused(self):
        witness = Table().play()
        self.assertEqual((witness.alarms, witness.not_compared), ([], []))

    def test_another_secret(self):
        lie = revealed(lambda fair: fair["revealed"].update(secret=OTHER.hex()))
        self.assertIn("the secret does not fit", self.found(lie))

    def test_a_late_commitment(self):
        def late(fair):
            fair["revealed"].update(secret=OTHER.hex())
            fair.update(dealt=verify.commitment(OTHER).hex())
        self.assertIn("exchanged its commitment", self.found(revealed(late)))

        def before_opening(message):
            if "dealing" in fair(message):
                fair(message)["next"] = verify.commitment(OTHER).hex()
        self.assertIn("exchanged its commitment", self.found(before_opening))

    def test_a_dropped_part(self):
        lie = revealed(lambda fair: fair["revealed"]["entropy"].__setitem__(0, None))
        self.assertIn("our part was not used", self.found(lie))
        lie = revealed(lambda fair: fair["revealed"]["entropy"].__setitem__(1, OTHER.hex()))
        self.assertIn("the part of seat 1 is not the one", self.found(lie))

    def test_swapped_cards(self):
        def lie(message):
            for event in message.get("events", []):
                event["cards"] = ["W"] * 7
        self.assertIn("our cards do not follow", self.found(lie))

    def test_a_round_that_is_not_revealed(self):
        def lie(message):
            if "revealed" in fair(message):
                message["lobby"]["stage"] = "lobby"
                del fair(message)["revealed"], fair(message)["dealt"]
        self.assertIn("was not revealed", self.found(lie))

    def test_nothing_stored(self):
        table = Table()
        witness = table.play()
        fresh = Witness()
        fresh.hear({"type": "welcome", "you": 1})
        game = {"round": 1, "view": {"dealer": 0}}
        playing = table.lobby("playing", dealt=table.bound)
        fresh.hear({"type": "snapshot", "terms": {"settings": {"rules": RULES}}, "lobby": playing, "game": game})
        deal = {"secret": SECRET.hex(), "entropy": ["00" * 32, PART.hex()]}
        fresh.hear({"type": "update", "what": {"type": "committed"},
                    "lobby": table.lobby("scores", dealt=table.bound, revealed=deal)})
        self.assertEqual((fresh.alarms, fresh.not_compared), ([], [1]))
        self.assertEqual(witness.alarms, [])


if __name__ == "__main__":
    unittest.main()
