import Foundation
import PoolModel
import PoolSystem
import PoolTestSupport

/// Runs built programs to their end.
enum Programs {
  /// What a program left.
  struct Output {
    var text: String
    var errors: String
    var status: PoolExitStatus
  }

  /// Runs a program with some text as its input and waits for its end.
  static func run(
    _ program: String,
    _ arguments: [String],
    input: String = "",
    environment: [String: String] = [:]
  ) throws -> Output {
    let output = try TemporaryFile.open()
    let errors = try TemporaryFile.open()
    let text = try TemporaryFile.open(holding: Array(input.utf8))
    defer { for file in [output, errors, text] { Descriptors.close(file) } }
    var variables = ProcessEnvironment.current
    variables.set(environment.map { (Array($0.key.utf8), Array($0.value.utf8)) })
    let process = try start(
      [Repository.program(program).path] + arguments,
      streams: (text, output, errors),
      environment: variables
    )
    let watchdog = Watchdog { process.send(.kill) }
    process.waitForEnd()
    let status = try withExtendedLifetime(watchdog) { try process.reap().0 }
    return Output(text: try content(of: output), errors: try content(of: errors), status: status)
  }

  /// Starts a program whose streams lead nowhere.
  ///
  /// Not the test's own: their reader waits for all processes that have them.
  static func start(_ words: [String]) throws -> CommandProcess {
    let null = try Descriptors.openNull()
    defer { Descriptors.close(null) }
    return try start(words, streams: (null, null, null))
  }

  /// Starts a program.
  static func start(
    _ words: [String],
    streams: (Int32, Int32, Int32),
    environment: ProcessEnvironment = .current
  ) throws -> CommandProcess {
    var launcher = CommandLauncher()
    return try launcher.start(
      CommandDescription(
        arguments: words.map { Array($0.utf8) },
        environment: environment,
        standardInput: streams.0,
        standardOutput: streams.1,
        standardError: streams.2
      )
    )
  }

  /// What a file holds, up to 64 KiB.
  static func content(of file: Int32) throws -> String {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let transfer = try buffer.withUnsafeMutableBytes { try SystemIO.read(file, into: $0, from: 0) }
    guard case .bytes(let count) = transfer else { return "" }
    return String(decoding: buffer[..<count], as: UTF8.self)
  }
}
