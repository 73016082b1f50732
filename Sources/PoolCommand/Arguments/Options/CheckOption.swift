import PoolConformance
import PoolInputs
import PoolWire

/// The options of `opool check-worker`.
enum CheckOption: CaseIterable {
  case kind
  case succeeds
  case fails
  case lasts
  case prints
  case cases
  case limit

  var row: OptionRow {
    switch self {
    case .kind:
      OptionRow(
        "--kind KIND",
        in: .checkWorker,
        "the kind of the operations, if not the first that the worker names"
      )
    case .succeeds:
      OptionRow(
        "--succeeds JSON",
        in: .checkWorker,
        "an operation that succeeds at once, by this payload; KIND:JSON if it is of another kind"
      )
    case .fails:
      OptionRow("--fails JSON", in: .checkWorker, "an operation that fails at once")
    case .lasts:
      OptionRow(
        "--lasts JSON",
        in: .checkWorker,
        "an operation that executes until it is cancelled, or much longer than --within"
      )
    case .prints:
      OptionRow(
        "--prints JSON",
        in: .checkWorker,
        "an operation that prints something, and succeeds"
      )
    case .cases:
      OptionRow(
        "--cases DIR",
        in: .checkWorker,
        "the cases in this folder, and hello; else those of Protocol/conformance, which opool contains"
      )
    case .limit:
      OptionRow("--within TIME", in: .checkWorker, "how long each step of a case may take (5)")
    }
  }
}

extension CheckWorkerOptions {
  /// Stores the value of an option.
  mutating func set(_ option: CheckOption, to value: OptionValue) throws(UsageError) {
    switch option {
    case .kind: kind = String(decoding: value.bytes, as: UTF8.self)
    case .succeeds: works[.succeeds] = try value.work()
    case .fails: works[.fails] = try value.work()
    case .lasts: works[.lasts] = try value.work()
    case .prints: works[.prints] = try value.work()
    case .cases: folder = try value.folder()
    case .limit: limit = try value.nanoseconds()
    }
  }
}

extension OptionValue {
  /// Any JSON, behind a kind and a colon if it is not of the usual kind.
  fileprivate func work() throws(UsageError) -> Placeholders.Work {
    do throws(JSONError) {
      return Placeholders.Work(payload: try JSONNode(bytes))
    } catch {
      if let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
        let payload = try? JSONNode(bytes[(colon + 1)...])
      {
        let kind = String(decoding: bytes[..<colon], as: UTF8.self)
        return Placeholders.Work(kind: kind, payload: payload)
      }
      throw failure("\(option.spelling) needs JSON: \(error)", hint: #"a text is '"abc"'"#)
    }
  }
}
