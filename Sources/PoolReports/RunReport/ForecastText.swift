package import PoolAnalysis
import PoolModel
import PoolWire

/// How long a workload takes with several numbers of slots.
package struct ForecastText {
  private let forecasts: [WidthForecast]

  package init(_ forecasts: [WidthForecast]) { self.forecasts = forecasts }

  /// A line for each number of slots.
  package var lines: [String] {
    var table = ColumnTable([.right, .right, .left])
    for forecast in forecasts {
      table.add(
        Plural.of(forecast.slots, "slot"),
        ReportWording.duration(forecast.elapsed),
        "bound by \(Self.words(forecast.bound))"
      )
    }
    return table.lines
  }

  private static func words(_ bound: WidthForecast.Bound) -> String {
    switch bound {
    case .slots: "slots"
    case .processors: "processors"
    case .limit(let name): Printable.text(name.words)
    case .dependencies: "the longest chain of operations"
    }
  }

  /// The same as lines of JSON.
  package var json: [UInt8] {
    forecasts.flatMap { forecast in
      JSONReport.line("forecast") { writer in
        writer.field("slots", forecast.slots)
        writer.field("elapsed", seconds: forecast.elapsed)
        switch forecast.bound {
        case .slots: writer.field("bound", "slots")
        case .processors: writer.field("bound", "processors")
        case .limit(let name):
          writer.field("bound", name.word)
          writer.key(name.word)
          writer.string(name.text)
        case .dependencies: writer.field("bound", "dependencies")
        }
      }
    }
  }
}
