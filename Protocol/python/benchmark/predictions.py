#!/usr/bin/env python3
"""Predictions of a warm model: `opool run` with two Python workers, beside `multiprocessing.Pool`.

Usage: predictions.py OPOOL [PREDICTIONS [PAIRS]]     (5000 and 5 unless given)

Both read the same file of JSON lines, load the model in two processes, and write a line for each
result; the time is that of the whole program, from its start. The pairs alternate in their order.
"""

from __future__ import annotations

import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

FOLDER = pathlib.Path(__file__).resolve().parent.parent
WORKER = FOLDER / "examples" / "classifier.py"
POOL = """
import json, multiprocessing, sys
import classifier
if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        texts = [json.loads(line)["payload"] for line in file]
    with multiprocessing.Pool(2, classifier.load) as pool, open(sys.argv[2], "w") as results:
        for label in pool.imap(classifier.classify, texts, CHUNK):
            results.write(json.dumps({"result": label}) + "\\n")
"""


def write_manifest(path: str, count: int) -> None:
    """Write texts of 200 words, one for each prediction."""
    chance = random.Random(2)
    with open(path, "w") as file:
        for number in range(count):
            text = " ".join(f"word{chance.randrange(2000)}" for _ in range(200))
            line = {"id": f"p{number}", "kind": "classify", "payload": text}
            file.write(json.dumps(line) + "\n")


def measure(command: list[str]) -> float:
    """Return the seconds that a command takes; raises if it fails."""
    path = os.pathsep.join([str(FOLDER), str(FOLDER / "examples")])
    began = time.perf_counter()
    subprocess.run(
        command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
    )
    return time.perf_counter() - began


def results(path: str) -> list[int]:
    """Return the labels of a file of results, sorted: opool writes each as it ends."""
    with open(path) as file:
        return sorted(json.loads(line)["result"] for line in file)


def main() -> None:
    opool = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 5000
    pairs = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    times: dict[str, list[float]] = {"opool": [], "Pool": [], "Pool, chunks of 50": []}
    with tempfile.TemporaryDirectory() as folder:
        manifest, output = f"{folder}/manifest.jsonl", f"{folder}/results.jsonl"
        write_manifest(manifest, count)
        commands = {
            "opool": [opool, "run", "--worker", f"2:{sys.executable} {WORKER}",
                      "--results", output, manifest],
            "Pool": [sys.executable, "-c", POOL.replace("CHUNK", "1"), manifest, output],
            "Pool, chunks of 50": [
                sys.executable, "-c", POOL.replace("CHUNK", "50"), manifest, output,
            ],
        }
        expected = None
        for pair in range(pairs):
            for name in sorted(commands, reverse=pair % 2 == 1):
                pathlib.Path(output).unlink(missing_ok=True)
                times[name].append(measure(commands[name]))
                found = results(output)
                expected = expected or found
                assert found == expected and len(found) == count, name
    medians = {name: statistics.median(values) for name, values in times.items()}
    for name, seconds in medians.items():
        ratio = statistics.median(
            mine / other for mine, other in zip(times["opool"], times[name])
        )
        print(
            f"{name}: {seconds:.2f} s ({min(times[name]):.2f} to {max(times[name]):.2f}), "
            f"{count / seconds:.0f} predictions/s; time of opool to this: {ratio:.3f}"
        )


if __name__ == "__main__":
    main()
