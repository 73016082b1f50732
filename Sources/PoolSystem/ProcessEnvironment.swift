import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// An environment: a list of `NAME=VALUE`, in bytes.
package struct ProcessEnvironment: Hashable, Sendable {
  /// The variables, each as `NAME=VALUE`.
  package private(set) var entries: [[UInt8]]

  package init(entries: [[UInt8]]) {
    self.entries = entries
  }

  /// This process's environment as it is now.
  package static var current: Self {
    var entries: [[UInt8]] = []
    guard var next = opool_environment() else { return Self(entries: []) }
    while let entry = next.pointee {
      let bytes = UnsafeRawBufferPointer(start: entry, count: strlen(entry))
      entries.append(Array(bytes))
      next += 1
    }
    return Self(entries: entries)
  }

  /// The first variable of that name.
  package func value(of name: String) -> [UInt8]? {
    let prefix = Array(name.utf8) + [UInt8(ascii: "=")]
    guard let entry = entries.first(where: { $0.starts(with: prefix) }) else { return nil }
    return Array(entry[prefix.count...])
  }

  /// Sets a variable, whatever it was before.
  package mutating func set(_ name: [UInt8], to value: [UInt8]) {
    let prefix = name + [UInt8(ascii: "=")]
    entries.removeAll { $0.starts(with: prefix) }
    entries.append(prefix + value)
  }

  /// Forgets a variable.
  package mutating func remove(_ name: String) {
    let prefix = Array(name.utf8) + [UInt8(ascii: "=")]
    entries.removeAll { $0.starts(with: prefix) }
  }

  /// Takes a variable out of this process's environment and returns its value.
  package static func take(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    unsetenv(name)
    return text
  }
}
