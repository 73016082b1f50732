"""/bin/true, many times, through HyperQueue: a server and a worker of two cores in this process.

Usage: hyperqueue_commands.py COUNT      prints `version …` and `rate NUMBER`, commands a second

PyPI has HyperQueue's library and not its `hq`; the server, the worker and the way of a task are the
same.
"""
import importlib.metadata
import sys
import tempfile
import time

from hyperqueue import Job, LocalCluster
from hyperqueue.cluster import WorkerConfig


def run(client, count):
    job = Job()
    for _ in range(count):
        job.program(["/bin/true"])
    client.wait_for_jobs([client.submit(job)])


def main():
    count = int(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        with LocalCluster(folder) as cluster:
            cluster.start_worker(WorkerConfig(cores=2))
            client = cluster.client()
            run(client, 10)
            start = time.monotonic()
            run(client, count)
            print("version hyperqueue", importlib.metadata.version("hyperqueue"))
            print("rate", count / (time.monotonic() - start), flush=True)


if __name__ == "__main__":
    main()
