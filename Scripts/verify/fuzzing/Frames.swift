import PoolModel
import PoolWire

/// What a peer sends, to either side.
///
/// The first byte says how the rest is cut, and whether the magic line is awaited. However it is
/// cut, it gives the same messages and the same violation; the short way to read a message agrees
/// with the long one; and what was read can be written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 0 else { return 0 }
  let input = UnsafeRawBufferPointer(start: bytes + 1, count: count - 1)
  let preamble: FrameDecoder.Preamble = bytes[0] < 128 ? .none : .magic
  let whole = Reading(input, preamble, piece: max(input.count, 1))
  let cut = Reading(input, preamble, piece: Int(bytes[0]) % 16 + 1)
  precondition(whole == cut, "\(whole) when read at once, \(cut) when cut")
  for body in whole.bodies {
    body.withUnsafeBytes { body in
      checkWorkerMessage(body)
      checkCoordinatorMessage(body)
    }
  }
  if preamble == .none { checkCoordinatorStream(input, whole.bodies) }
  return 0
}

/// What was read of a stream.
private struct Reading: Equatable {
  var bodies: [[UInt8]] = []
  var noise: [UInt8] = []
  var violation: Violation?

  init(_ input: UnsafeRawBufferPointer, _ preamble: FrameDecoder.Preamble, piece: Int) {
    var decoder = FrameDecoder(preamble: preamble, limit: 1 << 16)
    do throws(Violation) {
      var start = 0
      while start < input.count {
        let end = min(start + piece, input.count)
        decoder.append(UnsafeRawBufferPointer(rebasing: input[start..<end]))
        start = end
        while let body = try decoder.next({ body throws(Violation) in Array(body) }) {
          bodies.append(body)
        }
      }
      try decoder.end()
    } catch .otherGreeting {
      // How much is shown, here and in the next case, depends on how much has come.
      violation = .otherGreeting([])
    } catch .frameBeforeMagic {
      violation = .frameBeforeMagic([])
    } catch {
      violation = error
    }
    noise = decoder.noise
  }
}

private func checkWorkerMessage(_ body: UnsafeRawBufferPointer) {
  let message = try? WorkerMessage(scanning: body)
  if let short = WorkerMessage(canonical: body) {
    precondition(short == message, "\(short) for short, and \(String(describing: message))")
  }
  guard let message, !isUnknown(message) else { return }
  withBody(message.encode) { body in
    let again = try? WorkerMessage(scanning: body)
    precondition(again == message, "\(message) came back as \(String(describing: again))")
  }
}

private func checkCoordinatorMessage(_ body: UnsafeRawBufferPointer) {
  let message = try? CoordinatorMessage(scanning: body)
  if let short = CoordinatorMessage(canonical: body) {
    precondition(short == message, "\(short) for short, and \(String(describing: message))")
  }
  guard let message, !isUnknown(message) else { return }
  withBody(message.encode) { body in
    let again = try? CoordinatorMessage(scanning: body)
    precondition(again == message, "\(message) came back as \(String(describing: again))")
  }
}

/// Messages that are taken together are those that are taken alone, up to the first that is none;
/// an `execute` whose flaw leaves its operation known is taken, to be answered as failed.
private func checkCoordinatorStream(_ input: UnsafeRawBufferPointer, _ bodies: [[UInt8]]) {
  var decoder = FrameDecoder(preamble: .none, limit: 1 << 16)
  decoder.append(input)
  var messages: [CoordinatorMessage] = []
  var isOver = false
  while !isOver {
    var operations: [Execute] = []
    let message = try? decoder.nextCoordinatorMessage(after: &operations)
    messages += operations.map { .execute($0) }
    if let message { messages.append(message) } else { isOver = true }
  }
  var expected: [CoordinatorMessage] = []
  for body in bodies {
    let message = body.withUnsafeBytes { try? CoordinatorMessage(answerable: $0) }
    guard let message else { break }
    expected.append(message)
  }
  precondition(messages == expected, "\(messages) when taken together, not \(expected)")
}

/// What this version does not know, it does not write.
private func isUnknown(_ message: WorkerMessage) -> Bool {
  if case .unknown = message { true } else { false }
}

private func isUnknown(_ message: CoordinatorMessage) -> Bool {
  if case .unknown = message { true } else { false }
}

private func withBody(
  _ encode: (inout JSONWriter) -> Void,
  _ body: (UnsafeRawBufferPointer) -> Void
) {
  var writer = JSONWriter()
  encode(&writer)
  writer.bytes.withUnsafeBytes { frame in
    body(UnsafeRawBufferPointer(rebasing: frame[Frame.headerLength...]))
  }
}
