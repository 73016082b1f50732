/// Collects the parts that go beside the text of a value that is being written.
struct PackedBuilder {
  /// A part; its bytes are copied once, at the end.
  private struct Part {
    var offset: Int
    var type: PackedType
    var count: Int
    var pass: ((UnsafeRawBufferPointer) -> Void) -> Void
  }

  private var parts: [Part] = []

  var isEmpty: Bool { parts.isEmpty }

  /// Whether content of this size becomes a part.
  func takes(_ count: Int) -> Bool {
    count >= PackedValue.threshold && parts.count < PackedValue.partLimit
  }

  /// Adds a part whose `null` is at this offset of the text.
  mutating func add(
    _ type: PackedType,
    _ count: Int,
    at offset: Int,
    _ pass: @escaping ((UnsafeRawBufferPointer) -> Void) -> Void
  ) {
    parts.append(Part(offset: offset, type: type, count: count, pass: pass))
  }

  /// The packed value of this text; nil if it would exceed the limit.
  consuming func packed(_ text: [UInt8]) -> [UInt8]? {
    let start = PackedValue.headerSize + parts.count * PackedValue.entrySize
    let total = parts.reduce(start + text.count) { $0 + $1.count }
    guard total <= PackedValue.limit else { return nil }
    let header = header(text.count)
    return [UInt8](unsafeUninitializedCapacity: total) { buffer, count in
      let memory = UnsafeMutableRawBufferPointer(buffer)
      memory.copyBytes(from: header)
      UnsafeMutableRawBufferPointer(rebasing: memory[start...]).copyBytes(from: text)
      count = start + text.count
      for part in parts {
        part.pass { content in
          precondition(
            content.count == part.count,
            "a part has the size that it was announced with"
          )
          UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: content)
        }
        count += part.count
      }
    }
  }

  /// The header and the table.
  private func header(_ textLength: Int) -> [UInt8] {
    var header: [UInt8] = [0, PackedValue.layout, 0, 0]
    func append(_ number: some FixedWidthInteger) {
      withUnsafeBytes(of: number.littleEndian) { header += $0 }
    }
    append(UInt32(parts.count))
    append(UInt64(textLength))
    for part in parts {
      append(UInt64(part.offset))
      append(UInt64(part.count))
      header += part.type.bytes
    }
    return header
  }
}
