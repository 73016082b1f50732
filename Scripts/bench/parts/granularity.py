"""METG(50 %), as Task Bench (Slaughter et al., SC20) defines it, for its patterns.

The granularity of a task is the wall time, times the cores, over the number of tasks; METG(50 %) is
the smallest one at which half of it is work.
"""
import math

from harness.programs import BENCH, figures, peer
from harness.report import Part
from harness.samples import median, spread

PATTERNS = ["trivial", "stencil_1d", "fft", "tree", "random_nearest"]
WIDTH = 32
# Steps, and nanoseconds of work to begin with: slow systems take fewer steps, or they take hours.
OURS = (1_000, 64_000)
PEERS = {"concurrent.futures": (100, 2_000_000), "dask": (10, 32_000_000), "ray": (10, 16_000_000)}


def granularity(points):
    """Nanoseconds of wall time of a worker for each operation, at an efficiency of one half.

    That is twice the least work above which everything is efficient, found between the two
    durations of work around it.
    """
    points = sorted(points, reverse=True)
    if not points or points[0][1] < 0.5:
        return math.inf
    for (long, high), (short, low) in zip(points, points[1:]):
        if low < 0.5:
            share = (high - 0.5) / (high - low)
            return 2 * math.exp(math.log(long) + share * math.log(short / long))
    return 2 * points[-1][0]


def points(found):
    return [(int(name), values[0]) for name, values in found.items()]


def run(rounds=3):
    part = Part("Smallest effective granularity, METG(50 %)")
    columns, absent = {"opool": {}}, set()
    for pattern in PATTERNS:
        for _ in range(rounds):
            steps, start = OURS
            found = figures([BENCH, "granularity", pattern, str(steps), str(start)])
            columns["opool"].setdefault(pattern, []).append(granularity(points(found)))
        for name, (steps, start) in PEERS.items():
            found = None if name in absent else peer("granularity.py", name, pattern, steps, start)
            if found is None:
                absent.add(name)
                continue
            columns.setdefault(name, {})[pattern] = [granularity(points(found[1]))]
    part.figures = {name: finite(values) for name, values in columns.items()}
    part.add(["pattern, width 32, 2 workers"] + [f"{name}, µs" for name in columns],
             [[f"`{pattern}`"] + [cell(values.get(pattern)) for values in columns.values()]
              for pattern in PATTERNS])
    part.notes += notes(rounds)
    return part


def finite(values):
    """What JSON has numbers for."""
    kept = {pattern: list(filter(math.isfinite, samples)) for pattern, samples in values.items()}
    return {pattern: samples for pattern, samples in kept.items() if samples}


def cell(samples):
    if not samples:
        return "–"
    if not math.isfinite(median(samples)):
        return "not reached"
    return spread(samples, scale=1e-3) if len(samples) > 1 else f"{samples[0] / 1e3:,.1f}"


def notes(rounds):
    steps = ", ".join(f"{name} {steps}" for name, (steps, _) in PEERS.items())
    return [
        "As Task Bench (Slaughter et al., SC20) defines it: wall time, times two workers, over the "
        "number of operations, where that is twice their work; the work is calibrated in two "
        "processes at once. From the making of the first operation to the end of the last; workers "
        "were started before.",
        f"Steps: opool {OURS[0]:,} (medians of {rounds} sweeps); {steps} (one sweep). What is "
        "below one half counts when it was so three times. concurrent.futures knows no "
        "dependencies, so "
        "that each step waits for the one before.",
    ]
