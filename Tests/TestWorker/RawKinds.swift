import Foundation
import OperationWorker
import Synchronization

private let executions = Atomic<Int>(0)
private let null = Array("null".utf8)

extension WorkerKind {
  /// Does nothing.
  static let noop = raw("noop") { _, _ in null }

  /// Returns its payload.
  static let echo = raw("echo") { payload, _ in payload }

  /// Prints to the standard output, where a careless worker's frames would be.
  static let print = raw("print") { _, _ in
    Swift.print("a stray line, and half a frame: \u{0}\u{0}")
    fflush(nil)
    return null
  }

  /// Reads the standard input, where a careless worker's frames would be, and returns the count.
  static let readStdin = raw("readStdin") { _, _ in
    Array("\(FileHandle.standardInput.readDataToEndOfFile().count)".utf8)
  }

  /// Ends the process by a signal.
  static let crash = raw("crash") { _, _ in abort() }

  /// Ends the process as a program does that finds its own mistake, with the payload as the reason.
  static let fatal = raw("fatal") { payload, _ in
    fatalError(String(decoding: payload, as: UTF8.self))
  }

  /// Ends the process with the code in the payload.
  static let exit = raw("exit") { payload, _ in
    Foundation.exit(Int32(String(decoding: payload, as: UTF8.self)) ?? 1)
  }

  /// Leaves a process behind that inherits every descriptor it can, and returns its number.
  static let grandchild = raw("grandchild") { _, _ in
    var child = pid_t()
    let words: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("1000"), nil]
    defer { for word in words { free(word) } }
    let code = posix_spawn(&child, "/bin/sleep", nil, nil, words, environ)
    return Array("\(code == 0 ? child : -1)".utf8)
  }

  /// Says that it is deaf, and then is: to requests to stop, and to SIGTERM.
  static let stubborn = raw("stubborn") { _, context in
    signal(SIGTERM, SIG_IGN)
    context.log("deaf")
    while true { pause() }
  }

  /// Returns how many operations of this kind the process has executed.
  static let count = raw("count") { _, _ in
    Array("\(executions.add(1, ordering: .relaxed).newValue)".utf8)
  }

  /// Returns the process's number.
  static let pid = raw("pid") { _, _ in Array("\(getpid())".utf8) }

  /// Returns bytes that are not JSON.
  static let notJSON = raw("notJSON") { _, _ in Array("}{".utf8) }

  /// Says as many lines as its payload says, each with its number.
  static let chatter = raw("chatter") { payload, context in
    let count = Int(String(decoding: payload, as: UTF8.self)) ?? 0
    for number in 0..<count { context.log("line \(number)") }
    return null
  }

  /// Writes as many lines to its standard error as its payload says.
  static let lament = raw("lament") { payload, _ in
    let count = Int(String(decoding: payload, as: UTF8.self)) ?? 0
    for number in 0..<count { FileHandle.standardError.write(Data("line \(number)\n".utf8)) }
    return null
  }

  /// Says how it comes along.
  static let talkative = raw("talkative") { _, context in
    context.progress(completed: 1, total: 2)
    context.log("half of it")
    return null
  }
}
