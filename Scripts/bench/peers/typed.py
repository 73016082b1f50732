"""Operations of three fields in and three fields out, through one of Python's pools.

Usage: typed.py POOL COUNT       prints `version …` and `rate NUMBER`, operations a second
"""
import dataclasses
import sys
import time

from pools import POOLS


@dataclasses.dataclass
class Reading:
    sensor: str
    celsius: float
    hour: int


@dataclasses.dataclass
class Verdict:
    sensor: str
    fahrenheit: float
    is_day: bool


def judge(reading):
    return Verdict(reading.sensor, reading.celsius * 1.8 + 32, 6 < reading.hour < 20)


def readings(count):
    return [Reading("roof", number % 40 + 0.5, number % 24) for number in range(count)]


def main():
    pool, count = POOLS[sys.argv[1]](), int(sys.argv[2])
    pool.start()
    pool.map_values(judge, readings(100))
    start = time.monotonic()
    values = pool.map_values(judge, readings(count))
    seconds = time.monotonic() - start
    assert len(values) == count and all(value.fahrenheit > 0 for value in values)
    print("version", pool.version())
    print("rate", count / seconds, flush=True)
    pool.stop()


if __name__ == "__main__":
    main()
