import PoolInputs
import PoolModel
import PoolReports
import PoolSystem
import PoolWire

/// Finds the output of an operation in what a run has left: a folder or a file of results.
enum KeptOutputSearch {
  /// The output of an operation, and what is missing of it.
  struct Found {
    var output: [UInt8]
    var error: [UInt8]
    /// What is not there, for people; nil if nothing is missing.
    var remark: String?
  }

  /// Where outputs are kept, for people.
  private static let advice =
    "outputs are kept by --results DIR/, and their first 64 KiB by --results FILE"

  /// Looks in a folder or file of results; throws if the operation is not there.
  static func find(_ id: [UInt8], at path: [UInt8]) throws(RunFailure) -> Found {
    if OutputFolder.exists(path) { return try findInFolder(id, path) }
    guard let found = try find(id, inFile: path) else {
      throw RunFailure(
        .usage,
        "\(Printable.text(path)): no results of an operation '\(Printable.name(id))'; \(advice)"
      )
    }
    return found
  }

  /// The output in the folder of an operation; nil where that has none.
  static func read(folder: [UInt8]) -> Found? {
    guard let output = content(folder, "stdout") else { return nil }
    return Found(output: output, error: content(folder, "stderr") ?? [])
  }

  private static func content(_ folder: [UInt8], _ name: String) -> [UInt8]? {
    let path = folder + [UInt8(ascii: "/")] + Array(name.utf8)
    guard FileIdentity(path: path)?.isRegular == true else { return nil }
    guard let descriptor = try? Descriptors.openFile(path: path) else { return nil }
    defer { Descriptors.close(descriptor) }
    return try? SystemIO.readAll(descriptor)
  }

  private static func findInFolder(_ id: [UInt8], _ path: [UInt8]) throws(RunFailure) -> Found {
    let root = path.last == UInt8(ascii: "/") ? Array(path.dropLast()) : path
    let own = root + [UInt8(ascii: "/")] + ResultsFolder.name(of: id)
    if let found = read(folder: own) { return found }
    // Those of opool map are called by their numbers, which are in files beside the outputs.
    if let found = ResultsFolder.folder(numbered: id, below: root).flatMap(read) { return found }
    throw RunFailure(
      .usage,
      "\(Printable.text(path)): no output of an operation '\(Printable.name(id))'"
    )
  }

  private static func find(
    _ id: [UInt8],
    inFile path: [UInt8]
  ) throws(RunFailure) -> Found? {
    let bytes: [UInt8]
    do throws(SystemFailure) {
      let descriptor = try Descriptors.openFile(path: path)
      defer { Descriptors.close(descriptor) }
      bytes = try SystemIO.readAll(descriptor)
    } catch {
      throw RunFailure(.output, "\(Printable.text(path)): \(error.reason)")
    }
    var last: Found?
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      // The last of several lines counts, as of runs that were resumed.
      if let found = found(id, in: line) { last = found }
    }
    return last
  }

  private static func found(_ id: [UInt8], in line: ArraySlice<UInt8>) -> Found? {
    guard let fields = try? JSONFields(line), fields.has("outcome"), fields.has("stdoutBytes"),
      let name = try? fields.text("id"), Array(name.utf8) == id
    else { return nil }
    let output = (try? fields.bytes("stdout")) ?? []
    let error = (try? fields.bytes("stderr")) ?? []
    let counts: [StaticString] = ["stdoutBytes", "stderrBytes"]
    let total = counts.reduce(Int64(0)) { sum, name in
      sum.saturatingSum(Int64((try? fields.integer(name)) ?? 0))
    }
    let missing = total.saturatingDifference(Int64(output.count + error.count))
    let remark =
      missing > 0 ? "\(missing) bytes of its output are not there: a file has 64 KiB of each" : nil
    return Found(output: output, error: error, remark: remark)
  }
}
