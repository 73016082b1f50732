"""Blocks of this process: ours beside Foundation's queue, tasks beside a task group."""
from harness.programs import BENCH, figures
from harness.report import Part
from harness.samples import median, ratios, spread

ROWS = [
    ("blocks", "foundation", "`PoolBlockOperation {}`, 4 wide",
     "Foundation `OperationQueue`, `BlockOperation {}`, 4 wide"),
    ("blocks.busy", "foundation.busy", "`PoolBlockOperation` of 20 µs, 4 wide",
     "Foundation `OperationQueue`, the same"),
    ("tasks", "group", "`PoolBlockOperation { () async in }`, 4 wide", "`TaskGroup`, `addTask {}`"),
    ("tasks.wide", "group", "`PoolBlockOperation { () async in }`, no limit",
     "`TaskGroup`, `addTask {}`"),
]

WIDTHS, LENGTHS = [1, 2, 4], [0, 5, 50]


def run(count=100_000, rounds=9):
    found = figures([BENCH, "blocks", str(count), str(rounds)])
    part = Part("Blocks of this process", figures=found)
    part.add(
        [f"{count:,} operations, {rounds} rounds", "operations/s", "beside it", "operations/s",
         "ratio"],
        [[name, spread(found[key]), peer, spread(found[base]),
          f"{median(ratios(found[key], found[base])):.2f}×"] for key, base, name, peer in ROWS])
    found = figures([BENCH, "block-widths", str(count // 2), str(rounds)])
    part.figures["widths"] = found
    part.add(
        ["blocks, width", "operations/s", "over Foundation's queue", "context switches each"],
        [[f"{length or 'empty'}{' µs' if length else ''}, {width} wide",
          spread(found[f"blocks.{key}"]),
          f"{median(ratios(found[f'blocks.{key}'], found[f'foundation.{key}'])):.2f}×",
          f"{median(found[f'switches.{key}']):.2f}"]
         for length in LENGTHS for width in WIDTHS for key in [f"{width}.{length}"]])
    return part
