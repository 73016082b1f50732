import PoolWire

/// The worker's own kinds and payloads, for the placeholders of a case.
///
/// `$succeeds`, `$fails`, `$lasts` and `$prints` stand for these payloads, `$payload` for any of
/// them, `$large` and `$deep` for payloads that the kit makes. `$kind` is the kind that belongs to
/// the payload beside it.
package struct Placeholders: Hashable, Sendable {
  /// A payload, and the kind of its operation.
  package struct Work: Hashable, Sendable {
    /// Nil for the usual kind.
    package var kind: String?
    package var payload: JSONNode

    package init(kind: String? = nil, payload: JSONNode) {
      (self.kind, self.payload) = (kind, payload)
    }
  }

  /// The kind where a payload has none of its own.
  private let kind: String
  private let works: [ConformanceCase.Payload: Work]

  package init(kind: String, works: [ConformanceCase.Payload: Work]) {
    (self.kind, self.works) = (kind, works)
  }

  /// Bytes of `$large`: 4 MiB.
  private static let largeCount = 4 << 20
  /// Levels of `$deep`: as many as a payload may have.
  private static let depth = JSONScanner.depthLimit

  /// The node with all placeholders replaced.
  package func fill(_ node: JSONNode) -> JSONNode { fill(node, kind: kind) }

  private func fill(_ node: JSONNode, kind: String) -> JSONNode {
    switch node {
    case .string("$kind"): .string(kind)
    case .string(let text) where text.hasPrefix("$"): work(text).payload
    case .array(let elements): .array(elements.map { fill($0, kind: kind) })
    case .object(let members):
      .object(members.map { .init($0.name, fill($0.value, kind: self.kind(beside: members))) })
    default: node
    }
  }

  /// The text with `$kind` and `$payload` replaced by JSON.
  package func fill(_ text: String) -> String {
    let work = work("$payload")
    let kind = JSONNode.string(work.kind ?? kind)
    return text.replacing("$kind", with: String(decoding: kind.json, as: UTF8.self))
      .replacing("$payload", with: String(decoding: work.payload.json, as: UTF8.self))
  }

  private func kind(beside members: [JSONNode.Member]) -> String {
    let payload = members.last { $0.name == "payload" }?.value.text
    return payload.flatMap { work($0).kind } ?? kind
  }

  private func work(_ name: String) -> Work {
    switch name {
    case "$payload": return any
    case "$large":
      let text = String(repeating: "x", count: Self.largeCount)
      return Work(kind: any.kind, payload: .string(text))
    case "$deep":
      let innermost = JSONNode.array([])
      let nested = (1..<Self.depth).reduce(innermost) { inner, _ in .array([inner]) }
      return Work(kind: any.kind, payload: nested)
    default:
      let payload = ConformanceCase.Payload(rawValue: String(name.dropFirst()))
      return payload.flatMap { works[$0] } ?? Work(payload: .string(name))
    }
  }

  /// What does not last.
  private var any: Work {
    works[.succeeds] ?? works[.fails] ?? works[.prints] ?? Work(payload: .null)
  }
}
