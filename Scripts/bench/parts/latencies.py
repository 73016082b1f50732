"""How soon the pool is done with what was cancelled, and goes on after a death."""
from harness.programs import BENCH, figures
from harness.report import Part
from harness.samples import spread

NAMES = {
    "stop": "cancelled, to the end of an operation that asks all the time",
    "kill": "cancelled, to the end by SIGKILL of one that ignores everything, less both graces",
    "replace": "death of a worker, to the next operation on a new one",
    "retry": "death of a worker, to the retry, on an idle one",
}


def run(count=200, rounds=3):
    found = {}
    for _ in range(rounds):
        for name, values in figures([BENCH, "latencies", str(count)]).items():
            found.setdefault(name, []).extend(values)
    part = Part("After a cancellation and after a death", figures=found)
    part.add([f"{rounds} rounds of {count}, a quarter of that for SIGKILL", "p50, ms", "p99, ms"],
             [[name, spread(found[f"{key}.p50"]), spread(found[f"{key}.p99"])]
              for key, name in NAMES.items()])
    return part
