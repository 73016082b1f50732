import PoolTestSupport
import Testing

/// Contract: a worker whose bytes are no value loses its operation and its life, and nothing else.
@Suite("Workers that send wrong attachments")
struct WrongAttachmentTests {
  /// A worker that answers its first operation with what stands in `WRONG`, and others with their
  /// payload.
  private static let worker = """
    import os, sys
    sys.path.append(os.environ["REPOSITORY"] + "/Scripts/verify/crash")
    from frames import attachment, frame, receive, send
    send(b"OPOOL-WORKER 1\\n" + frame(type="hello", versions=[1], pid=os.getpid(), kinds=["k"],
                                      capabilities=["attachments"]))
    while True:
        message = receive()
        if message["type"] != "execute": continue
        names = {key: message[key] for key in ("operation", "dispatch")}
        send(frame(type="executing", **names))
        if message["payload"] == 0: send(eval(os.environ["WRONG"]))
        else: send(frame(type="finished", **names, result=message["payload"]))

    """

  @Test(
    "each wrong attachment costs one worker and its operation, with the reason",
    .needsPython,
    arguments: [
      (
        #"attachment(bytes(100)) + frame(type="finished", **names, packed=True)"#,
        "no header of layout"
      ),
      (
        #"attachment(b"{}") + frame(type="finished", **names, result=1)"#,
        "an attachment that no 'finished'"
      ),
      (#"attachment(b"{}") * 2"#, "two attachments in a row"),
      (#"frame(type="finished", **names, packed=True)"#, "a message that names an attachment"),
      (#"b"\xff\xff\xff\xff""#, "which is over the limit"),
    ]
  )
  func wrongAttachments(bytes: String, reason: String) throws {
    let manifest = (0..<4).map { #"{"kind": "k", "payload": \#($0)}"# }.joined(separator: "\n")
    let run = try Opool("run", "-j1", "--worker", "1:python3 w", "--results", "results", "m")
      .file("w", Self.worker)
      .file("m", manifest)
      .environment("WRONG", bytes)
      .run()
      .expect("", exit: 1)
    let results = try run.resultsByID()
    #expect(results["1"]?.outcome == "lost")
    #expect(results["1"]?.message?.contains(reason) == true, "\(results["1"]?.message ?? "-")")
    for id in ["2", "3", "4"] { #expect(results[id]?.outcome == "succeeded") }
  }
}
