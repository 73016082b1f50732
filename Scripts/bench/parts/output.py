"""A gigabyte of command output, in the order of the input, into a pipe."""
import subprocess

from harness.programs import OPOOL, measure
from harness.report import Part
from harness.samples import median, ratios, spread

EACH = 1 << 28
INPUTS = ["1", "2", "3", "4"]


def piped(arguments):
    """Measures a program whose output another one reads to the end."""
    reader = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    try:
        return measure(arguments, output=reader.stdin)
    finally:
        reader.stdin.close()
        reader.wait()


def run(rounds=5):
    write = ["sh", "-c", f"head -c {EACH} /dev/zero", "sh", "{}"]
    programs = {
        "`opool map -q -k -j2`, four of 256 MiB": [
            OPOOL, "map", "-q", "-k", "-j2", *write, ":::", *INPUTS],
        "the same from `head`, through `cat`": ["sh", "-c", f"head -c {4 * EACH} /dev/zero | cat"],
    }
    runs = {name: [] for name in programs}
    for _ in range(rounds):
        for name, program in programs.items():
            runs[name].append(piped(program))
    part = Part("One gigabyte of output")
    part.figures = {name: [run.wall for run in all] for name, all in runs.items()}
    part.add([f"{rounds} rounds", "wall, s", "processor, s", "peak memory, MB"],
             [[name, spread([run.wall for run in all]), spread([run.processor for run in all]),
               spread([run.peak for run in all])] for name, all in runs.items()])
    ours, theirs = part.figures.values()
    part.notes.append(
        f"Ours over `cat`, median of the pairs: {median(ratios(ours, theirs)):.2f}. The peak is "
        "that of the largest process; that of the Python that starts it is the least to be seen.")
    return part
