/// Keeps the value that contains it where it is.
///
/// A value without a weak reference is loaded as a whole for a call that merely borrows it, which
/// for a machine is a copy of hundreds of bytes.
struct AddressOnly {
  private weak var nothing: Nothing?

  private final class Nothing: Sendable {}
}
