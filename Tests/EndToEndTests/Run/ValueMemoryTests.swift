import PoolTestSupport
import Testing

/// Contract: the coordinator has a large value once, whoever reads it, and whatever its JSON takes.
@Suite("Memory for large values", .needsPython)
struct ValueMemoryTests {
  /// Answers `value` and `failure` with a packed value of `SIZE` bytes; for `peak`, appends the
  /// largest memory of the coordinator so far, in bytes, to a file.
  private static let worker = #"""
    import json, os, struct, sys
    sys.path.append(os.environ["REPOSITORY"] + "/Scripts/verify/crash")
    from frames import attachment, frame, receive, send
    size = int(os.environ["SIZE"])

    def packed(text, *parts):
        table = b"".join(struct.pack("<QQBBB5x", at, len(content), form, width, 0)
                         for at, form, width, content in parts)
        header = struct.pack("<BBHIQ", 0, 1, 0, len(parts), len(text))
        return header + table + text + b"".join(part[3] for part in parts)

    def value(form):
        if form == "numbers": return packed(b"null", (0, 1, 1, b"\x7b" * size))
        if form == "base64": return packed(b"null", (0, 4, 1, b"\x7b" * size))
        if form == "string": return packed(b"null", (0, 5, 1, "ä".encode() * (size // 2)))
        if form == "text": return packed(b'"' + b"x" * size + b'"')

    def status(pid):
        with open("/proc/%d/status" % pid) as lines:
            return dict(line.rstrip("\n").split(":\t", 1) for line in lines if ":\t" in line)

    def peak():
        pid = os.getppid()
        while status(pid)["Name"] != "opool": pid = int(status(pid)["PPid"])
        return int(status(pid)["VmHWM"].split()[0]) << 10

    send(b"OPOOL-WORKER 1\n" + frame(type="hello", versions=[1], pid=os.getpid(), kinds=["k"],
                                      capabilities=["attachments"]))
    while True:
        message = receive()
        if message["type"] != "execute": continue
        names = {key: message[key] for key in ("operation", "dispatch")}
        send(frame(type="executing", **names))
        what = message["payload"]
        if message.get("inputs"):
            print(json.dumps(message["inputs"])[:40], file=open("inputs", "a"))
        if what not in ("value", "failure"):
            if what == "peak": print(peak(), file=open("peaks", "a"))
            send(frame(type="finished", **names))
        else:
            error = {"error": {"message": "no"}} if what == "failure" else {}
            send(attachment(value(os.environ["FORM"])))
            send(frame(type="finished", **names, packed=True, **error))

    """#

  /// The peaks before and after the value; an operation between them is answered when the value's
  /// readers have it.
  private static func manifest(_ payload: String, _ dependency: String) -> String {
    """
    {"id": "before", "kind": "k", "payload": "peak"}
    {"id": "value", "kind": "k", "payload": "\(payload)", "after": ["before"]}
    {"id": "next", "kind": "k", \(dependency)}
    {"id": "after", "kind": "k", "payload": "peak", "after": ["next"]}
    """
  }

  private static let after = #""after": [{"id": "value", "when": "finished"}]"#
  private static let size = 16 << 20

  private func run(
    _ form: String,
    _ payload: String,
    _ dependency: String,
    exit: Int32,
    size: Int,
    _ options: [String]
  ) throws -> OpoolRun {
    try Opool(["run", "-j1", "--worker", "1:python3 w"] + options + ["m"])
      .file("w", Self.worker)
      .file("m", Self.manifest(payload, dependency))
      .environment("FORM", form)
      .environment("SIZE", "\(size)")
      .run()
      .expect(exit: exit)
  }

  /// Runs the manifest, and returns how much the peak has risen, in units of the value.
  private func rise(
    _ form: String,
    _ payload: String = "value",
    _ dependency: String = Self.after,
    exit: Int32 = 0,
    options: [String] = []
  ) throws -> (rise: Double, run: OpoolRun) {
    let run = try run(form, payload, dependency, exit: exit, size: Self.size, options)
    let peaks = run.folder.text(of: "peaks").split(separator: "\n").compactMap { Double($0) }
    try #require(peaks.count == 2)
    let rise = (peaks[1] - peaks[0]) / Double(Self.size)
    // The value did come.
    #expect(rise > 0.8)
    return (rise, run)
  }

  /// The result in the line of the value.
  private func result(in lines: [UInt8]) throws -> ArraySlice<UInt8> {
    let lines = lines.split(separator: UInt8(ascii: "\n"))
    #expect(lines.count == 4)
    let line = try #require(lines.first { $0.starts(with: Array(#"{"id":"value""#.utf8)) })
    let (start, end) = (Array(#""result":"#.utf8), Array(#","errorType""#.utf8))
    let first = try #require(line.firstRange(of: start)?.upperBound)
    let last = try #require(line.suffix(1_000).firstRange(of: end)?.lowerBound)
    return line[first..<last]
  }

  private func count(_ form: String) -> Int {
    switch form {
    // Three digits and a comma, and two brackets for one comma.
    case "numbers": Self.size * 4 + 1
    case "base64": (Self.size + 2) / 3 * 4 + 2
    default: Self.size + 2
    }
  }

  @Test(
    "Without a reader, no JSON is made of a value, and nothing is copied",
    arguments: ["numbers", "base64", "string", "text"]
  )
  func unread(form: String) throws {
    #expect(try rise(form).rise < 1.5)
  }

  @Test(
    "A file of results and a journal get a value in pieces",
    arguments: ["numbers", "base64", "string", "text"]
  )
  func results(form: String) throws {
    let (rise, run) = try rise(form, options: ["--results", "results", "--journal", "j"])
    #expect(rise < 1.5)
    #expect(try result(in: run.folder.bytes(of: "results")).count == count(form))
  }

  @Test("So do the standard streams and a folder")
  func targets() throws {
    let (output, run) = try rise("base64", options: ["--results", "-"])
    #expect(output < 1.5)
    #expect(try result(in: run.stdoutBytes).count == count("base64"))
    let (folder, other) = try rise("base64", options: ["--results", "folder/", "--journal", "j"])
    #expect(folder < 1.5)
    #expect(other.folder.bytes(of: "folder/value/result").count == count("base64"))
  }

  @Test("The value of a failure is no more than one of a success")
  func failure() throws {
    let (rise, run) = try rise("text", "failure", exit: 1, options: ["--results", "results"])
    #expect(rise < 1.5)
    #expect(try result(in: run.folder.bytes(of: "results")).count == count("text"))
  }

  /// A frame has all of its JSON.
  @Test("A worker that takes no files is given the value in a frame, which is a second copy")
  func input() throws {
    #expect(try rise("text", "value", #""inputs": {"a": "value"}"#).rise < 2.5)
  }

  @Test("A small packed value is JSON wherever it goes")
  func small() throws {
    let options = ["--results", "results", "--journal", "j"]
    let input = #""inputs": {"a": "value"}"#
    let run = try run("numbers", "value", input, exit: 0, size: 3, options)
    #expect(run.folder.text(of: "inputs").hasPrefix(#"{"a": {"json": [123, 123, 123]}}"#))
    let lines = run.folder.bytes(of: "results")
    #expect(try result(in: lines).elementsEqual("[123,123,123]".utf8))
  }
}
