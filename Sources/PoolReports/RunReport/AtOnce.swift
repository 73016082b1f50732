import Dispatch
package import PoolAnalysis
import Synchronization

/// Work on all processors.
struct AtOnce: Workforce {
  /// Maps elements on several threads; the results are in the order of the elements.
  func map<Element: Sendable, Result: Sendable>(
    _ elements: [Element],
    _ body: @Sendable (Element) -> Result
  ) -> [Result] {
    let results = Mutex<[Int: Result]>([:])
    DispatchQueue.concurrentPerform(iterations: elements.count) { place in
      let result = body(elements[place])
      results.withLock { $0[place] = result }
    }
    return results.withLock { results in elements.indices.compactMap { results[$0] } }
  }
}

extension RunAnalysis {
  /// Analyses a run on all processors.
  package init(onAllProcessors history: RunHistory) {
    self.init(history, by: AtOnce())
  }
}
