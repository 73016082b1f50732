"""A worker that comes to grief once, at a given moment and in a given manner.

Usage: worker.py MOMENT MANNER MARK; the file MARK is made when it happens, and once it is there the
worker behaves. The operation `victim` is what it happens with.
"""
import os
import signal
import struct
import sys
import time

from frames import STDIN, STDOUT, frame, read, receive, send

MOMENT, MANNER, MARK = sys.argv[1:4]


def grieve():
    """Comes to grief, unless it has before."""
    try:
        os.close(os.open(MARK, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return
    if MANNER == "SIGSEGV":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif MANNER == "SIGKILL":
        os.kill(os.getpid(), signal.SIGKILL)
    elif MANNER == "exit 0":
        os._exit(0)
    elif MANNER == "exit 3":
        os._exit(3)
    elif MANNER == "hang":
        while True:
            time.sleep(1000)
    elif MANNER == "SIGSTOP":
        os.kill(os.getpid(), signal.SIGSTOP)
    elif MANNER == "garbage":
        send(b"no frame, but words that somebody printed\n" * 4)
        while os.read(STDIN, 65536):
            pass
    elif MANNER == "oversized":
        send(struct.pack(">I", 0xFFFFFFFF))
        while os.read(STDIN, 65536):
            pass
    elif MANNER == "EOF":
        os.close(STDOUT)
        while True:
            time.sleep(1000)


def execute(message):
    number = {key: message[key] for key in ("operation", "dispatch")}
    answer = frame(type="finished", **number, result=message["payload"])
    if message["payload"] != "victim":
        send(frame(type="executing", **number))
        send(answer)
        return
    if MOMENT == "after reading":
        grieve()
    send(frame(type="executing", **number))
    if MOMENT == "executing":
        grieve()
    if MOMENT == "mid-answer" and not os.path.exists(MARK):
        # What follows half a frame is part of it: garbage is then no JSON.
        send(answer[: len(answer) // 2])
        grieve()
    send(answer)
    if MOMENT == "after the answer":
        grieve()


def main():
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    send(b"OPOOL-WORKER 1\n")
    hello = {"type": "hello", "versions": [1], "pid": os.getpid(), "kinds": ["k"], "slots": 1,
             "capabilities": ["prefetch", "recall", "cancel", "ping"]}
    send(frame(**hello))
    answered = 0
    while True:
        # The first operation went well, so that the worker is known to be one.
        if answered == 1 and MOMENT == "before reading":
            grieve()
        if answered == 1 and MOMENT == "mid-frame" and not os.path.exists(MARK):
            read(6)
            grieve()
        message = receive()
        if message["type"] == "execute":
            execute(message)
            answered += 1
        elif message["type"] == "recall":
            pass
        elif message["type"] == "ping":
            send(frame(type="pong", number=message["number"]))


main()
