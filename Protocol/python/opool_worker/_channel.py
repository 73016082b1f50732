"""The stream of frames to the coordinator."""

from __future__ import annotations

import threading
from typing import Any

from ._frames import FRAME_LIMIT, frame
from ._streams import write_all

MAGIC = b"OPOOL-WORKER 1\n"


class Channel:
    """Sends messages, whole and in order, from any thread.

    What must not come between a change of the worker's state and its message holds `lock`. When the
    coordinator is gone, messages are dropped: the end of the input then ends the worker.
    """

    def __init__(self, descriptor: int) -> None:
        self.lock = threading.RLock()
        self.limit = FRAME_LIMIT
        self._descriptor = descriptor
        self._is_open = True

    def send(self, message: dict[str, Any]) -> None:
        """Send a message; raises as `frame` does, and then has sent nothing."""
        self.write(frame(message, self.limit))

    def write(self, data: bytes) -> None:
        """Write bytes of whole frames, or the magic line."""
        with self.lock:
            if self._is_open and data:
                try:
                    write_all(self._descriptor, data)
                except OSError:
                    self._is_open = False
