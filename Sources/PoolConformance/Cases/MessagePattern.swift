/// The fields that a message must have.
///
/// A field of the pattern that is `null` must be absent, `"$any"` stands for any value, and an
/// object with the only field `$contains` for an array with this element.
package struct MessagePattern: Hashable, Sendable {
  package var node: JSONNode

  package init(_ node: JSONNode) { self.node = node }

  /// The type of the message.
  package var type: String? { node["type"]?.text }

  /// Whether the message has all of the fields; others may be there, too.
  package func matches(_ message: JSONNode) -> Bool { Self.matches(node, message) }

  private static func matches(_ pattern: JSONNode, _ value: JSONNode) -> Bool {
    switch (pattern, value) {
    case (.string("$any"), _): true
    case (.object(let members), .array(let elements))
    where members.count == 1 && members[0].name == "$contains":
      elements.contains { matches(members[0].value, $0) }
    case (.object(let members), .object):
      members.allSatisfy { member in
        let found = value[member.name]
        guard member.value != .null else { return found == nil }
        return found.map { matches(member.value, $0) } ?? false
      }
    case (.array(let patterns), .array(let values)):
      patterns.count == values.count && zip(patterns, values).allSatisfy { matches($0, $1) }
    default: pattern == value
    }
  }
}
