/// Checks how many descriptors the process has, and how many more it may open.
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

  /// Whether Foundation may crash when it starts a process, because this one has many descriptors.
  ///
  /// It reads `/proc/self/fd` and copies 256 bytes from where each name begins: from about 1,360
  /// names on, beyond the end of the memory that holds them.
  package static var isCrowded: Bool {
    #if os(Linux)
    // The system doubles the number; up to 1,024 names never fill that memory.
    guard let status = SystemFile.read("/proc/self/status") else { return false }
    return (SystemFile.value(of: "FDSize:", in: status) ?? 0) > 1_024
    #else
    return false
    #endif
  }
}
