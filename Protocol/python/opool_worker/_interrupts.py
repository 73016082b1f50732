"""Interruptions of the operation's code, wherever the main thread is."""

from __future__ import annotations

import signal
import threading
from types import CodeType, FrameType

from ._context import Cancelled


class Interrupts:
    """Raises `Cancelled` in the operation's code on the main thread, as Python does for Ctrl-C.

    A signal of the process itself does that, so that it ends what the thread waits for. It is none
    of those by which workers are ended: they do what they would without this.
    """

    SIGNAL = signal.SIGUSR2

    def __init__(self, code: CodeType) -> None:
        self._code = code
        """That of the function below which there is the operation's code."""
        self._thread = threading.get_ident()
        self._is_hidden = False
        self._is_pending = False

    def install(self) -> None:
        """Take over the signal, on the main thread."""
        signal.signal(self.SIGNAL, self._receive)
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())

    def interrupt(self) -> None:
        """Interrupt the operation's code; from another thread."""
        signal.pthread_kill(self._thread, self.SIGNAL)

    def hide(self) -> None:
        """Hold back interruptions until `show`: a frame must not be cut in two."""
        if threading.get_ident() == self._thread:
            self._is_hidden = True

    def show(self) -> None:
        """Interrupt the operation now, if that was held back."""
        if threading.get_ident() == self._thread:
            self._is_hidden = False
            if self._is_pending:
                self._raise()

    def forget(self) -> None:
        """Forget what an operation has not noticed; before the next one."""
        self._is_pending = False

    def _receive(self, number: int, frame: FrameType | None) -> None:
        if self._is_hidden:
            self._is_pending = True
            return
        # Only there is the exception caught. No flag could say that: between any two instructions,
        # the thread may have left the operation's code.
        while frame:
            if frame.f_code is self._code:
                self._raise()
            frame = frame.f_back

    def _raise(self) -> None:
        self._is_pending = False
        raise Cancelled("the operation was interrupted")
