import PoolSystem
import PoolWire

/// The files that the outputs of one command go into, open; nil for an output without a file.
struct CommandRedirection {
  let output: Int32?
  let error: Int32?

  /// Makes the files, or empties them; one descriptor serves both outputs if they share a path.
  ///
  /// Paths are relative to the directory, as after `cd` in a shell.
  init(
    to files: CommandPayload.OutputFiles,
    in directory: [UInt8]?
  ) throws(SystemFailure) {
    output = try files.output.map { path throws(SystemFailure) in
      try Self.open(path, in: directory, for: "output")
    }
    guard files.error != files.output else {
      error = output
      return
    }
    do throws(SystemFailure) {
      error = try files.error.map { path throws(SystemFailure) in
        try Self.open(path, in: directory, for: "error")
      }
    } catch {
      if let output { Descriptors.close(output) }
      throw error
    }
  }

  /// Closes this process's descriptors, when the command has its own or was not started.
  func close() {
    if let output { Descriptors.close(output) }
    if let error, error != output { Descriptors.close(error) }
  }

  private static func open(
    _ path: [UInt8],
    in directory: [UInt8]?,
    for name: String
  ) throws(SystemFailure) -> Int32 {
    let slash = UInt8(ascii: "/")
    let prefix = path.first == slash ? [] : directory.map { $0 + [slash] } ?? []
    do throws(SystemFailure) {
      return try Descriptors.createOutputFile(path: prefix + path)
    } catch {
      let shown = String(decoding: path, as: UTF8.self)
      let reason = "the file '\(shown)' for its standard \(name) cannot be made: \(error.reason)"
      throw SystemFailure(call: "open", code: error.code, explanation: reason)
    }
  }
}
