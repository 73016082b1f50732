import PoolModel
import PoolSystem

/// The file to which a step of a GitHub workflow adds its summary.
enum StepSummaryFile {
  /// Adds what the closure makes for so many bytes of room; returns why not, for people, or nil.
  ///
  /// The file then has all of it, or is as it was: GitHub takes nothing of a file that is too long.
  static func append(to path: [UInt8], _ text: (_ room: Int) -> [UInt8]?) -> String? {
    do throws(SystemFailure) {
      let file = try AppendedFile.open(path: path)
      defer { Descriptors.close(file) }
      let size = try Descriptors.size(of: file)
      guard let text = text(Int(clamping: Int64(StepSummary.limit) - size)) else {
        return "it is full: GitHub takes no more than 1 MiB of a step"
      }
      do throws(SystemFailure) {
        try SystemIO.writeAll(file, text)
        try Descriptors.confirmWrites(to: file)
      } catch {
        try? DurableFile.cut(file, to: size)
        throw error
      }
      return nil
    } catch {
      return error.reason
    }
  }
}
