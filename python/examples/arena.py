"""A bot of one's own in the arena: it saves its wilds for last."""

from typing import Any

import unum_game as unum


class WildsLast:
    """Plays a colored card while it can."""

    def act(self, seen: unum.Seen) -> dict[str, Any]:
        def cost(action: dict[str, Any]) -> int:
            if action["type"] != "play":
                return 2
            return 1 if action["card"].startswith("W") else 0

        action = min(seen.legal, key=cost)
        leaves = len(seen.hand) - 1
        return {**action, "uno": True} if action["type"] == "play" and leaves == 1 else action


result = unum.arena([("wilds last", WildsLast), "normal", "random"], deals=100)
for row in result.rows():
    print(f"{row['side']:12} wins {row['wins']:.3f} ({row['wins_low']:.3f} to {row['wins_high']:.3f})")
