import Foundation
import OperationWorker

/// The coders of values alone: ours beside Foundation's, and for a profiler.
enum Coders {
  /// Text in several scripts.
  private struct Note: Codable {
    var author = "Jürgen Größer"
    var place = "Москва и окрестности"
    var lines = ["日本語のテキストをここに書きます", "naïve façade — über", "Ελληνικά γράμματα", "ASCII"]
  }

  /// Output of a program that colours it: a sixth of the bytes are control characters.
  private static let coloured = String(repeating: "\u{1B}[31mred\u{1B}[0m ", count: 100)

  /// Prints the microseconds of one value, by our coder and by Foundation's.
  ///
  /// Each operation of a type encodes two and decodes two, half of it in workers.
  static func compare(count: Int) throws {
    let values = (0..<count).map(Typed.reading)
    var texts: [[UInt8]] = []
    try time("encode", count) { texts = try values.map { try PayloadCoding.encode($0) } }
    try time("decode", count) {
      for text in texts { _ = try PayloadCoding.decode(Typed.Reading.self, from: text) }
    }
    try time("foundation.encode", count) {
      for value in values { _ = try JSONEncoder().encode(value) }
    }
    try time("foundation.decode", count) {
      for text in texts { _ = try JSONDecoder().decode(Typed.Reading.self, from: Data(text)) }
    }
    let note = try PayloadCoding.encode(Note())
    try time("decode.text", count) {
      for _ in 0..<count { _ = try PayloadCoding.decode(Note.self, from: note) }
    }
    try time("foundation.decode.text", count) {
      for _ in 0..<count { _ = try JSONDecoder().decode(Note.self, from: Data(note)) }
    }
  }

  private static func time(_ name: String, _ count: Int, _ body: () throws -> Void) throws {
    Figures.say(name, try Figures.seconds(body) / Double(count) * 1e6)
  }

  /// Codes the same value again and again, in one way: `encode`, `decode`, `text`, `escape` or
  /// `unescape`.
  static func profile(_ way: String, count: Int) throws {
    let reading = Typed.reading(7)
    let json = try PayloadCoding.encode(reading)
    let (note, escaped) = (try PayloadCoding.encode(Note()), try PayloadCoding.encode(coloured))
    for _ in 0..<count {
      switch way {
      case "encode": _ = try PayloadCoding.encode(reading)
      case "decode": _ = try PayloadCoding.decode(Typed.Reading.self, from: json)
      case "text": _ = try PayloadCoding.decode(Note.self, from: note)
      case "escape": _ = try PayloadCoding.encode(coloured)
      default: _ = try PayloadCoding.decode(String.self, from: escaped)
      }
    }
  }
}
