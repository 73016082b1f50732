import PoolCore
import PoolModel

/// What a block worker has answered.
struct BlockAnswer: Sendable {
  let worker: WorkerID
  let reference: DispatchReference
  let ending: PoolEnding
  let report: AttemptReport
}
