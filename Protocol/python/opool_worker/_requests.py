"""What the coordinator asks for: read on a thread of its own, also while an operation executes."""

from __future__ import annotations

import select
import signal
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ._execution import Execution, number
from ._frames import FrameReader, Violation, decode

if TYPE_CHECKING:
    from ._state import State

VERSION = 1


class Requests:
    """Reads messages until the input ends, and changes the worker's state as they ask."""

    def __init__(self, descriptor: int, state: State) -> None:
        self._reader = FrameReader(descriptor, self._wait)
        self._poll = select.poll()
        self._poll.register(descriptor, select.POLLIN)
        self._state = state
        self._handlers: dict[str, Callable[[dict[str, Any]], None]] = {
            "welcome": self._welcome,
            "execute": self._execute,
            "cancel": self._cancel,
            "recall": self._recall,
            "ping": self._ping,
            "drain": self._drain,
        }

    def read_all(self) -> None:
        """Read until the input ends, and then end the worker: does not return."""
        # Signals are for the main thread: they interrupt what it waits for.
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        reason = None
        try:
            while (body := self._reader.read()) is not None:
                self._handle(decode(body))
        except OSError:
            pass  # The coordinator is gone, as at the end of the input.
        except Violation as violation:
            reason = str(violation)
        except Exception as error:
            reason = f"cannot read on: {type(error).__name__}: {error}"
        self._state.end(reason)

    def _wait(self) -> None:
        """Take the steps of a cancellation, each in its time, until there is something to read."""
        while (pause := self._state.take_due_steps()) is not None:
            if self._poll.poll(pause * 1000 + 1):
                return

    def _handle(self, message: dict[str, Any]) -> None:
        kind = message.get("type")
        if not isinstance(kind, str):
            raise Violation("a frame has no type")
        handler = self._handlers.get(kind)
        if handler:
            handler(message)

    def _welcome(self, message: dict[str, Any]) -> None:
        state = self._state
        if number(message, "version") != VERSION:
            raise Violation(f"the coordinator speaks version {message['version']}")
        state.worker = number(message, "worker", default=0)
        state.slot = number(message, "slot", default=0) or None
        state.mark = number(message, "printMark") if message.get("printMark") is not None else None
        limit = number(message, "frameLimit", default=state.channel.limit)
        state.channel.limit = self._reader.limit = limit

    def _execute(self, message: dict[str, Any]) -> None:
        self._state.add(Execution(message))

    def _cancel(self, message: dict[str, Any]) -> None:
        self._state.cancel(_key(message), message.get("steps"))

    def _recall(self, message: dict[str, Any]) -> None:
        self._state.take_back(_key(message), "returned")

    def _ping(self, message: dict[str, Any]) -> None:
        self._state.channel.send({"type": "pong", "number": number(message, "number")})

    def _drain(self, message: dict[str, Any]) -> None:
        self._state.drain()


def _key(message: dict[str, Any]) -> tuple[int, int]:
    return number(message, "operation"), number(message, "dispatch")
