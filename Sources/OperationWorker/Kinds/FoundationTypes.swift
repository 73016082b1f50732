package import PoolWire

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PayloadCoding {
  /// The types that Foundation's coders do not encode by their own `Codable` code, and their JSON
  /// forms.
  package static let foreignTypes = ForeignTypes(
    includes: { $0 == Data.self || $0 == URL.self || $0 == Decimal.self },
    form: { value in
      switch value {
      case let data as Data: .bytes(data.count) { body in data.withUnsafeBytes { body($0) } }
      case let url as URL: .text(url.absoluteString)
      default: (try? JSONEncoder().encode(value)).map { .json(Array($0)) }
      }
    },
    value: { type, source in
      switch type {
      case is Data.Type: source.bytes.map { Data($0) }
      case is URL.Type: source.string.flatMap { URL(string: $0) }
      default: try? JSONDecoder().decode(type, from: Data(source.json))
      }
    }
  )
}
