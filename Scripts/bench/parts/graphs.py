"""Large graphs: manifests, the core alone, and operations as library users hold them."""
import os
import random
import tempfile

from harness.programs import BENCH, OPOOL, STRESS, figures, measure
from harness.report import Part
from harness.samples import median, number, spread

SIZES = (10_000, 100_000, 1_000_000)
LAYER = 1_000


def lines(size):
    """Each operation comes after three earlier ones."""
    generator = random.Random(7)
    for place in range(size):
        after = ",".join(f'"n{generator.randrange(place)}"' for _ in range(min(place, 3)))
        yield f'{{"id":"n{place}","run":["true","{place}"],"after":[{after}]}}\n'


def layers(names):
    """All of a second layer wait for all of a first, which they name one by one or as a group."""
    group = "" if names else ',"group":"first"'
    after = ",".join(f'"a{place}"' for place in range(LAYER)) if names else '"first"'
    for place in range(LAYER):
        yield f'{{"id":"a{place}","run":["true"]{group}}}\n'
    for place in range(LAYER):
        yield f'{{"id":"b{place}","run":["true"],"after":[{after}]}}\n'


def plan(text, rounds):
    """Loads, checks and plans a manifest: the runs, and the bytes of its text."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.writelines(text)
        file.flush()
        size = os.path.getsize(file.name)
        return [measure([OPOOL, "run", "-n", "-q", file.name]) for _ in range(rounds)], size


def manifests(part, rounds):
    rows, wall, processor = [], {}, {}
    for size in SIZES:
        runs, text = plan(lines(size), rounds)
        wall[size] = [run.wall / size * 1e6 for run in runs]
        processor[size] = [run.processor / size * 1e6 for run in runs]
        peak = median([run.peak for run in runs])
        rows.append([f"{size:,}", spread(wall[size]), spread(processor[size]), f"{peak:,.0f} MB",
                     f"{peak * 2**20 / size:,.0f} bytes", f"{text / size:.0f} bytes"])
    part.add(["operations of a manifest, 3 dependencies each", "`opool run -n -q`, wall, µs each",
              "processor, µs each", "peak memory", "each", "text, each"], rows)
    for name, each in (("wall", wall), ("processor", processor)):
        small, large = (median(each[size]) for size in SIZES[1:])
        part.notes.append(f"From 10⁵ to 10⁶ operations, the {name} time of one grows "
                          f"{large / small:.2f}×, by {large - small:.2f} µs.")
    part.figures["manifests"] = {"wall": wall, "processor": processor}


def bipartite(part, rounds):
    rows = []
    for names, label in ((False, "by the group's name"), (True, "by a million names")):
        runs, text = plan(layers(names), rounds)
        wall = [run.wall * 1e3 for run in runs]
        part.figures["layers, " + label] = wall
        rows.append([label, spread(wall, "ms"), f"{median([r.peak for r in runs]):,.0f} MB",
                     f"{text / 2**20:.1f} MB"])
    part.add([f"all of {LAYER:,} wait for all of {LAYER:,}", "`opool run -n -q`", "peak memory",
              "text"], rows)


def shapes(part):
    found = figures([STRESS, "sizes"])
    part.figures["core"] = found
    rows = []
    for name in sorted({key.split(".")[0] for key in found if "." in key}):
        small, large = (found[f"{name}.{size}"] for size in SIZES[1:])
        rows.append([name.replace("-", " "), spread(small), spread(large),
                     f"{median(large) / median(small):.2f}×"])
    part.add(["executed in the core alone, processor, µs each", "10⁵", "10⁶", "growth"], rows)
    return median(found["bytes"])


def run(rounds=5):
    part = Part("Large graphs")
    core = shapes(part)
    handles = figures([BENCH, "handles", str(SIZES[-1])])
    part.figures["handles"] = handles
    part.add(
        ["10⁶ operations that wait, 3 dependencies each", "bytes each", "µs each"],
        [["in the core", number(core), "–"],
         ["with library handles", number(handles["bytes"][0]), number(handles["microseconds"][0])]])
    manifests(part, rounds)
    bipartite(part, rounds)
    return part
