package import PoolSystem
import PoolWire

/// A target of a run, and how far the journal vouches for it.
package struct JournalTarget: Hashable, Sendable {
  /// The number of the standard streams, which are declared nowhere.
  package static let streamsNumber: UInt32 = 0

  /// Its number in the journal.
  package var number: UInt32
  /// Its role, one.
  package var role: TargetRoles
  /// The file or folder; nil for a stream, a pipe or a device, which keep nothing that could be
  /// cut.
  package var file: FileNumber?
  /// The part of a file of lines that is vouched for.
  package var extent: TargetExtent

  package init(
    number: UInt32,
    _ role: TargetRoles,
    _ file: FileNumber?,
    _ extent: TargetExtent = .empty
  ) {
    (self.number, self.role, self.file, self.extent) = (number, role, file, extent)
  }
}

/// The beginning of a file of lines that a journal vouches for, recognized by its end.
///
/// The numbers of files are used again, and change with the machine; the length together with a
/// checksum of the last bytes does not.
package struct TargetExtent: Hashable, Sendable {
  /// Maximum number of bytes of the end that is compared: 4 KiB.
  package static let tailLimit = 4 << 10
  /// The fewest bytes that identify a file by themselves.
  static let leastTail = 16

  /// Number of bytes.
  package var length: Int64
  /// Number of the last of them that were summed.
  package var tailCount: Int
  /// CRC-32C of these.
  package var checksum: UInt32

  package static let empty = Self(length: 0, tailCount: 0, checksum: 0)

  package init(length: Int64, tailCount: Int, checksum: UInt32) {
    (self.length, self.tailCount, self.checksum) = (length, tailCount, checksum)
  }

  /// The part of a file that ends with these bytes.
  package init(length: Int64, endingIn bytes: [UInt8]) {
    let tail = bytes.suffix(Self.tailLimit)
    self.init(
      length: length,
      tailCount: tail.count,
      checksum: tail.withUnsafeBytes { CastagnoliChecksum.of($0) }
    )
  }

  /// Adds a piece to the end of a file, of which only the bytes that are summed are kept.
  package static func add(_ piece: UnsafeRawBufferPointer, to end: inout [UInt8]) {
    end += piece.suffix(tailLimit)
    end.removeFirst(max(end.count - tailLimit, 0))
  }

  /// The range of the bytes that were summed.
  package var tail: Range<Int64> { length - Int64(tailCount)..<length }
}

/// An owner of the journal uses a target.
package struct JournalTargetUse: Hashable, Sendable {
  package var epoch: UInt64
  package var target: JournalTarget

  package init(epoch: UInt64, _ target: JournalTarget) {
    (self.epoch, self.target) = (epoch, target)
  }
}

/// A mark: a target has these outputs of one owner, which other targets still lack, and a file has
/// this length.
package struct JournalMark: Hashable, Sendable {
  package var target: UInt32
  /// The owner that kept the outputs.
  package var epoch: UInt64
  package var outputs: [ClosedRange<UInt32>]
  package var extent: TargetExtent?

  package init(
    target: UInt32,
    epoch: UInt64,
    outputs: [ClosedRange<UInt32>] = [],
    extent: TargetExtent? = nil
  ) {
    (self.target, self.epoch, self.outputs, self.extent) = (target, epoch, outputs, extent)
  }

  /// The fewest marks that say that a target has these outputs, and this length.
  package static func records(
    _ target: UInt32,
    _ outputs: [KeptOutputID],
    _ extent: TargetExtent?,
    epoch: UInt64
  ) -> [JournalRecord] {
    var records: [JournalRecord] = []
    if let extent { records.append(.marked(Self(target: target, epoch: epoch, extent: extent))) }
    let epochs = Dictionary(grouping: outputs, by: \.epoch).sorted { $0.key < $1.key }
    for (epoch, outputs) in epochs {
      for part in JournalPrinting.parts(of: outputs.map(\.number)) {
        records.append(.marked(Self(target: target, epoch: epoch, outputs: part)))
      }
    }
    return records
  }
}
