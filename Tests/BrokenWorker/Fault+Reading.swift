import PoolWire

extension Fault {
  /// Whether the worker ends with 0 all the same.
  func forgives(_ error: any Error) -> Bool {
    switch (self, error as? Violation) {
    case (.forgivesLength, .oversized?), (.forgivesCut, .truncated?), (.forgivesText, .notJSON?),
      (.forgivesTypeless, .field?), (.forgivesLine, .noLineFeed?):
      true
    default: false
    }
  }

  /// Whether the worker cannot read what has come.
  func refuses(_ piece: ArraySlice<UInt8>) -> Bool {
    switch self {
    case .takesNull: piece.contains(#""attempt":null"#.utf8)
    case .demandsKnownFields: piece.contains(#""motto""#.utf8)
    case .refusesInputs: piece.contains(#""inputs":{"#.utf8)
    case .refusesEscapes: piece.contains(#"\u0"#.utf8)
    case .shallow: piece.contains(String(repeating: "[", count: 100).utf8)
    default: false
    }
  }
}
