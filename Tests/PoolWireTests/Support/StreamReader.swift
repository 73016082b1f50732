import PoolWire

/// Feeds a decoder and collects the bodies that it gives.
struct StreamReader {
  private var decoder: FrameDecoder
  private(set) var bodies: [[UInt8]] = []

  init(preamble: FrameDecoder.Preamble, limit: Int = Frame.defaultLimit) {
    decoder = FrameDecoder(preamble: preamble, limit: limit)
  }

  var noise: [UInt8] { decoder.noise }

  mutating func feed(_ bytes: ArraySlice<UInt8>) throws(Violation) {
    bytes.withUnsafeBytes { decoder.append($0) }
    while let body = try decoder.next({ body throws(Violation) in Array(body) }) {
      bodies.append(body)
    }
  }

  func end() throws(Violation) { try decoder.end() }
}
