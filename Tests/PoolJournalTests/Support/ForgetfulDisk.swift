import PoolTestSupport

/// The file of a journal on a disk that writes what was not synced in any order, in blocks of a
/// size, or not at all, when the machine stops.
struct ForgetfulDisk {
  let blockSize: Int
  /// What a process finds.
  private(set) var bytes: [UInt8] = []
  /// What the disk has for sure.
  private var stable: [UInt8] = []
  /// Beginnings of the file that were all of it, at some time since the last sync.
  private var counts: [Int] = []

  init(blockSize: Int) {
    self.blockSize = blockSize
  }

  mutating func append(_ more: [UInt8]) {
    bytes += more
    counts.append(bytes.count)
  }

  /// The disk has as much as the file had at some time.
  mutating func sync(to count: Int) {
    stable = Array(bytes[..<count])
    counts.removeAll { $0 <= count }
  }

  /// Another file takes the place of this one, and the disk has it.
  mutating func replace(with other: [UInt8]) {
    (bytes, stable, counts) = (other, other, [])
  }

  /// The machine stops: the length is one of those since the last sync, and each block is as it was
  /// at any time since then; one that was new may hold what was there before.
  mutating func stop(using generator: inout SeededGenerator) {
    let versions = [stable.count] + counts
    let count = versions.randomElement(using: &generator) ?? 0
    var found = stable + [UInt8](repeating: 0, count: count - stable.count)
    let dirty = stable.count / blockSize
    for block in dirty..<max(dirty, (count + blockSize - 1) / blockSize) {
      let start = block * blockSize
      let end = min(start + blockSize, count)
      let isNew = start > stable.count && start > 0
      let isLost = isNew && Int.random(in: 0..<20, using: &generator) == 0
      let version = min(versions.randomElement(using: &generator) ?? count, end)
      for place in max(start, stable.count)..<end {
        if isLost {
          found[place] = UInt8.random(in: 0...UInt8.max, using: &generator)
        } else if place < version {
          found[place] = bytes[place]
        }
      }
    }
    (bytes, stable, counts) = (found, found, [])
  }
}
