import PoolInputs
import PoolSystem

/// Reads a manifest while the operations of its earlier lines execute.
final class StreamProducer: WorkloadProducer {
  /// Number of lines, and of their bytes, that are submitted together at most.
  private static let pieceLimit = 4_096
  private static let pieceByteLimit = 1 << 20

  let files: [InputFile] = []
  private let manifest: StreamedManifest
  private let descriptor: Int32

  /// The manifest, in a message.
  private let words: String

  init(_ descriptor: Int32, _ words: String, to manifest: StreamedManifest) {
    self.descriptor = descriptor
    self.words = words
    self.manifest = manifest
  }

  /// Submits each line as soon as it is there, up to the first wrong one.
  ///
  /// Operations before that line are finished, and those after it are not executed.
  func produce(for session: RunSession) {
    do {
      try read(for: session)
    } catch let errors as ManifestErrors {
      let lines = errors.lines(file: manifest.file ?? [])
      let end = "opool: the manifest is not read beyond this line; earlier ones are executed"
      session.refuseInput((lines + [end]).joined(separator: "\n"), as: .manifest)
    } catch {
      let reason = (error as? SystemFailure)?.reason ?? "\(error)"
      session.refuseInput("opool: \(words) cannot be read: \(reason)", as: .manifest)
    }
  }

  private func read(for session: RunSession) throws {
    var piece = Piece(first: manifest.count)
    defer { piece.submit(to: session) }
    var splitter = RecordSplitter(lengthLimit: Manifest.lineLimit, allowsNULs: true)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      while let line = try checked({ () throws(UsageError) in try splitter.next() }) {
        guard try add(line, to: &piece, session) else { return }
      }
      // Reading may block forever.
      piece.submit(to: session)
      guard session.wantsInput() else { return }
      let count = try SystemIO.readWaiting(descriptor, into: buffer)
      guard count > 0 else { break }
      splitter.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
    let last = try checked { () throws(UsageError) in try splitter.last() }
    if let last { _ = try add(last, to: &piece, session) }
  }

  /// A line that is too long is an error of the manifest.
  private func checked(
    _ body: () throws(UsageError) -> [UInt8]?
  ) throws(ManifestErrors) -> [UInt8]? {
    do throws(UsageError) { return try body() } catch { throw manifest.excess }
  }

  /// Adds a line; returns whether more are wanted.
  private func add(
    _ line: [UInt8],
    to piece: inout Piece,
    _ session: RunSession
  ) throws(ManifestErrors) -> Bool {
    guard let operation = try manifest.add(line) else { return true }
    if operation.isBarrier {
      // Operations before this line end first, and lines after it are not even read.
      piece.submit(to: session)
      guard session.waitUntilSettled() else { return false }
    }
    piece.add(operation.byteCount)
    let isFull = piece.count >= Self.pieceLimit || piece.byteCount >= Self.pieceByteLimit
    if isFull || operation.isBarrier { piece.submit(to: session) }
    if operation.isBarrier { return session.waitUntilSettled() }
    return !isFull || session.wantsInput()
  }

  /// Operations that are submitted together.
  private struct Piece {
    private var first: Int
    private(set) var count = 0
    private(set) var byteCount = 0

    init(first: Int) {
      self.first = first
    }

    mutating func add(_ size: Int) {
      count += 1
      byteCount += size
    }

    mutating func submit(to session: RunSession) {
      session.submit(first..<first + count, byteCount: byteCount)
      self = Self(first: first + count)
    }
  }
}
