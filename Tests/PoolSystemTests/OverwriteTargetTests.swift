import Foundation
import PoolSystem
import PoolTestSupport
import Testing

/// Files that are written anew are touched only when that is certain.
@Suite("Files that are written")
struct OverwriteTargetTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func open(_ name: String) throws -> OverwriteTarget {
    try OverwriteTarget(path: Array(folder.path(of: name).utf8))
  }

  @Test("opening one changes nothing in it; emptying does")
  func emptying() throws {
    try folder.write("old", to: "file")
    let file = try open("file")
    #expect(!file.isNew && folder.text(of: "file") == "old")
    try file.keep(0)
    #expect(folder.text(of: "file").isEmpty)
    file.discard()
    #expect(try folder.names() == ["file"])
  }

  @Test("each write goes to the end, wherever others have moved that")
  func shared() throws {
    let (one, other) = (try open("file"), try open("file"))
    try one.keep(nil)
    try other.keep(nil)
    try SystemIO.writeAll(one.descriptor, Array("a\n".utf8))
    try SystemIO.writeAll(other.descriptor, Array("bb\n".utf8))
    try SystemIO.writeAll(one.descriptor, Array("c\n".utf8))
    #expect(folder.text(of: "file") == "a\nbb\nc\n")
    try DurableFile.cut(other.descriptor, to: 0)
    try SystemIO.writeAll(one.descriptor, Array("d\n".utf8))
    #expect(folder.text(of: "file") == "d\n")
    Descriptors.close(other.descriptor)
    one.discard()
  }

  @Test("one that was made goes when it is given up")
  func discarded() throws {
    let file = try open("new")
    #expect(file.isNew)
    #expect(try folder.names() == ["new"])
    file.discard()
    #expect(try folder.names().isEmpty)
  }

  @Test("a folder is refused, and so is a descriptor that this process has opened for itself")
  func refused() throws {
    #expect(throws: SystemFailure.self) { try open(".") }
    let own = try Descriptors.openNull()
    defer { Descriptors.close(own) }
    #expect(throws: SystemFailure.self) { try OverwriteTarget(path: Array("/dev/fd/\(own)".utf8)) }
    #expect(throws: SystemFailure.self) { try OverwriteTarget(path: Array("/dev/fd/9999".utf8)) }
  }

  @Test(
    "the names of inherited descriptors are known",
    arguments: [
      ("/dev/stdout", 1 as Int32?), ("/dev/stderr", 2), ("/dev/fd/3", 3), ("/proc/self/fd/12", 12),
      ("/dev/fd/", nil), ("/dev/fd/x", nil), ("/dev/null", nil), ("out", nil),
    ]
  )
  func inherited(path: String, number: Int32?) {
    #expect(OverwriteTarget.inherited(Array(path.utf8)) == number)
  }
}
