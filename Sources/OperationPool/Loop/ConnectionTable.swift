import PoolModel

/// The connections to workers, by the workers' numbers.
///
/// Numbers count up from 1 and are never reused. So an array with eight bytes for each worker that
/// ever existed finds the connection of a message without hashing.
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
