"""What an executing operation may ask and say."""

from __future__ import annotations

import operator
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from ._inputs import Input

_PROGRESS_INTERVAL = 0.02
_MOST_LOG = 65_536


class Cancelled(BaseException):
    """The operation was asked to stop; `except Exception` does not catch it."""


class Progress:
    """How far an operation is: `yield Progress(completed, total)`, integers in any unit."""

    __slots__ = ("completed", "total")

    def __init__(self, completed: int, total: int) -> None:
        self.completed = _integer(completed)
        self.total = _integer(total)


class Log:
    """A line for people: `yield Log("the text")`."""

    __slots__ = ("message",)

    def __init__(self, message: str) -> None:
        self.message = str(message)


class Context:
    """The operation that executes: a kind's second argument. Any of its threads may use it."""

    operation: int
    """The operation's number in its run."""
    attempt: int
    """Which execution of the operation this is, from 1."""
    kind: str
    """The kind that was asked for."""
    name: str | None
    """The operation's name, such as the `id` of a manifest's line."""
    queue: str | None
    """The name of its queue."""
    inputs: Mapping[str, Input]
    """The products of its dependencies, by the names that the operation gives them."""
    worker: int
    """The worker's number in its pool."""
    slot: int | None
    """A number from 1 that no other worker has at the same time, to choose a device by."""

    def __init__(
        self, send: Callable[[dict[str, Any]], None], asked: threading.Event,
        fields: Mapping[str, Any],
    ) -> None:
        self.__dict__.update(fields)
        self._send = send
        self._asked = asked
        self._next_progress = 0.0

    @property
    def is_cancelled(self) -> bool:
        """Whether the operation was asked to stop."""
        return self._asked.is_set()

    def check_cancelled(self) -> None:
        """Raise `Cancelled` if the operation was asked to stop."""
        if self._asked.is_set():
            raise Cancelled("the operation was asked to stop")

    def sleep(self, seconds: float) -> None:
        """Sleep, and raise `Cancelled` as soon as the operation is asked to stop."""
        self._asked.wait(seconds)
        self.check_cancelled()

    def progress(self, completed: int, total: int) -> None:
        """Report how far the operation is; what comes within 20 ms of the last is dropped."""
        self._report(Progress(completed, total))

    def log(self, message: str) -> None:
        """Send a line for people."""
        text = str(message)[:_MOST_LOG].encode("utf-8", "backslashreplace").decode()
        self._send({"type": "log", "message": text})

    def take(self, item: object) -> None:
        """Send what a generator has yielded."""
        if isinstance(item, Progress):
            self._report(item)
        elif isinstance(item, Log):
            self.log(item.message)
        else:
            raise TypeError(f"a kind may yield Progress and Log, not {type(item).__name__}")

    def _report(self, item: Progress) -> None:
        now = time.monotonic()
        if now < self._next_progress and item.completed != item.total:
            return
        self._next_progress = now + _PROGRESS_INTERVAL
        self._send({"type": "progress", "completed": item.completed, "total": item.total})


def _integer(value: int) -> int:
    number = operator.index(value)
    if not -(1 << 63) <= number < 1 << 63:
        raise ValueError("progress must fit 64 bits")
    return number
