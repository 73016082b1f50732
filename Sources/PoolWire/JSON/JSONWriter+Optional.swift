extension JSONWriter {
  /// Writes a key, and its value or `null`.
  @inlinable package mutating func optional<Value>(
    _ name: StaticString,
    _ value: Value?,
    _ write: (inout JSONWriter, Value) -> Void
  ) {
    guard let value else { return nullField(name) }
    key(name)
    write(&self, value)
  }

  /// Writes an array; the closure writes one element.
  @inlinable package mutating func array<Element>(
    _ elements: [Element],
    _ write: (inout JSONWriter, Element) -> Void
  ) {
    beginArray()
    for element in elements { write(&self, element) }
    endArray()
  }

  /// Writes an array of objects; the closure writes the fields of one.
  @inlinable package mutating func objects<Element>(
    _ elements: [Element],
    _ fields: (inout JSONWriter, Element) -> Void
  ) {
    array(elements) { writer, element in
      writer.beginObject()
      fields(&writer, element)
      writer.endObject()
    }
  }
}
