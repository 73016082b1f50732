/// Makes a type with such a member address-only: calls that borrow a value of that type get its
/// address.
///
/// Swift passes other values by loading all of their fields, which for a machine copies hundreds of
/// bytes.
struct AddressOnly {
  private weak var nothing: Nothing?

  private final class Nothing: Sendable {}
}
