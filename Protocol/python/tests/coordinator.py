"""A coordinator for the tests: starts a worker and speaks with it, frame by frame."""

from __future__ import annotations

import json
import os
import pathlib
import selectors
import subprocess
import sys
import time
from typing import Any

FOLDER = pathlib.Path(__file__).resolve().parent
PATIENCE = 20.0


class Coordinator:
    """A worker process and the conversation with it. Every wait has a limit."""

    def __init__(
        self, *arguments: str, program: str = str(FOLDER / "kinds.py"), greet: bool = True,
        **welcome: Any,
    ) -> None:
        path = os.pathsep.join(
            [str(FOLDER.parent)] + os.environ.get("PYTHONPATH", "").split(os.pathsep)
        )
        self.process = subprocess.Popen(
            [sys.executable, program, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, bufsize=0, start_new_session=True,
            env={**os.environ, "PYTHONPATH": path, "OPOOL_WORKER": "1"},
        )
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self.input, self.output = self.process.stdin, self.process.stdout
        self.errors = self.process.stderr
        self.dispatch = 0
        self.printed = b""
        self._bytes = b""
        self._selector = selectors.DefaultSelector()
        self._selector.register(self.output, selectors.EVENT_READ)
        self._selector.register(self.errors, selectors.EVENT_READ)
        self.hello: dict[str, Any] = {}
        if greet:
            self.greet(**welcome)

    def __enter__(self) -> Coordinator:
        return self

    def __exit__(self, *_: object) -> None:
        self._selector.close()
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for file in (self.input, self.output, self.errors):
            file.close()

    def greet(self, **welcome: Any) -> None:
        """Await the magic line and `hello`, and send `welcome`."""
        self._await(lambda: b"\n" in self._bytes)
        line, _, self._bytes = self._bytes.partition(b"\n")
        assert line == b"OPOOL-WORKER 1", line
        self.hello = self.receive()
        self.send({"type": "welcome", "version": 1, "worker": 7, **welcome})

    def send(self, *messages: dict[str, Any]) -> None:
        """Send messages in one write."""
        self.send_bytes(b"".join(map(framed, messages)))

    def send_bytes(self, data: bytes) -> None:
        """Send bytes as they stand."""
        rest = memoryview(data)
        while rest:
            rest = rest[self.input.write(rest) or 0 :]

    def execute(self, kind: str, payload: Any = None, **fields: Any) -> int:
        """Send an `execute`, and return its number, which is its operation and its dispatch."""
        self.dispatch += 1
        self.send({
            "type": "execute", "operation": self.dispatch, "dispatch": self.dispatch,
            "attempt": 1, "kind": kind, "payload": payload, **fields,
        })
        return self.dispatch

    def ask(self, request: str, number: int, **fields: Any) -> None:
        """Send a message about an operation."""
        self.send({"type": request, "operation": number, "dispatch": number, **fields})

    def receive(self, *types: str) -> dict[str, Any]:
        """Return the next message, of these types if there are any; passes over others."""
        while True:
            self._await(self._has_frame)
            end = 4 + int.from_bytes(self._bytes[:4], "big")
            body, self._bytes = self._bytes[4:end], self._bytes[end:]
            assert body.endswith(b"\n"), body
            message: dict[str, Any] = json.loads(body.decode(), parse_constant=_refuse)
            if not types or message["type"] in types:
                return message

    def answer(self, kind: str, payload: Any = None, **fields: Any) -> dict[str, Any]:
        """Execute an operation and return its answer, which must be about it."""
        number = self.execute(kind, payload, **fields)
        answer = self.receive("finished", "cancelled", "returned")
        assert answer["dispatch"] == number, answer
        return answer

    def await_printed(self, text: bytes) -> None:
        """Await a text in the standard error."""
        self._await(lambda: text in self.printed)

    def close(self) -> int:
        """End the input, and return the worker's exit status."""
        self.input.close()
        return self.wait()

    def wait(self) -> int:
        """Await the worker's end, and return its exit status."""
        status = self.process.wait(PATIENCE)
        self.printed += self.errors.read()
        return status

    def _has_frame(self) -> bool:
        return len(self._bytes) >= 4 + int.from_bytes(self._bytes[:4], "big")

    def _await(self, condition: Any) -> None:
        limit = time.monotonic() + PATIENCE
        while not condition():
            ready = self._selector.select(max(limit - time.monotonic(), 0))
            assert ready, f"nothing came; standard error: {self.printed!r}"
            for key, _ in ready:
                data = os.read(key.fd, 1 << 20)
                if key.fileobj is self.errors:
                    self.printed += data
                    if not data:
                        self._selector.unregister(self.errors)
                else:
                    assert data, f"the worker's output ended; standard error: {self.printed!r}"
                    self._bytes += data


def framed(message: dict[str, Any]) -> bytes:
    """Return a message's frame."""
    body = json.dumps(message).encode() + b"\n"
    return len(body).to_bytes(4, "big") + body


def _refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is not JSON")
