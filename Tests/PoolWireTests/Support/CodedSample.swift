import Foundation
import PoolTestSupport

/// A value of most forms that users' types have.
struct CodedSample: Codable, Equatable {
  enum Shade: String, Codable, CaseIterable { case light, dark }

  enum Choice: Codable, Equatable {
    case nothing
    case number(Int)
    case named(name: String, weight: Double?)
  }

  struct Point: Codable, Equatable {
    var x: Float
    var y: Double
  }

  var name: String
  var isOn: Bool
  var small: Int8
  var large: UInt64
  var count: Int?
  var ratio: Double
  var shade: Shade
  var choices: [Choice]
  var point: Point?
  var table: [String: [Int]]
  var numbers: [Int: String]
  var gaps: [Double?]
  var identifier: UUID
  var date: Date
  var inner: [CodedSample]

  static func random(
    depth: Int = 2,
    using generator: inout SeededGenerator
  ) -> CodedSample {
    let inner = depth == 0 ? 0 : Int.random(in: 0...2, using: &generator)
    return CodedSample(
      name: text(using: &generator),
      isOn: .random(using: &generator),
      small: .random(in: .min ... .max, using: &generator),
      large: .random(in: .min ... .max, using: &generator),
      count: .random(using: &generator) ? .random(in: .min ... .max, using: &generator) : nil,
      ratio: number(using: &generator),
      shade: .random(using: &generator) ? .light : .dark,
      choices: list(4, using: &generator, choice),
      point: .random(using: &generator)
        ? Point(x: .random(in: -9...9, using: &generator), y: number(using: &generator)) : nil,
      table: dictionary(using: &generator),
      numbers: [Int.random(in: -9...9, using: &generator): text(using: &generator)],
      gaps: list(4, using: &generator) { generator in
        .random(using: &generator) ? number(using: &generator) : nil
      },
      identifier: UUID(),
      date: Date(timeIntervalSinceReferenceDate: number(using: &generator)),
      inner: (0..<inner).map { _ in random(depth: depth - 1, using: &generator) }
    )
  }

  private static func choice(using generator: inout SeededGenerator) -> Choice {
    switch Int.random(in: 0...2, using: &generator) {
    case 0: .nothing
    case 1: .number(.random(in: .min ... .max, using: &generator))
    default:
      .named(
        name: text(using: &generator),
        weight: .random(using: &generator) ? number(using: &generator) : nil
      )
    }
  }

  /// Some have more keys than are compared one by one.
  private static func dictionary(using generator: inout SeededGenerator) -> [String: [Int]] {
    let count = Int.random(in: 0...40, using: &generator)
    return Dictionary(
      uniqueKeysWithValues: (0..<count).map { key in
        ("key \(key)", list(3, using: &generator) { .random(in: -99...99, using: &$0) })
      }
    )
  }

  private static func list<Element>(
    _ limit: Int,
    using generator: inout SeededGenerator,
    _ element: (inout SeededGenerator) -> Element
  ) -> [Element] {
    (0..<Int.random(in: 0...limit, using: &generator)).map { _ in element(&generator) }
  }

  private static func number(using generator: inout SeededGenerator) -> Double {
    switch Int.random(in: 0...3, using: &generator) {
    case 0: Double(Int.random(in: -99...99, using: &generator))
    case 1: .random(in: -1...1, using: &generator)
    default:
      .random(in: 1...2, using: &generator)
        * Double(sign: .plus, exponent: .random(in: -200...200, using: &generator), significand: 1)
    }
  }

  static func text(using generator: inout SeededGenerator) -> String {
    let characters: [Character] = ["a", "Z", "/", "\"", "\\", "\n", "\u{1}", "é", "漢", "😀", " "]
    let count = Int.random(in: 0...6, using: &generator)
    return String((0..<count).compactMap { _ in characters.randomElement(using: &generator) })
  }
}
