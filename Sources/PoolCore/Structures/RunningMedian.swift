/// The median of all lengths so far, accurate to one part in thirty-two; O(1) for each length, in
/// constant memory.
///
/// Lengths are counted in buckets by their power of two and the five bits after the leading one. A
/// marker stands at the middle length and moves as lengths are added.
struct RunningMedian {
  private static let bits = 5
  private static let parts = 1 << bits

  private var counts = [UInt32](repeating: 0, count: 64 * parts)
  private(set) var count = 0
  /// The bucket of the median, and the number of lengths in the buckets before it.
  private var middle = 0
  private var below = 0

  /// Adds a length; a negative one counts as zero.
  mutating func insert(_ length: Int64) {
    let bucket = Self.bucket(of: UInt64(max(length, 0)))
    counts[bucket] += 1
    count += 1
    if bucket < middle { below += 1 }
    while below > count / 2 {
      middle -= 1
      below -= Int(counts[middle])
    }
    while below + Int(counts[middle]) <= count / 2 {
      below += Int(counts[middle])
      middle += 1
    }
  }

  /// The upper of the two middle lengths if their number is even; 0 if there are none.
  var value: Int64 { count == 0 ? 0 : Self.length(of: middle) }

  private static func bucket(of length: UInt64) -> Int {
    guard length >= UInt64(parts) else { return Int(length) }
    let shift = 63 - length.leadingZeroBitCount - bits
    return (shift + 1) * parts + Int(length >> UInt64(shift)) - parts
  }

  /// The greatest length of a bucket.
  private static func length(of bucket: Int) -> Int64 {
    guard bucket >= parts else { return Int64(bucket) }
    let shift = bucket / parts - 1
    return Int64(clamping: UInt64(parts + bucket % parts + 1) << UInt64(shift) - 1)
  }
}
