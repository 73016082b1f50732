"""The processes that operations have started."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterator

_TICKS = os.sysconf("SC_CLK_TCK")
_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


def now() -> int:
    """Return the time in the unit in which `/proc` says when processes were started."""
    return int(time.clock_gettime(_CLOCK) * _TICKS)


def signal_descendants(number: int, since: int = 0) -> None:
    """Signal all processes below this one that were started since then, each by itself.

    Passes over those with a session of their own, which are meant to live on. Does nothing where
    there is no `/proc`.
    """
    session = os.getsid(0)
    for pid, started in _descendants():
        with contextlib.suppress(OSError):
            if started >= since and os.getsid(pid) == session:
                os.kill(pid, number)


def kill_descendants() -> None:
    """Kill all processes below this one, except those with a session of their own."""
    signal_descendants(signal.SIGKILL)


def _descendants() -> Iterator[tuple[int, int]]:
    """Return the processes below this one, and when they were started."""
    children: dict[int, list[tuple[int, int]]] = {}
    for pid in _processes():
        with contextlib.suppress(OSError, ValueError, IndexError):
            parent, started = _status(pid)
            children.setdefault(parent, []).append((pid, started))
    pending = children.pop(os.getpid(), [])
    while pending:
        child = pending.pop()
        pending += children.pop(child[0], [])
        yield child


def _processes() -> list[int]:
    with contextlib.suppress(OSError):
        return [int(name) for name in os.listdir("/proc") if name.isdigit()]
    return []


def _status(pid: int) -> tuple[int, int]:
    """Return a process's parent, and when it was started."""
    with open(f"/proc/{pid}/stat", "rb") as file:
        fields = file.read().rpartition(b")")[2].split()
    return int(fields[1]), int(fields[19])
