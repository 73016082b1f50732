package import PoolWire

/// Computes the keys of operations.
///
/// Each key is asked for once, after those of its dependencies; keys of identical operations are
/// asked for in the order of their numbers.
///
/// Time is linear in the content; 32 bytes are kept for each operation.
package struct ContentKeys: Sendable {
  private var encoding = ContentEncoding()
  /// Number of operations with this content so far.
  private var counts: [ContentDigest: UInt64] = [:]

  package init() {}

  /// The key of the next operation.
  package mutating func key(of content: OperationContent) -> ContentDigest {
    encoding.removeAll()
    content.encode(into: &encoding)
    let digest = SHA256.digest(of: encoding.bytes)
    let count = counts[digest, default: 0]
    counts[digest] = count + 1
    // The first one needs no number, and equal contents are rare.
    guard count > 0 else { return digest }
    encoding.removeAll()
    encoding.append(.again, digest)
    encoding.append(.again, number: count)
    return SHA256.digest(of: encoding.bytes)
  }

  /// The key of a group with these members, in any order.
  package mutating func key(ofGroup members: [ContentDigest]) -> ContentDigest {
    encoding.removeAll()
    encoding.append(.group, number: UInt64(members.count))
    for member in members.sorted() { encoding.append(.member, member) }
    return SHA256.digest(of: encoding.bytes)
  }
}
