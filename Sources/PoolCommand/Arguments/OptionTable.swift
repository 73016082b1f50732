/// The options of `opool run` and `opool map`.
enum Option: CaseIterable {
  case width
  case keepOrder
  case order
  case history
  case dryRun
  case retries
  case retryOn
  case retryDelay
  case timeout
  case deadline
  case teardown
  case heartbeat
  case chaos
  case seed
  case results
  case worker
  case journal
  case durability
  case resume
  case resumeFailed
  case salvage
  case quiet
  case verbose
  case progress
  case noProgress
  case help
  case version

  /// The name after two dashes.
  var name: String? {
    switch self {
    case .width: nil
    case .keepOrder: "keep-order"
    case .order: "order"
    case .history: "history"
    case .dryRun: "dry-run"
    case .retries: "retries"
    case .retryOn: "retry-on"
    case .retryDelay: "retry-delay"
    case .timeout: "timeout"
    case .deadline: "deadline"
    case .teardown: "term-seq"
    case .heartbeat: "heartbeat"
    case .chaos: "chaos"
    case .seed: "seed"
    case .results: "results"
    case .worker: "worker"
    case .journal: "journal"
    case .durability: "durability"
    case .resume: "resume"
    case .resumeFailed: "resume-failed"
    case .salvage: "salvage"
    case .quiet: "quiet"
    case .verbose: "verbose"
    case .progress: "progress"
    case .noProgress: "no-progress"
    case .help: "help"
    case .version: "version"
    }
  }

  /// The letter after one dash.
  var letter: Character? {
    switch self {
    case .width: "j"
    case .keepOrder: "k"
    case .dryRun: "n"
    case .quiet: "q"
    case .verbose: "v"
    case .help: "h"
    case .retryOn, .retryDelay, .heartbeat, .order, .history: nil
    case .retries, .timeout, .deadline, .teardown, .chaos, .seed, .results, .worker, .version:
      nil
    case .journal, .durability, .resume, .resumeFailed, .salvage, .progress, .noProgress: nil
    }
  }

  /// What its value is called, where it takes one.
  var valueName: String? {
    switch self {
    case .width, .retries, .seed: "N"
    case .retryOn: "CAUSES"
    case .retryDelay, .heartbeat: "S"
    case .chaos: "RATES"
    case .timeout, .deadline: "S"
    case .teardown: "STEPS"
    case .results, .journal, .history: "FILE"
    case .order: "ORDER"
    case .worker: "N:COMMAND"
    case .durability: "WHEN"
    case .keepOrder, .dryRun, .quiet, .verbose, .help, .version: nil
    case .resume, .resumeFailed, .salvage, .progress, .noProgress: nil
    }
  }

  /// As it is written on the command line.
  var spelling: String {
    name.map { "--" + $0 } ?? letter.map { "-\($0)" } ?? ""
  }

  static func named(_ name: String) -> Self? {
    allCases.first { $0.name == name }
  }

  static func lettered(_ letter: UInt8) -> Self? {
    allCases.first { $0.letter?.asciiValue == letter }
  }
}
