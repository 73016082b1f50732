"""An operation that the worker has been given."""

from __future__ import annotations

import threading
from typing import Any

from ._frames import Unreadable, Violation
from ._inputs import Input, read_inputs


class Execution:
    """One `execute` message: read, and its numbers kept for all answers."""

    def __init__(self, message: dict[str, Any]) -> None:
        self.operation = number(message, "operation")
        self.dispatch = number(message, "dispatch")
        self.payload = message.get("payload")
        self.kind = ""
        self.attempt = 1
        self.inputs: dict[str, Input] = {}
        self.name: str | None = None
        self.queue: str | None = None
        self.problem: str | None = None
        """Why the message cannot be executed: the answer then is a failure."""
        self.is_cancelled = False
        """Whether a `cancel` came while it executed."""
        self.began = 0
        """When its function was called, as `_processes.now` says."""
        self.steps_taken: list[dict[str, Any]] = []
        """What the worker did to end it."""
        self.is_abandoned = False
        """Whether the conversation ended while it executed: a cancellation has no answer then."""
        self.is_over = False
        """Whether its function has returned: nothing but the answer may be sent."""
        self.asked = threading.Event()
        """Set when it is to stop."""
        try:
            self._read(message)
        except ValueError as error:
            self.problem = str(error)

    @property
    def key(self) -> tuple[int, int]:
        """What requests about this operation have to name."""
        return self.operation, self.dispatch

    def message(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Return a message about this operation."""
        return {"type": kind, "operation": self.operation, "dispatch": self.dispatch, **fields}

    def _read(self, message: dict[str, Any]) -> None:
        self.name = _text(message, "name")
        self.queue = _text(message, "queue")
        self.kind = _text(message, "kind") or ""
        self.attempt = number(message, "attempt", default=1)
        self.inputs = read_inputs(message.get("inputs"))
        if message.get("packed"):
            raise ValueError("the payload is an attachment, which this worker does not take")
        if isinstance(self.payload, Unreadable):
            raise ValueError(f"the payload cannot be read: {self.payload.why}")


def number(message: dict[str, Any], field: str, default: int | None = None) -> int:
    """Return an integer of a message; raises `Violation` if it is required and absent or none."""
    value = message.get(field)
    if type(value) is int:
        return value
    if default is None:
        raise Violation(f"{message['type']} has no integer {field}")
    if value is not None:
        raise ValueError(f"the field {field} is no integer")
    return default


def _text(message: dict[str, Any], field: str) -> str | None:
    value = message.get(field)
    if value is None or isinstance(value, str):
        return value
    raise ValueError(f"the field {field} is no string")
