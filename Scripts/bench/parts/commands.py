"""/bin/true, one process each: ours with grouped outputs and usage figures, beside the others."""
import os
import tempfile

from harness.programs import OPOOL, installed, measure, peer
from harness.report import Part
from harness.samples import median, ratios, spread

COUNT = 5_000
# So many that it takes some seconds.
FEWER = 1_000


def makefile(folder):
    path = os.path.join(folder, "Makefile")
    names = " ".join(f"n{number}" for number in range(COUNT))
    with open(path, "w", encoding="utf-8") as file:
        # The path and an argument, so that make starts it as the others do.
        file.write(f".PHONY: all {names}\nall: {names}\n{names}:\n\t@/bin/true $@\n")
    return ["make", "-s", "-r", "-j2", "-f", path]


def ninjafile(folder):
    path = os.path.join(folder, "build.ninja")
    with open(path, "w", encoding="utf-8") as file:
        file.write("rule true\n  command = /bin/true $out\n")
        file.writelines(f"build n{number}: true\n" for number in range(COUNT))
    return ["ninja", "--quiet", "-j2", "-C", folder]


def programs(folder):
    """What to start, with which input, and how many commands that is."""
    lines = {count: "".join(f"{n}\n" for n in range(count)).encode() for count in (COUNT, FEWER)}
    candidates = {
        "`opool map -q -j2 /bin/true`": ([OPOOL, "map", "-q", "-j2", "/bin/true"], COUNT),
        "`xargs -P2 -n1 /bin/true`": (["xargs", "-P2", "-n1", "/bin/true"], COUNT),
        "`make -r -j2`": (makefile(folder), COUNT),
        "`ninja -j2`": (ninjafile(folder), COUNT),
        "`parallel -j2 /bin/true`": (["parallel", "-j2", "/bin/true"], FEWER),
    }
    return {name: (command, lines[count], count) for name, (command, count) in candidates.items()
            if command[0] == OPOOL or installed(command[0])}


def run(rounds=7):
    queue, figures = [], {}
    with tempfile.TemporaryDirectory() as folder:
        started = programs(folder)
        for _ in range(rounds):
            for name, (command, text, count) in started.items():
                run = measure(command, text, folder=folder)
                figures.setdefault(name, []).append((run.wall / count, run.processor / count))
            found = peer("hyperqueue_commands.py", FEWER) if queue is not None else None
            queue = None if found is None else queue + found[1]["rate"]
    return part(figures, queue, rounds)


def part(figures, queue, rounds):
    rows, rates = [], {}
    for name, runs in figures.items():
        rates[name] = [1 / wall for wall, _ in runs]
        processor = spread([used for _, used in runs], "ms", 1e3)
        rows.append([name, spread(rates[name]), processor])
    if queue:
        rates["HyperQueue"] = queue
        rows.append(["HyperQueue, server and worker of 2 cores in one process", spread(queue), "–"])
    result = Part("Commands", figures=rates)
    result.add([f"{rounds} rounds", "commands/s", "processor, each"], rows)
    ours, theirs = list(rates.values())[:2]
    result.notes.append(
        f"Rate over that of xargs, median of the pairs: {median(ratios(ours, theirs)):.2f}. "
        f"{COUNT:,} commands a round; {FEWER:,} for GNU parallel and HyperQueue.")
    return result
