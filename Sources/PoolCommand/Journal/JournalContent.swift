import PoolJournal
import PoolModel
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

  /// Reads a journal without its unreadable parts, and warns about those.
  static func scan(
    path: [UInt8],
    _ options: SharedOptions
  ) throws(JournalError) -> JournalScan {
    let scan: JournalScan
    do throws(JournalError) {
      scan = try Self(path: path).scan
    } catch {
      throw JournalError(error.code, "\(Printable.text(path)): \(error.message)")
    }
    for finding in scan.findings where options.verbosity != .quiet {
      CurrentProcess.complain("opool: \(Printable.text(path)): \(finding); left out")
    }
    return scan
  }
}
