import Foundation

/// What the frames alone allow: the pool's own JSON between this process and two others,
/// without a graph, a queue or records.
enum Ceiling {
  /// How many operations a process is sent before it has answered the first of them.
  private static let window = 64

  private static let executeHead: StaticString = #"{"type":"execute","operation":"#
  private static let executeTail: StaticString =
    ",\"attempt\":1,\"kind\":\"noop\",\"payload\":null}\n"
  private static let executingHead: StaticString = #"{"type":"executing","operation":"#
  private static let finishedHead: StaticString = #"{"type":"finished","operation":"#

  /// The other side: answers each `execute` by `executing` and `finished`, until the input ends.
  static func echo() {
    let reader = BareReader()
    var answers = BareFrames()
    while reader.read(0, { answer($0, &answers) }) { answers.send(1) }
  }

  private static func answer(_ body: UnsafeRawBufferPointer, _ answers: inout BareFrames) {
    let numbers = BareFrames.Numbers(in: body, after: executeHead.utf8CodeUnitCount)
    answers.append(executingHead, numbers, "}\n")
    answers.append(finishedHead, numbers, ",\"result\":null}\n")
  }

  /// Operations a second.
  static func rate(count: Int) throws -> Double {
    let peers = try (0..<2).map { _ in try Peer() }
    var next = 0
    exchange(peers, upTo: 2 * window, &next)
    next = 0
    let seconds = Figures.seconds { exchange(peers, upTo: count, &next) }
    for peer in peers { peer.end() }
    return Double(count) / seconds
  }

  /// Sends so many, and waits for all answers.
  private static func exchange(_ peers: [Peer], upTo count: Int, _ next: inout Int) {
    var polled = peers.map { pollfd(fd: $0.source, events: Int16(POLLIN), revents: 0) }
    var finished = 0
    for peer in peers { peer.send(min(window, count - next), &next) }
    while finished < count {
      _ = poll(&polled, nfds_t(polled.count), -1)
      for (place, peer) in peers.enumerated() where polled[place].revents != 0 {
        let answered = peer.hear()
        finished += answered
        peer.send(min(answered, count - next), &next)
      }
    }
  }

  /// A process that echoes.
  private final class Peer {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let reader = BareReader()
    private var frames = BareFrames()

    init() throws {
      process.executableURL = Bundle.main.executableURL
      process.arguments = ["echo"]
      process.standardInput = input
      process.standardOutput = output
      _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
      try process.run()
    }

    var source: Int32 { output.fileHandleForReading.fileDescriptor }

    func send(_ count: Int, _ next: inout Int) {
      for _ in 0..<count {
        let numbers = BareFrames.Numbers(operation: next, dispatch: next + 1)
        frames.append(executeHead, numbers, executeTail)
        next += 1
      }
      frames.send(input.fileHandleForWriting.fileDescriptor)
    }

    /// How many operations it says have finished.
    func hear() -> Int {
      var finished = 0
      let isThere = reader.read(source) { body in
        // `executing` differs from `finished` in its first letter.
        if body[9] == UInt8(ascii: "f") { finished += 1 }
      }
      precondition(isThere, "it answers until its input ends")
      return finished
    }

    func end() {
      try? input.fileHandleForWriting.close()
      process.waitUntilExit()
    }
  }
}
