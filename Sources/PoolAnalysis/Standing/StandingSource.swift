/// What knows where an operation stands; each question is asked only if none before it decides.
///
/// The order is that in which reasons come to an end: what holds an operation back before it is
/// ready comes before what a ready one lacks.
package protocol StandingSource {
  /// What it answers with.
  associatedtype Answer

  /// How it has ended, if it has.
  func ending() -> Answer?
  /// That it was not added, if it was not.
  func absence() -> Answer?
  /// What executes it, or has it already.
  func execution() -> Answer?
  /// Its next attempt, if it waits for that.
  func nextAttempt() -> Answer?
  /// The dependencies that have not ended, if there are any.
  func dependencies() -> Answer?
  /// What else holds it back before it is ready.
  func hold() -> Answer?
  /// The barrier that it waits for.
  func barrier() -> Answer?
  /// The first resource that it needs and whose units are all held.
  func fullLimit() -> Answer?
  /// Why nothing is dispatched.
  func pause() -> Answer?
  /// What a ready operation lacks of which none of these is true.
  func rest() -> Answer
}

extension StandingSource {
  package func absence() -> Answer? { nil }

  package func hold() -> Answer? { nil }

  /// Where the operation stands.
  package var standing: Answer {
    ending() ?? absence() ?? execution() ?? nextAttempt() ?? dependencies() ?? hold() ?? barrier()
      ?? fullLimit() ?? pause() ?? rest()
  }
}
