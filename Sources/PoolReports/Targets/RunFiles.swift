package import PoolInputs
import PoolJournal
import PoolModel
package import PoolSystem

/// The files that a run reads and writes, compared by identity: two names can be of one file.
package struct RunFiles {
  /// The use of a file in a run.
  package enum Role: Hashable {
    case manifest
    case input
    case history
    case width
    case journal
    case keptOutputs
    case report
    case junit
    case lines(TargetLines)
    case output
    case error

    /// All of them, in the order in which messages name two of them.
    fileprivate static let inOrder: [Self] =
      [.manifest, .input, .history, .width, .journal, .keptOutputs, .report, .junit]
      + TargetLines.allCases.map(Self.lines) + [.output, .error]

    private var isWritten: Bool {
      switch self {
      case .manifest, .input, .history, .width: false
      case .journal, .keptOutputs, .report, .junit, .lines, .output, .error: true
      }
    }

    private var isStream: Bool { self == .output || self == .error }

    private var isLines: Bool {
      if case .lines = self { true } else { false }
    }

    /// Whether two uses may share one file.
    ///
    /// Lines for the file of a stream are written to that stream. A history is read before the
    /// journal is continued.
    func mayBe(_ other: Self) -> Bool {
      if self == other || !isWritten && !other.isWritten { return true }
      if isStream, other.isStream || other.isLines { return true }
      return isLines && other.isStream || Set([self, other]) == [.history, .journal]
    }
  }

  fileprivate struct Entry {
    var role: Role
    var name: [UInt8]?
    var file: FileIdentity
  }

  private var entries: [Entry] = []
  /// The uses of paths at which there was no file yet.
  private var missing: [(role: Role, path: [UInt8])] = []

  /// Starts with the streams, the manifest and its name, if any, and the files of inputs.
  package init(
    reading manifest: FileIdentity?,
    _ name: [UInt8]?,
    inputs: [InputFile] = []
  ) throws(SharedFileError) {
    try add(.output, FileIdentity(1))
    try add(.error, FileIdentity(2))
    try add(.manifest, manifest, named: name)
    for input in inputs { try add(.input, input.identity, named: input.name) }
  }

  /// Adds a file, if any; throws if it already has another use that excludes this one.
  ///
  /// Only regular files are compared: others store nothing that could be overwritten.
  package mutating func add(
    _ role: Role,
    _ file: FileIdentity?,
    named name: [UInt8]? = nil
  ) throws(SharedFileError) {
    guard let file, file.isRegular else { return }
    let entry = Entry(role: role, name: name, file: file)
    if let other = entries.first(where: { $0.file == file && !$0.role.mayBe(role) }) {
      throw SharedFileError([other, entry])
    }
    entries.append(entry)
  }

  /// Adds the file at a path; if there is none, ``lookAgain()`` does once a file was created.
  package mutating func add(_ role: Role, path: [UInt8]?) throws(SharedFileError) {
    guard let path else { return }
    guard let file = FileIdentity(path: path) else {
      if let other = missing.first(where: { !$0.role.mayBe(role) && Self.isSame($0.path, path) }) {
        throw SharedFileError(of: other, (role, path))
      }
      return missing.append((role, path))
    }
    try add(role, file, named: path)
  }

  /// The run has created a file: two paths that led to none may be of this one.
  mutating func lookAgain() throws(SharedFileError) {
    let paths = missing
    missing = []
    for (role, path) in paths { try add(role, path: path) }
  }

  /// Whether two paths that lead to no file yet would be of the same one.
  private static func isSame(_ path: [UInt8], _ other: [UInt8]) -> Bool {
    let slash = UInt8(ascii: "/")
    func parts(_ path: [UInt8]) -> (folder: FileIdentity?, name: ArraySlice<UInt8>) {
      let start = path.lastIndex(of: slash).map { $0 + 1 } ?? 0
      let folder = start == 0 ? Array(".".utf8) : Array(path[..<start])
      return (FileIdentity(path: folder), path[start...])
    }
    let (one, two) = (parts(path), parts(other))
    return one.name == two.name && one.folder != nil && one.folder == two.folder
  }

  /// Adds the journal at a path, and its file of outputs.
  package mutating func addJournal(path: [UInt8]?) throws(SharedFileError) {
    guard let path else { return }
    try add(.journal, path: path)
    try add(.keptOutputs, path: KeptOutputs.path(beside: path))
  }
}

/// One file with two uses that exclude each other.
package struct SharedFileError: Error {
  package let message: String

  /// Two uses of one file that does not exist yet.
  fileprivate init(
    of one: (role: RunFiles.Role, path: [UInt8]),
    _ other: (role: RunFiles.Role, path: [UInt8])
  ) {
    self.init(words: [one, other].map { ($0.role, $0.role.words(for: $0.path)) })
  }

  fileprivate init(_ entries: [RunFiles.Entry]) {
    self.init(words: entries.map { ($0.role, $0.words) })
  }

  /// The uses are named in the order of roles, whichever was compared first.
  private init(words: [(role: RunFiles.Role, text: String)]) {
    let names = RunFiles.Role.inOrder.flatMap { role in
      words.filter { $0.role == role }.map(\.text)
    }
    let two = names.joined(separator: " and ")
    message = "\(two) are the same file; give each a file of its own"
  }
}

extension RunFiles.Entry {
  fileprivate var words: String { role.words(for: name) }
}

extension RunFiles.Role {
  /// The use of a file with a name, if it has one.
  fileprivate func words(for path: [UInt8]?) -> String {
    let name = path.map { " '\(Printable.text($0))'" } ?? ""
    return switch self {
    case .manifest: "the manifest" + name
    case .input: path == nil ? "the standard input" : "the inputs" + name
    case .history: "the history" + name
    case .width: "the file of -j" + name
    case .journal: "the journal" + name
    case .keptOutputs: "the journal's outputs" + name
    case .report: "the report" + name
    case .junit: "the file of --junit" + name
    case .lines(let lines): lines.name + name
    case .output: "the standard output"
    case .error: "the standard error"
    }
  }
}
