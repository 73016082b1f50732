import PoolModel

/// The request in the arguments of `opool-worker`.
package enum WorkerArguments: Hashable, Sendable {
  /// Serve commands, which get these descriptors; meanwhile no later run opens the journal.
  case serve(journal: [UInt8]? = nil, passing: [Int32] = [])
  /// Carry so many workers, each started by the command, or of this program if that is empty.
  case relay(slots: Int, command: [[UInt8]])
  /// Start a foreign worker command, for a parent with that number if one is named.
  case launch([[UInt8]], parent: Int32?, journal: [UInt8]? = nil)
  /// Print the help.
  case help
  /// Print the version.
  case version
  /// The arguments are not valid, for this reason.
  case wrong(String)

  /// The text of `--version`.
  package static let versionText = "opool-worker \(PackageVersion.text), protocol 1"

  /// The text of `--help`, which also follows an error.
  package static let helpText = """
    usage: opool-worker [--journal=FILE] [--pass-fd=N,...]
                                              serve commands on stdin and stdout, for opool; they
                                              get descriptors N, from 3 on
           opool-worker --slots=K [-- COMMAND...]
                                              serve up to K workers of this program, or that
                                              COMMAND starts, over one stdin and stdout; K may
                                              be auto, which is the number of cores
           opool-worker launch [--parent=PID] [--journal=FILE] -- COMMAND...
                                              start another worker program as opool's worker; it
                                              ends with its parent, which must be PID where named
           FILE is not opened by a later run before all that was started here has ended
           opool-worker --help | --version
    """

  /// Parses the arguments after the program's name.
  package init(_ arguments: [[UInt8]]) {
    var rest = arguments[...]
    let isLaunch = rest.first.map { $0 == Array("launch".utf8) } ?? false
    if isLaunch { rest.removeFirst() }
    let parent = isLaunch ? Self.takeValue(of: "--parent", from: &rest) : nil
    let journal = Self.takeValue(of: "--journal", from: &rest)
    guard !isLaunch else {
      self = Self.launch(Array(rest), parent: parent, journal)
      return
    }
    if let slots = Self.takeValue(of: "--slots", from: &rest) {
      self = Self.relay(slots, Array(rest))
      return
    }
    let list = Self.takeValue(of: "--pass-fd", from: &rest)
    guard let passed = Self.descriptors(in: list) else {
      self = .wrong("'--pass-fd' needs numbers of descriptors from 3 on")
      return
    }
    let words = rest.map { String(decoding: $0, as: UTF8.self) }
    switch words.first {
    case nil: self = .serve(journal: journal, passing: passed)
    case "--help", "-h": self = arguments.count == 1 ? .help : .wrong("'--help' stands alone")
    case "--version":
      self = arguments.count == 1 ? .version : .wrong("'--version' stands alone")
    case .some(let word): self = .wrong("'\(word)' is not known")
    }
  }

  /// Takes the next option, such as `--parent=7`.
  private static func takeValue(
    of name: String,
    from words: inout ArraySlice<[UInt8]>
  ) -> [UInt8]? {
    let mark = Array((name + "=").utf8)
    guard let word = words.first, word.starts(with: mark) else { return nil }
    words.removeFirst()
    return Array(word.dropFirst(mark.count))
  }

  /// Parses a list such as `3,4`; nil for another text.
  private static func descriptors(in list: [UInt8]?) -> [Int32]? {
    guard let list else { return [] }
    let words = list.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    let numbers = words.compactMap { Int32(String(decoding: $0, as: UTF8.self)) }
    return numbers.count == words.count && numbers.allSatisfy { $0 > 2 } ? numbers : nil
  }

  private static func relay(_ slots: [UInt8], _ words: [[UInt8]]) -> Self {
    guard let count = Relay.slotCount(slots) else {
      return .wrong("'--slots' needs a number from 1 to \(Relay.slotLimit), or 'auto'")
    }
    guard !words.isEmpty else { return .relay(slots: count, command: []) }
    guard words[0] == Array("--".utf8), words.count > 1 else {
      return .wrong("'--slots' is followed by nothing, or by '--' and a command")
    }
    return .relay(slots: count, command: Array(words.dropFirst()))
  }

  private static func launch(
    _ words: [[UInt8]],
    parent: [UInt8]?,
    _ journal: [UInt8]?
  ) -> Self {
    let number = parent.flatMap { Int32(String(decoding: $0, as: UTF8.self)) }
    if parent != nil, number == nil { return .wrong("'--parent' needs the number of a process") }
    guard words.first == Array("--".utf8) else { return .wrong("'launch' needs '--'") }
    guard words.count > 1 else { return .wrong("'launch --' needs a command") }
    return .launch(Array(words.dropFirst()), parent: number, journal: journal)
  }
}
