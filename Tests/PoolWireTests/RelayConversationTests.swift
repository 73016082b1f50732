import PoolModel
import PoolTestSupport
import PoolWire
import Testing

/// Contract: each worker's bytes come out as they went in, no stream holds up another, and what is
/// damaged on the way, or more than was granted, is noticed.
@Suite("The stream between a coordinator and a relay")
struct RelayConversationTests {
  private typealias Key = RelayConversation.Key

  /// A frame that came, and its channel.
  private struct Arrival: Hashable {
    var channel: UInt16
    var frame: RelayFrame
  }

  /// Two sides that have greeted, and the bytes on the way between them.
  private struct Link {
    var near = RelayConversation(.coordinator)
    var far = RelayConversation(.relay)

    /// All that a side has to send, in writes of at most so many bytes.
    static func bytes(
      of side: inout RelayConversation,
      atMost limit: Int = .max,
      total: Int = .max
    ) -> [UInt8] {
      var all: [UInt8] = []
      side.write { bytes in
        let count = min(bytes.count, limit, total - all.count)
        guard count > 0 else { return nil }
        all += bytes.prefix(count)
        return count
      }
      return all
    }

    static func take(
      _ bytes: [UInt8],
      _ side: inout RelayConversation
    ) throws -> [Arrival] {
      var arrivals: [Arrival] = []
      try bytes.withUnsafeBytes {
        try side.receive($0) { arrivals.append(Arrival(channel: $0, frame: $1)) }
      }
      return arrivals
    }
  }

  private static let framesToRelay: [RelayFrame] = [
    .open, .data(.input, [0]), .data(.input, Array(repeating: 7, count: RelayFrame.dataLimit)),
    .end(.input), .signal(15),
  ]
  private static let framesOfRelay: [RelayFrame] = [
    .data(.output, Array("a\n".utf8)), .end(.error), .signal(-1), .exit(.exited(75)),
    .data(.error, Array(repeating: 7, count: RelayFrame.dataLimit)), .exit(.signaled(9)),
    .exit(.exited(-1)),
  ]

  @Test("Each frame comes out as it went in, whatever the pieces, and blocks end in line feeds")
  func roundTrip() throws {
    for seed in RandomSeeds.first(100) {
      var generator = SeededGenerator(seed: seed)
      let isToRelay = Bool.random(using: &generator)
      let frames = isToRelay ? Self.framesToRelay : Self.framesOfRelay
      var sender = RelayConversation(isToRelay ? .coordinator : .relay)
      var receiver = RelayConversation(isToRelay ? .relay : .coordinator)
      var (sent, urgent) = ([Arrival](), [Arrival]())
      for _ in 0..<Int.random(in: 1...20, using: &generator) {
        let frame = frames.randomElement(using: &generator) ?? .open
        let arrival = Arrival(channel: .random(in: 0 ... .max, using: &generator), frame: frame)
        if case .signal = frame { urgent.append(arrival) } else { sent.append(arrival) }
        sender.send(frame, on: arrival.channel)
      }
      let limit = Int.random(in: 1...90_000, using: &generator)
      let bytes = Link.bytes(of: &sender, atMost: limit)
      #expect(bytes.last == UInt8(ascii: "\n"), "seed \(seed)")
      var (rest, arrived) = (bytes[...], [Arrival]())
      while !rest.isEmpty {
        let count = Int.random(in: 1...90_000, using: &generator)
        arrived += try Link.take(Array(rest.prefix(count)), &receiver)
        rest = rest.dropFirst(count)
      }
      #expect(arrived == urgent + sent, "seed \(seed)")
      #expect(!sender.hasPending)
    }
  }

  @Test("What only the other side may send is a violation")
  func sides() throws {
    for (frames, side, other) in [
      (Self.framesToRelay, RelayConversation.Side.coordinator, RelayConversation.Side.relay),
      (Self.framesOfRelay, .relay, .coordinator),
    ] {
      for frame in frames {
        var (sender, same, receiver) = (
          RelayConversation(side), RelayConversation(side), RelayConversation(other)
        )
        sender.send(frame, on: 1)
        let bytes = Link.bytes(of: &sender)
        #expect(try Link.take(bytes, &receiver) == [Arrival(channel: 1, frame: frame)])
        if case .signal = frame { continue }
        #expect(throws: Violation.self, "\(frame)") { try Link.take(bytes, &same) }
      }
    }
  }

  @Test("A signal does not overtake the start of its own worker")
  func start() throws {
    var link = Link()
    for _ in 0..<10 { link.near.send(.data(.input, Array(repeating: 5, count: 30_000)), on: 1) }
    link.near.send(.open, on: 2)
    link.near.send(.signal(9), on: 2)
    link.near.send(.signal(9), on: 1)
    let arrived = try Link.take(Link.bytes(of: &link.near), &link.far)
    #expect(arrived.first == Arrival(channel: 1, frame: .signal(9)))
    #expect(arrived.suffix(2).map(\.frame) == [.open, .signal(9)])
    link.near.send(.data(.input, [1]), on: 2)
    link.near.send(.signal(15), on: 2)
    let later = try Link.take(Link.bytes(of: &link.near), &link.far)
    #expect(later.first?.frame == .signal(15))
  }

  @Test("The bytes of a frame are those of the protocol's text")
  func layout() {
    var bytes: [UInt8] = []
    RelayFrame.data(.input, Array("hello".utf8)).encode(on: 1, into: &bytes)
    #expect(bytes == [0, 0, 0, 9, 0, 1, 0x30] + Array("hello\n".utf8))
    bytes = []
    RelayFrame.exit(.signaled(9)).encode(on: 258, into: &bytes)
    #expect(bytes == [0, 0, 0, 9, 1, 2, UInt8(ascii: "X"), 1, 0, 0, 0, 9, 10])
    bytes = []
    RelayFrame.grant(.error, 262_144).encode(on: 3, into: &bytes)
    #expect(bytes == [0, 0, 0, 9, 0, 3, UInt8(ascii: "G"), 2, 0, 4, 0, 0, 10])
  }

  @Test("A stream that nobody takes stops at its window; what is passed on is granted again")
  func window() throws {
    var link = Link()
    let (key, other) = (Key(4, .output), Key(5, .output))
    var sent = 0
    func sendAll() {
      while link.far.room(for: key) > 0 {
        let count = min(link.far.room(for: key), 30_000)
        link.far.send(.data(.output, Array(repeating: 1, count: count)), on: 4)
        sent += count
      }
    }
    sendAll()
    #expect(sent == RelayConversation.window)
    #expect(link.far.room(for: other) == RelayFrame.dataLimit)
    #expect(link.far.isBacklogged)
    _ = try Link.take(Link.bytes(of: &link.far), &link.near)
    #expect(!link.far.isBacklogged)

    link.near.note(passed: RelayConversation.window / 4 - 1, of: key)
    #expect(!link.near.hasPending)
    link.near.note(passed: 1, of: key)
    let none = try Link.take(Link.bytes(of: &link.near), &link.far)
    #expect(none.isEmpty)
    sent = 0
    sendAll()
    #expect(sent == RelayConversation.window / 4)
    _ = try Link.take(Link.bytes(of: &link.far), &link.near)
  }

  @Test("More bytes than were granted are a violation, also where a channel's number is used again")
  func excess() throws {
    var link = Link()
    func send(_ count: Int) {
      for _ in 0..<count {
        link.far.send(.data(.output, Array(repeating: 1, count: RelayFrame.dataLimit)), on: 9)
      }
    }
    let full = RelayConversation.window / RelayFrame.dataLimit
    send(full)
    _ = try Link.take(Link.bytes(of: &link.far), &link.near)
    link.near.forget(9)
    send(full)
    _ = try Link.take(Link.bytes(of: &link.far), &link.near)
    link.far.send(.data(.output, [1]), on: 9)
    let rest = Link.bytes(of: &link.far)
    #expect(throws: Violation.unexpected("more bytes than were granted")) {
      try Link.take(rest, &link.near)
    }
  }

  @Test("A grant of any size makes no room larger than the window")
  func grants() throws {
    var link = Link()
    link.far.send(.data(.output, [1, 2, 3]), on: 1)
    for _ in 0..<3 { link.near.send(.grant(.output, .max), on: 1) }
    _ = try Link.take(Link.bytes(of: &link.near), &link.far)
    var sent = 0
    while link.far.room(for: Key(1, .output)) > 0 {
      let count = link.far.room(for: Key(1, .output))
      link.far.send(.data(.output, Array(repeating: 1, count: count)), on: 1)
      sent += count
    }
    #expect(sent == RelayConversation.window)
  }

  @Test("A signal passes what waits, but not within a frame")
  func urgent() throws {
    var link = Link()
    let piece = RelayFrame.data(.input, Array(repeating: 5, count: 30_000))
    for _ in 0..<10 { link.near.send(piece, on: 1) }
    let first = Link.bytes(of: &link.near, total: 1_000)
    link.near.send(.signal(9), on: 2)
    let rest = Link.bytes(of: &link.near)
    let arrived = try Link.take(first + rest, &link.far)
    #expect(arrived.firstIndex { $0.frame == .signal(9) } == 2)
    #expect(arrived.filter { $0.frame == piece }.count == 10)
  }

  @Test("Each changed, missing or added byte is noticed before anything behind it is used")
  func damage() throws {
    var link = Link()
    for frame in [RelayFrame.open, .data(.input, [1, 2]), .end(.input)] {
      link.near.send(frame, on: 7)
    }
    let bytes = Link.bytes(of: &link.near)
    for place in bytes.indices {
      for change in 0..<3 {
        var damaged = bytes
        switch change {
        case 0: damaged[place] ^= 0x10
        case 1: damaged.remove(at: place)
        default: damaged.insert(bytes[place] ^ 1, at: place)
        }
        var far = RelayConversation(.relay)
        let arrived = try? Link.take(damaged, &far)
        #expect(arrived?.isEmpty != false, "byte \(place), change \(change)")
      }
    }
  }

  @Test("What is no frame is a violation")
  func nonsense() {
    let bodies: [[UInt8]] = [
      [0, 0, 0, 4, 0, 1, UInt8(ascii: "O"), 7], [0, 0, 0, 4, 0, 1, UInt8(ascii: "Z"), 10],
      [0, 0, 0, 3, 0, 1, 10], [0xff, 0, 0, 4, 0, 1, 0x4f, 10],
      [0, 0, 0, 5, 0, 1, UInt8(ascii: "E"), 3, 10], [0, 0, 0, 4, 0, 1, UInt8(ascii: "0"), 10],
      [0, 0, 0, 9, 0, 1, UInt8(ascii: "S"), 0, 0, 0, 0, 0, 10],
    ]
    for body in bodies {
      var (sealer, blocks) = (SealedStream.Sealer(), [UInt8]())
      _ = body.withUnsafeBytes { sealer.seal($0, into: &blocks) }
      var far = RelayConversation(.relay)
      #expect(throws: Violation.self, "\(body)") { try Link.take(blocks, &far) }
    }
  }

  @Test("Nothing is sent before the relay has greeted, and only a relay's greeting will do")
  func greeting() throws {
    func greeting(isRelay: Bool) -> [UInt8] {
      var writer = JSONWriter()
      WorkerMessage.hello(Hello(pid: 7, kinds: [], slots: 12, isRelay: isRelay))
        .encode(into: &writer)
      return Array("a banner\n".utf8) + Frame.magic + writer.bytes
    }
    var near = RelayConversation(.coordinator, expectsGreeting: true)
    near.send(.open, on: 1)
    #expect(!near.hasPending)
    let bytes = greeting(isRelay: true)
    _ = try Link.take(Array(bytes.dropLast(3)), &near)
    #expect(near.hello == nil)
    _ = try Link.take(bytes.suffix(3), &near)
    #expect(near.hello?.slots == 12)
    #expect(near.hasPending)

    var other = RelayConversation(.coordinator, expectsGreeting: true)
    #expect(throws: Violation.self) { try Link.take(greeting(isRelay: false), &other) }
  }
}
