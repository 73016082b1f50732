import Foundation
import PoolModel
import PoolSystem
import PoolTestSupport
import Testing

/// Commands are started as a shell starts them, and what becomes of them is known.
@Suite("Commands", .timeLimit(.minutes(30)))
struct CommandTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func start(_ words: String...) throws -> CommandProcess {
    var launcher = CommandLauncher()
    return try launcher.start(
      CommandDescription(
        arguments: words.map { Array($0.utf8) },
        directory: Array(folder.path.utf8),
        environment: .current
      )
    )
  }

  @Test(
    "each way to end is told",
    arguments: [("exit 0", nil), ("exit 7", nil), ("kill -9 $$", 9)]
  )
  func endings(script: String, signal: Int32?) throws {
    let process = try start("sh", "-c", script)
    process.waitForEnd()
    let (status, _) = try process.reap()
    switch status {
    case .exited(let code): #expect(script == "exit \(code)")
    case .signaled(let number): #expect(number == signal)
    }
  }

  @Test("it executes in its folder, and a script without a first line is the shell's")
  func folderAndScript() throws {
    // Written by a command: a process that another test starts may have a file open that this one
    // writes.
    let writer = try start("sh", "-c", "echo 'pwd > place' > script; chmod +x script")
    writer.waitForEnd()
    #expect(try writer.reap().0 == .exited(0))
    let process = try start("./script")
    process.waitForEnd()
    #expect(try process.reap().0 == .exited(0))
    #expect(folder.text(of: "place") == folder.path + "\n")
  }

  @Test(
    "what cannot be started is named, with the reason",
    arguments: [["no-such-program-of-ours"], ["./missing"], ["/"], ["sh\u{0}x", "-c", ":"]]
  )
  func failures(words: [String]) throws {
    var launcher = CommandLauncher()
    let command = CommandDescription(
      arguments: words.map { Array($0.utf8) },
      environment: .current
    )
    let failure = #expect(throws: SpawnFailure.self) { try launcher.start(command) }
    #expect(failure?.description.isEmpty == false)
  }

  @Test("a process that was reaped is signalled no more")
  func reaped() throws {
    let process = try start("true")
    process.waitForEnd()
    #expect(process.hasEnded)
    _ = try process.reap()
    #expect(!process.sendUnlessEnded(.kill))
  }
}
