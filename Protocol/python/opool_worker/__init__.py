"""Functions as the operations of an `opool` worker.

    from opool_worker import kind, serve

    @kind
    def reverse(payload: str) -> str:
        return payload[::-1]

    serve()

The function's name is the kind, its argument the payload, and what it returns the result. A
function with a second argument is given a `Context`. A generator yields `Progress` and `Log`, and
its return value is the result. An exception is the operation's failure. `Protocol/README.md` of
opool is the protocol that `serve` speaks.
"""

from ._context import Cancelled, Context, Log, Progress
from ._failures import Failure
from ._inputs import Input
from ._kinds import Kinds
from ._serving import serve_kinds

__all__ = [
    "Cancelled", "Context", "Failure", "Input", "Log", "Progress", "initializer", "kind", "serve",
]

_kinds = Kinds()
kind = _kinds.kind
initializer = _kinds.initializer


def serve(*, tracebacks: bool = True) -> None:
    """Execute operations until the coordinator ends the conversation; call it once, at the end.

    Initializers are executed first, before the coordinator is greeted: `--worker-start` of `opool
    run` says how long they may take. Returns when the input ends between operations, so that what
    follows may close things, for a second. With `tracebacks`, an exception's traceback goes to
    standard error.
    """
    serve_kinds(_kinds, tracebacks)
