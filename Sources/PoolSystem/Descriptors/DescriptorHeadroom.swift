/// How many more descriptors the process may open.
package enum DescriptorHeadroom {
  /// Throws `EMFILE`, by name, unless so many more can be opened.
  ///
  /// Found out by opening them: the numbers below the limit may be full of holes or of none, and
  /// only the system can count them.
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
