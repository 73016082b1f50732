/// Checks how many more descriptors the process may open.
package enum DescriptorHeadroom {
  /// Throws `EMFILE` unless this many more descriptors can be opened.
  ///
  /// It opens them to find out: only the system knows which numbers below the limit are free.
  package static func demand(_ count: Int) throws(SystemFailure) {
    var descriptors: [Int32] = []
    defer { for descriptor in descriptors { Descriptors.close(descriptor) } }
    do throws(SystemFailure) {
      while descriptors.count < count { descriptors.append(try Descriptors.openNull()) }
    } catch {
      guard error.isShortage else { throw error }
      throw SystemFailure(call: "opening \(count) descriptors", code: error.code)
    }
  }
}
