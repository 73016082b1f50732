import Foundation
import PoolSystem
import PoolTestSupport
import Testing

/// Files that must survive: locks, names, and what becomes of either.
@Suite("Durable files")
struct DurableFileTests {
  private let folder: TestFolder
  private let path: [UInt8]

  init() throws {
    folder = try TestFolder()
    path = Array(folder.path(of: "file").utf8)
    try folder.write("abc", to: "file")
  }

  @Test("an open file is found under its name, and missed when it has none, or another has it")
  func condition() throws {
    let descriptor = try DurableFile.open(path: path)
    defer { Descriptors.close(descriptor) }
    #expect(try DurableFile.condition(of: descriptor, at: path) == .present(byteCount: 3))
    try DurableFile.cut(descriptor, to: 1)
    #expect(try DurableFile.condition(of: descriptor, at: path) == .present(byteCount: 1))
    try FilePath.rename(path, to: path + [UInt8(ascii: "2")])
    #expect(try DurableFile.condition(of: descriptor, at: path) == .replaced)
    try folder.write("other", to: "file")
    #expect(try DurableFile.condition(of: descriptor, at: path) == .replaced)
    FilePath.remove(path + [UInt8(ascii: "2")])
    #expect(try DurableFile.condition(of: descriptor, at: path) == .deleted)
  }

  @Test("one lock at a time, which goes with its descriptor")
  func locks() throws {
    let first = try DurableFile.open(path: path)
    let second = try DurableFile.open(path: path)
    defer { Descriptors.close(second) }
    #expect(try DurableFile.lock(first))
    #expect(try !DurableFile.lock(second))
    Descriptors.close(first)
    #expect(try DurableFile.lock(second))
  }

  @Test("a missing file is an error that names the call")
  func missing() throws {
    let failure = #expect(throws: SystemFailure.self) {
      try DurableFile.openToRead(path: Array(folder.path(of: "none").utf8))
    }
    #expect(failure?.description.contains("No such file") == true)
  }
}
