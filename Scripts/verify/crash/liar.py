"""A worker that works, and lies now and then: for `Scripts/verify/soak --liars`.

Usage: liar.py SEED [honest]

It serves the kind `k`, whose result is its payload. Unless it is honest, it answers one operation
in 400, and one greeting in 8, with something that a worker may not say, or with silence. It never
gives its own operation a wrong result, which the coordinator could not notice.
"""
import os
import random
import signal
import struct
import sys
import time

from frames import STDOUT, attachment, frame, receive, send

LIES_AT_ALL = sys.argv[2:] != ["honest"]
chance = random.Random(f"{sys.argv[1]} {os.getpid()}")


def tempted(rate):
    return LIES_AT_ALL and chance.random() < rate


def hello(**fields):
    send(b"OPOOL-WORKER 1\n" + frame(type="hello", **{
        "versions": [1], "pid": os.getpid(), "kinds": ["k"], "capabilities": ["attachments"],
        **fields}))


GREETINGS = [
    lambda: hello(kinds=[f"k{number}" for number in range(70_000)]),
    lambda: hello(versions=[99]),
    lambda: hello(pid=1),
    lambda: send(b"Welcome to a login shell\n" * 3000),
    lambda: send(b"OPOOL-WORKER 1\n" + frame(type="finished", operation=1, dispatch=1)),
    lambda: time.sleep(30),
    lambda: os._exit(3),
]


def other(names):
    return {**names, "dispatch": names["dispatch"] + chance.choice([-1, 1, 2 ** 40])}


def half_a_frame(names):
    send(frame(type="finished", **names)[:-5])
    time.sleep(30)


def flood(names):
    for number in range(2000):
        send(frame(type=f"gossip{number % 3}"))
        send(frame(type="log", **names, message="x" * 200))
    return True


LIES = [
    lambda names: send(frame(type="finished", **other(names), result="a lie")),
    lambda names: send(frame(type="finished", operation=2 ** 50, dispatch=2 ** 50, result="a lie")),
    lambda names: send(frame(type="executing", **names, pid=1, group=1)),
    lambda names: send(frame(type="executing", **names, pid=os.getppid(),
                             group=os.getpgid(os.getppid()))),
    lambda names: send(frame(type="finished", **names, stdout={"descriptor": 0, "bytes": 1 << 40})),
    lambda names: send(struct.pack(">I", 0xFFFFFFFF) + b"x" * 100),
    lambda names: send(b"words that somebody printed\n"),
    lambda names: send(struct.pack(">I", 4) + b"[1]\n"),
    lambda names: send(attachment(bytes(100)) + frame(type="finished", **names, packed=True)),
    lambda names: send(attachment(b"{}") + frame(type="executing", **names)),
    lambda names: send(attachment(b"{}") * 2),
    lambda names: send(frame(type="finished", **names, packed=True)),
    lambda names: send(struct.pack(">I", 0xBFFFFFFF)) or time.sleep(30),
    lambda names: send(frame(type="returned", **names)),
    lambda names: send(frame(type="pong", number=7)),
    lambda names: os.kill(os.getpid(), signal.SIGKILL),
    lambda names: os.close(STDOUT) or time.sleep(30),
    half_a_frame,
    flood,
]


def execute(message):
    names = {key: message[key] for key in ("operation", "dispatch")}
    # Before it says that it executes, or after: only then the operation is lost with the worker.
    if tempted(1 / 800):
        chance.choice(LIES)(names)
    send(frame(type="executing", **names))
    if tempted(1 / 800):
        chance.choice(LIES)(names)
    answer = frame(type="finished", **names, result=message.get("payload"))
    send(answer)
    if tempted(1 / 4000):
        send(answer)


if tempted(1 / 8):
    chance.choice(GREETINGS)()
hello()
while True:
    message = receive()
    if message["type"] == "execute":
        execute(message)
