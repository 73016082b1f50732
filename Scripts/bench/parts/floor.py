"""What /bin/true costs above the least that it can, beside make: processor time and rate."""
import os
import subprocess
import tempfile

from harness.programs import OPOOL, ROOT, installed, measure
from harness.report import Part
from harness.samples import median, ratios, spread

COUNT = 5_000
SOURCE = os.path.join(ROOT, "Scripts", "bench", "peers", "floor.c")


def makefile(folder):
    """An argument, as for the others: without one, `true` reads no locale, and costs less."""
    path = os.path.join(folder, "Makefile")
    names = " ".join(f"n{number}" for number in range(COUNT))
    with open(path, "w", encoding="utf-8") as file:
        file.write(f".PHONY: all {names}\nall: {names}\n{names}:\n\t@/bin/true $@\n")
    return ["make", "-s", "-r", "-j2", "-f", path]


def programs(folder):
    floor = os.path.join(folder, "floor")
    subprocess.run(["cc", "-O2", "-o", floor, SOURCE], check=True)
    started = {
        "floor": [floor, "/bin/true", str(COUNT), "2"],
        "`opool map -q -j2 /bin/true`": [OPOOL, "map", "-q", "-j2", "/bin/true"],
    }
    if installed("make"):
        started["`make -r -j2`"] = makefile(folder)
    return started


def run(rounds=15):
    text = "".join(f"{number}\n" for number in range(COUNT)).encode()
    with tempfile.TemporaryDirectory() as folder:
        started = programs(folder)
        runs = {name: [] for name in started}
        for _ in range(rounds):
            for name, command in started.items():
                runs[name].append(measure(command, text, folder=folder))
    return part(runs, rounds)


def part(runs, rounds):
    least = [run.processor for run in runs["floor"]]
    rows, figures = [], {}
    for name, all_runs in runs.items():
        figures[name] = [(run.processor - floor) / COUNT for run, floor in zip(all_runs, least)]
        rows.append([name, spread([COUNT / run.wall for run in all_runs]),
                     spread([run.processor / COUNT for run in all_runs], scale=1e6),
                     spread(figures[name], scale=1e6)])
    result = Part("Above the floor", figures=figures)
    result.add([f"{rounds} rounds", "commands/s", "processor, µs each", "above the floor, µs each"],
               rows)
    walls = [[run.wall for run in all_runs] for all_runs in runs.values()]
    if len(walls) == 3:
        rate = median(ratios(walls[2], walls[1]))
        result.notes.append(f"Our rate over make's, median of the pairs: {rate:.2f}.")
    return result
