/// Data that the loop stores for an operation until it settles; few operations have one.
package struct OperationIncidents: Sendable {
  /// The workers that died while they executed it or were about to.
  package var deaths: [PoolWorkerDeath] = []
  /// The teardown steps that were taken.
  package var stepsTaken: [PoolTeardownStepTaken] = []

  package init() {}

  var isEmpty: Bool { deaths.isEmpty && stepsTaken.isEmpty }

  /// Appends later ones.
  mutating func append(_ other: Self) {
    deaths += other.deaths
    stepsTaken += other.stepsTaken
  }
}
