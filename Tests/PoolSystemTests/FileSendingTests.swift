import PoolSystem
import PoolTestSupport
import Testing

/// Ranges of files on their way to pipes and files.
@Suite("Sending files")
struct FileSendingTests {
  private static let size = 3 << 20

  private func pattern(_ range: Range<Int>) -> [UInt8] {
    range.map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
  }

  private func source() throws -> OpenSource {
    OpenSource(descriptor: try TemporaryFile.open(holding: pattern(0..<Self.size)))
  }

  private final class OpenSource: Sendable {
    let descriptor: Int32
    init(descriptor: Int32) { self.descriptor = descriptor }
    deinit { Descriptors.close(descriptor) }
  }

  @Test(
    "A pipe gets the range, the whole range and nothing but the range",
    arguments: [0, 1, 4_097]
  )
  func pipe(start: Int) async throws {
    let source = try source()
    let range = Int64(start)..<Int64(Self.size - start)
    let pipe = try Descriptors.pipe()
    async let received = Blocking.run { try SystemIO.readAll(pipe.read) }
    try await Blocking.run {
      defer { Descriptors.close(pipe.write) }
      try SystemIO.send(source.descriptor, range, to: pipe.write)
    }
    #expect(try await received == pattern(start..<Self.size - start))
    Descriptors.close(pipe.read)
  }

  /// A terminal's other users, or the parent process, may have made it one.
  @Test("A pipe that does not block gets everything, too")
  func nonBlocking() async throws {
    let source = try source()
    let pipe = try Descriptors.pipe()
    try Descriptors.setNonBlocking(pipe.write)
    async let received = Blocking.run { try SystemIO.readAll(pipe.read) }
    try await Blocking.run {
      defer { Descriptors.close(pipe.write) }
      try SystemIO.send(source.descriptor, 0..<Int64(Self.size), to: pipe.write)
    }
    #expect(try await received == pattern(0..<Self.size))
    Descriptors.close(pipe.read)
  }

  /// Which the system cannot send to: it is copied to.
  @Test("A file that is appended to gets the range behind what it has")
  func appended() throws {
    let source = try source()
    let target = OpenSource(descriptor: try TemporaryFile.open(holding: [1, 2, 3]))
    try SystemIO.send(source.descriptor, 5..<1_000_005, to: target.descriptor)
    var bytes: [UInt8] = []
    try SystemIO.forEachPiece(of: target.descriptor, 0..<2_000_000) { bytes += $0 }
    #expect(bytes == [1, 2, 3] + pattern(5..<1_000_005))
  }

  @Test(
    "A file is copied, whole, from its place on, also where the system cannot do that by itself",
    arguments: [false, true]
  )
  func copied(isAppended: Bool) throws {
    let source = try source()
    let folder = try TestFolder()
    let path = Array(folder.path(of: "copy").utf8)
    let target = OpenSource(
      descriptor: isAppended
        ? try DurableFile.open(path: path) : try Descriptors.createFile(path: path)
    )
    try SystemIO.writeAll(target.descriptor, [1, 2, 3])
    // The source ends before the range.
    try SystemIO.copy(
      source.descriptor,
      5..<Int64(2 * Self.size),
      to: target.descriptor,
      while: { true }
    )
    let copy = OpenSource(descriptor: try Descriptors.openFile(path: path))
    #expect(try SystemIO.readAll(copy.descriptor) == [1, 2, 3] + pattern(5..<Self.size))
  }

  @Test("A copy that is not wanted any more ends before the next MiB")
  func stopped() throws {
    let source = try source()
    let target = OpenSource(descriptor: try TemporaryFile.open())
    var asked = 0
    let failure = #expect(throws: SystemFailure.self) {
      try SystemIO.copy(source.descriptor, 0..<Int64(Self.size), to: target.descriptor) {
        asked += 1
        return asked < 3
      }
    }
    #expect(failure == .cancelled)
    #expect(try Descriptors.size(of: target.descriptor) == 2 << 20)
  }

  @Test("A file that is shorter than the range just ends")
  func short() async throws {
    let source = try source()
    let pipe = try Descriptors.pipe()
    let start = Self.size - 10
    try SystemIO.send(source.descriptor, Int64(start)..<Int64(2 * Self.size), to: pipe.write)
    Descriptors.close(pipe.write)
    #expect(try SystemIO.readAll(pipe.read) == pattern(start..<Self.size))
    Descriptors.close(pipe.read)
  }

  @Test("A reader that has gone is an error")
  func brokenPipe() async throws {
    let source = try source()
    let pipe = try Descriptors.pipe()
    Descriptors.close(pipe.read)
    // In a thread that SIGPIPE cannot end.
    let failure = try await Blocking.run(mask: .full) {
      #expect(throws: SystemFailure.self) {
        try SystemIO.send(source.descriptor, 0..<100_000, to: pipe.write)
      }
    }
    #expect(failure?.isBrokenPipe == true)
    Descriptors.close(pipe.write)
  }
}
