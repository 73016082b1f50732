/// A message whose payload is sent beside it, as a packed value without parts.
struct PackedMessage {
  /// What announces the attachment.
  let header: [UInt8]
  let attachment: [UInt8]
  /// The message that names the attachment.
  let message: JSONNode

  init(_ whole: JSONNode) {
    let text = (whole["payload"] ?? .null).json
    let (layout, partCount): ([UInt8], [UInt8]) = ([0, 1, 0, 0], [0, 0, 0, 0])
    let count = withUnsafeBytes(of: UInt64(text.count).littleEndian) { Array($0) }
    attachment = layout + partCount + count + text
    header = withUnsafeBytes(of: (UInt32(attachment.count) | 1 << 31).bigEndian) { Array($0) }
    var members: [JSONNode.Member] = []
    if case .object(let all) = whole { members = all.filter { $0.name != "payload" } }
    message = .object(members + [.init("packed", .bool(true))])
  }
}
