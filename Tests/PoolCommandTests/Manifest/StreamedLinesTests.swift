import PoolModel
import Testing

@testable import PoolCommand
@testable import PoolInputs

/// Contract: each line is checked as it comes, and may name earlier lines only.
@Suite("Lines of a streamed manifest")
struct StreamedLinesTests {
  private var lines = StreamedLines(shell: nil, servesOnlyCommands: true)

  private mutating func read(_ text: String) throws(ManifestErrors) -> StreamedLine? {
    try lines.read(Array(text.utf8))
  }

  /// The messages of the errors in a line.
  private mutating func errors(_ text: String) -> [String] {
    do {
      _ = try lines.read(Array(text.utf8))
      return []
    } catch {
      return error.lines(file: Array("M".utf8))
    }
  }

  @Test("lines are operations, blanks or comments, and keep the numbers of their lines")
  mutating func content() throws {
    #expect(try read("\u{FEFF}{\"run\":[\"a\"]}") != nil)
    #expect(try read("") == nil)
    #expect(try read("# \u{FEFF}") == nil)
    #expect(try read("  {\"id\":\"x\",\"shell\":\"b\"}") != nil)
    #expect(lines.count == 2)
    #expect(lines.names.id(of: 0) == Array("1".utf8))
    #expect(lines.names.id(of: 1) == Array("x".utf8))
    #expect(lines.names.line(of: 1) == 4)
    #expect(lines[1]?.manifest.actionText(of: 0) == "b")
  }

  @Test("a line waits for earlier ones, by id or by line number")
  mutating func dependencies() throws {
    _ = try read(#"{"id":"x","run":["a"]}"#)
    _ = try read(#"{"run":["b"]}"#)
    let line = try read(#"{"run":["c"],"after":["2",{"id":"x","when":"failed"},"2"]}"#)
    #expect(line?.dependencies.map(\.target) == [1, 0])
    #expect(line?.dependencies.map(\.requirement) == [.succeeded, .failed])
  }

  @Test(
    "what a line may not say is refused, with its number",
    arguments: [
      (
        #"{"run":["c"],"after":["later"]}"#,
        "M:3: after: no earlier line has the id 'later'; with --stream"
      ),
      (
        #"{"run":["c"],"after":["1"]}"#,
        "M:3: after: no earlier line has the id '1'; with --stream"
      ),
      (
        #"{"run":["c"],"after":["02"]}"#,
        "M:3: after: no earlier line has the id '02'; with --stream"
      ),
      (#"{"run":["c"],"after":["3"]}"#, "M:3: after: '3' waits for itself"),
      (#"{"id":"c","run":["c"],"after":["c"]}"#, "M:3: after: 'c' waits for itself"),
      (
        #"{"run":["c"],"after":["x",{"id":"x","when":"failed"}]}"#,
        "M:3: after: 'x' is there twice, once succeeded and once failed"
      ),
      (#"{"id":"x","run":["c"]}"#, "M:3: id: 'x' is the id of line 1 already"),
      (#"{"id":"2","run":["c"]}"#, "M:3: id: '2' is the id of line 2 already"),
      (
        #"{"run":["c"],"group":"g"}"#,
        "M:3: group: not with --stream, which does not know when a group is complete"
      ),
      (
        #"{"run":["c"],"inputs":{"a":"x"}}"#,
        "M:3: inputs: not with --stream, which keeps no output; let the operation write a file"
      ),
      (#"{"kind":"k"}"#, "M:3: kind: no worker serves 'k'"),
      (#"{"run":["c"],"limit":{"l":2}}"#, "M:3: limit: 'l' is 2 here, but 1 on line 2"),
      (#"{"run":"c"}"#, "M:3: run: expected an array of strings, found a string"),
      ("{\"run\":[\"c\"]", "M:3: column 13: the text ends too early"),
      ("\u{0}", "M:3: column 1: "),
    ]
  )
  mutating func refusal(_ line: String, _ message: String) throws {
    _ = try read(#"{"id":"x","run":["a"]}"#)
    _ = try read(#"{"run":["b"],"limit":{"l":1}}"#)
    let errors = errors(line)
    #expect(errors.count == 1 && errors[0].hasPrefix(message), "\(errors)")
    #expect(lines.count == 2)
  }

  @Test("all errors of a line are told, and a later line's number may be taken as an id before it")
  mutating func several() throws {
    #expect(errors(#"{"run":["a"],"slots":0,"after":["n"]}"#).count == 2)
    _ = try read(#"{"id":"3","run":["a"]}"#)
    #expect(
      errors(#"{"run":["a"]}"#) == [
        "M:3: id: '3' is the id of line 2 already: a line without an id has its number as id"
      ]
    )
  }

  @Test("what one line lists does not become the next one's")
  mutating func lists() throws {
    let first = try read(
      #"{"run":["a"],"exclusive":["e","f"],"slots":2,"termSeq":"KILL","barrier":true}"#
    )
    #expect(first?.claims == [0, 1])
    #expect(first?.slots == 2)
    #expect(first?.teardown != nil)
    #expect(first?.isBarrier == true)
    #expect(!errors(#"{"run":["a"],"exclusive":["g"],"slots":3,"bad":1}"#).isEmpty)
    let last = try read(#"{"run":["a"],"exclusive":"f"}"#)
    #expect(last?.claims == [1])
    #expect(last?.slots == 1)
    #expect(last?.teardown == nil)
    #expect(last?.isBarrier == false)
    #expect(lines.resources.count == 3)
  }

  @Test("another kind is allowed where a worker may serve it, and known by its number afterwards")
  mutating func kinds() throws {
    lines = StreamedLines(shell: nil, servesOnlyCommands: false)
    _ = try read(#"{"kind":"k","payload":1}"#)
    _ = try read(#"{"run":["a"]}"#)
    #expect(lines.kinds.map(\.name) == ["command", "k"])
    #expect(lines.release(0) > 0)
    #expect(lines.kindIndex(of: 0) == 1)
    #expect(lines.kindIndex(of: 1) == 0)
  }

  @Test("an operation that has ended has no text any more, and still a name")
  mutating func release() throws {
    let text = #"{"id":"x","run":["a"]}"#
    _ = try read(text)
    #expect(lines.release(0) == text.utf8.count)
    #expect(lines.release(0) == 0)
    #expect(lines[0] == nil)
    #expect(lines.names.id(of: 0) == Array("x".utf8))
    #expect(try read(#"{"run":["b"],"after":["x"]}"#)?.dependencies.first?.target == 0)
  }

  @Test("a line that is too long is an error, whether it was read or not")
  mutating func limit() throws {
    lines = StreamedLines(shell: nil, servesOnlyCommands: true, lineLimit: 20)
    let message =
      "M:1: it has more than 20 bytes, the limit for an operation; pass long data in files"
    #expect(lines.excess.lines(file: Array("M".utf8)) == [message])
    #expect(errors(#"{"run":["aaaaaaaaaaaaaaaaaaaaaa"]}"#) == [message])
    #expect(try read(#"{"run":["a"]}"#) != nil)
  }
}
