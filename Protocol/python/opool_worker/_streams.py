"""The worker's descriptors: frames have their own, so that what prints cannot reach them."""

from __future__ import annotations

import contextlib
import io
import os
import sys


def take_streams() -> tuple[int, int]:
    """Move standard input and output to other descriptors, and return these.

    What reads standard input from now on finds its end; what prints, prints to standard error.
    Programs that operations start inherit neither stream, nor any other descriptor of this process.
    """
    sys.stdout.flush()
    source, sink = os.dup(0), os.dup(1)  # Python marks duplicates close-on-exec.
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    for descriptor in _open_descriptors():
        with contextlib.suppress(OSError):
            os.set_inheritable(descriptor, descriptor <= 2)
    os.set_blocking(source, True)
    os.set_blocking(sink, True)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)
    return source, sink


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of the bytes; raises `OSError` if the reader is gone."""
    written = os.write(descriptor, data)
    if written < len(data):
        rest = memoryview(data)
        while written < len(data):
            written += os.write(descriptor, rest[written:])


def flush_printed() -> None:
    """Hand what has been printed to the system."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()


def say(text: str) -> None:
    """Write a line for people to standard error, whatever its state is."""
    with contextlib.suppress(OSError):
        os.write(2, f"opool_worker: {text}\n".encode("utf-8", "backslashreplace"))


def _open_descriptors() -> list[int]:
    for folder in ("/proc/self/fd", "/dev/fd"):
        with contextlib.suppress(OSError):
            return [int(name) for name in os.listdir(folder)]
    return []
