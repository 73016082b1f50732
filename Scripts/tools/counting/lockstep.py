#!/usr/bin/env python3
"""A worker that does nothing, and always answers in one go all that it was sent in one go.

So the turns of its coordinator are the same in each run, as long as the queue's width says how many
operations a turn has; see Scripts/instructions.
"""
import os
import re
import struct

EXECUTE = re.compile(rb'"type":"execute","operation":(\d+),"dispatch":(\d+)')


def frame(body):
    return struct.pack(">I", len(body)) + body


def answer(match):
    reference = b'"operation":%s,"dispatch":%s' % match.groups()
    return (frame(b'{"type":"executing",%s}\n' % reference)
            + frame(b'{"type":"finished",%s,"result":null}\n' % reference))


def send(data):
    while data:
        data = data[os.write(1, data):]


def main():
    send(b"OPOOL-WORKER 1\n" + frame(
        b'{"type":"hello","versions":[1],"pid":%d,"kinds":["noop","reading"],"slots":1,'
        b'"capabilities":["prefetch","recall","cancel","drain"]}\n' % os.getpid()))
    rest = b""
    while piece := os.read(0, 1 << 20):
        rest += piece
        end = rest.rfind(b"\n") + 1
        send(b"".join(map(answer, EXECUTE.finditer(rest[:end]))))
        rest = rest[end:]


main()
