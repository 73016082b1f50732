import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// An environment: a list of `NAME=VALUE`, in bytes.
package struct ProcessEnvironment: Hashable, Sendable {
  /// The variables, each as `NAME=VALUE`, in the form that programs get.
  package private(set) var entries = CStringList()

  /// The current environment of this process.
  package static var current: Self {
    var environment = Self()
    guard var next = opool_environment() else { return environment }
    while let entry = next.pointee {
      environment.entries.append(UnsafeRawBufferPointer(start: entry, count: strlen(entry)))
      next += 1
    }
    return environment
  }

  /// The variables, each as `NAME=VALUE`.
  package var variables: some Sequence<ArraySlice<UInt8>> { entries.strings }

  /// Whether all of it is UTF-8, as text has to be.
  package var isText: Bool {
    entries.strings.allSatisfy { String(validating: $0, as: UTF8.self) != nil }
  }

  /// The first variable of that name.
  package func value(of name: String) -> [UInt8]? {
    let prefix = Array(name.utf8) + [UInt8(ascii: "=")]
    return entries.strings.first { $0.starts(with: prefix) }.map {
      Array($0.dropFirst(prefix.count))
    }
  }

  /// Sets or replaces variables, the last of each name; O(all variables).
  package mutating func set(_ variables: some Sequence<(name: [UInt8], value: [UInt8])>) {
    entries = CStringList(Self.merge(variables, into: entries.strings))
  }

  /// The entries with these variables in them; looks at each entry, and at each variable, once.
  static func merge(
    _ variables: some Sequence<(name: [UInt8], value: [UInt8])>,
    into entries: some Sequence<ArraySlice<UInt8>>
  ) -> [[UInt8]] {
    var places: [[UInt8]: Int] = [:]
    var added: [[UInt8]] = []
    for (name, value) in variables {
      let entry = name + [UInt8(ascii: "=")] + value
      if let place = places[name] {
        added[place] = entry
      } else {
        places[name] = added.count
        added.append(entry)
      }
    }
    let kept = entries.filter { places[Array($0.prefix { $0 != UInt8(ascii: "=") })] == nil }
    return kept.map(Array.init) + added
  }

  /// Number of variables.
  package var count: Int { entries.count }

  /// Removes the variables behind the first so many, and keeps the memory.
  package mutating func keep(first count: Int) {
    entries.keep(first: count)
  }

  /// Adds a variable that is not there yet.
  package mutating func append(
    _ name: UnsafeBufferPointer<UInt8>,
    _ value: UnsafeBufferPointer<UInt8>
  ) {
    entries.append(name, equals: value)
  }

  /// Removes a variable.
  package mutating func remove(_ name: String) {
    remove(Array(name.utf8))
  }

  private mutating func remove(_ name: [UInt8]) {
    let prefix = name + [UInt8(ascii: "=")]
    let strings = entries.strings
    guard strings.contains(where: { $0.starts(with: prefix) }) else { return }
    entries = CStringList(strings.filter { !$0.starts(with: prefix) }.map(Array.init))
  }

  /// Sets a variable of this process's environment; call it before there are other threads.
  package static func assign(_ name: String, _ value: [UInt8]) {
    value.withCString { _ = setenv(name, $0, 1) }
  }

  /// Removes a variable from this process's environment, and returns its value.
  package static func take(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    unsetenv(name)
    return text
  }
}
