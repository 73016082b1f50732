import PoolModel

/// What a host does before its first worker: variables, and a line of its shell.
package struct HostSetup: Hashable, Sendable {
  /// A variable of the environment.
  package struct Variable: Hashable, Sendable {
    let name: String
    let value: [UInt8]

    /// Nil if no shell could have a variable of that name.
    package init?(_ name: String, _ value: [UInt8]) {
      guard let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= first),
        name.utf8.allSatisfy({ Self.isPlain($0) })
      else { return nil }
      (self.name, self.value) = (name, value)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }

  package var variables: [Variable] = []
  /// A line for `sh`, such as `module load gcc`; what it prints is told as noise.
  package var initialization: [UInt8]?

  package init() {}

  /// The commands of a script, each ended by a semicolon; in its text are no quotes but double
  /// ones, and no line feed, whatever the values are.
  var script: String {
    var script = ""
    for variable in variables {
      // A shell removes line feeds at the end of what a command prints.
      script += "\(variable.name)=$(printf \"\(Self.octal(variable.value))x\"); "
      script += "\(variable.name)=${\(variable.name)%x}; export \(variable.name); "
    }
    if let initialization {
      script += "eval \"$(printf \"\(Self.octal(initialization))\")\" </dev/null || "
      script += "{ echo \"the line of --init has failed there\" >&2; exit 126; }; "
    }
    return script
  }

  private static func octal(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
      let digits = String(byte, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }.joined()
  }
}
