/// Makes the type that has it as a member address-only: calls that borrow a value of that type get
/// its address.
///
/// Swift loads other values as a whole for such a call. For a machine this copies hundreds of bytes.
struct AddressOnly {
  private weak var nothing: Nothing?

  private final class Nothing: Sendable {}
}
