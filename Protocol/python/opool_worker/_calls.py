"""Calls of the functions of kinds: plain ones, generators, and async functions."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine, Generator
from typing import TYPE_CHECKING, Any

from ._context import Cancelled, Context

if TYPE_CHECKING:
    import asyncio


class Caller:
    """Calls the functions of kinds, one after the other, all on the same thread."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[Any] | None = None

    def call(self, body: Callable[[Any, Context], Any], payload: Any, context: Context) -> Any:
        """Call a function and return its result, or what its generator or coroutine returns."""
        value = body(payload, context)
        if isinstance(value, Generator):
            return _drive(value, context)
        if inspect.iscoroutine(value):
            return self._await(value, context)
        if inspect.isasyncgen(value):
            raise TypeError("an async function cannot yield; it may call context.progress instead")
        return value

    def cancel_task(self) -> bool:
        """Cancel the coroutine that executes; from another thread. Returns whether there is one."""
        loop, task = self._loop, self._task
        if loop and task:
            loop.call_soon_threadsafe(task.cancel)
            return True
        return False

    def _await(self, coroutine: Coroutine[Any, Any, Any], context: Context) -> Any:
        import asyncio  # Takes 50 ms, which only async functions need to spend.

        # One loop for all operations, so that connections stay open between them.
        loop = self._loop = self._loop or asyncio.new_event_loop()
        asyncio.set_event_loop(loop)
        self._task = loop.create_task(coroutine)
        if context.is_cancelled:
            self._task.cancel()
        try:
            return loop.run_until_complete(self._task)
        except asyncio.CancelledError:
            context.check_cancelled()
            raise
        except Cancelled:
            # The loop itself may have been interrupted: do not use it again.
            self._loop = None
            raise
        finally:
            self._task = None


def _drive(generator: Generator[object, None, Any], context: Context) -> Any:
    """Execute a generator to its end: send what it yields, and stop it where it yields."""
    thrown: BaseException | None = None
    try:
        while True:
            try:
                item = generator.throw(thrown) if thrown else next(generator)
            except StopIteration as stop:
                return stop.value
            thrown = _taken(item, context)
    finally:
        generator.close()


def _taken(item: object, context: Context) -> BaseException | None:
    """Send what a generator has yielded; return what is to be raised there."""
    try:
        context.check_cancelled()
        context.take(item)
    except (Cancelled, TypeError) as error:
        return error
    return None
