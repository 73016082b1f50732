import Foundation
import PoolModel
import PoolSystem
import PoolWire
import Testing

/// What goes into a command and what comes out of it.
@Suite("A command's input and output")
struct CommandStreamTests {
  /// Text, folder, variables and arguments arrive byte for byte.
  @Test("Input, folder, environment and arguments reach the command as they are")
  func input() throws {
    let worker = try WorkerHarness()
    let text = Array("line\n".utf8) + [0xFF, 0x00, 0xFE]
    let cat = try worker.answer(to: worker.command(CommandPayload(run: "cat", input: text)))
    #expect(cat.standardOutput == .inline(text))
    let empty = try worker.answer(to: worker.command(CommandPayload(run: "cat")))
    #expect(empty.standardOutput == nil)
    let big = [UInt8](repeating: 0x61, count: 300_000)
    let count = CommandPayload(run: "wc", "-c", input: big)
    #expect(try worker.answer(to: worker.command(count)).outputText == "300000\n")
    let folder = CommandPayload(run: "pwd", in: "/usr/bin/..")
    #expect(try worker.answer(to: worker.command(folder)).outputText == "/usr\n")
    var arguments = CommandPayload(run: "printf", "%s")
    arguments.action = .run([Array("printf".utf8), Array("%s".utf8), [0xC3, 0x28]])
    let bytes = try worker.answer(to: worker.command(arguments))
    #expect(bytes.standardOutput == .inline([0xC3, 0x28]))
  }

  /// Variables are added to the worker's own; its own mark is not passed on.
  @Test("The environment is the worker's with the operation's added, and no worker's mark")
  func environment() throws {
    let worker = try WorkerHarness()
    let payload = CommandPayload(
      run: "sh",
      "-c",
      "echo \"$A|$B|${HOME+home}|${OPOOL_WORKER-none}\"",
      environment: ["A": "1", "B": "two words", "A": "3", "HOME": "/x"]
    )
    let answer = try worker.answer(to: worker.command(payload))
    #expect(answer.outputText == "3|two words|home|none\n")
    let after = try worker.answer(to: worker.shell("echo \"[$A]\""))
    #expect(after.outputText == "[]\n")
  }

  /// The variables as another coordinator may send them.
  private func variables(
    _ given: [(ExecutionVariable, String)]
  ) throws -> ExecutionVariables {
    let fields = given.map { #""\#($0.rawValue)":"\#($1)""# }
    return try Array("{\(fields.joined(separator: ","))}".utf8).withUnsafeBytes {
      bytes throws(JSONError) in
      var scanner = JSONScanner(bytes)
      return try ExecutionVariables(from: &scanner)
    }
  }

  /// Whatever a coordinator sends: the last one of a name counts, as in the payload.
  @Test(
    "Variables of the execution are there once each, in any order",
    arguments: [
      ([(.id, "a"), (.sequence, "1"), (.key, "k")], 1, "1 a 1"),
      ([(.sequence, "7"), (.id, "a"), (.id, "b")], -1, "-1 b 7"),
      ([(.attempt, "1000"), (.id, "a")], 3, "1000 a"), ([], 2, "2"),
    ] as [([(ExecutionVariable, String)], Int, String)]
  )
  func variables(given: [(ExecutionVariable, String)], attempt: Int, expected: String) throws {
    let worker = try WorkerHarness()
    let line = "env | sort | sed -En 's/^(OPOOL_(ATTEMPT|ID)|PARALLEL_SEQ)=//p'"
    var operation = worker.operation(
      "command",
      String(decoding: worker.shell(line).payload, as: UTF8.self),
      with: .of(variables: try variables(given))
    )
    operation.attempt = attempt
    let text = try worker.answer(to: operation).outputText
    #expect(text == expected.split(separator: " ").joined(separator: "\n") + "\n")
  }

  /// A worker uses the memory of the last command's environment again.
  @Test("Nothing of a command's variables is in the environment of the next one")
  func separate() throws {
    let worker = try WorkerHarness()
    func answer(_ given: [(ExecutionVariable, String)], attempt: Int = 1) throws -> Answer {
      var operation = worker.operation(
        "command",
        #"{"shell":"echo $OPOOL_ID,$PARALLEL_SEQ,$OPOOL_KEY,$OPOOL_ATTEMPT"}"#,
        with: .of(variables: try variables(given))
      )
      operation.attempt = attempt
      return try worker.answer(to: operation)
    }
    let long = String(repeating: "long", count: 1_000)
    #expect(
      try answer([(.id, long), (.sequence, "1"), (.key, "k")]).outputText == "\(long),1,k,1\n"
    )
    #expect(try answer([(.id, "a")]).outputText == "a,,,1\n")
    let cut = try answer([(.id, "b\\u0000c"), (.sequence, "2")]).failure
    #expect(cut?.message.hasPrefix("OPOOL_ID=b: a zero byte follows") == true)
    #expect(try answer([(.key, "l")]).outputText == ",,l,1\n")
    #expect(try answer([(.id, "d"), (.sequence, "3")], attempt: 2).outputText == "d,3,,2\n")
    #expect(try answer([]).outputText == ",,,1\n")
  }

  /// Up to 16 KiB come with the answer; one byte more is left in a file until it is released.
  @Test("A large output is an open file of the worker, until it is released")
  func files() throws {
    let worker = try WorkerHarness()
    let small = try worker.answer(to: worker.shell("head -c 16384 /dev/zero"))
    #expect(small.standardOutput == .inline([UInt8](repeating: 0, count: 16_384)))
    let operation = worker.shell("head -c 16385 /dev/zero; head -c 16385 /dev/zero >&2")
    let answer = try worker.answer(to: operation)
    guard case .file(let output, let count) = answer.standardOutput,
      case .file(let error, 16_385) = answer.standardError
    else { throw HarnessError(text: "no files in \(answer)") }
    #expect(count == 16_385)
    let pid = worker.pid
    for descriptor in [output, error] {
      let data = FileManager.default.contents(atPath: "/proc/\(pid)/fd/\(descriptor)")
      #expect(data == Data(count: 16_385))
    }
    worker.send(.release(operation.reference), .ping(1))
    #expect(try worker.next() == .pong(1))
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd")
    #expect(!open.contains("\(output)"))
    #expect(!open.contains("\(error)"))
  }

  /// Hundreds of commands later, the worker has no more open files than after the first.
  @Test("Descriptors stay flat over many commands")
  func flat() throws {
    let worker = try WorkerHarness()
    _ = try worker.answer(to: worker.shell("true"))
    let path = "/proc/\(worker.pid)/fd"
    let before = try FileManager.default.contentsOfDirectory(atPath: path).count
    for _ in 0..<50 {
      _ = try worker.answer(to: worker.command(CommandPayload(run: "echo", "x", input: [0x61])))
      _ = try worker.answer(to: worker.command(CommandPayload(run: "no-such-program")))
      _ = try worker.answer(to: worker.command(CommandPayload(run: "true", in: "/no/such")))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: path).count == before)
  }

  /// For a coordinator that cannot open files, the same bytes come ahead of the answer.
  @Test("Without files, a large output comes in pieces before the answer")
  func pieces() throws {
    let worker = try WorkerHarness(acceptsFiles: false)
    let operation = worker.shell("seq 20000; seq 5000 >&2")
    worker.send(.execute(operation))
    _ = try worker.group(of: operation)
    var output: [UInt8] = []
    var error: [UInt8] = []
    while case .output(operation.reference, let chunk)? = try worker.next() {
      #expect(chunk.bytes.count <= 32 << 10)
      if chunk.isError { error += chunk.bytes } else { output += chunk.bytes }
    }
    // The message that ended the loop was the answer: nothing follows it.
    worker.send(.ping(1))
    #expect(try worker.next() == .pong(1))
    #expect(String(decoding: output, as: UTF8.self) == Self.numbers(20_000))
    #expect(String(decoding: error, as: UTF8.self) == Self.numbers(5_000))
  }

  /// Programs that open the stream anew, or share it, do not write over each other.
  @Test("Writing to /dev/stderr appends to what is there")
  func appending() throws {
    let worker = try WorkerHarness()
    let line = "echo one >&2; echo two >>/dev/stderr; (echo three >&2); echo four >&2"
    let answer = try worker.answer(to: worker.shell(line))
    #expect(answer.errorText == "one\ntwo\nthree\nfour\n")
  }

  /// The command's end counts, whatever process still has its files.
  @Test("A grandchild that lives on delays no answer, and may go on writing")
  func grandchild() throws {
    let place = try Rendezvous()
    let worker = try WorkerHarness()
    let line = "(exec 9>\(place.path); sleep 1000; echo late) & echo started"
    let operation = worker.shell(line)
    worker.send(.execute(operation))
    let group = try worker.group(of: operation)
    guard case .finished(operation.reference, let answer) = try worker.next() else {
      throw HarnessError(text: "no 'finished' came")
    }
    #expect(answer.outputText == "started\n")
    // Opening the pipe succeeds only because the grandchild lived on.
    let reader = try place.reader()
    let next = try worker.answer(to: worker.shell("echo next"))
    #expect(next.outputText == "next\n")
    ProcessSignal.kill.send(toGroup: group.group)
    #expect(try reader.readToEnd() ?? Data() == Data())
  }

  @Test("What a grandchild writes after its command's end is in no other command's output")
  func lateWriter() throws {
    let (begin, end) = (try Rendezvous(), try Rendezvous())
    let worker = try WorkerHarness()
    let line = "(read go <\(begin.path); echo late; echo late >&2; exec 9>\(end.path)) & :"
    let first = try worker.answer(to: worker.shell(line))
    #expect(first.standardOutput == nil && first.standardError == nil)
    let next = worker.shell(
      "echo go >\(begin.path); read gone <\(end.path); echo next; echo error >&2"
    )
    worker.send(.execute(next))
    var answer = Answer()
    while let message = try worker.next() {
      if case .finished(next.reference, let own) = message {
        answer = own
        break
      }
    }
    #expect(answer.outputText == "next\n" && answer.errorText == "error\n")
  }

  private static func numbers(_ count: Int) -> String {
    (1...count).map { "\($0)\n" }.joined()
  }
}
