/// Numbers as decimal digits, for names that are made for each operation.
package enum DecimalDigits {
  /// The digits, with a minus sign before those of a negative number.
  package static func of(_ number: Int) -> [UInt8] {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { buffer in
      var text = ReverseJSONWriter(buffer)
      text.prepend(number: number)
      return Array(text.content)
    }
  }
}
