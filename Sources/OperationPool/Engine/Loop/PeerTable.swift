import PoolModel

/// The loop's side of workers, by their numbers.
///
/// Numbers count up from 1 and are never reused. So an array with eight bytes for each worker that
/// ever existed finds the worker of a message without hashing.
struct PeerTable<Peer: WorkerPeer> {
  private var peers: [Peer?] = []
  /// Number of workers.
  private(set) var count = 0

  subscript(worker: WorkerID) -> Peer? {
    get {
      let index = Int(worker.rawValue)
      return index < peers.count ? peers[index] : nil
    }
    set {
      let index = Int(worker.rawValue)
      while peers.count <= index { peers.append(nil) }
      count += (newValue == nil ? 0 : 1) - (peers[index] == nil ? 0 : 1)
      peers[index] = newValue
    }
  }

  /// The first worker that the closure wants; O(n) in the workers that ever existed.
  func first(where isWanted: (Peer) -> Bool) -> Peer? {
    for case .some(let peer) in peers where isWanted(peer) { return peer }
    return nil
  }

  /// Removes a worker, and returns it.
  mutating func remove(_ worker: WorkerID) -> Peer? {
    guard let peer = self[worker] else { return nil }
    self[worker] = nil
    return peer
  }
}
