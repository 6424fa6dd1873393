"""Exceptions, with the engine's sentences, codes and rule ids."""

from __future__ import annotations

from typing import Optional


class UnumError(ValueError):
    """Something that unum refuses. The text says what was wrong and what would be right."""

    #: A stable code of docs/referee.md, where there is one.
    code: Optional[str]
    #: The id of the rule behind it, where there is one: `unum rules ID` explains it.
    rule: Optional[str]

    def __init__(self, message: str, code: Optional[str] = None, rule: Optional[str] = None) -> None:
        super().__init__(message)
        self.code = code
        self.rule = rule

    def __reduce__(self) -> tuple[type, tuple[str, Optional[str], Optional[str]]]:
        return (type(self), (str(self), self.code, self.rule))


class Refusal(UnumError):
    """The rules do not allow this action now. Nothing has changed."""


class RulesError(UnumError):
    """There are no such rules, or that many cannot play by them."""


class PositionError(UnumError):
    """No game by these rules could look like that."""


class RecordError(UnumError):
    """A record that cannot be read, or is not what was played."""


class RequestError(UnumError):
    """A value that has no meaning here."""


class IllegalAction(UnumError):
    """An action id that the mask does not offer. Nothing has changed."""
