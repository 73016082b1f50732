"""The functions that a worker serves, by the names of their kinds."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, overload

if TYPE_CHECKING:
    from ._context import Context

_Function = TypeVar("_Function", bound=Callable[..., Any])
_Initializer = TypeVar("_Initializer", bound=Callable[[], object])

MOST_KINDS = 4096


class Kinds:
    """Kinds, in the order in which they were declared, and what is to be done before them."""

    def __init__(self) -> None:
        self._bodies: dict[str, Callable[[Any, Context], Any]] = {}
        self._initializers: list[Callable[[], object]] = []

    @overload
    def kind(self, function: _Function, /) -> _Function: ...

    @overload
    def kind(self, name: str, /) -> Callable[[_Function], _Function]: ...

    def kind(self, argument: Any, /) -> Any:
        """Serve the function as a kind, under its own name or, as `@kind("name")`, another one.

        The function is left as it is, so that it can be called and tested as before. Raises
        `ValueError` if another function has that kind, and `TypeError` for a function that cannot
        be one.
        """
        if isinstance(argument, str):
            return lambda function: self._add(argument, function)
        if not callable(argument):
            raise TypeError(f"@kind takes a function or a name, not {type(argument).__name__}")
        return self._add(getattr(argument, "__name__", ""), argument)

    def initializer(self, function: _Initializer) -> _Initializer:
        """Call the function once, before the coordinator is greeted: it loads what stays warm."""
        if inspect.iscoroutinefunction(function):
            raise TypeError("an initializer cannot be an async function")
        self._initializers.append(function)
        return function

    def initialize(self) -> None:
        """Call the initializers, in the order of their declaration."""
        for function in self._initializers:
            function()

    @property
    def names(self) -> list[str]:
        """The kinds that are served."""
        return list(self._bodies)

    def body(self, name: str) -> Callable[[Any, Context], Any] | None:
        """Return what executes the kind, given payload and context, if it is served."""
        return self._bodies.get(name)

    def _add(self, name: str, function: _Function) -> _Function:
        if not name or name == "<lambda>":
            raise ValueError('a function without a name needs @kind("name")')
        if name in self._bodies:
            raise ValueError(f"two functions are declared as the kind '{name}'")
        if len(self._bodies) == MOST_KINDS:
            raise ValueError(f"a worker cannot serve more than {MOST_KINDS} kinds")
        name.encode()  # Refuses what has no UTF-8.
        self._bodies[name] = _body(name, function)
        return function


def _body(name: str, function: Callable[..., Any]) -> Callable[[Any, Context], Any]:
    if inspect.isasyncgenfunction(function):
        raise TypeError(
            f"kind '{name}': an async function cannot yield; it may call context.progress instead"
        )
    if _takes_context(name, function):
        return function
    return lambda payload, context: function(payload)


def _takes_context(name: str, function: Callable[..., Any]) -> bool:
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:  # Some functions written in C do not say.
        return False
    places = [each for each in parameters if each.kind in _PLACES]
    required = [each for each in places if each.default is each.empty]
    if any(each.kind is each.VAR_POSITIONAL for each in parameters):
        return len(required) > 1
    if not places or len(required) > 2:
        raise TypeError(f"kind '{name}': the function must take a payload, and may take a context")
    return len(required) == 2


_PLACES = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
