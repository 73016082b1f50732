import Foundation
import PoolCore
import PoolModel

/// One execution of a workflow, as a file in WfFormat tells it: which task waited for which, and
/// for how long each task executed.
struct WorkflowInstance {
  let name: String
  /// What each task waits for.
  let rows: DependencyRows
  /// How long each task executed, in nanoseconds, at least one.
  let durations: [Int64]

  /// Reads a file of version 1.5.
  init(path: String) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let file = try JSONDecoder().decode(WorkflowFile.self, from: data)
    name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    let tasks = file.workflow.specification.tasks
    let numbers = Dictionary(tasks.enumerated().map { ($1.id, $0) }) { first, _ in first }
    var runtimes: [String: Double] = [:]
    for task in file.workflow.execution.tasks { runtimes[task.id] = task.runtimeInSeconds }
    var rows = DependencyRows()
    for task in tasks {
      for parent in Set(task.parents.compactMap { numbers[$0] }).sorted() { rows.append(parent) }
      rows.endRow()
    }
    self.rows = rows
    durations = tasks.map { max(.seconds(runtimes[$0.id] ?? 0), 1) }
  }

  /// The sum of all durations, in nanoseconds.
  var work: Int64 { durations.reduce(0, +) }

  /// The nanoseconds of the heaviest chain.
  var criticalPath: Int64 { RemainingWork.lengths(rows, weights: durations).max() ?? 0 }
}

/// What is read of a file.
private struct WorkflowFile: Decodable {
  struct Workflow: Decodable {
    var specification: Specification
    var execution: Execution
  }

  struct Specification: Decodable {
    var tasks: [Task]
  }

  struct Task: Decodable {
    var id: String
    var parents: [String]
  }

  struct Execution: Decodable {
    var tasks: [Run]
  }

  struct Run: Decodable {
    var id: String
    var runtimeInSeconds: Double
  }

  var workflow: Workflow
}
