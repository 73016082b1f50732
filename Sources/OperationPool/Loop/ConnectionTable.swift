import PoolModel

/// The connections to workers, by the workers' numbers.
///
/// Numbers count up from 1 and are never used again. So a table of eight bytes for each worker that
/// ever was finds the connection of a message without a hash.
struct ConnectionTable {
  private var connections: [WorkerConnection?] = []

  subscript(worker: WorkerID) -> WorkerConnection? {
    get {
      let index = Int(worker.rawValue)
      return index < connections.count ? connections[index] : nil
    }
    set {
      let index = Int(worker.rawValue)
      while connections.count <= index { connections.append(nil) }
      connections[index] = newValue
    }
  }
}
