"""/bin/true, many times, through HyperQueue: a server and a worker of two cores in this process.

Usage: hyperqueue_commands.py COUNT      prints `version …` and `rate NUMBER`, commands a second

PyPI has HyperQueue's library and not its `hq`; the server, the worker and the way of a task are the
same.
"""
import importlib.metadata
import os
import sys
import tempfile
import time

from hyperqueue import Job, LocalCluster
from hyperqueue.cluster import WorkerConfig


def run(client, folder, count):
    """Seconds until a last command has said that all others ended.

    Not `wait_for_jobs`, which looks once a second.
    """
    fifo = os.path.join(folder, f"end{count}")
    os.mkfifo(fifo)
    job = Job(default_workdir=folder)
    quiet = {"stdout": None, "stderr": None}
    tasks = [job.program(["/bin/true"], **quiet) for _ in range(count)]
    job.program(["/bin/sh", "-c", f"echo > {fifo}"], deps=tasks, **quiet)
    start = time.monotonic()
    client.submit(job)
    with open(fifo, encoding="utf-8") as end:
        end.read()
    return time.monotonic() - start


def main():
    count = int(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder, LocalCluster(folder) as cluster:
        cluster.start_worker(WorkerConfig(cores=2))
        client = cluster.client()
        run(client, folder, 10)
        seconds = run(client, folder, count)
        print("version hyperqueue", importlib.metadata.version("hyperqueue"))
        print("rate", count / seconds, flush=True)


if __name__ == "__main__":
    main()
