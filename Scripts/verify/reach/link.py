#!/usr/bin/env python3
"""Carries bytes between its standard streams and a command, late, damaged, or not at all.

Usage: link.py [--rtt MS] [--cut FILE] [--damage SORT:PLACE[:far]] -- COMMAND…

--rtt     half of it is added each way
--cut     while FILE is there, nothing passes; what was under way passes later, as TCP would do it
--damage  once: the byte PLACE of what the command writes (with `far`, of what it reads) is
          `changed`, `lost` or preceded by another one (`added`), or the piece with it comes twice
          (`twice`)
"""
import argparse
import asyncio
import os
import sys


class Lane:
    """One direction."""

    def __init__(self, options, damage):
        self.options, self.damage, self.position = options, damage, 0

    def passed(self, piece):
        """The piece as it arrives."""
        sort, place = self.damage or ("", -1)
        start, self.position = self.position, self.position + len(piece)
        if not start <= place < self.position:
            return piece
        place -= start
        if sort == "twice":
            return piece + piece
        middle = {
            "changed": bytes([piece[place] ^ 0x10]),
            "lost": b"",
            "added": b"x" + piece[place : place + 1],
        }[sort]
        return piece[:place] + middle + piece[place + 1 :]

    async def carry(self, source, target):
        loop = asyncio.get_running_loop()
        queue = asyncio.Queue()

        async def deliver():
            while True:
                due, piece = await queue.get()
                await asyncio.sleep(max(due - loop.time(), 0))
                while self.options.cut and os.path.exists(self.options.cut):
                    await asyncio.sleep(0.02)
                if not piece:
                    return target.close()
                target.write(self.passed(piece))
                await target.drain()

        delivery = asyncio.create_task(deliver())
        while True:
            piece = await source.read(1 << 16)
            await queue.put((loop.time() + self.options.rtt / 2000, piece))
            if not piece:
                break
        with_errors = await asyncio.gather(delivery, return_exceptions=True)
        if isinstance(with_errors[0], Exception):
            target.close()


async def standard_streams():
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    transport, protocol = await loop.connect_write_pipe(
        lambda: asyncio.streams.FlowControlMixin(loop=loop), sys.stdout
    )
    return reader, asyncio.StreamWriter(transport, protocol, None, loop)


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rtt", type=float, default=0)
    parser.add_argument("--cut")
    parser.add_argument("--damage", default="")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    sort, place, *way = (options.damage or ":-1").split(":")
    damage, towards = (sort, int(place)), way == ["far"]
    pipe = asyncio.subprocess.PIPE
    far = await asyncio.create_subprocess_exec(*options.command, stdin=pipe, stdout=pipe)
    reader, writer = await standard_streams()
    there = Lane(options, damage if sort and towards else None)
    back = Lane(options, damage if sort and not towards else None)
    sending = asyncio.create_task(there.carry(reader, far.stdin))
    await back.carry(far.stdout, writer)
    sending.cancel()
    return await far.wait()


if __name__ == "__main__":
    code = asyncio.run(main())
    os._exit(code if code >= 0 else 128 - code)
