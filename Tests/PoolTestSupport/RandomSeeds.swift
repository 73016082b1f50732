import Foundation

/// Which seeds a random test goes through.
package enum RandomSeeds {
  /// The first so many; `OPOOL_SEEDS` in the environment gives another number, and `OPOOL_SEED` the
  /// one that is to be repeated.
  ///
  /// One in `share` of that other number, where a seed costs as much more.
  package static func first(_ count: UInt64, share: UInt64 = 1) -> Range<UInt64> {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["OPOOL_SEED"].flatMap({ UInt64($0) }) { return seed..<seed + 1 }
    return 0..<(environment["OPOOL_SEEDS"].flatMap { UInt64($0) }.map { $0 / share } ?? count)
  }
}
