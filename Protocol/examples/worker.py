#!/usr/bin/env python3
"""A worker of the minimal profile, written from Protocol/README.md alone."""

import json
import os
import struct
import sys


def fail(why):
    raise RuntimeError(why)


LIMIT = 67174400  # The longest body.
KINDS = {"reverse": lambda text: text[::-1], "sum": sum, "fail": fail}

source = os.fdopen(os.dup(0), "rb")  # Python makes duplicates close-on-exec.
sink = os.fdopen(os.dup(1), "wb")
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
os.dup2(2, 1)  # Whatever prints, prints to standard error.


def send(**message):
    body = json.dumps(message).encode() + b"\n"
    sink.write(struct.pack(">I", len(body)) + body)
    sink.flush()


sink.write(b"OPOOL-WORKER 1\n")
send(type="hello", versions=[1], pid=os.getpid(), kinds=sorted(KINDS))
while header := source.read(4):
    length = struct.unpack(">I", header)[0]
    if length > LIMIT:
        sys.exit(f"a frame of {length} bytes")
    body = source.read(length)
    if not body.endswith(b"\n"):
        sys.exit("a frame without a line feed at its end")
    message = json.loads(body)
    if message["type"] != "execute":
        continue
    names = {"operation": message["operation"], "dispatch": message["dispatch"]}
    send(type="executing", **names)
    try:
        send(type="finished", **names, result=KINDS[message["kind"]](message.get("payload")))
    except Exception as error:
        failure = {"cause": "error", "message": str(error), "type": type(error).__name__}
        send(type="finished", **names, error=failure)
