import Foundation

/// A line of a file of results.
struct ResultRecord: Decodable {
  var id: String
  var name: String
  var group: String?
  var members: Int?
  var input: ByteText?
  var inputs: [ByteText]?
  var command: ByteText?
  var outcome: String
  var cause: String?
  var exit: Int32?
  var signal: Int32?
  var attempt: Int
  var worker: Int?
  var queued: Double?
  var started: Double?
  var finished: Double?
  var startedAt: Double?
  var finishedAt: Double?
  var stepsTaken: [TeardownStep]?
  var stdout: ByteText
  var stdoutBytes: Int
  var stderr: ByteText
  var stderrBytes: Int
  var result: JSONText?
  var errorType: String?
  var errorCode: Int?
  var message: String?
  var resumed: Bool

  /// A step that was taken to make it end.
  struct TeardownStep: Decodable {
    var step: String
    var at: Double
  }

  /// How it ended and why, such as `failed exit 3`, or `succeeded`.
  var ending: String {
    let code = cause == nil ? nil : (exit ?? signal).map { String($0) }
    return [outcome, cause, code].compactMap(\.self).joined(separator: " ")
  }
}

/// A string, or an object with the bytes of one that is not UTF-8.
struct ByteText: Decodable {
  var bytes: [UInt8]
  /// Whether it stood as a string.
  var isText: Bool
  /// Whether there was none.
  var isNull = false
  var text: String { String(decoding: bytes, as: UTF8.self) }

  private enum CodingKeys: CodingKey {
    case base64
  }

  init(from decoder: any Decoder) throws {
    if (try? decoder.singleValueContainer())?.decodeNil() == true {
      (bytes, isText, isNull) = ([], false, true)
    } else if let text = try? decoder.singleValueContainer().decode(String.self) {
      (bytes, isText) = (Array(text.utf8), true)
    } else {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      (bytes, isText) = (Array(try container.decode(Data.self, forKey: .base64)), false)
    }
  }
}

/// A number or a string, as text; empty for anything else.
struct JSONText: Decodable {
  var text: String

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      self.text = text
    } else {
      text = (try? container.decode(Int.self)).map { String($0) } ?? ""
    }
  }
}
