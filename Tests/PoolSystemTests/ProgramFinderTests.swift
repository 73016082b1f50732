import Foundation
import PoolSystem
import PoolTestSupport
import Testing

/// Programs are found as a shell finds them.
@Suite("Finding programs")
struct ProgramFinderTests {
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    for name in ["first", "second", "second/inner"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(of: name),
        withIntermediateDirectories: false
      )
    }
  }

  private func make(_ name: String, mode: Int = 0o755) throws {
    try folder.write("#!/bin/sh\n", to: name)
    let attributes = [FileAttributeKey.posixPermissions: mode]
    try FileManager.default.setAttributes(attributes, ofItemAtPath: folder.path(of: name))
  }

  private func find(
    _ name: String,
    path: String? = nil,
    from directory: String? = nil,
    by finder: inout ProgramFinder
  ) throws -> String {
    let path = path ?? "\(folder.path(of: "first")):\(folder.path(of: "second"))"
    let place = try finder.find(
      Array(name.utf8),
      path: Array(path.utf8),
      directory: directory.map { Array($0.utf8) }
    )
    return String(decoding: place, as: UTF8.self)
  }

  @Test(
    "the first folder that has it counts; a folder, or a file that is not to be executed, does not"
  )
  func order() throws {
    var finder = ProgramFinder()
    try make("second/tool")
    #expect(try find("tool", by: &finder) == folder.path(of: "second/tool"))
    try make("first/plain", mode: 0o644)
    try make("second/plain")
    #expect(try find("plain", by: &finder) == folder.path(of: "second/plain"))
    #expect(throws: SpawnFailure.self) { try find("inner", by: &finder) }
  }

  @Test("a name with a slash is its own answer, and an empty name is nothing's")
  func names() throws {
    var finder = ProgramFinder()
    #expect(try find("./not/there", by: &finder) == "./not/there")
    #expect(throws: SpawnFailure.self) { try find("", by: &finder) }
  }

  @Test("what was not found is looked for again, and what has moved once it is forgotten")
  func memory() throws {
    var finder = ProgramFinder()
    #expect(throws: SpawnFailure.self) { try find("late", by: &finder) }
    try make("second/late")
    #expect(try find("late", by: &finder) == folder.path(of: "second/late"))
    try make("first/late")
    #expect(try find("late", by: &finder) == folder.path(of: "second/late"))
    let path = "\(folder.path(of: "first")):\(folder.path(of: "second"))"
    let wasKnown = finder.forget(Array("late".utf8), path: Array(path.utf8))
    #expect(wasKnown)
    #expect(try find("late", by: &finder) == folder.path(of: "first/late"))
  }

  @Test("folders of the PATH that are not absolute begin in the command's own")
  func relative() throws {
    var finder = ProgramFinder()
    try make("second/inner/tool")
    let second = folder.path(of: "second")
    #expect(try find("tool", path: "inner", from: second, by: &finder) == "inner/tool")
    #expect(throws: SpawnFailure.self) {
      try find("tool", path: "inner", from: folder.path(of: "first"), by: &finder)
    }
    try make("second/here")
    #expect(try find("here", path: "", from: second, by: &finder) == "./here")
  }
}
