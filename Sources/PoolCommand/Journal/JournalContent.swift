import PoolJournal
import PoolSystem

/// The content of a journal, read without its lock.
struct JournalContent {
  let bytes: [UInt8]
  let scan: JournalScan

  /// Reads a journal; passes the records to the closure, and keeps only the openings.
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
