import PoolModel
import PoolWire

/// The first byte says how the rest is cut; whatever comes, each cut gives the same messages and the
/// same violation, and every message that is read can be written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 0 else { return 0 }
  let input = UnsafeRawBufferPointer(start: bytes + 1, count: count - 1)
  let whole = Reading(input, piece: max(input.count, 1))
  let cut = Reading(input, piece: Int(bytes[0]) % 16 + 1)
  precondition(whole == cut, "\(whole) when read at once, \(cut) when cut")
  for message in whole.messages { checkReturn(message) }
  return 0
}

/// What was read of a stream.
private struct Reading: Equatable {
  var messages: [WorkerMessage] = []
  var violation: Violation?

  init(_ input: UnsafeRawBufferPointer, piece: Int) {
    var decoder = FrameDecoder(preamble: .none, limit: 1 << 16)
    do throws(Violation) {
      var start = 0
      while start < input.count {
        let end = min(start + piece, input.count)
        decoder.append(UnsafeRawBufferPointer(rebasing: input[start..<end]))
        start = end
        while let message = try decoder.next({ body throws(Violation) in
          _ = try? CoordinatorMessage(body: body)
          return try WorkerMessage(body: body)
        }) {
          messages.append(message)
        }
      }
      try decoder.end()
    } catch {
      violation = error
    }
  }
}

private func checkReturn(_ message: WorkerMessage) {
  if case .unknown = message { return }
  var writer = JSONWriter()
  message.encode(into: &writer)
  writer.bytes.withUnsafeBytes { bytes in
    let body = UnsafeRawBufferPointer(rebasing: bytes[Frame.headerLength...])
    let again = try? WorkerMessage(body: body)
    precondition(again == message, "\(message) came back as \(String(describing: again))")
    let scanned = try? WorkerMessage(scanning: body)
    precondition(scanned == message, "\(message) is scanned as \(String(describing: scanned))")
  }
}
