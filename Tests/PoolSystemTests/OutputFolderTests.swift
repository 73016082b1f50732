import Foundation
import PoolSystem
import PoolTestSupport
import Testing

/// Contract: a file of a run has its name only if the system has kept all of its bytes.
@Suite("Folders of outputs")
struct OutputFolderTests {
  /// As a network file system reports a full disk.
  @Test("a file whose writes fail when it is closed gets no name, and an older one keeps it")
  func unconfirmed() throws {
    let place = try TestFolder()
    try place.write("old", to: "file")
    let folder = try OutputFolder(path: Array(place.path.utf8))
    let name = Array("file".utf8)
    let failure = SystemFailure(call: "close", code: ENOSPC)
    let write = { (file: Int32) throws(SystemFailure) in
      try SystemIO.writeAll(file, Array("new".utf8))
    }
    #expect(throws: failure) {
      try folder.write(name, confirmedBy: { _ throws(SystemFailure) in throw failure }, write)
    }
    #expect(try place.names() == ["file"])
    #expect(place.text(of: "file") == "old")
    try folder.write(name, write)
    #expect(place.text(of: "file") == "new")
  }

  @Test("asks the file system whether two names are one, and leaves nothing")
  func unitedNames() throws {
    let place = try TestFolder()
    let folder = try OutputFolder(path: Array(place.path.utf8))
    #expect(folder.unites("a", with: "a") && !folder.unites("a", with: "b"))
    #expect(try place.names().isEmpty)
  }

  @Test("closing a copy confirms what was written, and leaves the file open")
  func confirmed() throws {
    let file = try TemporaryFile.open(holding: [1])
    defer { Descriptors.close(file) }
    try Descriptors.confirmWrites(to: file)
    #expect(try Descriptors.size(of: file) == 1)
    #expect(throws: SystemFailure.self) { try Descriptors.confirmWrites(to: -1) }
  }
}
