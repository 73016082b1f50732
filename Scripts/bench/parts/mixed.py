"""Operations of one kind and very unequal lengths, beside list scheduling of the same lengths."""
import heapq
import random
import subprocess

from harness.programs import BENCH
from harness.report import Part
from harness.samples import median, number

MICRO, MILLI = 1_000, 1_000_000


def tail(_):
    return [MICRO] * 100_000 + [6 * MILLI] * 150


def one_long(source):
    lengths = [500 * MICRO] * 2_000
    lengths[source.randrange(1_500)] = 100 * MILLI
    return lengths


SHAPES = {
    "100,000 × 1 µs, then 150 × 6 ms: from there on": tail,
    "99 of 100 × 500 µs, 1 × 20 ms": lambda source: [
        20 * MILLI if source.random() < 0.01 else 500 * MICRO for _ in range(2_000)],
    "half 500 µs, half 8 ms": lambda source: [
        source.choice([500 * MICRO, 8 * MILLI]) for _ in range(400)],
    "Pareto, shape 1.3, 400 µs to 50 ms": lambda source: [
        min(int(400 * MICRO * source.paretovariate(1.3)), 50 * MILLI) for _ in range(1_000)],
    "ascending, 4 µs to 4 ms": lambda _: [4 * MICRO * place for place in range(1, 1_001)],
    "descending, 4 ms to 4 µs": lambda _: [4 * MICRO * place for place in range(1_000, 0, -1)],
    "2,000 × 500 µs, one of them 100 ms": one_long,
}


def list_scheduling(lengths, workers):
    """When the last one ends, if the worker that is free first begins the next."""
    ends = [0] * workers
    for length in lengths:
        heapq.heapreplace(ends, ends[0] + length)
    return max(ends)


def execute(lengths, workers, *urgent):
    """When each began and ended; and when an urgent one was added, and began."""
    command = [BENCH, "mixed", str(workers), *map(str, urgent)]
    run = subprocess.run(command, input="\n".join(map(str, lengths)), capture_output=True,
                         text=True, check=True)
    found = {"operation": [], "urgent": [], "began": []}
    for line in run.stdout.splitlines():
        name, start, end = line.split()
        found[name].append((int(start), int(end)))
    return found


def makespan(lengths, workers):
    """The time over that of list scheduling, from the first long one on where there is a tail."""
    times = execute(lengths, workers)["operation"]
    first = first_long(lengths)
    span = max(end for _, end in times) - min(start for start, _ in times[first:])
    # What they really took: no schedule makes up for a busy machine.
    lasted = [end - start for start, end in times[first:]]
    return span / list_scheduling(lasted, workers), span / list_scheduling(lengths[first:], workers)


def first_long(lengths):
    return lengths.index(6 * MILLI) if lengths[0] == MICRO else 0


def wait(lengths, workers, source):
    """How much longer than twice what executes an urgent operation waits, in milliseconds."""
    place = first_long(lengths) + source.randrange(20)
    found = execute(lengths, workers, place, source.randrange(10_000))
    (added, _), (began, _) = found["urgent"][0], found["began"][0]
    longest = max((end - start for start, end in found["operation"] if start <= added <= end),
                  default=0)
    return (began - added - 2 * longest) / MILLI, (began - added) / MILLI


def run(rounds=5):
    part = Part("Unequal lengths of one kind")
    rows = []
    for name, shape in SHAPES.items():
        for workers in (2, 4, 8):
            source = random.Random(workers)
            ratios = [makespan(shape(source), workers) for _ in range(rounds)]
            waits = [wait(shape(source), workers, source) for _ in range(rounds)]
            for key, values in (("ratio", [ratio for ratio, _ in ratios]),
                                ("wait", [beyond for beyond, _ in waits])):
                part.figures[f"{name}, {workers} workers: {key}"] = values
            rows.append([name, str(workers),
                         f"{number(median([r for r, _ in ratios]))}× "
                         f"(worst {number(max(r for r, _ in ratios))})",
                         f"{number(median([r for _, r in ratios]))}×",
                         f"{number(max(total for _, total in waits))}",
                         f"{number(max(0, max(beyond for beyond, _ in waits)))}"])
    part.add(["lengths", "workers", "over list scheduling", "the same, of the lengths asked for",
              "urgent one begins after, worst, ms", "beyond twice what executes, ms"], rows)
    return part
