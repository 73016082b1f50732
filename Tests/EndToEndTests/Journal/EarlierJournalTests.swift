import Foundation
import PoolJournal
import PoolTestSupport
import Testing

/// Contract: a journal that an earlier version has written is continued as that version would have.
@Suite("Journals of earlier versions")
struct EarlierJournalTests {
  private static let manifest = #"""
    {"id":"a","shell":"echo a; echo a >> ran"}
    {"id":"b","shell":"echo b >&2; exit 3","after":["a"]}
    {"id":"c","run":["true"],"after":["b"]}
    {"id":"d","shell":"echo d","after":[{"id":"b","when":"failed"}],"env":{"X":"1"},"stdin":"text"}
    {"id":"e","shell":"kill -9 $$","timeout":5}
    {"id":"ü","run":["sh","-c","exit 0"],"inputs":{"x":"a"}}

    """#

  /// What opool 0.1.0 wrote for this manifest before it marked what was synced and printed.
  private static let journal = """
    b3Bvb2wtam91cm5hbCAxIHNoYS0yNTYKAAAAOsI2HF97InR5cGUiOiJvcGVuZWQiLCJlcG9jaCI6MSwicGlkIjoy\
    NiwidGltZSI6MTc5NTM2NzgzMTI4MH0KAAAA8fFieCV7InR5cGUiOiJzZXR0bGVkIiwiZXBvY2giOjEsImtleSI6\
    IjQ3ZGM2Nzk0YmUzY2ZkOGE0NDY3NmIwMzA4ZmZhYWRkNGQzMzExOWI4YTQ4ZDcwMTUyZGM5ZjRiZjYxODVkYzAi\
    LCJpZCI6ImEiLCJlbmRpbmciOiJzdWNjZWVkZWQiLCJhdHRlbXB0IjoxLCJ1c2FnZSI6eyJ1c2VyIjoxMzU4LCJz\
    eXN0ZW0iOjAsInBlYWsiOjEzODg1NDQwfSwiZHVyYXRpb24iOjE3MTYsInN0ZG91dEJ5dGVzIjoyLCJzdGRlcnJC\
    eXRlcyI6MH0KAAABHjWCS7l7InR5cGUiOiJzZXR0bGVkIiwiZXBvY2giOjEsImtleSI6IjUyNjE5NGE4ZjU5M2Q1\
    NGFkNzhlMjI2YTZmMGY5MzhiNTFhMGQ3NDQzZGEyZDhjMzBhNzUzM2U3Mzk5MTc1NmUiLCJpZCI6ImIiLCJlbmRp\
    bmciOiJmYWlsZWQiLCJhdHRlbXB0IjoxLCJjYXVzZSI6ImV4aXQiLCJleGl0IjozLCJ1c2FnZSI6eyJ1c2VyIjox\
    MzA1LCJzeXN0ZW0iOjAsInBlYWsiOjEzODg1NDQwfSwiZHVyYXRpb24iOjI0NzksInN0ZG91dEJ5dGVzIjowLCJz\
    dGRlcnJCeXRlcyI6MiwibWVzc2FnZSI6ImV4aXQgY29kZSAzIn0KAAAA8bXvRUJ7InR5cGUiOiJzZXR0bGVkIiwi\
    ZXBvY2giOjEsImtleSI6IjU0NmIyOTdhM2VjODRmMzE3MzUyNTMzMTZkOTE1M2I2NGVmODcxMzBmZjMyYTQ0ZGFj\
    MTQ1ZDJlZWZjMTJjZjgiLCJpZCI6ImQiLCJlbmRpbmciOiJzdWNjZWVkZWQiLCJhdHRlbXB0IjoxLCJ1c2FnZSI6\
    eyJ1c2VyIjoxMTQ4LCJzeXN0ZW0iOjAsInBlYWsiOjEzODg1NDQwfSwiZHVyYXRpb24iOjE3MjYsInN0ZG91dEJ5\
    dGVzIjoyLCJzdGRlcnJCeXRlcyI6MH0KAAABKe/5IGl7InR5cGUiOiJzZXR0bGVkIiwiZXBvY2giOjEsImtleSI6\
    IjQyMTU2Y2JlNGRiNjk5NGE4NTdjNjVmYjVmZWUyOGUxOWYyZjZmY2E3Mzk1MDNkZDBkMmMzMGI4M2UzZTZhYjQi\
    LCJpZCI6ImUiLCJlbmRpbmciOiJmYWlsZWQiLCJhdHRlbXB0IjoxLCJjYXVzZSI6InNpZ25hbCIsInNpZ25hbCI6\
    OSwidXNhZ2UiOnsidXNlciI6MTAxOCwic3lzdGVtIjowLCJwZWFrIjoxMzg4NTQ0MH0sImR1cmF0aW9uIjoxNDI0\
    LCJzdGRvdXRCeXRlcyI6MCwic3RkZXJyQnl0ZXMiOjAsIm1lc3NhZ2UiOiJzaWduYWwgOSAoU0lHS0lMTCkifQoA\
    AADy6BZr/HsidHlwZSI6InNldHRsZWQiLCJlcG9jaCI6MSwia2V5IjoiMWE1ZTdmMWE2ZjU3MGVjNDMwNTZlZGY3\
    ZGZiYzAwMTg2NWMxZjFjMzRjNWQ1NWE4NjQ1MGY4MGYyNjA0NTM2MiIsImlkIjoiw7wiLCJlbmRpbmciOiJzdWNj\
    ZWVkZWQiLCJhdHRlbXB0IjoxLCJ1c2FnZSI6eyJ1c2VyIjoxMDA4LCJzeXN0ZW0iOjAsInBlYWsiOjE0MDE2NTEy\
    fSwiZHVyYXRpb24iOjI5OTEsInN0ZG91dEJ5dGVzIjowLCJzdGRlcnJCeXRlcyI6MH0KAAAAOsRyWOl7InR5cGUi\
    OiJvcGVuZWQiLCJlcG9jaCI6MiwicGlkIjo0NCwidGltZSI6MTc5NTM2NzgzMTMzNn0K
    """

  @Test("Its outcomes count, its outputs count as printed, and a new run goes on behind it")
  func resumed() throws {
    let journal = try #require(Data(base64Encoded: Self.journal)).map { $0 }
    let command = try Opool.shell(
      "for i in 1 2; do opool run --journal j --resume m; done; opool journal verify j"
    ).file("m", Self.manifest)
    try command.folder.write(journal, to: "j")
    let run = try command.run()
    run.expect("j: 9 records, 4 runs, 5 outcomes, 3 of them succeeded\n")
      .says("opool: 3 succeeded, 2 failed, 1 skipped (5 resumed) in T\n")
    #expect(try !run.folder.names().contains("ran"))
    #expect(run.folder.bytes(of: "j").starts(with: journal))
  }

  @Test("Damage of it is refused as before")
  func damaged() throws {
    var journal = try #require(Data(base64Encoded: Self.journal)).map { $0 }
    let entries = try JournalScan(journal).entries
    journal[entries[2].offset + 40] ^= 1
    let command = try Opool("run", "--journal", "j", "--resume", "m").file("m", Self.manifest)
    try command.folder.write(journal, to: "j")
    try command.run().expect("", exit: 5)
      .says("opool: j: damaged at offset \(entries[2].offset): ")
  }
}
