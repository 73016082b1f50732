import Foundation
import PoolSystem
import PoolTestSupport
import Testing

/// Bytes of any value and arguments of any length, on their way through the real programs.
@Suite("Hostile inputs")
struct HostileByteTests {
  /// All that an argument can hold.
  private static let bytes = [UInt8](1...255)

  private func words(_ arguments: String..., inputs: [[UInt8]]) -> [[UInt8]] {
    arguments.map { Array($0.utf8) } + [Array(":::".utf8)] + inputs
  }

  @Test("Each byte from 1 to 255 arrives in an argument, and in a shell line")
  func arguments() throws {
    let inputs = [Self.bytes]
    let lines = ["printf %s {}; :", "printf %s \"{}\"; :", "printf %s '{}'; :", "printf %s $(:){}"]
    for words in [words("map", "-q", "printf", "%s", "{}", inputs: inputs)]
      + lines.map({ self.words("map", "-q", $0, inputs: inputs) })
    {
      let run = try Opool(bytes: words).run()
      run.expect(stderr: "")
      #expect(run.stdoutBytes == Self.bytes)
    }
  }

  @Test("A line is an input whatever its bytes, with a carriage return or a byte order mark")
  func lines() throws {
    let line = Self.bytes.filter { $0 != UInt8(ascii: "\n") }
    let run = try Opool("map", "-kq", "printf", "[%s]").stdin(line + [0x0A] + line).run()
    run.expect(stderr: "")
    #expect(run.stdoutBytes == [0x5B] + line + [0x5D, 0x5B] + line + [0x5D])
    let text: [UInt8] = [0xEF, 0xBB, 0xBF] + Array("a\r\nb\r\n".utf8)
    let marked = try Opool("map", "-kq", "printf", "[%s]").stdin(text).run()
    #expect(marked.stdoutBytes == [0x5B, 0xEF, 0xBB, 0xBF] + Array("a\r][b\r]".utf8))
    try Opool("map", "echo").run().expect("").says("opool: 0 succeeded in T\n")
  }

  @Test("Each byte from 1 to 255 arrives in the value of a variable")
  func environment() throws {
    let value = Data(Self.bytes).base64EncodedString()
    let manifest =
      #"{"id":"a","run":["sh","-c","printf %s \"$V\""],"env":{"V":{"base64":"\#(value)"}}}"#
    let run = try Opool("run", "-q").stdin(manifest + "\n").run()
    run.expect(stderr: "")
    #expect(run.stdoutBytes == Self.bytes)
    let inherited = try Opool.shell(
      "V=$(printf '\(Self.bytes.map { String(format: "\\%03o", $0) }.joined())x') "
        + "opool map -q 'printf %s \"$V\"; : {}' ::: 1"
    ).run()
    #expect(inherited.stdoutBytes == Self.bytes + [UInt8(ascii: "x")])
  }

  /// Files whose names are inputs, and such that opool itself writes.
  @Test("Each byte but the slash may be in the name of a file")
  func names() throws {
    let place = try TestFolder()
    let all = Self.bytes.filter { $0 != UInt8(ascii: "/") }
    let paths = (all.map { [0x66, $0] } + [all]).map { Array(place.path.utf8) + [0x2F] + $0 }
    for path in paths { try write(path + [UInt8(ascii: ";")], to: path) }
    let cat = try Opool(bytes: words("map", "-kq", "cat", "{}", inputs: paths)).run()
    cat.expect(stderr: "")
    #expect(cat.stdoutBytes == paths.flatMap { $0 + [UInt8(ascii: ";")] })
    for option in ["--results", "--journal"] {
      let path = Array(place.path.utf8) + [0x2F] + Array(option.utf8.dropFirst(2)) + all.prefix(200)
      let arguments = ["map", "-q", option].map { Array($0.utf8) } + [path]
      try Opool(bytes: arguments + words("echo", inputs: [[0x31]])).run().expect("1\n", stderr: "")
      #expect(FileIdentity(path: path) != nil)
    }
    // Foundation removes no file whose name is not UTF-8.
    try Opool.shell("rm -r \(place.path)").run().expect("", stderr: "")
  }

  private func write(_ content: [UInt8], to path: [UInt8]) throws {
    let file = try Descriptors.createFile(path: path)
    defer { Descriptors.close(file) }
    try SystemIO.writeAll(file, content)
  }

  @Test("An argument of 131,071 bytes arrives")
  func longest() throws {
    let input = String(repeating: "x", count: 131_071)
    try Opool("map", "-q", "printf", "%s").stdin(input).run().expect(input, stderr: "")
    let value = String(repeating: "y", count: 131_069)
    try Opool("run", "-q")
      .stdin(#"{"id":"a","run":["sh","-c","printf %s \"$V\""],"env":{"V":"\#(value)"}}"# + "\n")
      .run()
      .expect(value, stderr: "")
  }

  /// Another attempt would be as futile.
  @Test("What no program can be given fails before its first attempt, by name")
  func tooLong() throws {
    let long = String(repeating: "x", count: 131_072)
    let end = "and this system hands a program at most 131071 in one"
    let attempts = ["map", "-v", "--retries", "3"]
    for command in [["printf", "%s"], ["printf %s {}; :"]] {
      let run = try Opool(attempts + command).stdin("a\n" + long + "\nb\n").run().expect(exit: 1)
      run.says("has 1310").says(end)
      #expect(run.stderr.contains("2: executing") == false)
      #expect(run.stderr.contains("again") == false)
      #expect(run.stderr.contains("2 succeeded, 1 failed"))
    }
    let manifest = #"{"id":"a","run":["true"],"env":{"V":"\#(long)"},"retries":2}"# + "\n"
    try Opool("run").stdin(manifest).run().expect("", exit: 1)
      .says("failed: its variable 'V' has 131072 bytes, \(end)")
  }
}
