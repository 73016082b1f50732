"""Frames: four bytes with a length, and a body of that many, one JSON object and a line feed."""

from __future__ import annotations

import dataclasses
import json
import os
import re
from collections.abc import Callable
from itertools import accumulate
from typing import Any, NoReturn

FRAME_LIMIT = 67_174_400
DEEPEST = 512
_PIECE = 1 << 16
_ATTACHMENT = 1 << 31


class Violation(Exception):
    """The coordinator sent what it may not send: the worker cannot go on."""


class FrameReader:
    """Reads frames from a descriptor; `limit` is checked before there is room for a body."""

    def __init__(self, descriptor: int, wait: Callable[[], None] = lambda: None) -> None:
        self.limit = FRAME_LIMIT
        self._wait = wait
        """Called before each call that may wait for bytes."""
        self._descriptor = descriptor
        self._bytes = bytearray()

    def read(self) -> bytearray | None:
        """Return the next body, without its line feed, or None at the end of the input."""
        if not self._have(4):
            if self._bytes:
                raise Violation("the input ended within a frame")
            return None
        length = int.from_bytes(self._bytes[:4], "big")
        if length & _ATTACHMENT:
            raise Violation("an attachment came, which this worker has not offered to take")
        if length > self.limit:
            raise Violation(f"a frame of {length} bytes; at most {self.limit} are allowed")
        if not self._have(4 + length):
            raise Violation("the input ended within a frame")
        if length == 0 or self._bytes[3 + length] != 10:
            raise Violation("a frame does not end with a line feed")
        body = self._bytes[4 : 3 + length]
        del self._bytes[: 4 + length]
        return body

    def _have(self, count: int) -> bool:
        while (missing := count - len(self._bytes)) > 0:
            # Room is made as bytes arrive, not as the length promises.
            self._wait()
            piece = os.read(self._descriptor, min(max(missing, _PIECE), 1 << 20))
            if not piece:
                return False
            self._bytes += piece
        return True


def frame(message: dict[str, Any], limit: int) -> bytes:
    """Encode a message as a frame.

    Raises `ValueError` or `TypeError` if there is no strict JSON for it, if it is deeper than other
    readers take, or longer than the limit.
    """
    text = encode(message)
    body = text.encode()
    if len(body) >= limit:
        raise ValueError(f"{len(body)} bytes of JSON; a frame has room for {limit - 1}")
    if is_deeper(text, DEEPEST + 1):
        raise ValueError(f"arrays and objects are nested more than {DEEPEST} levels deep")
    return b"".join(((len(body) + 1).to_bytes(4, "big"), body, b"\n"))


def decode(body: bytes | bytearray) -> dict[str, Any]:
    """Decode a frame's body; raises `Violation` if it is not one strict JSON object."""
    try:
        message = _loads(body.decode())
    except RecursionError:
        raise Violation("a frame is nested too deeply") from None
    except ValueError as error:
        raise Violation(f"a frame is not JSON: {error}") from None
    if not isinstance(message, dict):
        raise Violation("a frame is not a JSON object")
    return message


def _loads(text: str) -> Any:
    try:
        return _decoder.decode(text)
    except json.JSONDecodeError:
        raise
    except ValueError as error:  # Python refuses integers of more than 4,300 digits.
        message = json.loads(text, parse_constant=_refuse, parse_int=_integer)
        if isinstance(message, dict):
            message["payload"] = Unreadable(str(error))
        return message


class Unreadable:
    """Stands for a payload that is JSON and that Python does not read; `why` it does not."""

    def __init__(self, why: str) -> None:
        self.why = why


def _integer(digits: str) -> int | None:
    try:
        return int(digits)
    except ValueError:
        return None


def _refuse(constant: str) -> NoReturn:
    raise json.JSONDecodeError(f"{constant} is not JSON", constant, 0)


def _plain(value: Any) -> Any:
    """Return what stands for the value in JSON: a data class's fields, NumPy's list or number."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {each.name: getattr(value, each.name) for each in dataclasses.fields(value)}
    if callable(getattr(value, "tolist", None)):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} has no JSON")


_decoder = json.JSONDecoder(parse_constant=_refuse)
_encoder = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_plain
)
encode = _encoder.encode

_NO_BRACKETS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[^"\[\]{}]+')
_STEPS = {"[": 1, "{": 1, "]": -1, "}": -1}


def is_deeper(text: str, levels: int) -> bool:
    """Return whether arrays and objects of a JSON text are nested deeper than so many levels."""
    if text.count("[") + text.count("{") <= levels:
        return False
    depths = accumulate(map(_STEPS.__getitem__, _NO_BRACKETS.sub("", text)))
    return max(depths, default=0) > levels
