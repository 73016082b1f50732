import Foundation
import PoolModel
import PoolSystem
import PoolTestSupport
import PoolWire
import Testing

/// Contract: a sweep removes what dead processes of ours left, whole, and nothing else.
@Suite("Folders that were left")
struct StaleFolderTests {
  private let place: TestFolder

  init() throws {
    place = try TestFolder()
  }

  private func makeFolder(_ name: String, mode: Int = 0o700) throws {
    let attributes = [FileAttributeKey.posixPermissions: mode]
    try FileManager.default.createDirectory(
      atPath: place.path(of: name),
      withIntermediateDirectories: false,
      attributes: attributes
    )
  }

  private func shell(_ line: String) throws {
    let shell = ["/bin/sh", "-c", "cd \(place.path) && \(line)"]
    let process = try Programs.start(shell)
    process.waitForEnd()
    #expect(try process.reap().0 == .exited(0))
  }

  @Test("A folder goes with all that is in it, and what its links name stays")
  func whole() throws {
    try makeFolder("opool-run-abcdef")
    try place.write("mine", to: "outside")
    try shell(
      """
      cd opool-run-abcdef && mkdir -p 1/a/b 2 .opool-0/x && touch 1/a/b/file 2/file .hidden &&
      ln -s ../../outside 1/link && ln -s ../.. 2/up && mkfifo 2/fifo &&
      chmod 0 1/a/b && chmod 500 1/a 2
      """
    )
    #expect(StaleFolders.sweep(in: Array(place.path.utf8)) == 1)
    #expect(try place.names() == ["outside"])
    #expect(place.text(of: "outside") == "mine")
  }

  @Test("A tree that is deeper than any path, or than descriptors reach, goes, too")
  func deep() throws {
    try makeFolder("inner")
    // From the inside out, so that no path is long.
    for _ in 0..<3_000 {
      try makeFolder("outer")
      try FileManager.default.moveItem(
        atPath: place.path(of: "inner"),
        toPath: place.path(of: "outer/inner")
      )
      try FileManager.default.moveItem(
        atPath: place.path(of: "outer"),
        toPath: place.path(of: "inner")
      )
    }
    try FileManager.default.moveItem(
      atPath: place.path(of: "inner"),
      toPath: place.path(of: "opool-run-abcdef")
    )
    #expect(StaleFolders.sweep(in: Array(place.path.utf8)) == 1)
    #expect(try place.names() == [])
  }

  @Test("A folder with another name, mode or type is not one of a dead process")
  func strangers() throws {
    try makeFolder("opool-abcdef")
    try makeFolder("opool-run-abcde")
    try makeFolder("opool-run-abcdefg")
    try makeFolder("opool-run-others", mode: 0o755)
    try makeFolder("real")
    try shell("touch opool-run-afile1 real/file; ln -s real opool-run-alink1")
    let names = try place.names()
    #expect(StaleFolders.sweep(in: Array(place.path.utf8)) == 0)
    #expect(try place.names() == names)
    #expect(try place.names(in: "real") == ["file"])
  }

  @Test("What is another user's stays", .enabled(if: geteuid() == 0))
  func otherUser() throws {
    try makeFolder("opool-run-abcdef")
    try shell("chown 65534 opool-run-abcdef")
    #expect(StaleFolders.sweep(in: Array(place.path.utf8)) == 0)
    #expect(try place.names() == ["opool-run-abcdef"])
  }

  /// The lock is the worker's, and the command that it executes does not have it.
  @Test("A folder stays while its maker lives, and goes when that was killed, whatever it started")
  func lock() throws {
    let worker = try WorkerHarness(temporaryFolder: place.path)
    let line = "setsid sleep 1000 & exec sleep 1000"
    let operation = worker.command(
      CommandPayload(.shell(Array(line.utf8))),
      with: NamedInput(name: "words", .output([0x61]))
    )
    worker.send(.execute(operation))
    let group = try worker.group(of: operation)
    defer { ProcessSignal.kill.send(toGroup: group.group) }
    #expect(StaleFolders.sweep(in: Array(place.path.utf8)) == 0)
    #expect(try place.names().count == 1)
    ProcessSignal.kill.send(toProcess: worker.pid)
    _ = try worker.end()
    #expect(StaleFolders.sweep(in: Array(place.path.utf8)) == 1)
    #expect(try place.names() == [])
  }
}
