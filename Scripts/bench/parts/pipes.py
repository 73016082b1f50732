"""A large input in blocks, each the standard input of a command: ours beside GNU parallel."""
import os
import re
import shlex
import tempfile
import threading

from harness.programs import OPOOL, installed, measure
from harness.report import Part
from harness.samples import median, number, ratios, spread

SIZE = 1 << 29
LINE = b"2026-11-23 20:15:01 host service[4711]: a line of a log, of about a usual length\n"
# Whether they are cut from a pipe, from the standard input, or as parts of the file; and the size.
CASES = [("cat {file} | {program} --pipe --block {size} -j{width} {command}", "1M"),
         ("cat {file} | {program} --pipe --block {size} -j{width} {command}", "16M"),
         ("{program} --pipe --block {size} -j{width} {command} < {file}", "1M"),
         ("{program} --pipe --block {size} -j{width} {command} < {file}", "16M"),
         ("{program} --pipepart -a {file} --block {size} -j{width} {command}", "1M"),
         ("{program} --pipepart -a {file} --block {size} -j{width} {command}", "16M"),
         ("{program} --pipepart -a {file} --block {size} -j{width} {command}", "-1")]
COMMAND = "wc -l"


class SharedMemory:
    """The most that files in memory took on this machine beyond what they took before, in MB."""

    def __enter__(self):
        self.before = self.peak = self.now()
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.watch)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()

    def watch(self):
        while not self.ended.wait(0.002):
            self.peak = max(self.peak, self.now())

    @staticmethod
    def now():
        with open("/proc/meminfo", encoding="ascii") as file:
            return int(re.search(r"^Shmem:\s+(\d+)", file.read(), re.M)[1]) / 1024

    @property
    def rise(self):
        return self.peak - self.before


def line(shape, size, path, is_ours):
    """What a shell is given, for one of the two programs."""
    path = shlex.quote(path)
    return shape.format(file=path, program=f"{OPOOL} map -q" if is_ours else "parallel --will-cite",
                        size=size, width=len(os.sched_getaffinity(0)), command=COMMAND)


def name(shape, size):
    kind = "`cat FILE | … --pipe`" if shape.startswith("cat") else (
        "`… --pipepart`" if "pipepart" in shape else "`… --pipe < FILE`")
    return f"{kind}, blocks of {size}"


def run(rounds=5):
    part = Part("Blocks of an input")
    programs = [True] + ([False] if installed("parallel") else [])
    runs = {}
    with tempfile.NamedTemporaryFile() as file:
        for _ in range(SIZE // len(LINE) // 1024):
            file.write(LINE * 1024)
        file.flush()
        size = os.path.getsize(file.name)
        for _ in range(rounds):
            for shape, block in CASES:
                for is_ours in programs:
                    with SharedMemory() as memory:
                        one = measure(["sh", "-c", line(shape, block, file.name, is_ours)])
                    runs.setdefault((shape, block, is_ours), []).append((one, memory.rise))
    rows = []
    for shape, block in CASES:
        row = [name(shape, block)]
        rates = {}
        for is_ours in programs:
            found = runs[shape, block, is_ours]
            rates[is_ours] = [size / 1e6 / one.wall for one, _ in found]
            peak = max(one.peak for one, _ in found)
            row += [spread(rates[is_ours]), number(peak)]
            if is_ours:
                row.append(number(max(rise for _, rise in found)))
            part.figures[f"{name(shape, block)} {'opool' if is_ours else 'parallel'}"] = \
                rates[is_ours]
        row.append(f"{median(ratios(rates[True], rates[False])):.1f}×" if False in rates else "–")
        rows.append(row)
    head = [f"`{COMMAND}`, {size >> 20} MiB, {rounds} rounds", "opool, MB/s", "peak, MB",
            "files in memory, MB"]
    part.add(head + (["GNU parallel, MB/s", "peak, MB"] if len(programs) > 1 else []) + ["ratio"],
             rows)
    part.notes.append(
        "The peak is that of the largest process of each run. Blocks of a stream are files in "
        "memory, which no process counts: how much those of the whole machine grew is beside it.")
    return part
