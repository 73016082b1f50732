"""Python's pools of two processes, each behind the same few functions.

A pool is a class with `name`, `version`, `start`, `stop` and `map_values` (many inputs, all
outputs). Some have `submit` (one call, whose arguments may be futures of other calls where
`waits_for_dependencies`; it returns a future) and `wait` for such futures.
"""
import importlib.metadata
import platform

WORKERS = 2


class Futures:
    """The standard library's `concurrent.futures.ProcessPoolExecutor`."""

    name = "concurrent.futures"
    # Its calls cannot wait for each other: the caller must wait.
    waits_for_dependencies = False

    @staticmethod
    def version():
        return "Python " + platform.python_version()

    def start(self):
        from concurrent.futures import ProcessPoolExecutor
        self.pool = ProcessPoolExecutor(WORKERS)

    def stop(self):
        self.pool.shutdown()

    def map_values(self, function, values):
        futures = [self.pool.submit(function, value) for value in values]
        return [future.result() for future in futures]

    def submit(self, function, *arguments):
        return self.pool.submit(function, *arguments)

    def wait(self, futures):
        for future in futures:
            future.result()


class Loky(Futures):
    name = "loky"

    @staticmethod
    def version():
        return "loky " + importlib.metadata.version("loky")

    def start(self):
        from loky import get_reusable_executor
        self.pool = get_reusable_executor(max_workers=WORKERS)


class Pebble(Futures):
    name = "pebble"

    @staticmethod
    def version():
        return "pebble " + importlib.metadata.version("pebble")

    def start(self):
        from pebble import ProcessPool
        self.pool = ProcessPool(max_workers=WORKERS)

    def map_values(self, function, values):
        futures = [self.pool.schedule(function, args=(value,)) for value in values]
        return [future.result() for future in futures]

    def stop(self):
        self.pool.close()
        self.pool.join()


class Unordered:
    """`multiprocessing.Pool`, results as they come."""

    name = "multiprocessing imap_unordered"
    version = staticmethod(Futures.version)

    def start(self):
        import multiprocessing
        self.pool = multiprocessing.Pool(WORKERS)

    def stop(self):
        self.pool.terminate()

    def map_values(self, function, values):
        return list(self.pool.imap_unordered(function, values))


class Apply(Unordered):
    name = "multiprocessing apply_async"

    def map_values(self, function, values):
        results = [self.pool.apply_async(function, (value,)) for value in values]
        return [result.get() for result in results]


class Dask:
    name = "dask"
    waits_for_dependencies = True

    @staticmethod
    def version():
        return "distributed " + importlib.metadata.version("distributed")

    def start(self):
        import logging

        from dask import config
        from dask.distributed import Client, LocalCluster
        config.set({"distributed.admin.tick.limit": "1h"})
        self.cluster = LocalCluster(
            n_workers=WORKERS, threads_per_worker=1, dashboard_address=None,
            silence_logs=logging.ERROR)
        self.client = Client(self.cluster)

    def stop(self):
        self.client.close()
        self.cluster.close()

    def map_values(self, function, values):
        return self.client.gather(self.client.map(function, values, pure=False))

    def submit(self, function, *arguments):
        return self.client.submit(function, *arguments, pure=False)

    def wait(self, futures):
        from dask.distributed import wait
        wait(futures)


class Ray:
    name = "ray"
    waits_for_dependencies = True

    @staticmethod
    def version():
        return "ray " + importlib.metadata.version("ray")

    def start(self):
        import logging

        import ray
        self.ray = ray
        self.remotes = {}
        ray.init(num_cpus=WORKERS, include_dashboard=False, logging_level=logging.ERROR,
                 log_to_driver=False)

    def stop(self):
        self.ray.shutdown()

    def remote(self, function):
        return self.remotes.setdefault(function, self.ray.remote(num_cpus=1)(function))

    def map_values(self, function, values):
        return self.ray.get([self.remote(function).remote(value) for value in values])

    def submit(self, function, *arguments):
        return self.remote(function).remote(*arguments)

    def wait(self, futures):
        self.ray.get(futures)


POOLS = {pool.name: pool for pool in (Futures, Unordered, Apply, Pebble, Loky, Dask, Ray)}
