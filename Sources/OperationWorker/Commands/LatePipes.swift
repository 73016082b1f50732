/// The pipes that processes of ended commands have open, oldest first.
struct LatePipes<Owner> {
  /// The most that a worker keeps open.
  static var limit: Int { 256 }

  struct Pipe {
    let descriptor: Int32
    let owner: Owner
  }

  /// By their keys, which rise.
  private(set) var pipes: [Int: Pipe] = [:]
  private var nextKey = 1
  private var oldestKey = 1

  /// Adds a pipe; returns its key, and the oldest one if that is too many now.
  mutating func add(_ pipe: Pipe) -> (key: Int, excess: (key: Int, pipe: Pipe)?) {
    let key = nextKey
    nextKey += 1
    pipes[key] = pipe
    return (key, pipes.count > Self.limit ? removeOldest() : nil)
  }

  mutating func remove(_ key: Int) { pipes[key] = nil }

  private mutating func removeOldest() -> (key: Int, pipe: Pipe)? {
    while oldestKey < nextKey {
      let key = oldestKey
      oldestKey += 1
      if let pipe = pipes.removeValue(forKey: key) { return (key, pipe) }
    }
    return nil
  }
}
