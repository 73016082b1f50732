import PoolInputs

/// The folders below a folder of results in which the outputs of each operation are.
///
/// They depend on the workload and the file system alone: a resumed run, in which other operations
/// execute, uses the same.
struct ResultsPaths {
  /// Maximum number of folders within each other.
  static let depthLimit = 32

  private let folding: NameFolding
  /// The hashes of all paths so far.
  private var known: Set<Int> = []
  /// Operations with the path of one with a lower number.
  private var repeated: Set<Int> = []

  /// Makes paths that a file system with this folding tells apart.
  init(_ folding: NameFolding = NameFolding()) {
    self.folding = folding
  }

  /// Notes the operations, which come next in the workload.
  mutating func add(_ operations: Range<Int>, of workload: any Workload) {
    for operation in operations {
      guard let path = path(of: operation, in: workload) else { return }
      if !known.insert(folding.hash(of: path)).inserted { repeated.insert(operation) }
    }
  }

  /// The path of an operation; nil if it differs from all others.
  private func path(of operation: Int, in workload: any Workload) -> [[UInt8]]? {
    if let path = workload.resultsPath(of: operation) { return path }
    // Identifiers differ, but the file system may not tell them apart.
    return folding == NameFolding() ? nil : [workload.id(of: operation)]
  }

  /// The names of the folders for an operation that was added, the outermost first.
  func names(of operation: Int, in workload: any Workload) -> [[UInt8]] {
    var path = workload.resultsPath(of: operation) ?? [workload.id(of: operation)]
    if path.count > Self.depthLimit { path = Self.shortened(path) }
    guard let last = path.popLast() else { return [] }
    let isRepeated = repeated.contains(operation)
    return path.map(ResultsName.name)
      + [isRepeated ? ResultsName.name(of: last, again: operation + 1) : ResultsName.name(of: last)]
  }

  /// The start of a path that is too deep, and one folder for the rest.
  private static func shortened(_ path: [[UInt8]]) -> [[UInt8]] {
    let start = path.prefix(depthLimit - 1)
    return start + [Array(path.dropFirst(depthLimit - 1).joined(separator: [UInt8(ascii: "/")]))]
  }
}
