/// Takes records of a run, in the order in which things happened, and holds its own state.
///
/// Readers stand behind the journal: it has what they are told. A reader never asks another one,
/// and never the machine.
package protocol RunReader: AnyObject {
  /// The kinds of records that it takes.
  var kinds: RunRecord.Kinds { get }

  /// Takes a record of one of its kinds.
  func take(_ record: RunRecord)
}
