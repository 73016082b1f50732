import PoolModel

/// Searches sorted times; O(log *n*).
enum SortedTimes {
  /// How many of some times are before a moment.
  static func count(_ times: [Instant], before time: Instant) -> Int {
    var (low, high) = (0, times.count)
    while low < high {
      let middle = (low + high) / 2
      if times[middle] < time { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The last of some times that is no later than a moment.
  static func last(_ times: [Instant], by time: Instant) -> Instant? {
    let count = count(times, before: time.advanced(by: 1))
    return count > 0 ? times[count - 1] : nil
  }
}
