package import PoolJournal
import PoolModel
import PoolSystem

/// The content of a journal, read without its lock.
package struct JournalContent {
  package let bytes: [UInt8]
  package let scan: JournalScan

  /// Reads a journal; passes the records to the closure, and keeps only the openings.
  package init(
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
  package static func demandEmpty(path: [UInt8]) throws(JournalError) {
    let content = try Self(path: path) { _ in }
    guard content.bytes.isEmpty else {
      throw JournalError(.exists, "\(Printable.text(path)): \(JournalError.existence)")
    }
  }

  /// The state of a journal without its unreadable parts, which are warned of.
  package static func state(
    path: [UInt8],
    isQuiet: Bool
  ) throws(JournalError) -> JournalState {
    var state = JournalState()
    let findings: [String]
    do throws(JournalError) {
      findings = try Self(path: path) { state.apply($0) }.scan.findings
    } catch {
      throw JournalError(error.code, "\(Printable.text(path)): \(error.message)")
    }
    for finding in findings where !isQuiet {
      CurrentProcess.complain("opool: \(Printable.text(path)): \(finding); left out")
    }
    return state
  }
}
