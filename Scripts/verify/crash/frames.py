"""The wire, for workers that misbehave: frames are read from STDIN and written to STDOUT."""
import json
import os
import struct

STDIN, STDOUT = 0, 1


def send(data):
    while data:
        data = data[os.write(STDOUT, data):]


def frame(**message):
    body = json.dumps(message).encode() + b"\n"
    return struct.pack(">I", len(body)) + body


def attachment(content):
    """An attachment, for the message that follows it."""
    return struct.pack(">I", 1 << 31 | len(content)) + content


def read(count):
    """Reads that many bytes; the end of the input ends the process."""
    data = b""
    while len(data) < count:
        piece = os.read(STDIN, count - len(data))
        if not piece:
            os._exit(0)
        data += piece
    return data


def receive():
    return json.loads(read(struct.unpack(">I", read(4))[0]))
