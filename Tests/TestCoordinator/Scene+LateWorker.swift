import OperationWorker

extension Scene {
  /// Becomes a worker after `main` has awaited something.
  static func lateWorker() async {
    await Task.yield()
    do {
      try PoolWorker.serve([])
    } catch {
      print("\(error.code): \(error)")
    }
  }
}
