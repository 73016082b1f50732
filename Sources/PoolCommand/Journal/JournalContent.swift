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
    visiting visit: @escaping (JournalScan.Entry) -> Void
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

  /// Throws if a journal has content, as a run does that is not to continue it.
  static func demandEmpty(path: [UInt8]) throws(JournalError) {
    let content = try Self(path: path) { _ in }
    guard content.bytes.isEmpty else {
      throw JournalError(.exists, "\(Printable.text(path)): \(JournalError.existence)")
    }
  }

  /// The state of a journal without its unreadable parts, which are warned of.
  static func state(
    path: [UInt8],
    _ options: SharedOptions
  ) throws(JournalError) -> JournalState {
    var state = JournalState()
    let findings: [String]
    do throws(JournalError) {
      findings = try Self(path: path) { state.apply($0) }.scan.findings
    } catch {
      throw JournalError(error.code, "\(Printable.text(path)): \(error.message)")
    }
    for finding in findings where options.verbosity != .quiet {
      CurrentProcess.complain("opool: \(Printable.text(path)): \(finding); left out")
    }
    return state
  }
}
