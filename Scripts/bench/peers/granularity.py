"""Task Bench's patterns through one of Python's pools, as `pool-bench granularity` does it.

Usage: granularity.py POOL PATTERN STEPS NANOSECONDS

Prints `version …`, then a line for each duration of work, halved until efficiency is below one
half: nanoseconds, efficiency. Where calls can wait for others, the whole graph is submitted;
elsewhere each step is, when the one before has ended.
"""
import math
import multiprocessing
import sys
import time

from pools import POOLS

WIDTH = 32


def compute(iterations, *_):
    """Work that is all in the processor; what it depends on comes as arguments."""
    state = 1
    for _ in range(iterations):
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
    return state & 1


def own_pace(_):
    """Nanoseconds of one iteration: the lower quartile of many, as in Granularity.swift."""
    times = []
    for _ in range(400):
        start = time.perf_counter_ns()
        compute(20_000)
        times.append(time.perf_counter_ns() - start)
    return sorted(times)[len(times) // 4] / 20_000


def common_pace():
    """The pace where two processes compute at once, as they do later."""
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        return sum(pool.map(own_pace, [0, 1], chunksize=1)) / 2


def width(pattern, step):
    return min(WIDTH, 1 << min(step, 32)) if pattern == "tree" else WIDTH


def chance(step, point, other):
    mask = (1 << 64) - 1
    value = (step * 64 + point) * 64 + other + 2
    value = ((value ^ value >> 30) * 0xBF58476D1CE4E5B9) & mask
    value = ((value ^ value >> 27) * 0x94D049BB133111EB) & mask
    return (value ^ value >> 31) % 4 == 0


def dependencies(pattern, point, step, before):
    """The points of the step before that this one needs; as in Pattern.swift."""
    distance = 1 << ((step + 4) % 5)
    candidates = {
        "trivial": list,
        "stencil_1d": lambda: [point - 1, point, point + 1],
        "fft": lambda: [point - distance, point, point + distance],
        "tree": lambda: [point // 2],
        "random_nearest": lambda: [
            other for other in range(point - 2, point + 3)
            if other == point or chance(step % 32, point, other)],
    }[pattern]()
    return [other for other in candidates if 0 <= other < before]


def execute(pool, pattern, steps, iterations):
    """Wall seconds, and how many calls there were."""
    before, every = [], []
    start = time.monotonic()
    for step in range(steps):
        points = []
        for point in range(width(pattern, step)):
            needed = [before[other] for other in dependencies(pattern, point, step, len(before))]
            arguments = needed if pool.waits_for_dependencies else []
            points.append(pool.submit(compute, iterations, *arguments))
        if not pool.waits_for_dependencies and pattern != "trivial":
            pool.wait(points)
        before = points
        every.extend(points)
    pool.wait(every)
    return time.monotonic() - start, len(every)


def main():
    pool, pattern = POOLS[sys.argv[1]](), sys.argv[2]
    steps, duration, best = int(sys.argv[3]), float(sys.argv[4]), 1
    pace = common_pace()
    pool.start()
    execute(pool, "trivial", 2, 10)
    print("version", pool.version())
    while best >= 0.5 and duration > 1000:
        iterations = max(math.floor(duration / pace), 1)
        best = 0
        for _ in range(3):
            wall, count = execute(pool, pattern, steps, iterations)
            best = max(best, iterations * pace * count / 2e9 / wall)
            if best >= 0.5:
                break
        print(int(iterations * pace), best, flush=True)
        duration /= 2
    pool.stop()


if __name__ == "__main__":
    main()
