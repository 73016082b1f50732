import Foundation
import OperationWorker

// Ways to die, and ways to be as good as dead.

extension WorkerKind {
  /// Sends its process the signal in the payload, and executes for ever where that leaves it alive.
  static let raise = raw("raise") { payload, _ in
    kill(getpid(), Int32(String(decoding: payload, as: UTF8.self)) ?? SIGKILL)
    while true { pause() }
  }

  /// Closes every descriptor that only writes, and executes for ever.
  static let closeOutputs = raw("closeOutputs") { _, _ in
    for descriptor in Int32(0)..<256 where fcntl(descriptor, F_GETFL) & O_ACCMODE == O_WRONLY {
      close(descriptor)
    }
    while true { pause() }
  }

  /// Writes nonsense to every descriptor beyond the standard ones, and executes for ever.
  static let garble = raw("garble") { _, _ in
    let nonsense = [UInt8](repeating: 255, count: 8)
    for descriptor in Int32(3)..<64 { _ = write(descriptor, nonsense, nonsense.count) }
    while true { pause() }
  }

  /// Begins a long frame on every descriptor beyond the standard ones, and executes for ever; what
  /// the process sends meanwhile goes on with that frame, little by little.
  static let stall = raw("stall") { _, _ in
    let beginning: [UInt8] = [0, 16, 0, 0] + Array("{".utf8)
    for descriptor in Int32(3)..<64 { _ = write(descriptor, beginning, beginning.count) }
    while true { pause() }
  }

  /// Says of its first dispatch that it left 20 bytes in a file, which has 10, and executes for
  /// ever.
  static let shortOutput = raw("shortOutput") { _, context in
    // What waits to be sent, which says that this executes, goes before what it says of itself.
    context.progress(completed: 0, total: 1)
    var name = Array("/tmp/opool-test-XXXXXX".utf8CString)
    let file = mkstemp(&name)
    unlink(name)
    _ = write(file, [UInt8](repeating: 7, count: 10), 10)
    let fields = #""operation":\#(context.operationID),"dispatch":1"#
    let output = #"{"descriptor":\#(file),"bytes":20}"#
    let body = #"{"type":"finished",\#(fields),"stdout":\#(output)}"# + "\n"
    let frame = [0, 0, 0, UInt8(body.utf8.count)] + Array(body.utf8)
    for descriptor in Int32(3)..<64 where descriptor != file {
      _ = write(descriptor, frame, frame.count)
    }
    while true { pause() }
  }

  /// Says why, and exits with code 3.
  static let complain = raw("complain") { _, _ in
    FileHandle.standardError.write(Data("it is all too much\n".utf8))
    Foundation.exit(3)
  }
}
