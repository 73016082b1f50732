"""The worker, as a coordinator sees it."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import unittest
from typing import Any

from .coordinator import FOLDER, Coordinator

STEPS = [
    {"step": "message", "grace": 100},
    {"step": "signal", "signal": 15, "grace": 60_000},
    {"step": "signal", "signal": 9},
]
POLITE = [{"step": "message", "grace": 60_000}]


class WorkerTests(unittest.TestCase):
    """Most tests share a worker; each leaves it as usable as it was."""

    shared: Coordinator

    @classmethod
    def setUpClass(cls) -> None:
        cls.shared = Coordinator("quiet", slot=3)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.shared.__exit__()

    def succeeds(self, kind: str, payload: Any = None, **fields: Any) -> Any:
        answer = self.shared.answer(kind, payload, **fields)
        self.assertEqual(answer["type"], "finished")
        self.assertNotIn("error", answer)
        return answer["result"]

    def fails(self, kind: str, payload: Any = None, **fields: Any) -> dict[str, Any]:
        answer = self.shared.answer(kind, payload, **fields)
        self.assertEqual(answer["type"], "finished")
        self.assertNotIn("result", answer)
        error: dict[str, Any] = answer["error"]
        self.assertEqual(error["cause"], "error")
        return error


class ExecutionTests(WorkerTests):
    def test_hello_names_kinds_and_capabilities(self) -> None:
        hello = self.shared.hello
        self.assertEqual(hello["versions"], [1])
        self.assertEqual(hello["kinds"][:2], ["echo", "number of loads"])
        self.assertEqual(hello["pid"], self.shared.process.pid)
        self.assertEqual(hello["capabilities"], [
            "prefetch", "recall", "cancel", "teardown", "ping", "drain", "inputs", "marks"
        ])

    def test_values_come_back(self) -> None:
        values: list[Any] = [None, 0, -1.5, "ä\n\u2028\0", [], {}, [{"a": [None]}], 1 << 70, True]
        for value in values:
            self.assertEqual(self.succeeds("echo", value), value)

    def test_ten_megabytes_come_back(self) -> None:
        value = ["x" * 10_000_000]
        self.assertEqual(self.succeeds("echo", value), value)

    def test_initializers_are_executed_once(self) -> None:
        self.assertEqual(self.succeeds("number of loads"), 1)
        self.assertEqual(self.succeeds("number of loads"), 1)

    def test_the_context_describes_the_operation(self) -> None:
        result = self.succeeds("describe", None, attempt=4, name="n", queue="q")
        self.assertEqual(result.pop("operation"), self.shared.dispatch)
        self.assertEqual(result, {
            "attempt": 4, "kind": "describe", "name": "n", "queue": "q", "worker": 7, "slot": 3,
            "environment": False,
        })

    def test_inputs_have_each_form(self) -> None:
        with tempfile.NamedTemporaryFile() as file:
            file.write(b"in a file")
            file.flush()
            result = self.succeeds("inputs", None, inputs={
                "value": {"json": {"a": None}}, "null": {"json": None},
                "bytes": {"output": {"base64": "w6Q="}}, "file": {"file": file.name},
            })
        self.assertEqual(result, {
            "value": {"a": None}, "null": ["null", None], "bytes": ["ä", None],
            "file": ["in a file", file.name],
        })

    def test_wrong_fields_fail_the_operation_alone(self) -> None:
        wrong: list[dict[str, Any]] = [
            {"inputs": {"a": {}}}, {"inputs": 3}, {"inputs": {"a": {"output": 1}}},
            {"attempt": "1"}, {"name": 4}, {"kind": 5}, {"packed": True},
        ]
        for fields in wrong:
            self.assertIn("message", self.fails_with({"kind": "echo", **fields}))

    def fails_with(self, fields: dict[str, Any]) -> dict[str, Any]:
        shared = self.shared
        shared.dispatch += 1
        shared.send({
            "type": "execute", "operation": shared.dispatch, "dispatch": shared.dispatch, **fields
        })
        error: dict[str, Any] = shared.receive("finished")["error"]
        return error

    def test_unknown_kinds_fail(self) -> None:
        self.assertIn("'no such kind'", self.fails("no such kind")["message"])

    def test_an_integer_that_python_does_not_convert_fails_the_operation_alone(self) -> None:
        shared = self.shared
        shared.dispatch += 1
        body = (
            f'{{"type":"execute","operation":{shared.dispatch},"dispatch":{shared.dispatch},'
            f'"kind":"echo","payload":[{"7" * 5000}]}}\n'
        ).encode()
        shared.send_bytes(len(body).to_bytes(4, "big") + body)
        answer = shared.receive("finished")
        self.assertEqual(answer["dispatch"], shared.dispatch)
        if hasattr(sys, "set_int_max_str_digits"):
            self.assertIn("cannot be read", answer["error"]["message"])

    def test_a_dispatch_that_comes_twice_is_executed_once(self) -> None:
        number = self.shared.execute("echo", 1)
        self.shared.ask("execute", number, kind="echo")
        self.assertEqual(self.shared.receive("finished")["dispatch"], number)
        self.assertEqual(self.succeeds("echo", 2), 2)

    def test_elapsed_and_usage_are_measured(self) -> None:
        answer = self.shared.answer("sleep", 0.01)
        self.assertGreaterEqual(answer["elapsed"], 10_000)
        self.assertGreater(answer["usage"]["peak"], 1 << 20)
        self.assertGreaterEqual(answer["usage"]["user"], 0)


class ReportTests(WorkerTests):
    def test_a_generator_reports_and_returns(self) -> None:
        number = self.shared.execute("report", 100_000)
        messages = [self.shared.receive()]
        while messages[-1]["type"] != "finished":
            messages.append(self.shared.receive())
        self.assertEqual({each["dispatch"] for each in messages}, {number})
        self.assertEqual(messages[0]["type"], "executing")
        progress = [each for each in messages if each["type"] == "progress"]
        self.assertEqual(progress[0]["completed"], 0)
        self.assertEqual(progress[-1]["completed"], 100_000)
        self.assertLess(len(progress), 1000)
        logs = [each["message"] for each in messages if each["type"] == "log"]
        self.assertEqual(logs, ["the end \\ud800", "is near"])
        self.assertEqual(messages[-1]["result"], "result")

    def test_what_else_is_yielded_is_a_failure(self) -> None:
        self.assertIn("not int", self.fails("nonsense", 3)["message"])

    def test_nothing_is_reported_after_the_answer(self) -> None:
        self.shared.execute("late")
        self.shared.execute("echo", 1)
        types = [self.shared.receive()["type"]]
        while types.count("finished") < 2:
            types.append(self.shared.receive()["type"])
        first = types.index("finished")
        self.assertEqual(types[first + 1 :], ["executing", "finished"])


class FailureTests(WorkerTests):
    def test_exceptions_have_message_type_and_value(self) -> None:
        self.assertEqual(self.fails("fail", "arguments"), {
            "cause": "error", "message": "('text', 5)", "type": "ValueError", "value": ["text", 5],
        })
        error = self.fails("fail")
        self.assertEqual(error["type"], "json.decoder.JSONDecodeError")
        self.assertNotIn("value", error)

    def test_a_failure_has_its_own_value(self) -> None:
        self.assertEqual(self.fails("fail", "typed"), {
            "cause": "error", "message": "sentence", "type": "TypedFailure",
            "value": {"code": 3}, "declared": True,
        })

    def test_exceptions_that_cannot_be_sent_are_failures_all_the_same(self) -> None:
        self.assertNotIn("value", self.fails("fail", "no JSON"))
        self.assertEqual(self.fails("fail", "no text")["type"], "UnusualError")
        self.assertEqual(self.fails("fail", "surrogate")["message"], "\\ud800")
        long = self.fails("fail", "long")
        self.assertLessEqual(len(long["message"].encode()), 4096)
        self.assertNotIn("value", long)

    def test_nothing_that_is_raised_ends_the_worker(self) -> None:
        for payload, name in (
            ("interrupt", "KeyboardInterrupt"), ("exit", "SystemExit"),
            ("recursion", "RecursionError"), ("stop", "StopIteration"),
            ("cancelled", "opool_worker._context.Cancelled"),
        ):
            self.assertEqual(self.fails("fail", payload)["type"], name)

    def test_results_without_json_are_failures(self) -> None:
        for payload in ("set", "nan", "surrogate", "bytes", "deep", "loop"):
            self.assertIn("cannot be sent", self.fails("return", payload)["message"])
        if hasattr(sys, "set_int_max_str_digits"):
            self.assertIn("cannot be sent", self.fails("return", "huge")["message"])

    def test_other_results_are_sent(self) -> None:
        self.assertEqual(self.succeeds("return", "point"), {"x": 1, "y": 2})
        self.assertEqual(self.succeeds("return", "array"), [1, 2])
        self.assertEqual(self.succeeds("return", "brackets"), "[" * 1000)
        self.assertEqual(len(self.succeeds("return", "wide")), 1000)
        self.assertIsNone(self.succeeds("return", "none"))

    def test_tracebacks_go_to_standard_error(self) -> None:
        with Coordinator() as worker:
            worker.answer("fail", "arguments")
            worker.await_printed(b"ValueError: ('text', 5)\n")
            self.assertNotIn(b"_calls.py", worker.printed)
            worker.answer("fail", "typed")
            worker.answer("print")
            worker.await_printed(b"C\n")
            self.assertNotIn(b"TypedFailure", worker.printed)


class CancellationTests(WorkerTests):
    def cancelled(self, kind: str, payload: Any, steps: Any) -> dict[str, Any]:
        """Cancel an operation once it executes, and return its answer."""
        number = self.shared.execute(kind, payload)
        self.shared.receive("executing")
        self.shared.ask("cancel", number, steps=steps)
        answer = self.shared.receive("cancelled", "finished")
        self.assertEqual(answer["dispatch"], number)
        self.assertEqual(self.succeeds("number of loads"), 1)
        return answer

    def test_an_operation_that_checks_is_cancelled_by_the_message(self) -> None:
        answer = self.cancelled("polite", 1000, POLITE)
        self.assertEqual((answer["type"], answer["step"]), ("cancelled", "message"))

    def test_a_generator_is_cancelled_where_it_yields(self) -> None:
        self.assertEqual(self.cancelled("endless", None, POLITE)["step"], "message")
        self.shared.await_printed(b"closed\n")

    def test_a_coroutine_is_cancelled_by_the_message(self) -> None:
        self.assertEqual(self.cancelled("coroutine", 1000, POLITE)["step"], "message")
        self.assertTrue(self.succeeds("coroutine", 0))
        self.assertTrue(self.succeeds("coroutine", 0))

    def test_a_signal_interrupts_what_does_not_check(self) -> None:
        for kind in ("sleep", "C sleep", "system", "child", "blocking coroutine", "spin"):
            with self.subTest(kind):
                answer = self.cancelled(kind, 1000, STEPS)
                self.assertEqual((answer["type"], answer["step"]), ("cancelled", "SIGTERM"))
                self.assertEqual(
                    [step["step"] for step in answer["stepsTaken"]], ["message", "signal"]
                )

    def test_each_signal_interrupts(self) -> None:
        steps = [{"step": "signal", "signal": 2, "grace": 50} for _ in range(20)]
        answer = self.cancelled("stubborn", 2, steps)
        self.assertEqual((answer["type"], answer["result"]), ("finished", "done"))

    def test_an_interruption_cuts_no_frame(self) -> None:
        for size in (10, 100_000):
            answer = self.cancelled("logs", size, [{"step": "signal", "signal": 15}])
            self.assertEqual(answer["type"], "cancelled")

    def test_a_prefetched_operation_is_cancelled_or_returned_at_once(self) -> None:
        first = self.shared.execute("polite", 1000)
        self.shared.receive("executing")
        second, third = self.shared.execute("echo"), self.shared.execute("echo")
        self.shared.ask("cancel", third, steps=STEPS)
        self.assertEqual(self.shared.receive("cancelled")["dispatch"], third)
        self.shared.ask("recall", first)
        self.shared.ask("recall", second)
        self.assertEqual(self.shared.receive("returned")["dispatch"], second)
        self.shared.send({"type": "ping", "number": (1 << 64) - 1})
        self.assertEqual(self.shared.receive("pong")["number"], (1 << 64) - 1)
        self.shared.ask("cancel", first, steps=POLITE)
        self.assertEqual(self.shared.receive("cancelled")["dispatch"], first)

    def test_wrong_steps_do_no_harm(self) -> None:
        number = self.shared.execute("polite", 1000)
        for steps in (None, 3, [4], [{"step": "signal"}], [{"step": "message", "grace": "x"}]):
            self.shared.ask("cancel", number, steps=steps)
        self.assertEqual(self.shared.receive("cancelled", "finished")["type"], "cancelled")

    def test_a_ping_is_answered_while_python_code_executes(self) -> None:
        number = self.shared.execute("spin")
        self.shared.receive("executing")
        self.shared.send({"type": "ping", "number": 5})
        self.assertEqual(self.shared.receive()["type"], "pong")
        self.shared.ask("cancel", number, steps=STEPS)
        self.shared.receive("cancelled")


class ProcessTests(WorkerTests):
    def test_what_prints_does_not_meet_the_frames(self) -> None:
        self.assertEqual(self.succeeds("print"), "printed")
        for text in (b"printed", b" written", b"started\n", b"C\n"):
            self.shared.await_printed(text)

    def test_programs_inherit_only_their_standard_streams(self) -> None:
        self.assertEqual(self.succeeds("descriptors"), 4)  # One is that of `ls` itself.

    def test_a_forked_process_has_no_frames(self) -> None:
        self.assertEqual(self.succeeds("fork"), 5)
        self.assertEqual(self.succeeds("pool", [-1, -2]), [1, 2])

    def test_a_forked_process_that_comes_back_ends(self) -> None:
        self.assertEqual(self.succeeds("fork", "return"), 1)
        self.shared.await_printed(b"it ends here\n")

    def test_marks_end_what_an_operation_prints(self) -> None:
        with Coordinator("quiet", printMark=0x4D2) as worker:
            worker.execute("print")
            self.assertEqual(worker.receive("printed", "finished")["type"], "printed")
            mark = b"\x1eopool 00000000000004d2 0000000000000001 0000000000000001\n"
            worker.await_printed(mark)
            self.assertTrue(worker.printed.endswith(mark))
            self.assertIn(b"printed", worker.printed)


class EndTests(unittest.TestCase):
    def assert_ends_badly(self, data: bytes, reason: bytes) -> None:
        with Coordinator("quiet") as worker:
            worker.send_bytes(data)
            self.assertEqual(worker.wait(), 1)
            self.assertIn(reason, worker.printed)

    def test_the_end_of_the_input_ends_the_worker(self) -> None:
        with Coordinator() as worker:
            self.assertEqual(worker.close(), 0)
            self.assertIn(b"after serve", worker.printed)

    def test_nonsense_ends_the_worker_with_a_reason(self) -> None:
        self.assert_ends_badly(b"\x7f\xff\xff\xff", b"a frame of 2147483647 bytes")
        self.assert_ends_badly(b"\x80\x00\x00\x01a", b"attachment")
        self.assert_ends_badly(b"\0\0\0\0", b"line feed")
        self.assert_ends_badly(b"\0\0\0\x02{}", b"line feed")
        for body, reason in (
            (b"{}\n", b"no type"), (b"[]\n", b"not a JSON object"), (b"\xff\n", b"not JSON"),
            (b'{"type":3}\n', b"no type"), (b'{"type":"ping"}\n', b"no integer number"),
            (b'{"type":"execute","operation":1,"dispatch":true}\n', b"no integer dispatch"),
            (b'{"type":"a","b":NaN}\n', b"NaN is not JSON"), (b"[" * 100_000 + b"\n", b"nested"),
            (b'\xef\xbb\xbf{"type":"a"}\n', b"not JSON"), (b'{"type":"a"}{}\n', b"Extra data"),
        ):
            self.assert_ends_badly(len(body).to_bytes(4, "big") + body, reason)

    def test_the_limit_of_frames_is_the_coordinators(self) -> None:
        with Coordinator("quiet", frameLimit=10_000) as worker:
            error = worker.answer("return", "large")["error"]
            self.assertIn("room for 9999", error["message"])
            worker.send_bytes((10_001).to_bytes(4, "big"))
            self.assertEqual(worker.wait(), 1)

    def test_an_end_within_a_frame_has_a_reason(self) -> None:
        with Coordinator("quiet") as worker:
            worker.send_bytes(b"\0\0\0")
            self.assertEqual(worker.close(), 1)
            self.assertIn(b"ended within a frame", worker.printed)

    def test_another_version_ends_the_worker(self) -> None:
        with Coordinator("quiet", greet=False) as worker:
            worker.send({"type": "welcome", "version": 2})
            self.assertEqual(worker.wait(), 1)
            self.assertIn(b"version 2", worker.printed)

    def test_drain_answers_everything_first(self) -> None:
        with Coordinator("quiet") as worker:
            messages = [
                {"type": "execute", "operation": each, "dispatch": each, "kind": "sleep",
                 "payload": 0.01}
                for each in range(1, 6)
            ]
            worker.send(*messages, {"type": "drain"})
            answers = [worker.receive("finished")["dispatch"] for _ in messages]
            self.assertEqual(answers, [1, 2, 3, 4, 5])
            self.assertEqual(worker.wait(), 0)

    def test_the_end_of_the_input_ends_what_executes(self) -> None:
        for kind in ("sleep", "C sleep", "child", "spin", "polite", "coroutine", "endless"):
            with self.subTest(kind), Coordinator("quiet") as worker:
                worker.execute(kind, 1000)
                worker.receive("executing")
                self.assertEqual(worker.close(), 1)
                self.assertEqual(worker.output.read().count(b"cancelled"), 0)

    def test_what_does_not_end_is_ended(self) -> None:
        with Coordinator("quiet") as worker:
            worker.execute("stubborn", 1000)
            worker.receive("log")
            self.assertEqual(worker.close(), 1)

    def test_no_child_outlives_the_worker_but_those_with_a_session(self) -> None:
        for payload, status in (("wait", 1), ("leave", 0), ("session", 0)):
            with self.subTest(payload), Coordinator("quiet") as worker:
                worker.execute("child", payload)
                child = int(worker.receive("log")["message"])
                other = worker.receive("finished")["result"] if payload == "session" else None
                if payload == "leave":
                    worker.receive("finished")
                self.assertEqual(worker.close(), status)
                self.assertTrue(_has_ended(child))
                if other:
                    os.kill(other, signal.SIGKILL)  # Raises if it had ended.

    def test_a_coordinator_that_dies_leaves_no_message(self) -> None:
        with Coordinator("quiet") as worker:
            worker.execute("logs", 1000)
            worker.receive("log")
            worker.output.close()
            worker._selector.unregister(worker.output)
            self.assertEqual(worker.close(), 1)
            self.assertEqual(worker.printed.replace(b"initializer\n", b""), b"")

    def test_signals_of_others_end_the_worker(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            with Coordinator("quiet") as worker:
                worker.execute("sleep", 1000)
                worker.receive("executing")
                worker.process.send_signal(number)
                self.assertEqual(worker.wait(), -number)

    def test_an_operation_may_end_the_worker(self) -> None:
        with Coordinator("quiet") as worker:
            worker.execute("vanish", 9)
            worker.receive("executing")
            self.assertEqual(worker.wait(), 9)

    def test_the_worker_says_what_it_is_on_a_terminal(self) -> None:
        import pty
        import subprocess

        ours, theirs = pty.openpty()
        try:
            result = subprocess.run(
                [sys.executable, str(FOLDER / "kinds.py")], stdin=theirs, capture_output=True,
                env={**os.environ, "PYTHONPATH": str(FOLDER.parent)}, timeout=20,
            )
        finally:
            os.close(ours)
            os.close(theirs)
        self.assertEqual((result.returncode, result.stdout), (1, b""))
        self.assertIn(b"opool run --worker", result.stderr)


def _has_ended(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] in (b"Z", b"X")
    except OSError:
        return True


if __name__ == "__main__":
    unittest.main()
