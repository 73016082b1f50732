"""Operations that do nothing and claim something, beside as many that claim nothing."""
from harness.programs import BENCH, figures
from harness.report import Part
from harness.samples import median, ratios, spread

NAMES = {
    "none": "no claims",
    "exclusive": "all exclusive by one name",
    "limits": "all within one limit of two",
}


def run(count=50_000, rounds=5):
    found = figures([BENCH, "claims", str(count), str(rounds)])
    part = Part("Claims", figures=found)
    base = found["none"]
    part.add(
        [f"{count:,} operations, two workers, {rounds} rounds", "operations/s", "slower"],
        [[name, spread(found[key]), f"{median(ratios(base, found[key])):.2f}×"]
         for key, name in NAMES.items()])
    return part
