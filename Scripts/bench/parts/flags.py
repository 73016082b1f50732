"""What each option costs small commands: their rate with it, over the rate without any."""
import os
import shutil
import tempfile

from harness.programs import OPOOL, measure
from harness.report import Part
from harness.samples import median, number, ratios, spread

COUNT = 3_000
# A file or folder is new in each round.
FLAGS = [[], ["-k"], ["--tag"], ["--line-buffer"], ["-u"], ["--joblog", "{new}"],
         ["--results", "{new}"], ["--results", "{new}/"], ["--journal", "{new}"],
         ["--halt", "now,fail=1"], ["--retries", "2"], ["--timeout", "60"]]
COMMAND = ["/bin/echo"]


def run(rounds=7):
    text = "".join(f"{n}\n" for n in range(COUNT)).encode()
    rates = {}
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(rounds):
            for flags in FLAGS:
                new = os.path.join(folder, f"new{turn}")
                words = [flag.format(new=new) for flag in flags]
                run = measure([OPOOL, "map", "-q", "-j2", *words, *COMMAND], text, folder=folder)
                name = " ".join(flags).format(new="NEW") or "none"
                rates.setdefault(name, []).append(COUNT / run.wall)
                remove(folder)
    return part(rates, rounds)


def remove(folder):
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)


def part(rates, rounds):
    result = Part("Options", figures=rates)
    result.add([f"`opool map -q -j2 /bin/echo`, {rounds} rounds", "commands/s", "over none"],
               [[f"`{name}`", spread(found), number(median(ratios(found, rates["none"])))]
                for name, found in rates.items()])
    result.notes.append(f"{COUNT:,} commands a round, each with a line of output.")
    return result
