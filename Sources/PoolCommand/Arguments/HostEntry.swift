import OperationPool
import PoolModel
import PoolText

extension WorkerRequest {
  /// A host as GNU parallel's `-S` names it; nil if it is none.
  ///
  /// `HOST`, or `N/HOST` for at most N operations at once; `:` is this machine. Before both may
  /// stand `@A+B/`, the features of the host.
  init?(host entry: ArraySlice<UInt8>, isFromFile: Bool = false) {
    guard let (features, entry) = Self.features(entry) else { return nil }
    let slash = entry.firstIndex(of: UInt8(ascii: "/"))
    let count = slash.flatMap { DecimalParser.integer(entry[..<$0]) }
    let start = count == nil ? entry.startIndex : slash.map { $0 + 1 } ?? entry.startIndex
    let name = String(decoding: entry[start...], as: UTF8.self)
    let place = name == ":" ? Place.here : SSHLogin(name).map { .host($0) }
    guard let place, count.map((1...SSHLogin.slotLimit).contains) ?? true else { return nil }
    self.init(place, count: count)
    (self.features, self.isFromFile) = (features, isFromFile)
  }

  /// The features at the beginning of a text, and the rest; nil if a feature cannot be called that.
  static func features(_ text: ArraySlice<UInt8>) -> (Set<String>, rest: ArraySlice<UInt8>)? {
    guard text.first == UInt8(ascii: "@") else { return ([], text) }
    guard let slash = text.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    let names = text[..<slash].dropFirst()
      .split(separator: UInt8(ascii: "+"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard names.allSatisfy(ConstrainedKind.isFeature) else { return nil }
    return (Set(names), text[(slash + 1)...])
  }
}

/// A file that names hosts, one in each line, as `--hosts` takes it.
package enum HostFile {
  /// The most bytes of a file, and hosts in it.
  static let byteLimit = 1 << 20
  static let limit = 1_000

  /// Why a file is not taken.
  package struct Failure: Error, Hashable, CustomStringConvertible {
    /// From 1; nil where it is not about one line.
    var line: Int?
    var reason: String

    package var description: String { (line.map { "line \($0): " } ?? "") + reason }
  }

  /// The hosts that the lines name, without empty lines and those that begin with `#`.
  package static func hosts(in content: [UInt8]) throws(Failure) -> [WorkerRequest] {
    var hosts: [WorkerRequest] = []
    var lines: [WorkerRequest.Place: Int] = [:]
    for (index, line) in content.split(separator: 10, omittingEmptySubsequences: false)
      .enumerated()
    {
      let text = trimmed(line)
      guard let first = text.first, first != UInt8(ascii: "#") else { continue }
      guard let host = WorkerRequest(host: text, isFromFile: true) else {
        let name = Printable.text(text.prefix(80))
        throw Failure(line: index + 1, reason: "'\(name)' is no host, such as 8/box or me@other")
      }
      if let earlier = lines.updateValue(index + 1, forKey: host.place) {
        throw Failure(
          line: index + 1,
          reason: "'\(Printable.text(host.command))' is also in line \(earlier)"
        )
      }
      hosts.append(host)
    }
    guard !hosts.isEmpty else { throw Failure(reason: "it names no host") }
    guard hosts.count <= limit else { throw Failure(reason: "it names more than \(limit) hosts") }
    return hosts
  }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isBlank = { (byte: UInt8) in [9, 13, 32].contains(byte) }
    guard let last = line.lastIndex(where: { !isBlank($0) }) else { return [] }
    return line[...last].drop(while: isBlank)
  }
}
