#!/usr/bin/env python3
"""A coordinator that has a worker execute commands, always four at once; see Scripts/instructions.

Usage: commander.py COUNT WORKER [ARGUMENT...]
"""
import re
import struct
import subprocess
import sys

FINISHED = re.compile(rb'"type":"finished"')
WELCOME = (b'{"type":"welcome","version":1,"worker":1,"frameLimit":67174400,"files":true,"slot":1,'
           b'"attachmentLimit":1073741824}\n')
EXECUTE = (b'{"type":"execute","operation":%d,"dispatch":%d,"attempt":1,"kind":"command",'
           b'"payload":{"run":["/bin/true","%d"]},"variables":{"OPOOL_ID":"%d","PARALLEL_SEQ":"%d",'
           b'"OPOOL_KEY":"4a5ee689a40965158a4a6d99be121079"}}\n')
BATCH = 4


def frame(body):
    return struct.pack(">I", len(body)) + body


def execute(number):
    return frame(EXECUTE % (number - 1, number, number, number, number))


def main():
    count, worker = int(sys.argv[1]), sys.argv[2:]
    process = subprocess.Popen(worker, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    answered, text = 0, b""
    process.stdin.write(frame(WELCOME))
    for first in range(1, count + 1, BATCH):
        last = min(first + BATCH - 1, count)
        process.stdin.write(b"".join(map(execute, range(first, last + 1))))
        while answered < last:
            piece = process.stdout.read(1 << 16)
            if not piece:
                sys.exit(f"the worker has ended after {answered} commands")
            text += piece
            end = text.rfind(b"\n") + 1
            answered += len(FINISHED.findall(text[:end]))
            text = text[end:]
    process.stdin.close()
    sys.exit(process.wait())


main()
