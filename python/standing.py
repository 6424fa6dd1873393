"""How players that others have published stand beside the levels: `cargo xtask standing [PLAYER.npz ...]`.

Everybody plays by RLCard's rules, as far as unum has them: two players, a Wild Draw Four only without a card of the color, no
challenges, no calls of "UNO". A network of examples/learn plays, too, if its file is given.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, Sequence

import numpy as np
from rlcard.models.uno_rule_models import UNORuleAgentV1

import unum_game as unum
from unum_game.rlcard import _card_name

sys.path.insert(0, str(Path(__file__).parent / "examples" / "learn"))

RULES = unum.Rules("original", house={"no_bluffing": True, "uno_penalty": 0})


def call(action: dict[str, Any], color: str) -> bool:
    return bool(action.get("color", color) == color)


class WildsLast:
    """A random card that fits, a wild only if nothing else does; the color it holds most of."""

    def __init__(self) -> None:
        self.renew(0)

    def renew(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)

    def act(self, seen: unum.Seen) -> dict[str, Any]:
        legal = seen.legal
        plays = [action for action in legal if action["type"] == "play"]
        colored = [action for action in plays if not action["card"].startswith("W")]
        if colored:
            return colored[self.random.integers(len(colored))]
        held = [sum(card[0] == color[0].upper() for card in seen.hand) for color in seen.rules.colors]
        color = seen.rules.colors[int(np.argmax(held))]
        rest = [action for action in plays or legal if call(action, color)]
        return rest[self.random.integers(len(rest))]


class RuleV1:
    """RLCard's own agent `uno-rule-v1`, told what RLCard would tell it."""

    def __init__(self) -> None:
        self.agent = UNORuleAgentV1()

    def renew(self, seed: int) -> None:
        # It draws from NumPy's global generator, so it plays in one thread.
        np.random.seed(seed % (1 << 32))

    def act(self, seen: unum.Seen) -> dict[str, Any]:
        legal = seen.legal
        plays = {
            _card_name(action["card"], action.get("color")): action for action in legal if action["type"] == "play"
        }
        if any(action["type"] == "keep" for action in legal):
            # RLCard plays a card just drawn by itself, a wild in any color.
            return list(plays.values())[np.random.randint(len(plays))]
        if any(action["type"] == "call_color" for action in legal):
            counts = self.agent.count_colors(self.agent.filter_wild([_card_name(card) for card in seen.hand]))
            most = max(counts, key=lambda color: int(counts[color]))
            return next(action for action in legal if action["color"][0] == most)
        if not plays:
            return legal[0]
        # There, a Wild Draw Four is offered only where nothing else is.
        names = [name for name in plays if not name.endswith("wild_draw_4")] or list(plays)
        hand = [_card_name(card) for card in seen.hand]
        chosen = self.agent.step({"raw_legal_actions": names, "raw_obs": {"hand": hand}})
        return plays[str(chosen)]


def duel(player: Any, other: Any, deals: int) -> str:
    row = unum.arena([player, other], RULES, deals=deals, threads=1).rows()[0]
    return f"{100 * row['wins']:.1f} % ±{50 * (row['wins_high'] - row['wins_low']):.1f}"


def table(learned: Sequence[str], deals: int) -> list[str]:
    players: list[tuple[str, Any]] = [
        ("`random`", "random"),
        ("RLCard's `uno-rule-v1`", RuleV1),
        ("wilds last", WildsLast),
        ("`easy`", "easy"),
        ("`normal`", "normal"),
        ("`hard`", "hard"),
        ("`expert:100w`", "expert:100w"),
    ]
    for path in learned:
        from player import Player  # type: ignore[import-not-found,unused-ignore]

        players.append((f"learned, {Path(path).parent.name}", Player(path)))
    others = [players[0], players[1], players[5]]
    lines = ["| | " + " | ".join(f"against {name}" for name, _ in others) + " |", "| --- " * (len(others) + 1) + "|"]
    for name, player in players:
        # Slow players play fewer deals: the intervals say so.
        own = deals // 10 if name.startswith("`expert") else deals
        cells = ["" if name == other else duel(("player", player), ("other", rival), own) for other, rival in others]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("learned", nargs="*", help="networks of examples/learn: FOLDER/player.npz")
    parser.add_argument("--deals", type=int, default=10_000)
    given = parser.parse_args()
    print(f"{given.deals:,} deals each, played from both seats; even is 50 %")
    for line in table(given.learned, given.deals):
        print(line, flush=True)


if __name__ == "__main__":
    main()
