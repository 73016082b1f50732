"""Operations that sleep for 10 ms on many workers: what the whole coordinator takes for each."""
from harness.programs import BENCH, figures
from harness.report import Part
from harness.samples import spread

LENGTH = 0.01


def run(rounds=5):
    part = Part("Many workers")
    rows = []
    for workers in (8, 64, 256, 1_000):
        found = figures([BENCH, "wide", str(workers), str(rounds)])
        part.figures[f"{workers} workers: processor"] = found["processor"]
        part.figures[f"{workers} workers: rate"] = found["rate"]
        ideal = workers / LENGTH
        rows.append([f"{workers:,}", spread(found["processor"]), spread(found["rate"]),
                     spread([rate / ideal for rate in found["rate"]])])
    part.add([f"workers, {rounds} rounds", "coordinator's processor, µs each", "operations/s",
              "of workers / 10 ms"], rows)
    return part
