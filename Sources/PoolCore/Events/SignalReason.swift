/// Why a worker is signalled.
package enum SignalReason: UInt8, Hashable, Sendable, CaseIterable {
  /// What it executes is made to end.
  case teardown
  /// It broke the protocol.
  case violation
  /// It did not greet in time.
  case greeting
  /// It did not begin in time what it was given.
  case start
  /// It said nothing for too long, and did not answer when it was asked.
  case silence
  /// It stopped within a frame.
  case frame
  /// It had nothing more to say, or to do, and did not end in time.
  case end
  /// Everything is ended at once.
  case shutdown
}
