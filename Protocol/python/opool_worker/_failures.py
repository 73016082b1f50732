"""Exceptions of operations, as the protocol's `error`."""

from __future__ import annotations

import contextlib
import sys
import traceback
from typing import Any

from ._frames import encode, is_deeper

_MOST_MESSAGE = 4096
_MOST_TYPE = 1024
_MOST_VALUE = 65_536
_DEEPEST_VALUE = 256


class Failure(Exception):
    """A failure with a value for the caller; no traceback is printed for it.

    `value` is any JSON of at most 65,536 bytes. `declared` says that it has the shape of the error
    that a Swift caller's operation declares. A subclass's name is the failure's type.
    """

    def __init__(self, message: str, value: Any = None, *, declared: bool = False) -> None:
        super().__init__(message)
        self.value = value
        self.declared = declared


def describe(error: BaseException) -> dict[str, Any]:
    """Return the `error` of a `finished` message.

    The value is that of a `Failure`, otherwise the exception's arguments, if they say more than the
    message and have JSON.
    """
    description: dict[str, Any] = {
        "cause": "error",
        "message": _shortened(_message(error), _MOST_MESSAGE),
        "type": _shortened(_type_name(type(error)), _MOST_TYPE),
    }
    with contextlib.suppress(Exception):
        value = error.value if isinstance(error, Failure) else list(error.args)
        if value not in (None, [], [description["message"]]) and _fits(value):
            description["value"] = value
            if isinstance(error, Failure) and error.declared:
                description["declared"] = True
    return description


def print_traceback(error: BaseException) -> None:
    """Print the traceback to standard error, without this package's own part of it."""
    if isinstance(error, Failure):
        return
    with contextlib.suppress(Exception):
        traces = error.__traceback__
        while traces and traces.tb_frame.f_globals.get("__package__") == __package__:
            traces = traces.tb_next
        lines = traceback.format_exception(type(error), error, traces)
        sys.stderr.write("".join(lines))


def _message(error: BaseException) -> str:
    try:
        return str(error)
    except BaseException:  # noqa: B036 - whatever an exception's own text raises
        return "an exception whose text cannot be had"


def _type_name(kind: type) -> str:
    if kind.__module__ in ("builtins", "__main__") or kind is Failure:
        return kind.__qualname__
    return f"{kind.__module__}.{kind.__qualname__}"


def _shortened(text: str, most: int) -> str:
    """Return at most so many bytes of the text, as it can be sent."""
    return text[:most].encode("utf-8", "backslashreplace")[:most].decode("utf-8", "ignore")


def _fits(value: Any) -> bool:
    text = encode(value)
    return len(text.encode()) <= _MOST_VALUE and not is_deeper(text, _DEEPEST_VALUE)
