"""Inputs: the products of other operations."""

from __future__ import annotations

import base64
import json
import os
from typing import Any

from ._frames import encode


class Input:
    """The result of a kind, or the output of a command, that this operation depends on."""

    def __init__(self, form: str, value: Any) -> None:
        self._form = form
        self._value = value

    @property
    def path(self) -> str | None:
        """The file that holds it, if the coordinator has named one; it must not be changed."""
        return os.fsdecode(_bytes(self._value)) if self._form == "file" else None

    def bytes(self) -> bytes:
        """Return the output of a command, or the JSON text of a result."""
        if self._form == "json":
            return encode(self._value).encode()
        if self._form == "output":
            return _bytes(self._value)
        with open(_bytes(self._value), "rb") as file:
            return file.read()

    def text(self) -> str:
        """Return the same as text; raises `UnicodeDecodeError` if it is not UTF-8."""
        return self.bytes().decode()

    def json(self) -> Any:
        """Return a result, or the value of an output that is JSON."""
        return self._value if self._form == "json" else json.loads(self.text())


def read_inputs(field: Any) -> dict[str, Input]:
    """Read the `inputs` of an `execute`; raises `ValueError` if they are not inputs."""
    if field is None:
        return {}
    if not isinstance(field, dict):
        raise ValueError("the inputs are no object")
    return {name: _input(name, value) for name, value in field.items()}


def _input(name: str, value: Any) -> Input:
    if isinstance(value, dict):
        forms = [each for each in ("output", "file") if value.get(each) is not None]
        forms += ["json"] if "json" in value else []
        if len(forms) == 1 and (forms == ["json"] or _is_byte_text(value[forms[0]])):
            return Input(forms[0], value[forms[0]])
    raise ValueError(f"the input '{name}' has not exactly one of json, output and file")


def _is_byte_text(value: Any) -> bool:
    if isinstance(value, dict):
        return isinstance(value.get("base64"), str)
    return isinstance(value, str)


def _bytes(value: Any) -> bytes:
    """Return the bytes of a byte text."""
    if isinstance(value, str):
        return value.encode()
    return base64.b64decode(value["base64"], validate=True)
