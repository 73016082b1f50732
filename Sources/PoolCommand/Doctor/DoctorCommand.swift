import OperationPool
import PoolModel
import PoolReports
import PoolSystem
import PoolWire

/// `opool doctor`: reports what the machine offers to a run.
enum DoctorCommand {
  /// The report, and whether commands can be executed.
  static func report(_ options: DoctorOptions) -> (text: [UInt8], isUsable: Bool) {
    let diagnosis = Diagnosis(of: MachineFacts(), programs)
    let text = options.printsJSON ? json(of: diagnosis) : lines(of: diagnosis)
    return (text, diagnosis.isUsable)
  }

  private static var programs: Diagnosis.Programs {
    var programs: Diagnosis.Programs = [:]
    let path = ProcessEnvironment.current.value(of: "PATH")
    var finder = ProgramFinder()
    for name in ["sh", "python3", "ssh", "srun"] {
      let place = try? finder.find(Array(name.utf8), path: path, directory: nil)
      programs[name] = place.map { Printable.text($0) }
    }
    programs["opool-worker"] = StandardWorker.path
    return programs
  }

  /// One row for each finding, in three columns.
  static func lines(of diagnosis: Diagnosis) -> [UInt8] {
    let findings = diagnosis.findings
    let column = 2 + (findings.map(\.name.count).max() ?? 0)
    var text = ""
    for finding in findings {
      let mark = finding.weight == .good ? " " : "!"
      let blanks = String(repeating: " ", count: column - finding.name.count)
      text += "\(mark) \(finding.name)\(blanks)\(finding.value)\n"
      text += String(repeating: " ", count: column + 2) + "\(finding.meaning)\n"
    }
    return Array(text.utf8)
  }

  /// One line: an object for each finding.
  static func json(of diagnosis: Diagnosis) -> [UInt8] {
    JSONReport.line("doctor") { writer in
      writer.key("version")
      writer.string(PackageVersion.text)
      writer.key("findings")
      writer.objects(diagnosis.findings) { writer, finding in
        for (name, value) in [
          ("name", finding.name), ("value", finding.value), ("meaning", finding.meaning),
          ("weight", finding.weight.rawValue),
        ] {
          writer.key(Array(name.utf8))
          writer.string(value)
        }
      }
    }
  }
}
