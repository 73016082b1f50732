/// The outputs and the result of an operation, kept until all targets of its run have them.
package struct KeptOutput: Hashable, Sendable {
  /// The place of the bytes.
  package enum Place: Hashable, Sendable {
    /// In the record itself.
    case record(output: [UInt8], error: [UInt8])
    /// In the file beside the journal.
    case file(FilePlace)
  }

  /// A range of the file beside the journal: the output, the error output and the result.
  package struct FilePlace: Hashable, Sendable {
    package var offset: Int64
    package var outputCount: Int64
    package var errorCount: Int64
    /// Nil without a result there.
    package var resultCount: Int64?
    /// CRC-32C of all.
    package var checksum: UInt32

    package init(offset: Int64, outputCount: Int64, errorCount: Int64, checksum: UInt32) {
      self.offset = offset
      self.outputCount = outputCount
      self.errorCount = errorCount
      self.checksum = checksum
    }

    /// An empty place.
    init(at offset: Int64) {
      self.init(offset: offset, outputCount: 0, errorCount: 0, checksum: 0)
    }

    /// The range of the output.
    package var output: Range<Int64> { offset..<offset + outputCount }
    /// The range of the error output.
    package var error: Range<Int64> { output.upperBound..<output.upperBound + errorCount }
    /// The range of the result.
    package var result: Range<Int64> {
      error.upperBound..<error.upperBound + (resultCount ?? 0)
    }
    /// The range of all.
    package var range: Range<Int64> { offset..<result.upperBound }
  }

  /// Maximum number of bytes in a record: 1 KiB.
  package static let recordLimit = 1 << 10

  /// The outputs of one owner are numbered from 1.
  package var number: UInt32
  package var place: Place
  /// The result of a kind, JSON, if it is in the record itself.
  package var result: [UInt8]?
  /// The targets that are to have it.
  package var readers = TargetRoles.streams

  package init(number: UInt32, _ place: Place) {
    self.number = number
    self.place = place
  }
}

/// A mark: these outputs of one owner were printed.
package struct JournalPrinting: Hashable, Sendable {
  /// Maximum number of ranges in a record, which keeps it below the limit of its length.
  static let rangeLimit = 1 << 10

  /// The owner that kept them.
  package var epoch: UInt64
  /// Their numbers, in ascending ranges with gaps between them.
  package var outputs: [ClosedRange<UInt32>]

  package init(epoch: UInt64, outputs: [ClosedRange<UInt32>]) {
    self.epoch = epoch
    self.outputs = outputs
  }

  /// The fewest records that contain these numbers.
  static func records(epoch: UInt64, numbers: [UInt32]) -> [JournalRecord] {
    parts(of: numbers).map { .printed(JournalPrinting(epoch: epoch, outputs: $0)) }
  }

  /// Numbers as ranges, in parts that fit into a record.
  static func parts(of numbers: [UInt32]) -> [[ClosedRange<UInt32>]] {
    var ranges: [ClosedRange<UInt32>] = []
    for number in numbers.sorted() {
      if let last = ranges.last, last.upperBound + 1 >= number {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    return stride(from: 0, to: ranges.count, by: rangeLimit).map { start in
      Array(ranges[start...].prefix(rangeLimit))
    }
  }
}

/// A kept output: its owner, and its number there.
package struct KeptOutputID: Hashable, Sendable {
  package var epoch: UInt64
  package var number: UInt32

  package init(epoch: UInt64, number: UInt32) {
    self.epoch = epoch
    self.number = number
  }
}
