"""Operations that do nothing, with and without observers, alternating."""
from harness.programs import BENCH, figures
from harness.report import Part
from harness.samples import median, ratios, spread

NAMES = {
    "flat": "no observer",
    "completion": "a `completionBlock` each, setting and calling it included",
    "queue": "`queue.transitions`, read by a task",
    "operation": "`operation.transitions` each, made and read to the end by a task",
}


def run(count=1_000_000, rounds=5):
    found = figures([BENCH, "observed", str(count), str(rounds)])
    part = Part("Operations that are observed", figures=found)
    base = found["flat"]
    part.add(
        [f"{count:,} operations, two worker processes, {rounds} rounds", "µs each",
         "over no observer"],
        [[name, spread(found[key]), f"{median(ratios(found[key], base)):.2f}×"]
         for key, name in NAMES.items()])
    return part
