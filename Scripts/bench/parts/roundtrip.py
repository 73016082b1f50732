"""One operation on an idle pool, there and back."""
from harness.programs import BENCH, figures
from harness.report import Part
from harness.samples import median, ratios, spread

NAMES = {
    "raw": "64 bytes through pipes, there and back, between the same two processes",
    "wait": "an operation, `waitUntilFinished()`",
    "await": "an operation, `await finished()`",
}


def run(count=2_000, rounds=7):
    found = figures([BENCH, "roundtrip", str(count), str(rounds)])
    part = Part("Round trip on an idle pool", figures=found)
    base = found["raw.p50"]
    part.add(
        [f"{rounds} rounds of {count:,}", "p50, µs", "p99, µs", "p50 over pipes"],
        [[name, spread(found[f"{key}.p50"]), spread(found[f"{key}.p99"]),
          f"{median(ratios(found[f'{key}.p50'], base)):.2f}×"] for key, name in NAMES.items()])
    return part
