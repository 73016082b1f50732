import Foundation
import PoolModel
import PoolSystem
import PoolTestSupport
import PoolWire
import Testing

/// What other operations made reaches a command as files, and leaves nothing behind.
@Suite("Inputs of commands")
struct CommandInputTests {
  private let words = NamedInput(name: "words", .output(Array("b\na\n".utf8)))

  private func shell(_ line: String) -> CommandPayload { CommandPayload(.shell(Array(line.utf8))) }

  /// JSON is its text, an output its bytes, and a file's path is handed on.
  @Test("Each input is a file that holds exactly what was made")
  func content() throws {
    let worker = try WorkerHarness()
    let file = try TemporaryFile.open(holding: Array("in a file".utf8))
    defer { Descriptors.close(file) }
    // As a coordinator names a file that has no name.
    let path = "/proc/\(CurrentProcess.identifier)/fd/\(file)"
    let operation = worker.command(
      shell(
        #"cd "$OPOOL_INPUT_dir"; for f in json text old_words raw file; do "#
          + #"eval "cat \"\$OPOOL_INPUT_$f\""; printf '|'; done; echo "$OPOOL_INPUT_file""#
      ),
      with: NamedInput(name: "json", .json(Array(#"{"a": [1, 2]}"#.utf8))),
      NamedInput(name: "text", .json(Array(#""quoted""#.utf8))),
      NamedInput(name: "old words", .output(Array("naïve\n".utf8))),
      NamedInput(name: "raw", .output([])),
      NamedInput(name: "dir", .file(Array("/".utf8))),
      NamedInput(name: "file", .file(Array(path.utf8)))
    )
    let expected = "{\"a\": [1, 2]}|\"quoted\"|naïve\n||in a file|\(path)\n"
    #expect(try worker.answer(to: operation).outputText == expected)
    let after = try worker.answer(to: worker.shell("env | grep OPOOL_INPUT_"))
    #expect(after.failure?.cause == .exit)
  }

  /// Bytes of any value and any number.
  @Test("A large input of all bytes arrives whole")
  func large() throws {
    let worker = try WorkerHarness()
    let bytes = (0..<(3 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let operation = worker.command(
      shell(#"cmp "$OPOOL_INPUT_large" - && wc -c <"$OPOOL_INPUT_large""#).reading(bytes),
      with: NamedInput(name: "large", .output(bytes))
    )
    #expect(try worker.answer(to: operation).outputText == "3145728\n")
  }

  /// A part that fits into a pipe, one that does not, and one that its command leaves.
  @Test(
    "A command reads a file, or a part of one, from its start to its end",
    arguments: [1, 64, 3_000]
  )
  func standardInput(kibibytes: Int64) throws {
    let worker = try WorkerHarness()
    let file = try TemporaryFile.open(
      holding: (0..<(4 << 20)).map { UInt8(truncatingIfNeeded: $0 >> 9) }
    )
    defer { Descriptors.close(file) }
    let path = Array("/proc/\(CurrentProcess.identifier)/fd/\(file)".utf8)
    let range = 4_095..<4_095 + kibibytes << 10
    func count(_ part: FilePart, _ line: String) throws -> String? {
      var command = shell(line)
      command.standardInput = .file(part)
      return try worker.answer(to: worker.command(command)).outputText
    }
    let compare =
      "tail -c +4096 /proc/\(CurrentProcess.identifier)/fd/\(file) | head -c \(range.count)"
    #expect(
      try count(FilePart(path: path, range: range), "\(compare) | cmp - /dev/fd/3 3<&0") == nil
    )
    #expect(try count(FilePart(path: path, range: range), "wc -c") == "\(range.count)\n")
    #expect(try count(FilePart(path: path, range: range), "head -c 1 | wc -c") == "1\n")
    #expect(try count(FilePart(path: path), "wc -c") == "4194304\n")
    #expect(try count(FilePart(path: path, range: 5..<5), "wc -c") == "0\n")
  }

  @Test("A part of a file that is shorter by now is a failure; so is one that is gone")
  func shortened() throws {
    let worker = try WorkerHarness()
    let file = try TemporaryFile.open(holding: [1, 2, 3])
    defer { Descriptors.close(file) }
    var command = shell("wc -c")
    let path = Array("/proc/\(CurrentProcess.identifier)/fd/\(file)".utf8)
    command.standardInput = .file(FilePart(path: path, range: 1..<5))
    let answer = try worker.answer(to: worker.command(command))
    #expect(answer.outputText == "2\n")
    #expect(answer.failure?.message.contains("2 bytes are gone") == true)
    command.standardInput = .file(FilePart(path: Array("/no/such".utf8)))
    let other = try worker.answer(to: worker.command(command))
    #expect(other.failure?.cause == .spawn)
    #expect(other.failure?.message.contains("its standard input cannot be opened") == true)
  }

  /// Opening one would wait for another process, and the worker could not be asked to end.
  @Test("A FIFO as standard input is refused, and named; a device is read")
  func special() throws {
    let place = try Rendezvous()
    let worker = try WorkerHarness()
    var command = shell(
      "head -c 3 | wc -c; sed -n 's/^flags:.*\\(.\\)...$/\\1/p' /proc/self/fdinfo/0"
    )
    command.standardInput = .file(FilePart(path: Array(place.path.utf8)))
    let refusal = try worker.answer(to: worker.command(command))
    #expect(refusal.failure?.cause == .spawn)
    let reason = "'\(place.path)' is a FIFO, not a regular file"
    #expect(refusal.failure?.message == "its standard input cannot be opened: \(reason)")
    command.standardInput = .file(FilePart(path: Array("/dev/zero".utf8)))
    // In the second line, 4 would say that reading does not wait.
    #expect(try worker.answer(to: worker.command(command)).outputText == "3\n0\n")
  }

  /// No other user may read them, and what the command puts beside its inputs goes with them.
  @Test("The folder is private, and gone before the answer")
  func folder() throws {
    let place = try TestFolder()
    let worker = try WorkerHarness(temporaryFolder: place.path)
    let line = """
      cd "$(dirname "$OPOOL_INPUT_words")" && stat -c %a . && pwd && mkdir -p deep/er &&
      sort -o deep/er/sorted "$OPOOL_INPUT_words" && ln -s / deep/root && exit 3
      """
    let answer = try worker.answer(to: worker.command(shell(line), with: words))
    let lines = (answer.outputText ?? "").split(separator: "\n")
    #expect(lines.first == "700")
    #expect(lines.last?.hasPrefix("\(place.path)/opool-") == true)
    #expect(answer.failure?.code == 3)
    #expect(try place.names() == [])
  }

  /// The folder does not wait for a command that never came to be.
  @Test("Nothing stays of a command that cannot be started, or whose inputs cannot be named")
  func refusals() throws {
    let place = try TestFolder()
    let worker = try WorkerHarness(temporaryFolder: place.path)
    let missing = worker.command(CommandPayload(run: "/no/such"), with: words)
    #expect(try worker.answer(to: missing).failure?.cause == .spawn)
    let cut = worker.command(
      CommandPayload(run: "true"),
      with: words,
      NamedInput(name: "cut", .file([0x2F, 0x00]))
    )
    #expect(try worker.answer(to: cut).failure?.cause == .spawn)
    #expect(try place.names() == [])
  }

  @Test("Where the folder for temporary files is gone, the system's own is used")
  func homeless() throws {
    let place = try TestFolder()
    let worker = try WorkerHarness(temporaryFolder: place.path(of: "missing"))
    let line = #"dirname "$(dirname "$(dirname "$OPOOL_INPUT_words")")""#
    let answer = try worker.answer(to: worker.command(shell(line), with: words))
    #expect(answer.outputText == "/tmp\n" || answer.outputText == "/var/tmp\n")
  }

  /// One of the two would be lost, without a trace.
  @Test("Inputs that would share a variable are refused, and nothing is executed")
  func collision() throws {
    let place = try TestFolder()
    let worker = try WorkerHarness(temporaryFolder: place.path)
    let operation = worker.command(
      shell("echo executed >\(place.path)/trace"),
      with: words,
      NamedInput(name: "a b", .output([])),
      NamedInput(name: "a-b", .file(Array("/dev/null".utf8)))
    )
    let message = "the inputs 'a b' and 'a-b' would both be OPOOL_INPUT_a_b"
    #expect(try worker.answer(to: operation).failure == Failure(cause: .error, message: message))
    #expect(try place.names() == [])
  }

  /// An input is what it says, whatever the environment says.
  @Test("Inputs go before the operation's own environment; names may be long or empty")
  func names() throws {
    let worker = try WorkerHarness()
    let long = String(repeating: "x", count: 2_000)
    let payload = CommandPayload(
      run: "sh",
      "-c",
      #"cat "$OPOOL_INPUT_words" "$OPOOL_INPUT_" "$OPOOL_INPUT_\#(long)""#,
      environment: ["OPOOL_INPUT_words": "/dev/null"]
    )
    let operation = worker.command(
      payload,
      with: words,
      NamedInput(name: "", .output(Array("empty\n".utf8))),
      NamedInput(name: long, .output(Array("long\n".utf8)))
    )
    #expect(try worker.answer(to: operation).outputText == "b\na\nempty\nlong\n")
  }

  /// By whatever the command is ended.
  @Test("Nothing stays of a command that is cancelled, nor where the worker's input ends")
  func ended() throws {
    let place = try TestFolder()
    let worker = try WorkerHarness(temporaryFolder: place.path)
    let line = #"cp "$OPOOL_INPUT_words" "$OPOOL_INPUT_words.copy"; echo; exec sleep 1000"#
    let first = worker.command(shell(line), with: words)
    worker.send(.execute(first))
    _ = try worker.group(of: first)
    #expect(try place.names().count == 1)
    worker.send(.cancel(first.reference, .immediate))
    guard case .cancelled(first.reference, _, "SIGKILL") = try worker.next() else {
      throw HarnessError(text: "no 'cancelled' came")
    }
    #expect(try place.names() == [])
    let second = worker.command(shell(line), with: words)
    worker.send(.execute(second))
    _ = try worker.group(of: second)
    #expect(try place.names().count == 1)
    worker.closeInput()
    // The command's end by the worker may or may not be told.
    while try worker.next() != nil {}
    #expect(try worker.end() == .exited(0))
    #expect(try place.names() == [])
  }

  /// The end may come at any moment of the preparation.
  @Test("Nothing stays where the input ends right behind a command")
  func suddenEnd() throws {
    let place = try TestFolder()
    for _ in 0..<20 {
      let worker = try WorkerHarness(temporaryFolder: place.path)
      worker.send(.execute(worker.command(CommandPayload(run: "sleep", "1000"), with: words)))
      worker.closeInput()
      while try worker.next() != nil {}
      _ = try worker.end()
      #expect(try place.names() == [])
    }
  }
}

extension CommandPayload {
  /// The same command with a standard input.
  fileprivate func reading(_ bytes: [UInt8]) -> Self {
    var payload = self
    payload.standardInput = .bytes(bytes)
    return payload
  }
}
