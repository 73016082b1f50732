"""What a pool costs that has nothing to do, and how soon a worker is there."""
import glob
import os
import re
import subprocess
import time

from harness.programs import BENCH, PRODUCTS, ROOT, measure
from harness.report import Part
from harness.samples import median, spread


def processor(pid):
    """Nanoseconds of all threads on a processor."""
    total = 0
    for path in glob.glob(f"/proc/{pid}/task/*/schedstat"):
        with open(path, encoding="utf-8") as file:
            total += int(file.read().split()[0])
    return total


def proportional(pid):
    """Bytes in memory: its own, and its share of what several have."""
    with open(f"/proc/{pid}/smaps_rollup", encoding="utf-8") as file:
        return int(re.search(r"^Pss:\s+(\d+)", file.read(), re.MULTILINE).group(1)) * 1024


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as file:
        own = file.read().split()
    # Those of other threads, too.
    for path in glob.glob(f"/proc/{pid}/task/*/children"):
        with open(path, encoding="utf-8") as file:
            own += file.read().split()
    return sorted({int(child) for child in own})


def idle(workers=8, seconds=3):
    """Milliseconds on a processor of all processes, and the memory of each."""
    process = subprocess.Popen([BENCH, "rest", str(workers)], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True)
    started = float(process.stdout.readline().split()[1])
    everyone = [process.pid] + children(process.pid)
    # What follows the last answer is not rest.
    time.sleep(0.5)
    before = sum(map(processor, everyone))
    time.sleep(seconds)
    used = (sum(map(processor, everyone)) - before) / 1e6
    memory = [proportional(pid) for pid in everyone]
    process.stdin.close()
    process.wait()
    if started != workers or len(everyone) != workers + 1:
        raise SystemExit(f"{started} of {workers} workers had work; {len(everyone)} processes")
    return used, memory


def own_workers(worker, count=8):
    """Megabytes of each of several idle processes of the worker program."""
    hold, give = os.pipe()
    read, write = os.pipe()
    actions = [(os.POSIX_SPAWN_DUP2, hold, 0), (os.POSIX_SPAWN_DUP2, write, 1),
               (os.POSIX_SPAWN_CLOSE, give)]
    pids = [os.posix_spawn(worker, [worker], os.environ, file_actions=actions)
            for _ in range(count)]
    text = b""
    while text.count(b"}\n") < count:
        text += os.read(read, 65536)
    memory = sum(map(proportional, pids)) / count / 2**20
    for descriptor in (give, hold, read, write):
        os.close(descriptor)
    for pid in pids:
        os.waitpid(pid, 0)
    return memory


def first_line(arguments, environment, mark):
    """Milliseconds from the start of a program until it has written what has the mark."""
    read, write = os.pipe()
    hold, give = os.pipe()
    actions = [(os.POSIX_SPAWN_DUP2, write, 1), (os.POSIX_SPAWN_DUP2, hold, 0)]
    start = time.perf_counter()
    pid = os.posix_spawn(arguments[0], arguments, environment, file_actions=actions)
    os.close(write)
    text = b""
    while mark not in text:
        text += os.read(read, 65536) or mark
    elapsed = (time.perf_counter() - start) * 1e3
    # The end of its input ends a worker.
    for descriptor in (give, hold):
        os.close(descriptor)
    os.waitpid(pid, 0)
    os.close(read)
    return elapsed


# Where `Scripts/install` builds programs with Swift's libraries linked in.
STATIC = os.path.join(ROOT, ".build", "static", "release")


def variants(name):
    """A program as it is built, and as it is installed, where that was done."""
    found = {"": os.path.join(PRODUCTS, name), ", as installed": os.path.join(STATIC, name)}
    return {label: path for label, path in found.items() if os.path.exists(path)}


def cold(opool):
    """Milliseconds of a whole run of one command."""
    return measure([opool, "map", "-q", "true", ":::", "1"]).wall * 1e3


def starts(rounds):
    marked = {**os.environ, "OPOOL_WORKER": "1"}
    programs = {
        f"`opool-worker`{label}, to its hello": ([worker], os.environ, b"}\n")
        for label, worker in variants("opool-worker").items()
    } | {
        "a program that is its own worker, to its hello": ([BENCH], marked, b"}\n"),
        "`/bin/echo`, to its output": (["/bin/echo"], os.environ, b"\n"),
    }
    found = {name: [] for name in programs}
    for _ in range(rounds):
        for name, program in programs.items():
            found[name].append(first_line(*program))
        for label, opool in variants("opool").items():
            found.setdefault(f"`opool map true ::: 1`{label}", []).append(cold(opool))
    return found


def run(rounds=5):
    part = Part("At rest")
    idles = [idle() for _ in range(rounds)]
    used, memory = [run[0] for run in idles], [run[1] for run in idles]
    workers = [sum(all[1:]) / 8 / 2**20 for all in memory]
    part.add(
        [f"eight idle workers, {rounds} rounds", ""],
        [["processor in 3 s, all nine processes", spread(used, "ms")],
         ["memory of one worker (its share of what several have)", spread(workers, "MB")],
         ["memory of the coordinator", spread([all[0] / 2**20 for all in memory], "MB")]])
    own = {f"one of eight idle `opool-worker`{label}": [own_workers(path) for _ in range(rounds)]
           for label, path in variants("opool-worker").items()}
    part.add(["memory of the worker program", "MB"],
             [[name, spread(samples)] for name, samples in own.items()])
    found = starts(21)
    part.add(["start of a worker, 21 rounds", "ms"],
             [[name, spread(samples)] for name, samples in found.items()])
    part.figures = {"processor ms": used, "worker MB": workers, **own, **found}
    part.notes.append(f"One tick of the clock is {1000 / os.sysconf('SC_CLK_TCK'):.0f} ms; the "
                      f"pool used {median(used):.2f} ms.")
    return part
