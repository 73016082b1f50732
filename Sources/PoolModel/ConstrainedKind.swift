/// A kind of operations, and the features that a worker must have to execute them.
///
/// A feature is a name for what some machines have, such as `gpu`; the term is Slurm's.
package struct ConstrainedKind: Hashable, Sendable {
  package var name: String
  /// In order, each once.
  package let features: [String]

  package init(_ name: String, requiring features: some Sequence<String> = []) {
    self.name = name
    self.features = Set(features).sorted()
  }

  /// The longest name of a feature, in bytes.
  package static let featureLimit = 64

  /// Whether a feature may be called that: letters and digits of ASCII, and some characters that
  /// have no meaning to a shell or in a list of hosts.
  package static func isFeature(_ text: String) -> Bool {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "._-:=".utf8.contains(byte)
      }
    }
    return isPlain && (1...featureLimit).contains(text.utf8.count)
  }
}
