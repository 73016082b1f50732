"""Puts the picture into the documentation, and a table of the headline figures into the README."""
import os

from harness import plot, programs
from harness.samples import median, number

PICTURE = os.path.join(programs.ROOT, "Sources", "OperationPool", "OperationPool.docc", "Resources",
                       "figures.svg")
README = os.path.join(programs.ROOT, "README.md")
BEGIN, END = "<!-- figures of Scripts/bench/run -->", "<!-- end of figures -->"

# Title, part, ours and its name, theirs and its name, unit, factor; figures are rates where the
# unit ends with /s, and times elsewhere.
ROWS = [
    ("operations that do nothing", "noop", "pool", "foundation",
     "Foundation's `OperationQueue`, in process", "/s", 1),
    ("operations of a type", "typed", "pool", "concurrent.futures", "`concurrent.futures`", "/s",
     1),
    ("one operation at a time, waiting", "roundtrip", "wait.p50", "raw.p50",
     "64 bytes there and back through pipes", "µs", 1),
    ("`/bin/true`, outputs grouped", "commands", "`opool map -q -j2 /bin/true`",
     "`xargs -P2 -n1 /bin/true`", "`xargs -P2 -n1`", "/s", 1),
    ("`opool map true ::: 1`, from start to end", "coldstart", "`opool map true ::: 1`",
     "`parallel true ::: 1`", "GNU parallel", "ms", 1e3),
    ("a gigabyte of output in order (`-k`), into a pipe", "output",
     "`opool map -q -k -j2`, four of 256 MiB", "the same from `head`, through `cat`",
     "`head` through `cat`", "s", 1),
]
PATTERN = "stencil_1d"


def publish(results):
    plot.save(results, PICTURE)
    with open(README, encoding="utf-8") as file:
        text = file.read()
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        raise SystemExit(f"README.md needs one line {BEGIN} and one line {END} after it")
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    with open(README, "w", encoding="utf-8") as file:
        file.write(before + "\n".join([BEGIN, *table(results), END]) + after)


def table(results):
    """Less than fifteen lines: what was not measured has none."""
    lines = ["| two wide, medians | ours | beside it | ratio |", "|---|---|---|---|"]
    lines += filter(None, (row(results, entry) for entry in ROWS))
    lines += granularity(results)
    return lines + ["", sentence(results), picture()]


def row(results, entry):
    title, part, ours, theirs, name, unit, factor = entry
    figures = results.get(part, {}).get("figures", {})
    if not figures.get(ours) or not figures.get(theirs):
        return None
    our, their = (median(figures[key]) * factor for key in (ours, theirs))
    return cells(title, our, their, name, unit)


def granularity(results):
    figures = results.get("granularity", {}).get("figures", {})
    ours = figures.get("opool", {}).get(PATTERN)
    theirs = [(median(values[PATTERN]), name) for name, values in figures.items()
              if name != "opool" and values.get(PATTERN)]
    if not ours or not theirs:
        return []
    their, name = min(theirs)
    return [cells(f"METG(50 %) of Task Bench's `{PATTERN}`", median(ours) / 1e3, their / 1e3, name,
                  "µs")]


def cells(title, our, their, name, unit):
    unit = unit if unit.startswith("/") else f" {unit}"
    word = "the rate" if unit == "/s" else "the time"
    return (f"| {title} | {number(our)}{unit} | {number(their)}{unit}, {name} | "
            f"{number(our / their)}× {word} |")


def sentence(results):
    return ("By `Scripts/bench/run` on " + " and on ".join(plot.machines(results)) +
            ". Shared machines differ by a factor of two: compare within a line.")


def picture():
    place = os.path.relpath(PICTURE, programs.ROOT)
    return f"![Rates and granularities, ours and others']({place})"
