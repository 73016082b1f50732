import PoolAnalysis
import PoolInputs
import PoolModel
import PoolReports
import PoolText

/// Finds the operations and groups that are to be cancelled, by their identifiers.
struct TargetSearch {
  /// The most names in a complaint, and the most that a similar one is looked for among.
  private static let namedLimit = 10
  private static let nearLimit = 10_000
  /// The most identifiers for which a similar one is looked for.
  private static let hintLimit = 3

  /// Those that were found, in the order in which they were named.
  private(set) var targets: [RunSteering.Target] = []
  /// What is wrong with the others.
  private var faults: [String] = []

  /// Looks through the workload once.
  init(_ ids: [[UInt8]], in workload: any Workload, _ recorder: RunRecorder) {
    var targets: [[UInt8]: RunSteering.Target] = [:]
    let wanted = Set(ids)
    let count = workload.count
    for number in 0..<count where recorder.knows(number) {
      let id = workload.id(of: number)
      guard wanted.contains(id) else { continue }
      targets[id] = RunSteering.Target(id: id, isGroup: false, numbers: [number])
    }
    let groups = (0..<workload.groupCount).filter { wanted.contains(workload.groupName($0)) }
    if !groups.isEmpty {
      var members: [Int: [Int]] = [:]
      for number in 0..<count where recorder.knows(number) {
        if let group = workload.group(of: number) { members[group, default: []].append(number) }
      }
      for group in groups {
        let id = workload.groupName(group)
        let numbers = members[group] ?? []
        targets[id] = targets[id] ?? RunSteering.Target(id: id, isGroup: true, numbers: numbers)
      }
    }
    var named: Set<[UInt8]> = []
    for id in ids where named.insert(id).inserted {
      guard let target = targets[id] else {
        let near = faults.count < Self.hintLimit ? Self.near(id, in: workload) : nil
        let hint = near.map { "; did you mean '\(Printable.name($0))'?" } ?? ""
        faults.append("no operation is called '\(Printable.name(id))'\(hint)")
        continue
      }
      let endings = recorder.endings(of: target.numbers)
      if endings.allSatisfy({ $0 != nil }) {
        let ending = target.isGroup ? nil : endings.first ?? nil
        let how = ending.map { ": \(ReportWording.ending($0))" } ?? ""
        faults.append("\(Printable.name(id)) has ended\(how)")
      } else {
        self.targets.append(target)
      }
    }
  }

  private static func near(_ id: [UInt8], in workload: any Workload) -> [UInt8]? {
    let known = (0..<min(workload.count, nearLimit)).map {
      String(decoding: workload.id(of: $0), as: UTF8.self)
    }
    return NearestName.of(String(decoding: id, as: UTF8.self), among: known).map { Array($0.utf8) }
  }

  /// What is wrong, and what could be meant; nil if all were found, and none has ended.
  func complaint(executing: [[UInt8]]) -> String? {
    guard !faults.isEmpty else { return nil }
    var lines = ["nothing was cancelled:"] + faults.map { "  \($0)" }
    if !executing.isEmpty {
      let names = executing.prefix(Self.namedLimit).map { Printable.name($0) }
      let rest = executing.count - names.count
      let more = rest > 0 ? " and \(rest) more" : ""
      lines.append("  these execute: \(names.joined(separator: ", "))\(more)")
    }
    return lines.joined(separator: "\n")
  }
}
