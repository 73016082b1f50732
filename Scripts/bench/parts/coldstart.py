"""From nothing to the end of one command."""
from harness.programs import OPOOL, installed, measure
from harness.report import Part
from harness.samples import median, ratios, spread


def run(rounds=21):
    programs = {"`opool map true ::: 1`": [OPOOL, "map", "true", ":::", "1"]}
    if installed("parallel"):
        programs["`parallel true ::: 1`"] = ["parallel", "true", ":::", "1"]
    programs["`sh -c true`"] = ["sh", "-c", "true"]
    runs = {name: [] for name in programs}
    for _ in range(rounds):
        for name, program in programs.items():
            runs[name].append(measure(program))
    part = Part("Cold start", figures={name: [r.wall for r in all] for name, all in runs.items()})
    part.add([f"{rounds} rounds", "wall, ms", "processor, ms"],
             [[name, spread([run.wall for run in all], scale=1e3),
               spread([run.processor for run in all], scale=1e3)] for name, all in runs.items()])
    walls = list(part.figures.values())
    if len(walls) == 3:
        share = median(ratios(walls[0], walls[1]))
        part.notes.append(f"Ours over GNU parallel's, median of the pairs: {share:.2f}.")
    return part
