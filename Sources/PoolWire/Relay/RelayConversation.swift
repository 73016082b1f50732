import PoolModel

/// One side of the stream between a coordinator and a relay: what waits to be sent, and how much of
/// each worker's streams may be.
///
/// All of it is in blocks with checksums; see ``SealedStream``. What a worker says waits behind no
/// more than ``backlogLimit`` bytes of others, and signals behind none of them.
package struct RelayConversation: Sendable {
  /// Which side this is.
  package enum Side: Sendable {
    case coordinator
    case relay
  }

  /// A stream of one channel.
  package struct Key: Hashable, Sendable {
    package let channel: UInt16
    package let stream: RelayStream

    package init(_ channel: UInt16, _ stream: RelayStream) {
      (self.channel, self.stream) = (channel, stream)
    }
  }

  /// How many bytes of a stream may be sent before more are granted: 1 MiB.
  package static let window = 1 << 20
  /// From so many bytes on that wait to be sent, no stream is read: 256 KiB.
  static let backlogLimit = 256 << 10

  private let side: Side
  /// Not nil until the relay has greeted; before that, nothing is sent.
  private var greeting: FrameDecoder?
  /// What the relay has said of itself.
  package private(set) var hello: Hello?
  private var opener = SealedStream.Opener()
  private var decoder = RelayFrameDecoder()
  private var sealer = SealedStream.Sealer()
  /// Frames that go before all data.
  private var urgent: [UInt8] = []
  private var data: [UInt8] = []
  /// Number of bytes of `data` that are in blocks.
  private var taken = 0
  /// Number of bytes that were ever put into `data`, and of those that were in blocks.
  private var counts = (put: 0, taken: 0)
  /// Where in these the latest start of each channel's worker ends, if that is not in a block yet.
  private var starts: [UInt16: Int] = [:]
  private var block: [UInt8] = []
  private var written = 0
  /// How much of each stream may be sent.
  private var rooms: [Key: Int] = [:]
  /// How much of each stream has come, and was not granted again.
  private var owed: [Key: Int] = [:]
  /// How much of that has been passed on.
  private var passed: [Key: Int] = [:]

  /// On the coordinator's side, the relay's greeting may be still to come.
  package init(_ side: Side, expectsGreeting: Bool = false) {
    self.side = side
    greeting = expectsGreeting ? FrameDecoder(preamble: .magic) : nil
  }
}

// MARK: - Sending

extension RelayConversation {
  /// Adds a frame; data only as much as ``room(for:)`` allows.
  package mutating func send(_ frame: RelayFrame, on channel: UInt16) {
    switch frame {
    case .data(let stream, let bytes):
      rooms[Key(channel, stream), default: Self.window] -= bytes.count
      put(frame, on: channel)
    case .open:
      put(frame, on: channel)
      starts[channel] = counts.put
    // They must not overtake what came before, also of an earlier worker with the same number.
    case .end, .exit: put(frame, on: channel)
    // Nor must a signal overtake the start of its worker.
    case .signal where starts[channel].map { $0 > counts.taken } == true: put(frame, on: channel)
    case .signal, .grant: frame.encode(on: channel, into: &urgent)
    }
  }

  private mutating func put(_ frame: RelayFrame, on channel: UInt16) {
    let before = data.count
    frame.encode(on: channel, into: &data)
    counts.put += data.count - before
  }

  /// How many bytes of a stream may be sent now.
  package func room(for key: Key) -> Int {
    min(rooms[key] ?? Self.window, RelayFrame.dataLimit)
  }

  /// Number of bytes that were ever put behind others to be sent.
  package var queuedCount: Int { counts.put }

  /// Whether so much waits that no stream is to be read.
  package var isBacklogged: Bool { data.count - taken > Self.backlogLimit }

  /// Whether something waits to be sent, and may be.
  package var hasPending: Bool {
    greeting == nil && (written < block.count || !urgent.isEmpty || taken < data.count)
  }

  /// Lets the closure write pending bytes, until none are pending or it returns nil.
  ///
  /// It returns how many it has written, or nil if none can be now.
  package mutating func write(_ body: (UnsafeRawBufferPointer) -> Int?) {
    while hasPending {
      if written == block.count { fillBlock() }
      let rest = block[written...].withUnsafeBytes { body($0) }
      guard let rest else { return }
      written += rest
    }
  }

  /// Puts whole frames into a block, so that it ends with a line feed.
  private mutating func fillBlock() {
    block.removeAll(keepingCapacity: true)
    written = 0
    let isUrgent = !urgent.isEmpty
    let source = isUrgent ? urgent[...] : data[taken...]
    let count = Self.countOfWholeFrames(in: source)
    _ = source.prefix(count).withUnsafeBytes { sealer.seal($0, into: &block) }
    guard !isUrgent else { return urgent.removeFirst(count) }
    taken += count
    counts.taken += count
    if taken == data.count {
      data.removeAll(keepingCapacity: data.capacity <= Self.backlogLimit * 2)
      taken = 0
    } else if taken > Self.backlogLimit {
      data.removeFirst(taken)
      taken = 0
    }
  }

  /// The number of bytes of the first frames that fit into a block: at least one does.
  private static func countOfWholeFrames(in frames: ArraySlice<UInt8>) -> Int {
    var end = frames.startIndex
    while end < frames.endIndex {
      let count = 4 + frames[end..<end + 4].reduce(0) { $0 << 8 | Int($1) }
      guard end + count - frames.startIndex <= SealedStream.blockLimit else { break }
      end += count
    }
    return end - frames.startIndex
  }
}

// MARK: - Receiving

extension RelayConversation {
  /// Takes a piece of what the other side sends, and passes on its frames, apart from those that
  /// concern the sending alone; throws what the other side may not send.
  package mutating func receive(
    _ bytes: UnsafeRawBufferPointer,
    _ body: (UInt16, RelayFrame) -> Void
  ) throws(Violation) {
    guard greeting == nil else { return try receiveGreeting(bytes) }
    var contents: [UInt8] = []
    try opener.open(bytes) { contents.append(contentsOf: $0) }
    var frames: [(UInt16, RelayFrame)] = []
    let split = contents.withUnsafeBytes { bytes in
      Result { () throws(Violation) in try decoder.take(bytes) { frames.append(($0, $1)) } }
    }
    for (channel, frame) in frames where try isForReceiver(frame, on: channel) {
      body(channel, frame)
    }
    try split.get()
  }

  private mutating func receiveGreeting(_ bytes: UnsafeRawBufferPointer) throws(Violation) {
    greeting?.append(bytes)
    var first: WorkerMessage?
    try greeting?.takeWorkerMessages { first = first ?? $0 }
    guard let first else { return }
    guard case .hello(let hello) = first, hello.isRelay else {
      throw .unexpected("the greeting of what is no relay")
    }
    self.hello = hello
    greeting = nil
  }

  /// Counts what a frame takes of a window, or gives; returns whether it is to be passed on.
  private mutating func isForReceiver(_ frame: RelayFrame, on channel: UInt16) throws(Violation)
    -> Bool
  {
    guard mayCome(frame) else { throw .unexpected("a relay's frame of the wrong side") }
    switch frame {
    case .grant(let stream, let count):
      // More than the window is never of use, nor does it overflow.
      let room = (rooms[Key(channel, stream)] ?? Self.window) + Int(count)
      rooms[Key(channel, stream)] = min(room, Self.window)
      return false
    case .data(let stream, let bytes):
      let sum = owed[Key(channel, stream), default: 0] + bytes.count
      guard sum <= Self.window else { throw .unexpected("more bytes than were granted") }
      owed[Key(channel, stream)] = sum
      return true
    case .open, .signal, .end, .exit: return true
    }
  }

  /// Whether the other side may send such a frame.
  private func mayCome(_ frame: RelayFrame) -> Bool {
    let isRelays = side == .coordinator
    return switch frame {
    case .open: !isRelays
    case .exit: isRelays
    case .signal: true
    case .data(let stream, _), .end(let stream): (stream == .input) != isRelays
    case .grant(let stream, _): (stream == .input) == isRelays
    }
  }

  /// So many bytes of a stream that came have been passed on, or dropped.
  package mutating func note(passed count: Int, of key: Key) {
    let sum = passed[key, default: 0] + count
    guard sum >= Self.window / 4 else {
      passed[key] = sum
      return
    }
    passed[key] = 0
    owed[key, default: 0] -= sum
    send(.grant(key.stream, UInt32(sum)), on: key.channel)
  }

  /// A channel is used no more: another worker may use its number.
  package mutating func forget(_ channel: UInt16) {
    for stream in RelayStream.allCases {
      let key = Key(channel, stream)
      (rooms[key], owed[key], passed[key]) = (nil, nil, nil)
    }
    starts[channel] = nil
  }
}
