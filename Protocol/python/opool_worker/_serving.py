"""The worker: a thread that reads, and the main thread, which executes one operation at a time."""

from __future__ import annotations

import atexit
import contextlib
import os
import resource
import sys
import threading
import time
from functools import partial
from typing import Any

from ._channel import MAGIC, Channel
from ._context import Cancelled, Context
from ._execution import Execution
from ._failures import describe, print_traceback
from ._frames import frame
from ._kinds import Kinds
from ._processes import kill_descendants, now
from ._requests import VERSION, Requests
from ._state import State
from ._streams import flush_printed, say, take_streams, write_all
from ._teardown import step_name

CAPABILITIES = ["prefetch", "recall", "cancel", "teardown", "ping", "drain", "inputs", "marks"]


def serve_kinds(kinds: Kinds, tracebacks: bool) -> None:
    """Serve the kinds until the input ends."""
    if threading.current_thread() is not threading.main_thread():
        raise RuntimeError("serve() must be called on the main thread: signals end operations")
    if os.isatty(0):
        sys.exit("opool_worker: this is a worker; start it with opool run --worker 'N:COMMAND'")
    os.environ.pop("OPOOL_WORKER", None)
    source, sink = take_streams()
    kinds.initialize()
    worker = Worker(kinds, tracebacks, source, sink)
    worker.greet()
    status = worker.run()
    if status:
        kill_descendants()
        sys.exit(status)


class Worker:
    """Executes operations, and answers each once."""

    def __init__(self, kinds: Kinds, tracebacks: bool, source: int, sink: int) -> None:
        self._kinds = kinds
        self._tracebacks = tracebacks
        self._channel = Channel(sink)
        self._state = State(self._channel)
        self._requests = Requests(source, self._state)
        self._process = os.getpid()
        self._descriptors = (source, sink)

    def greet(self) -> None:
        """Send the magic line and `hello`."""
        self._channel.write(MAGIC)
        self._channel.send({
            "type": "hello", "versions": [VERSION], "kinds": self._kinds.names,
            "pid": self._process, "host": os.uname().nodename, "capabilities": CAPABILITIES,
        })

    def run(self) -> int:
        """Execute operations until there will be none, and return the exit status."""
        self._state.interrupts.install()
        os.register_at_fork(after_in_child=self._leave_frames)
        atexit.register(self._kill_children)
        threading.Thread(target=self._requests.read_all, name="opool", daemon=True).start()
        answer = b""
        while execution := self._state.next(answer):
            answer = self._execute(execution)
        self._state.stopped.set()
        return self._state.status

    def _execute(self, execution: Execution) -> bytes:
        """Execute an operation and return its answer's frame."""
        execution.began, usage, began = now(), _usage(), time.perf_counter_ns()
        kind, fields = self._call(execution)
        fields["elapsed"] = (time.perf_counter_ns() - began) // 1000
        fields["usage"] = _difference(_usage(), usage)
        if os.getpid() != self._process:
            say("a process that an operation forked came back from its function; it ends here")
            os._exit(1)
        flush_printed()
        if kind == "cancelled" and execution.is_abandoned:
            return b""
        return self._marked(execution) + self._answer(execution, kind, fields)

    def _call(self, execution: Execution) -> tuple[str, dict[str, Any]]:
        """Call the function of the kind, and return the answer's type and fields."""
        try:
            body = self._kinds.body(execution.kind)
            if execution.problem or not body:
                return "finished", _refusal(execution)
            context = self._context(execution)
            result = self._state.caller.call(body, execution.payload, context)
            return "finished", {"result": result}
        except BaseException as error:  # noqa: B036 - an operation must not end the worker
            return self._ended(execution, error)
        finally:
            execution.is_over = True
            self._state.interrupts.forget()

    def _ended(self, execution: Execution, error: BaseException) -> tuple[str, dict[str, Any]]:
        """Return the answer of an operation whose function has raised an exception."""
        if isinstance(error, Cancelled) and execution.is_cancelled:
            steps = execution.steps_taken
            return "cancelled", {"step": step_name(steps[-1]), "stepsTaken": steps} if steps else {}
        if self._tracebacks:
            print_traceback(error)
        return "finished", {"error": describe(error)}

    def _context(self, execution: Execution) -> Context:
        return Context(partial(self._report, execution), execution.asked, {
            "operation": execution.operation, "attempt": execution.attempt,
            "kind": execution.kind, "name": execution.name, "queue": execution.queue,
            "inputs": execution.inputs, "worker": self._state.worker, "slot": self._state.slot,
        })

    def _answer(self, execution: Execution, kind: str, fields: dict[str, Any]) -> bytes:
        try:
            return frame(execution.message(kind, **fields), self._channel.limit)
        except Exception as error:
            failure = describe(TypeError(f"the result cannot be sent: {error}"))
            return frame(execution.message("finished", error=failure), self._channel.limit)

    def _report(self, execution: Execution, message: dict[str, Any]) -> None:
        """Send a message of the executing operation; drops what comes after its end."""
        self._state.interrupts.hide()
        try:
            with self._channel.lock:
                if not execution.is_over:
                    self._channel.send(execution.message(message.pop("type"), **message))
        finally:
            self._state.interrupts.show()

    def _marked(self, execution: Execution) -> bytes:
        """Mark the end of what the operation printed, if the coordinator wants marks."""
        mark = self._state.mark
        if mark is None:
            return b""
        text = f"\x1eopool {mark:016x} {execution.operation:016x} {execution.dispatch:016x}\n"
        with contextlib.suppress(OSError):
            write_all(2, text.encode())
        return frame(execution.message("printed"), self._channel.limit)

    def _leave_frames(self) -> None:
        """Close the streams of frames in a process that an operation has forked."""
        for descriptor in self._descriptors:
            with contextlib.suppress(OSError):
                os.close(descriptor)

    def _kill_children(self) -> None:
        if os.getpid() == self._process:
            kill_descendants()


def _refusal(execution: Execution) -> dict[str, Any]:
    problem = execution.problem or f"this worker does not serve the kind '{execution.kind}'"
    return {"error": {"cause": "error", "message": problem}}


def _usage() -> resource.struct_rusage:
    return resource.getrusage(resource.RUSAGE_SELF)


def _difference(now: resource.struct_rusage, then: resource.struct_rusage) -> dict[str, int]:
    return {
        "user": round((now.ru_utime - then.ru_utime) * 1e6),
        "system": round((now.ru_stime - then.ru_stime) * 1e6),
        "peak": now.ru_maxrss * (1 if sys.platform == "darwin" else 1024),
    }
