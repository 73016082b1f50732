"""Declarations of kinds, and the parts that need no process."""

from __future__ import annotations

import os
import unittest
from typing import Any

from opool_worker import Context, Progress
from opool_worker._failures import describe
from opool_worker._frames import FrameReader, Violation, decode, frame, is_deeper
from opool_worker._kinds import MOST_KINDS, Kinds


class KindTests(unittest.TestCase):
    def setUp(self) -> None:
        self.kinds = Kinds()

    def test_a_kind_has_the_functions_name_or_its_own(self) -> None:
        @self.kinds.kind
        def first(payload: int) -> int:
            return payload + 1

        self.kinds.kind("second")(lambda payload: payload)
        self.assertEqual(self.kinds.names, ["first", "second"])
        self.assertEqual(first(1), 2)

    def test_a_second_argument_is_the_context(self) -> None:
        context: Any = object()
        functions: dict[str, Any] = {
            "one": lambda payload: [payload],
            "two": lambda payload, context: [payload, context],
            "default": lambda payload, start=0: [payload, start],
            "any": lambda *payload: list(payload),
        }
        for name, function in functions.items():
            self.kinds.kind(name)(function)
        self.kinds.kind("sum")(sum)
        results = {
            name: body([3], context) for name in self.kinds.names if (body := self.kinds.body(name))
        }
        self.assertEqual(results, {
            "one": [[3]], "two": [[3], context], "default": [[3], 0], "any": [[3]], "sum": 3,
        })

    def test_two_kinds_cannot_have_one_name(self) -> None:
        self.kinds.kind("a")(len)
        with self.assertRaisesRegex(ValueError, "two functions .* 'a'"):
            self.kinds.kind("a")(abs)

    def test_functions_that_cannot_be_kinds_are_refused(self) -> None:
        async def yields(payload: Any) -> Any:
            yield payload

        def nothing() -> None: ...
        def three(payload: Any, context: Any, more: Any) -> None: ...
        functions: list[Any] = [yields, nothing, three, 3]
        for function in functions:
            with self.assertRaises(TypeError):
                self.kinds.kind(function)
        with self.assertRaises(ValueError):
            self.kinds.kind(lambda payload: payload)
        with self.assertRaises(ValueError):
            self.kinds.kind("")(len)

    def test_there_is_a_most_of_kinds(self) -> None:
        for number in range(MOST_KINDS):
            self.kinds.kind(str(number))(len)
        with self.assertRaises(ValueError):
            self.kinds.kind("one more")(len)

    def test_an_initializer_cannot_be_a_coroutine(self) -> None:
        async def load() -> None: ...

        with self.assertRaises(TypeError):
            self.kinds.initializer(load)


class FrameTests(unittest.TestCase):
    def test_frames_have_a_length_and_a_line_feed(self) -> None:
        self.assertEqual(frame({"type": "a"}, 100), b'\0\0\0\x0d{"type":"a"}\n')

    def test_the_largest_frame_is_the_limit(self) -> None:
        self.assertEqual(len(frame({"a": "x" * 10}, 19)), 23)
        with self.assertRaises(ValueError):
            frame({"a": "x" * 10}, 18)

    def test_depth_is_counted_without_the_texts(self) -> None:
        for text, depth in (
            ("1", 0), ('"[[["', 0), ('["\\"[", {"a": []}]', 3), ("[[],[],[]]", 2), ('["\\\\"]', 1),
        ):
            self.assertTrue(depth == 0 or is_deeper(text, depth - 1), text)
            self.assertFalse(is_deeper(text, depth), text)

    def test_each_cut_of_a_frame_is_noticed(self) -> None:
        whole = frame({"type": "a"}, 100)
        for length in range(1, len(whole)):
            with self.assertRaises(Violation):
                self.reader(whole[:length]).read()
        reader = self.reader(whole + whole)
        self.assertEqual([reader.read(), reader.read(), reader.read()],
                         [b'{"type":"a"}', b'{"type":"a"}', None])

    def test_a_reader_makes_no_room_for_what_does_not_come(self) -> None:
        reader = self.reader(b"\x04\0\0\0{")
        with self.assertRaises(Violation):
            reader.read()
        self.assertLess(reader._bytes.__sizeof__(), 1 << 17)

    def test_json_is_strict(self) -> None:
        for body in (b"{", b"[]", b'{"a":NaN}', b'{"a":-Infinity}', b'{"a":"\n"}', b"{'a':1}",
                     b'{"a":1,}', b"\xff", b'"' + b"x" * 9, b"{}{}", "{}".encode("utf-16")):
            with self.assertRaises(Violation):
                decode(body)
        self.assertEqual(decode(b' {"a":1,"a":18446744073709551615} '), {"a": (1 << 64) - 1})

    def reader(self, data: bytes) -> FrameReader:
        ours, theirs = os.pipe()
        os.write(theirs, data)
        os.close(theirs)
        self.addCleanup(os.close, ours)
        return FrameReader(ours)


class ReportTests(unittest.TestCase):
    def test_progress_is_of_integers(self) -> None:
        wrong: Any
        for wrong in (0.5, "1", None):
            with self.assertRaises(TypeError):
                Progress(wrong, 1)
        with self.assertRaises(ValueError):
            Progress(1 << 63, 1)

    def test_progress_at_the_end_is_never_dropped(self) -> None:
        import threading

        sent: list[Any] = []
        context = Context(sent.append, threading.Event(), {})
        for done in range(11):
            context.progress(done, 10)
        self.assertEqual([each["completed"] for each in sent if each["completed"] in (0, 10)],
                         [0, 10])

    def test_a_value_that_says_no_more_than_the_message_is_left_out(self) -> None:
        self.assertNotIn("value", describe(ValueError("text")))
        self.assertEqual(describe(KeyError(3))["value"], [3])


if __name__ == "__main__":
    unittest.main()
