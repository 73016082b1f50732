"""The steps that end an executing operation."""

from __future__ import annotations

import signal
import time
from typing import Any

from ._calls import Caller
from ._execution import Execution
from ._interrupts import Interrupts
from ._processes import signal_descendants


class Teardown:
    """Takes the steps of a `cancel`, each in its time, until the operation has ended."""

    def __init__(self, execution: Execution, steps: Any) -> None:
        self.execution = execution
        self._began = time.monotonic()
        self._steps: list[tuple[float, int]] = []
        """When each is due, and its signal, or 0 for a message."""
        due = self._began
        for step in steps if isinstance(steps, list) else ():
            if isinstance(step, dict):
                number = step.get("signal") if step.get("step") == "signal" else 0
                if isinstance(number, int):
                    self._steps.append((due, number))
                grace = step.get("grace")
                due += grace / 1000 if isinstance(grace, (int, float)) else 0

    @property
    def pause(self) -> float | None:
        """Seconds until the next step is due, or None after the last."""
        return max(self._steps[0][0] - time.monotonic(), 0) if self._steps else None

    def take_step(self, caller: Caller, interrupts: Interrupts) -> None:
        """Take the next step."""
        _, number = self._steps.pop(0)
        self._note(number)
        stop(self.execution, number, caller, interrupts)

    def _note(self, number: int) -> None:
        step: dict[str, Any] = {"step": "signal", "signal": number} if number else {
            "step": "message"
        }
        step["after"] = round((time.monotonic() - self._began) * 1e6)
        self.execution.steps_taken.append(step)


def stop(execution: Execution, number: int, caller: Caller, interrupts: Interrupts) -> None:
    """Ask an operation to stop, or interrupt it and signal the processes that it has started."""
    was_asked = execution.asked.is_set()
    execution.asked.set()
    asks_task = caller.cancel_task()
    if number:
        signal_descendants(number, since=execution.began)
        # A coroutine is cancelled first: an exception could leave its loop in a bad state.
        if was_asked or not asks_task:
            interrupts.interrupt()


def step_name(step: dict[str, Any]) -> str:
    """Return the name that `cancelled` gives to a step."""
    if step["step"] == "message":
        return "message"
    try:
        return signal.Signals(step["signal"]).name
    except ValueError:
        return f"signal {step['signal']}"
