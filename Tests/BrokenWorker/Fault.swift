/// What a worker does wrong, one thing at a time.
enum Fault: String {
  /// Nothing: it passes every case.
  case none
  /// Its frames end without a line feed.
  case noLineFeed
  /// It answers operations that succeed twice.
  case answersTwice
  /// It answers a failure without an `executing`.
  case finishesUnstarted
  /// It begins the next operation before the answer to the present one.
  case beginsTwo
  /// It computes with dispatch numbers as with floating-point numbers.
  case losesDigits
  /// It exits at a message of an unknown type.
  case stopsAtUnknownType
  /// It gives its own output to what an operation prints.
  case strayPrint
  /// It does not act on a `cancel` of an executing operation.
  case ignoresCancel
  /// It executes a prefetched operation that was cancelled.
  case executesCancelled
  /// It answers the recall of an executing operation.
  case returnsExecuting
  /// It does not exit at the end of its input.
  case staysAtEnd
  /// It greets after the `welcome`.
  case waitsForWelcome
  /// It answers no `ping` while it executes.
  case silentWhileExecuting
  /// It executes the operation first that came last.
  case lastFirst
  /// It exits at a `cancel` of a dispatch that it does not have.
  case diesAtLateCancel
  /// It reads a frame's length by one call, which may read less.
  case breaksAtFragments
  /// It exits with 0 at a body without a line feed.
  case forgivesLine
  /// A child of its operation lives on at the end of its input.
  case leavesChild
  /// It drops what it has prefetched at a `drain`.
  case forgetsPrefetched
  /// It exits at a kind that it does not serve.
  case stopsAtUnknownKind
  /// It reports progress of an operation that has ended.
  case reportsLate
  /// Its progress has no total.
  case lacksField
  /// It sends a second `hello`.
  case greetsTwice
  /// It leaves outputs in files without being allowed to.
  case uninvitedFile
  /// It exits when an operation fails.
  case diesWithFailure
  /// It accepts no frame above 1 MiB.
  case smallFrames
  /// It exits with 0 at a frame that is too long.
  case forgivesLength
  /// It exits with 0 at the end of its input within a frame.
  case forgivesCut
  /// It exits with 0 at a body that is no JSON.
  case forgivesText
  /// It exits with 0 at a message without a type.
  case forgivesTypeless
  /// It takes `null` for a value.
  case takesNull
  /// It refuses fields that it does not know.
  case demandsKnownFields
  /// It refuses operations with inputs.
  case refusesInputs
  /// It knows no escapes in names of fields.
  case refusesEscapes
  /// It refuses JSON of more than a hundred levels.
  case shallow
  /// It does not exit at a `drain` if it has nothing to do.
  case staysAtDrain
  /// It gives prefetched operations back by itself, if there are many.
  case returnsUnasked
}
