import PoolModel

/// Finds the chain of attempts that decided how long a run took.
enum DecidingChain {
  static func of(_ history: RunHistory, _ lanes: SlotLanes) -> [DecidingStep] { [] }
}
