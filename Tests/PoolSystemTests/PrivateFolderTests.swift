import Foundation
import PoolSystem
import PoolTestSupport
import Testing

/// Folders beside the temporary files, which their user alone may enter.
@Suite("Private folders")
struct PrivateFolderTests {
  private func exists(_ path: [UInt8]) -> Bool { FilePath.exists(path) }

  @Test("each is a new one, has what was written, and goes with it")
  func life() throws {
    let folders = try (0..<3).map { _ in try PrivateFolder() }
    #expect(Set(folders.map(\.path)).count == 3)
    let files = try folders.map { try $0.write([1, 2], to: "file") }
    for (folder, file) in zip(folders, files) {
      #expect(file == folder.path + Array("/file".utf8) && exists(file))
      var status = stat()
      #expect(stat(String(decoding: folder.path, as: UTF8.self), &status) == 0)
      #expect(status.st_mode & 0o777 == 0o700)
    }
    for folder in folders { folder.remove() }
    folders[0].remove()
    #expect(folders.allSatisfy { !exists($0.path) })
  }

  @Test("a file without a name gets one, with its content")
  func link() throws {
    let folder = try PrivateFolder()
    defer { folder.remove() }
    let file = try TemporaryFile.open(holding: [7, 8])
    defer { Descriptors.close(file) }
    let path = try folder.link(file, as: "named")
    let copy = try Descriptors.openFile(path: path)
    defer { Descriptors.close(copy) }
    #expect(try SystemIO.readAll(copy) == [7, 8])
  }
}
