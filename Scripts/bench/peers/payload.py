"""Operations that return what they are given, through one of Python's pools.

Usage: payload.py POOL TYPE BYTES COUNT      prints `version …` and `rate NUMBER`, a second

TYPE is one of `bytes`, `ints`, `doubles`, `data` and `string`, as in PoolBench's `payload`.
"""
import sys
import time

from pools import POOLS


def echo(value):
    return value


def text(count, first):
    line = f"Zeile {first}: \"größer\" als nichts,\tund 長い\n"
    return line * max(1, count // len(line.encode()))


MAKERS = {
    "bytes": lambda count, first: bytes([first & 127]) * count,
    "data": lambda count, first: bytes([first & 127]) * count,
    "ints": lambda count, first: [number * 1_000_003 + first for number in range(count // 8)],
    "doubles": lambda count, first: [(number + first) / 7 for number in range(count // 8)],
    "string": text,
}


def main():
    pool, make = POOLS[sys.argv[1]](), MAKERS[sys.argv[2]]
    size, count = int(sys.argv[3]), int(sys.argv[4])
    values = [make(size, first) for first in range(count)]
    pool.start()
    pool.map_values(echo, values[:4])
    start = time.monotonic()
    echoed = pool.map_values(echo, values)
    seconds = time.monotonic() - start
    assert echoed == values
    print("version", pool.version())
    print("rate", count / seconds, flush=True)
    pool.stop()


if __name__ == "__main__":
    main()
