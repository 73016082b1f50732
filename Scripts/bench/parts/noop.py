"""Operations that do nothing, in two worker processes."""
from harness.programs import BENCH, figures
from harness.report import Part
from harness.samples import median, ratios, spread


def run(count=100_000, rounds=9):
    found = figures([BENCH, "noop", str(count), str(rounds)])
    part = Part("Operations that do nothing", figures=found)
    base = found["foundation"]
    names = {
        "pool": "`PoolOperationQueue`, two worker processes",
        "foundation": "Foundation `OperationQueue`, `BlockOperation {}`, this process",
        "ceiling": "the same frames between the same processes, no bookkeeping, window 64",
    }
    part.add(
        [f"{count:,} operations, 2 wide, {rounds} rounds", "operations/s", "over Foundation"],
        [[name, spread(found[key]), f"{median(ratios(found[key], base)):.2f}×"]
         for key, name in names.items()])
    share = median(ratios(found["pool"], found["ceiling"]))
    part.notes.append(f"Ours over the ceiling, median of the rounds: {share:.2f}.")
    return part
