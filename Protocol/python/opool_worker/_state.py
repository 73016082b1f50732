"""What the worker has been given and executes, shared by its two threads."""

from __future__ import annotations

import os
import threading
from queue import SimpleQueue
from typing import Any

from ._calls import Caller
from ._channel import Channel
from ._execution import Execution
from ._frames import frame
from ._interrupts import Interrupts
from ._processes import kill_descendants
from ._streams import say
from ._teardown import Teardown, stop

# Seconds; a coordinator kills a worker that lives 2 s after the end of its input.
_ASKED = 0.2
_INTERRUPTED = 1.0
_LAST = 0.5


class State:
    """Prefetched operations, the executing one, and whether the conversation has ended.

    Each change and its message are made under the channel's lock, so that messages come in the
    order of what happened.
    """

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self.caller = Caller()
        self.interrupts = Interrupts(Caller.call.__code__)
        self.stopped = threading.Event()
        self.worker = 0
        self.slot: int | None = None
        self.mark: int | None = None
        self.status = 0
        self._pending: dict[tuple[int, int], Execution] = {}
        self._executing: Execution | None = None
        self._latest = -1
        self._teardown: Teardown | None = None
        self._is_ending = False
        self._is_draining = False
        self._is_waiting = False
        self._wakeups: SimpleQueue[None] = SimpleQueue()

    # The main thread's side.

    def next(self, answer: bytes) -> Execution | None:
        """Send the answer to the last operation, and begin the next, in one call if it is there.

        Waits for it otherwise; returns None when there will be none.
        """
        while True:
            with self.channel.lock:
                execution = None if self._is_ending else self._take()
                if execution:
                    answer += frame(execution.message("executing"), self.channel.limit)
                self._executing = execution
                self.channel.write(answer)
                if execution or self._is_ending or self._is_draining:
                    return execution
                self._is_waiting = True
                answer = b""
            self._wakeups.get()

    def _take(self) -> Execution | None:
        for key in self._pending:
            return self._pending.pop(key)
        return None

    # The reading thread's side.

    def add(self, execution: Execution) -> None:
        """Put an operation behind the others, unless a link has brought it twice."""
        with self.channel.lock:
            if execution.dispatch > self._latest:
                self._latest = execution.dispatch
                self._pending[execution.key] = execution
                self._wake()

    def take_back(self, key: tuple[int, int], answer: str) -> bool:
        """Answer a prefetched operation and forget it; returns whether there was one."""
        with self.channel.lock:
            execution = self._pending.pop(key, None)
            if execution:
                self.channel.send(execution.message(answer))
            return execution is not None

    def cancel(self, key: tuple[int, int], steps: Any) -> None:
        """Cancel an operation: a prefetched one at once, the executing one by these steps."""
        with self.channel.lock:
            execution = self._executing
            if not self.take_back(key, "cancelled") and execution and execution.key == key:
                execution.is_cancelled = True
                self._teardown = Teardown(execution, steps)

    def take_due_steps(self) -> float | None:
        """Take the steps that are due, and return the seconds until the next, if there is one."""
        while True:
            with self.channel.lock:
                teardown = self._teardown
                pause = teardown.pause if teardown else None
                if not teardown or teardown.execution is not self._executing or pause is None:
                    self._teardown = None
                    return None
                if pause > 0:
                    return pause
                # Under the lock, so that no step meets the next operation.
                teardown.take_step(self.caller, self.interrupts)

    def drain(self) -> None:
        """Let the main thread end when all operations are answered."""
        with self.channel.lock:
            self._is_draining = True
            self._wake()

    def end(self, reason: str | None) -> None:
        """End the executing operation and the process: does not return."""
        with self.channel.lock:
            self._is_ending = True
            execution = self._executing
            if reason:
                say(reason)
            if reason or execution:
                self.status = 1
            if execution:
                execution.is_cancelled = execution.is_abandoned = True
            self._wake()
        if execution:
            stop(execution, 0, self.caller, self.interrupts)
            if not self.stopped.wait(_ASKED):
                self.interrupts.interrupt()
        self.stopped.wait(_INTERRUPTED)
        threading.Event().wait(_LAST)
        # The operation does not stop, or what follows `serve` does not.
        kill_descendants()
        os._exit(1)

    def _wake(self) -> None:
        if self._is_waiting:
            self._is_waiting = False
            self._wakeups.put(None)
