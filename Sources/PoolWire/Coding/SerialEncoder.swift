/// Encodes one value after another, on one thread, in the same memory; ``PlainCoder`` allocates
/// memory for each value.
package struct SerialEncoder {
  private let foreign: ForeignTypes
  private let packs: Bool
  private var text: JSONEncodingState

  package init(foreign: ForeignTypes, packs: Bool) {
    self.foreign = foreign
    self.packs = packs
    text = JSONEncodingState(foreign: foreign, packs: packs)
  }

  /// What ``PlainCoder/encode(_:foreign:packs:)`` returns.
  package mutating func encode(_ value: some Encodable) -> [UInt8]? {
    // The last value's code may have kept a container, and could write to it.
    if isKnownUniquelyReferenced(&text) {
      text.restart()
    } else {
      text = JSONEncodingState(foreign: foreign, packs: packs)
    }
    do {
      try text.value(value)
    } catch {
      return nil
    }
    return text.finishOne()
  }
}
