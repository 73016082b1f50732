"""Threads that each add an operation and wait for it, in a loop, beside Foundation's queue."""
from harness.programs import BENCH, figures
from harness.report import Part
from harness.samples import median, ratios, spread

THREADS = [1, 8, 128, 512]
NAMES = {
    "foundation": "Foundation `OperationQueue`, `BlockOperation {}`",
    "pool": "`PoolOperationQueue`, two worker processes",
    "blocks": "`PoolOperationQueue`, `PoolBlockOperation {}`",
}


def run(rounds=7):
    part = Part("Threads that wait for operations of their own")
    for threads in THREADS:
        found = figures([BENCH, "waiting", str(threads), str(rounds)])
        part.figures[str(threads)] = found
        base = found["foundation"]
        part.add(
            [f"{threads} threads, {rounds} rounds", "operations/s", "over Foundation",
             "processor of this process, each"],
            [[name, spread(found[key]), f"{median(ratios(found[key], base)):.2f}×",
              spread(found[f"{key}.processor"], "µs")] for key, name in NAMES.items()])
    return part
