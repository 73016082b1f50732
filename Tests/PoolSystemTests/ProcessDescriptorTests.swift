import Foundation
import PoolSystem
import PoolTestSupport
import Synchronization
import Testing

/// Descriptors of other processes, which a worker names and the coordinator opens for itself.
@Suite("Descriptors of other processes")
struct ProcessDescriptorTests {
  @Test("what is no regular file is not opened for a worker")
  func foreign() throws {
    let null = try Descriptors.openNull()
    let file = try TemporaryFile.open(holding: [1, 2, 3])
    defer { for descriptor in [null, file] { Descriptors.close(descriptor) } }
    let own = CurrentProcess.identifier
    #expect(throws: SystemFailure.self) { try ProcessDescriptor.open(null, of: own) }
    let copy = try ProcessDescriptor.open(file, of: own)
    defer { Descriptors.close(copy) }
    #expect(try SystemIO.readAll(copy) == [1, 2, 3])
  }

  /// The user of this process could open the file by its name.
  @Test(
    "what a process did not open for reading is not read for it",
    .enabled(if: ProcessDescriptor.isAvailable),
    arguments: [0o10_000_000 as Int32, O_WRONLY]
  )
  func unreadable(flags: Int32) throws {
    let folder = try TestFolder()
    try folder.write("secret", to: "file")
    let descriptor = open(folder.path(of: "file"), flags | O_CLOEXEC)
    try #require(descriptor >= 0)
    defer { Descriptors.close(descriptor) }
    let own = CurrentProcess.identifier
    #expect(throws: SystemFailure.self) { try ProcessDescriptor.open(descriptor, of: own) }
  }

  @Test(
    "what a process did not open for writing is not written to for it",
    .enabled(if: ProcessDescriptor.isAvailable)
  )
  func unwritable() throws {
    let folder = try TestFolder()
    try folder.write("text", to: "file")
    let descriptor = try Descriptors.openFile(path: Array(folder.path(of: "file").utf8))
    defer { Descriptors.close(descriptor) }
    let own = CurrentProcess.identifier
    Descriptors.close(try ProcessDescriptor.open(descriptor, of: own))
    #expect(throws: SystemFailure.self) {
      try ProcessDescriptor.open(descriptor, of: own, forWriting: true)
    }
  }

  /// What was looked at is not what is opened, or not what is looked at later.
  @Test(
    "a process that changes what its descriptor stands for gets nothing else read",
    .enabled(if: ProcessDescriptor.isAvailable)
  )
  func exchanged() throws {
    let folder = try TestFolder()
    try folder.write("secret", to: "secret")
    try folder.write("public", to: "public")
    let secret = open(folder.path(of: "secret"), 0o10_000_000 | O_CLOEXEC)
    let plain = open(folder.path(of: "public"), O_RDONLY | O_CLOEXEC)
    let offered = try Descriptors.duplicate(plain)
    defer { for descriptor in [secret, plain, offered] { Descriptors.close(descriptor) } }
    let isOver = Atomic(false)
    let thread = try SystemThread.start(name: "exchanges", mask: .full) {
      while !isOver.load(ordering: .relaxed) {
        for source in [secret, plain] { _ = dup2(source, offered) }
      }
    }
    for _ in 0..<3_000 {
      let own = CurrentProcess.identifier
      guard let copy = try? ProcessDescriptor.open(offered, of: own) else { continue }
      #expect(try SystemIO.readAll(copy) == Array("public".utf8))
      Descriptors.close(copy)
    }
    isOver.store(true, ordering: .relaxed)
    thread.join()
  }

  @Test("the facts of an open file are read as the kernel writes them")
  func facts() throws {
    let text = "pos:\t0\nflags:\t0102002\nmnt_id:\t29\nino:\t1234\n"
    let facts = try #require(OpenFileFacts(text))
    #expect(facts.allows(writing: false) && facts.allows(writing: true))
    for (flags, reads, writes) in [
      ("0100000", true, false), ("0100001", false, false), ("012000000", false, false),
    ] {
      let other = try #require(OpenFileFacts(text.replacing("0102002", with: flags)))
      #expect(other.allows(writing: false) == reads && other.allows(writing: true) == writes)
      #expect(other.isSameFile(as: facts))
    }
    for (old, new) in [("1234", "1235"), ("29", "30")] {
      #expect(OpenFileFacts(text.replacing(old, with: new))?.isSameFile(as: facts) == false)
    }
    #expect(OpenFileFacts("pos:\t0\n") == nil && OpenFileFacts("flags:\t9\n") == nil)
  }
}
