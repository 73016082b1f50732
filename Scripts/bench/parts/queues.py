"""Operations that do nothing in one queue, and the same number in many of one fleet."""
from harness.programs import BENCH, figures
from harness.report import Part
from harness.samples import median, ratios, spread

GROUPS = {
    "nested.10": "10 groups, each in the next, an operation in each",
    "nested.100": "100 groups, each in the next",
    "nested.1000": "1,000 groups, each in the next",
    "groups": "100 groups of 100 groups, one operation in each",
}


def run(count=100_000, rounds=5):
    found = figures([BENCH, "queues", str(count), str(rounds)])
    part = Part("Many queues", figures=found)
    rows = [["one queue, all at once", spread(found["1.1"]), ""]]
    for batches in (1_000, 10_000):
        one, many = found[f"{batches}.1"], found[f"{batches}.{batches}"]
        rows.append([f"one queue, in {batches:,} batches", spread(one), ""])
        rows.append([f"{batches:,} queues, one batch each", spread(many),
                     f"{median(ratios(one, many)):.2f}×"])
    part.add([f"{count:,} operations, 2 wide, {rounds} rounds", "operations/s",
              "slower than one queue, as many batches"], rows)
    rows = [[name, spread(found[key]), ""] for key, name in GROUPS.items()]
    rows[-1][-1] = f"{median(ratios(found['flat'], found['groups'])):.2f}×"
    part.add(["groups", "operations/s", "slower than without groups"], rows)
    return part
