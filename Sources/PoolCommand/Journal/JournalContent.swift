import PoolJournal
import PoolSystem

/// A journal as it is found, by somebody who does not own it.
struct JournalContent {
  let bytes: [UInt8]
  let scan: JournalScan

  /// Reads a journal; a closure is shown the records, and then only openings are kept of them.
  init(
    path: [UInt8],
    visiting visit: ((JournalScan.Entry) -> Void)? = nil
  ) throws(JournalError) {
    do throws(SystemFailure) {
      let descriptor = try DurableFile.openToRead(path: path)
      defer { Descriptors.close(descriptor) }
      bytes = try SystemIO.readAll(descriptor)
    } catch {
      throw JournalError(error)
    }
    scan = try JournalScan(bytes, boot: BootIdentifier.current, visiting: visit)
  }
}
