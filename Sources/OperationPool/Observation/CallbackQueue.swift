import Dispatch
import Synchronization

/// Pending calls: they are made in order, one at a time, each on its dispatch queue, and never on
/// the thread that posts them.
final class CallbackQueue: Sendable {
  private let state = Mutex(State())

  private struct State {
    var calls: [Call] = []
    /// Whether a thread is making the calls, or is about to.
    var isDraining = false
  }

  private struct Call {
    var queue: DispatchQueue
    var body: @Sendable () -> Void
  }

  /// Posts a call, after all that were posted before.
  func post(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
    let isFirst = state.withLock { state in
      state.calls.append(Call(queue: queue, body: body))
      defer { state.isDraining = true }
      return !state.isDraining
    }
    if isFirst { schedule(on: queue) }
  }

  private func schedule(on queue: DispatchQueue) {
    queue.async { self.drain(queue) }
  }

  /// Makes the calls that are present; later ones wait for the next turn of their queue.
  private func drain(_ queue: DispatchQueue) {
    for call in take(for: queue) { call.body() }
    let next = state.withLock { state in
      state.isDraining = !state.calls.isEmpty
      return state.calls.first?.queue
    }
    if let next { schedule(on: next) }
  }

  /// Takes the first calls as long as they are for this queue.
  private func take(for queue: DispatchQueue) -> [Call] {
    state.withLock { state in
      let count = state.calls.firstIndex { $0.queue !== queue } ?? state.calls.count
      let taken = Array(state.calls[..<count])
      state.calls.removeFirst(count)
      return taken
    }
  }
}
