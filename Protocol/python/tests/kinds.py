"""A worker with kinds that do what a worker must survive."""

from __future__ import annotations

import asyncio
import ctypes
import dataclasses
import json
import math
import os
import signal
import subprocess
import sys
import threading
import time
from typing import Any

from opool_worker import Cancelled, Context, Failure, Log, Progress, initializer, kind, serve

warm: dict[str, Any] = {}


@initializer
def load() -> None:
    print("initializer")
    warm["loads"] = warm.get("loads", 0) + 1


@kind
def echo(payload: Any) -> Any:
    return payload


@kind("number of loads")
def loads(payload: Any) -> Any:
    return warm["loads"]


@kind
def describe(payload: Any, context: Context) -> Any:
    return {
        "operation": context.operation, "attempt": context.attempt, "kind": context.kind,
        "name": context.name, "queue": context.queue, "worker": context.worker,
        "slot": context.slot, "environment": "OPOOL_WORKER" in os.environ,
    }


@kind
def inputs(payload: Any, context: Context) -> Any:
    return {name: [each.text(), each.path] for name, each in context.inputs.items()} | {
        "value": context.inputs["value"].json()
    }


@kind
def report(payload: Any, context: Context) -> Any:
    for done in range(payload):
        yield Progress(done, payload)
    yield Log("the end \ud800")
    context.log("is near")
    yield Progress(payload, payload)
    return "result"


@kind
def endless(payload: Any) -> Any:
    done = 0
    try:
        while True:
            done += 1
            yield Progress(done, done + 1)
    finally:
        print("closed")


@kind
def nonsense(payload: Any) -> Any:
    yield payload


class UnusualError(Exception):
    def __str__(self) -> str:
        raise ValueError("no text")


class TypedFailure(Failure):
    pass


@kind
def fail(payload: Any) -> Any:
    if payload == "typed":
        raise TypedFailure("sentence", {"code": 3}, declared=True)
    if payload == "arguments":
        raise ValueError("text", 5)
    if payload == "no JSON":
        raise ValueError("text", {1, 2}, object())
    if payload == "no text":
        raise UnusualError
    if payload == "long":
        raise ValueError("ä" * 100_000, "x" * 100_000)
    if payload == "surrogate":
        raise ValueError("\ud800")
    if payload == "interrupt":
        raise KeyboardInterrupt
    if payload == "exit":
        sys.exit(3)
    if payload == "recursion":
        return fail(payload)
    if payload == "cancelled":
        raise Cancelled("by itself")
    if payload == "stop":
        raise StopIteration
    return json.loads("{")


@dataclasses.dataclass
class Point:
    x: int
    y: int


class Array:
    def tolist(self) -> list[int]:
        return [1, 2]


@kind("return")
def give(payload: Any) -> Any:
    nested: Any = []
    for _ in range(600):
        nested = [nested]
    loop: list[Any] = []
    loop.append(loop)
    values = {
        "set": {1}, "nan": math.nan, "surrogate": "\ud800", "bytes": b"x", "deep": nested,
        "loop": loop, "point": Point(1, 2), "array": Array(), "brackets": "[" * 1000,
        "wide": [[[]]] * 1000, "huge": 1 << 20_000, "large": "x" * (1 << 20), "none": None,
    }
    return values[payload]


@kind("print")
def output(payload: Any) -> Any:
    print("printed", end="")
    os.write(1, b" written")
    subprocess.run("echo started; cat", shell=True)
    ctypes.CDLL(None).puts(b"C")
    return "printed"


@kind
def sleep(payload: Any) -> Any:
    time.sleep(payload)


@kind
def polite(payload: Any, context: Context) -> Any:
    context.sleep(payload)


@kind("C sleep")
def sleep_in_c(payload: Any) -> Any:
    ctypes.CDLL(None).sleep(payload)


@kind("system")
def sleep_in_shell(payload: Any) -> Any:
    return os.system("sleep 1000")


@kind
def child(payload: Any, context: Context) -> Any:
    """Start a process, say its number, and wait for ever, or not."""
    process = subprocess.Popen(["sleep", "1000"])
    context.log(str(process.pid))
    if payload == "leave":
        return process.pid
    if payload == "session":
        return subprocess.Popen(
            ["sleep", "1000"], start_new_session=True, stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        ).pid
    signal.pause()
    return None


@kind
def stubborn(payload: Any, context: Context) -> Any:
    for number in range(payload):
        try:
            context.log("again")
            time.sleep(1000)
        except Cancelled:
            context.log(f"swallowed {number}")
    return "done"


@kind
def spin(payload: Any) -> Any:
    while True:
        pass


@kind
def logs(payload: Any, context: Context) -> Any:
    while True:
        context.log("x" * payload)


@kind
def vanish(payload: Any) -> Any:
    os._exit(payload)


@kind
def fork(payload: Any, context: Context) -> Any:
    """Fork; with "return", come back in both processes."""
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status)
    if payload == "return":
        return "from the child"
    context.log("from the child")
    os._exit(5)


@kind
def pool(payload: Any) -> Any:
    import multiprocessing

    with multiprocessing.get_context("fork").Pool(2) as workers:
        return workers.map(abs, payload)


@kind
async def coroutine(payload: Any, context: Context) -> Any:
    context.progress(1, 2)
    await asyncio.sleep(payload)
    return id(asyncio.get_running_loop()) == warm.setdefault(
        "loop", id(asyncio.get_running_loop())
    )


@kind("blocking coroutine")
async def blocking(payload: Any) -> Any:
    time.sleep(payload)


@kind
def late(payload: Any, context: Context) -> Any:
    """Report from a thread that outlives the operation."""
    def say() -> None:
        for _ in range(1000):
            context.log("late")
            context.progress(1, 1)

    thread = threading.Thread(target=say)
    thread.start()
    context.log("in time")


@kind
def descriptors(payload: Any) -> Any:
    names = subprocess.run(["ls", "/proc/self/fd"], stdout=subprocess.PIPE, close_fds=False)
    return len(names.stdout.split())


serve(tracebacks="quiet" not in sys.argv)
print("after serve")
