import PoolTestSupport
import Testing

/// Contract: the file has every operation of the run, however the run has ended, or is as it was.
@Suite("--junit")
struct JUnitTests {
  private let manifest = """
    {"id": "a", "group": "build", "shell": "echo out; echo '<b>&' >&2; exit 3"}
    {"id": "b", "after": ["a"], "run": ["true"]}
    {"id": "c", "group": "build", "run": ["echo", "fine"]}
    {"id": "d", "run": ["/none"]}

    """

  /// The document without times, the name of the machine, and the date.
  private func document(_ run: OpoolRun) -> String {
    run.folder.text(of: "j.xml")
      .replacing(/time="[0-9.]+"/, with: "time=\"T\"")
      .replacing(#/ timestamp="[-0-9T:]+" hostname="[^"]*"/#, with: "")
  }

  @Test("Operations are cases of their group, or of the manifest")
  func cases() throws {
    let run = try Opool("run", "-j1", "-q", "--junit", "j.xml", "m.jsonl")
      .file("m.jsonl", manifest).file("j.xml", "old").run().expect(nil, stderr: nil, exit: 1)
    let document = document(run)
    #expect(
      document == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="opool" tests="4" failures="1" errors="1" skipped="1" time="T">
         <testsuite name="build" tests="2" failures="1" errors="0" skipped="0" time="T">
          <testcase name="a" classname="build" time="T" file="m.jsonl" line="1">
           <failure type="exit" message="failed: exit code 3">&lt;b&gt;&amp;
        </failure>
           <system-out>out
        </system-out>
           <system-err>&lt;b&gt;&amp;
        </system-err>
          </testcase>
          <testcase name="c" classname="build" time="T" file="m.jsonl" line="3">
           <system-out>fine
        </system-out>
          </testcase>
         </testsuite>
         <testsuite name="m.jsonl" tests="2" failures="0" errors="1" skipped="1" time="T">
          <testcase name="b" classname="m.jsonl" time="T" file="m.jsonl" line="2">
           <skipped message="skipped because of a"/>
          </testcase>
          <testcase name="d" classname="m.jsonl" time="T" file="m.jsonl" line="4">
           <error type="spawn" message="failed: /none: No such file or directory"/>
          </testcase>
         </testsuite>
        </testsuites>

        """
    )
  }

  @Test("Of an operation that was tried again, the last attempt counts")
  func attempts() throws {
    let command = "test $OPOOL_ATTEMPT = 2 && echo second"
    let run = try Opool("map", "-q", "--junit", "j.xml", "--retries", "2", command, ":::", "in")
      .run().expect("second in\n", stderr: nil)
    let document = document(run)
    #expect(document.contains(#"failures="0" errors="0" skipped="0""#))
    #expect(document.contains(#"<testcase name="1 (in)" classname="opool map" time="T">"#))
    #expect(document.contains(#"<property name="attempts" value="2"/>"#))
    #expect(document.contains("<system-out>second in\n</system-out>"))
  }

  @Test("After Ctrl-C the file has all operations, also those that had not begun")
  func interrupted() throws {
    let line = "{\"shell\": \"\(Opool.findCoordinator); kill -INT $2; sleep 100\"}\n"
    let run = try Opool("run", "-j1", "-q", "--junit", "j.xml", "m").file("m", line + line + line)
      .run().expect("", stderr: nil, exit: 130)
    let document = document(run)
    #expect(
      document.contains(#"<testsuites name="opool" tests="3" failures="0" errors="0" skipped="3""#)
    )
    #expect(document.hasSuffix("</testsuites>\n"))
  }

  @Test("It has outputs that were printed while operations executed")
  func live() throws {
    let run = try Opool("map", "-q", "--line-buffer", "--junit", "j.xml", "echo", ":::", "a").run()
      .expect("a\n", stderr: nil)
    #expect(document(run).contains("<system-out>a\n</system-out>"))
  }

  @Test("It has outcomes of earlier runs of a journal, and of a run without operations nothing")
  func others() throws {
    let opool = "opool map -q --journal j --junit j.xml"
    let run = try Opool.shell("\(opool) 'exit {}' ::: 1 0; \(opool) --resume 'exit {}' ::: 1 0 0")
      .run()
      .expect("", stderr: nil, exit: 1)
    #expect(document(run).contains(#"tests="3" failures="1""#))
    let empty = try Opool("map", "-q", "--junit", "j.xml", "true").run().expect("", stderr: nil)
    #expect(document(empty).contains(#"tests="0""#))
  }

  @Test("A file that cannot be written is refused first, or ends as a failure to write")
  func failures() throws {
    try Opool("map", "--junit", "/none/j", "touch", ":::", "made").run()
      .expect("", stderr: "opool: --junit: /none/j: No such file or directory\n", exit: 5)
    try Opool("map", "-q", "--junit", "/dev/full", "true", ":::", "a").run()
      .expect("", stderr: "opool: /dev/full: No space left on device\n", exit: 5)
    try Opool("map", "-q", "--junit", "j", "--report", "j", "true", ":::", "a").run()
      .expect("", stderr: nil, exit: 2)
  }
}
