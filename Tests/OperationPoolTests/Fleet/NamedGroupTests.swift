import PoolCore
import PoolModel
import PoolSystem
import PoolTestSupport
import Testing

@testable import OperationPool

/// Contract: what a worker says of processes harms no others.
@Suite("Process groups that workers name", .timeLimit(.minutes(30)))
struct NamedGroupTests {
  /// A shell, and the leader of a group of its own that it has started.
  private final class Family {
    let parent: CommandProcess
    let leader: Int32

    init() throws {
      let pipe = try Descriptors.pipe()
      let null = try Descriptors.openNull()
      defer { for descriptor in [pipe.read, null] { Descriptors.close(descriptor) } }
      var launcher = CommandLauncher()
      parent = try launcher.start(
        CommandDescription(
          arguments: [
            "/bin/sh", "-c", "setsid sh -c 'echo $$; exec sleep 1000 >&-' & exec >&-; wait",
          ]
          .map { Array($0.utf8) },
          environment: .current,
          standardInput: null,
          standardOutput: pipe.write,
          standardError: null
        )
      )
      Descriptors.close(pipe.write)
      let text = String(decoding: try SystemIO.readAll(pipe.read), as: UTF8.self)
      leader = try #require(Int32(text.split(separator: "\n").first ?? ""))
    }

    /// Whether the one that leads the group lives: then its parent waits.
    var isWhole: Bool { ProcessSignal(0).send(toGroup: leader) && !parent.hasEnded }

    /// Waits until the parent has ended, which it does with the leader.
    func waitForEnd() { parent.waitForEnd() }

    deinit {
      ProcessSignal.kill.send(toGroup: leader)
      parent.send(.kill)
      parent.waitForEnd()
      _ = try? parent.reap()
    }
  }

  private func connection(to process: Int32) throws -> WorkerConnection {
    let pipes = try (0..<3).map { _ in try Descriptors.pipe() }
    for pipe in pipes { Descriptors.close(pipe.write) }
    return WorkerConnection(
      WorkerID(rawValue: 1),
      ConfigurationID(rawValue: 0),
      SpawnedProcess(process, pipes.map(\.read)),
      in: .unproved
    )
  }

  @Test("A group is signalled that was started below the worker")
  func own() async throws {
    try await Blocking.run {
      let family = try Family()
      try connection(to: family.parent.identifier)
        .signals.send(ProcessSignal.kill.number, toGroup: family.leader)
      family.waitForEnd()
    }
  }

  @Test("The group of another worker's command, or of anything else, is not signalled")
  func others() async throws {
    try await Blocking.run {
      let (family, innocent) = (try Family(), try Family())
      let connection = try connection(to: family.parent.identifier)
      for group in [innocent.leader, innocent.parent.identifier] {
        connection.signals.send(ProcessSignal.kill.number, toGroup: group)
      }
      // Signals arrive in order: one that had been sent would have done its work by now.
      connection.signals.send(ProcessSignal.kill.number, toGroup: family.leader)
      family.waitForEnd()
      #expect(innocent.isWhole)
    }
  }

  @Test("With a worker that is killed, only a group goes that was started below it")
  func killed() async throws {
    try await Blocking.run {
      let (family, innocent) = (try Family(), try Family())
      let connection = try connection(to: family.parent.identifier)
      connection.group = innocent.leader
      connection.end(by: ProcessSignal.kill.number, because: .silence)
      family.waitForEnd()
      #expect(innocent.isWhole)
      let other = try Family()
      let second = try self.connection(to: other.parent.identifier)
      second.group = other.leader
      second.end(by: ProcessSignal.kill.number, because: .silence)
      other.waitForEnd()
      while ProcessSignal(0).send(toGroup: other.leader) { SystemThread.yieldProcessor() }
    }
  }

  @Test("No number that means more than one group, or this process, is ever one of a worker's")
  func numbers() throws {
    let own = CurrentProcess.identifier
    for number in [0, 1, -1, .min, own, CurrentProcess.parent, -own] as [Int32] {
      #expect(Descendant(number, below: own) == nil)
      #expect(Descendant(number, below: .max) == nil)
    }
  }

  @Test("A worker's word for its own number counts where that was started below it")
  func pid() async throws {
    try await Blocking.run {
      let (family, innocent) = (try Family(), try Family())
      let connection = try connection(to: family.parent.identifier)
      connection.signals.note(pid: innocent.leader)
      #expect(connection.signals.worker == family.parent.identifier)
      connection.signals.note(pid: family.leader)
      #expect(connection.signals.worker == family.leader)
    }
  }
}
