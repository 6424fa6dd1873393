"""UNO for research: exact rules, bots, arenas and learning environments.

>>> import unum_game as unum
>>> match = unum.Match("original", players=3, seed=7)
>>> len(match.hand(0))
7
>>> while not match.round_over:
...     seat = match.seat
...     match.apply(seat, match.legal(seat)[0])
>>> match.result["winner"] in (0, 1, 2)
True

Values are those of docs/referee.md: cards are texts such as ``"R7"`` and ``"W+4"``, actions, views, events and states are
dictionaries. Environments use numbers instead: see ``Encoding`` and docs/encoding.md.
"""

from __future__ import annotations

from ._native import (
    EDITIONS,
    ENCODING_VERSION,
    RULES_VERSION,
    Bot,
    Encoding,
    Explicit,
    Match,
    Record,
    Rules,
    Seen,
    Table,
    Vector,
    __version__,
    divide,
    perft,
    perft_references,
)
from .errors import IllegalAction, PositionError, RecordError, Refusal, RequestError, RulesError, UnumError
from .lab import (
    ArenaResult,
    SimulationResult,
    arena,
    arena_part,
    merge_arena,
    merge_simulation,
    simulate,
    simulate_part,
)
from .vector import VectorEnv

__all__ = [
    "EDITIONS",
    "ENCODING_VERSION",
    "RULES_VERSION",
    "ArenaResult",
    "Bot",
    "Encoding",
    "Explicit",
    "IllegalAction",
    "Match",
    "PositionError",
    "Record",
    "RecordError",
    "Refusal",
    "RequestError",
    "Rules",
    "RulesError",
    "Seen",
    "SimulationResult",
    "Table",
    "UnumError",
    "Vector",
    "VectorEnv",
    "__version__",
    "arena",
    "arena_part",
    "divide",
    "merge_arena",
    "merge_simulation",
    "perft",
    "perft_references",
    "simulate",
    "simulate_part",
]
