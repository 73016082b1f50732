"""Large values there and back, beside Python's pool, a bare pipe and Foundation's coders."""
from harness.programs import BENCH, figures, peer
from harness.report import Part
from harness.samples import median, ratios, spread

PEER = "concurrent.futures"
TYPES = {"bytes": "`[UInt8]`", "data": "`Data`", "doubles": "`[Double]`", "ints": "`[Int]`",
         "string": "`String`"}
# How many of each size, so that each takes about a second.
SIZES = {1_000: 4_000, 100_000: 1_000, 1_000_000: 200, 10_000_000: 20, 50_000_000: 4}


def run(rounds=3, sizes=None):
    sizes = sizes or SIZES
    part = Part("Large values, there and back")
    rows = []
    for kind, name in TYPES.items():
        for size, count in sizes.items():
            rows.append([f"{name} of {size:,} bytes", *echoes(part, kind, size, count, rounds)])
    part.add([f"2 processes, {rounds} rounds", "operations/s", PEER, "over it"], rows)
    pipes(part, rounds)
    coders(part, rounds)
    memory(part)
    return part


def echoes(part, kind, size, count, rounds):
    ours, theirs = [], []
    for _ in range(rounds):
        ours += figures([BENCH, "payload", kind, str(size), str(count)])["rate"]
        found = peer("payload.py", PEER, kind, size, count)
        theirs += found[1]["rate"] if found else []
    part.figures[f"{kind}.{size}"] = ours
    part.figures[f"{kind}.{size}.{PEER}"] = theirs
    if not theirs:
        return spread(ours), "–", "–"
    return spread(ours), spread(theirs), f"{median(ratios(ours, theirs)):.2f}×"


def pipes(part, rounds, size=10_000_000, count=30):
    """One at a time: what a raw pipe takes for the same bytes."""
    ours, raw = [], []
    for _ in range(rounds):
        ours += figures([BENCH, "payload", "one", str(size), str(count)])["rate"]
        raw += figures([BENCH, "payload", "pipe", str(size), str(count)])["rate"]
    part.figures |= {"one": ours, "pipe": raw}
    part.add([f"{size:,} bytes, there and back, one at a time", "a second", "time over the pipe's"],
             [["`PoolTypedOperation` of `[UInt8]`", spread(ours),
               f"{median(ratios(raw, ours)):.2f}×"], ["a bare pipe", spread(raw), "1"]])


def coders(part, rounds, count=500):
    found = {}
    for _ in range(rounds):
        for name, values in figures([BENCH, "payload", "coders", "1", str(count)]).items():
            found.setdefault(name, []).extend(values)
    part.figures |= {f"coders.{name}": values for name, values in found.items()}
    rows = []
    for value, label in (("mixed", "100 structs, a `URL` in one"), ("text", "text, 16 KB")):
        for way in ("encode", "decode"):
            ours, theirs = found[f"{value}.{way}"], found[f"foundation.{value}.{way}"]
            rows.append([f"{label}: {way}", spread(ours, "µs"), spread(theirs, "µs"),
                         f"{median(ratios(ours, theirs)):.2f}×"])
    part.add(["coders", "ours", "Foundation's", "of it"], rows)


def memory(part, size=1_000_000, count=1_000):
    found = figures([BENCH, "payload", "memory", str(size), str(count)])
    part.figures |= {f"memory.{name}": values for name, values in found.items()}
    part.add([f"{count:,} operations with {size:,} bytes each, MB above the start", "MB"],
             [[name, spread(found[name])] for name in ("payloads", "queued", "peak", "finished",
                                                       "released")])
