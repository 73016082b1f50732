/// An open file, closed with its last reference.
package final class OpenFile: Sendable {
  package let descriptor: Int32

  package init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    Descriptors.close(descriptor)
  }
}
