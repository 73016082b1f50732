import PoolAnalysis
import PoolEvents
import PoolModel

/// The places of the workers of a recorded run, by worker configuration.
struct TracePlaces {
  /// In the order in which workers are first named.
  private(set) var names: [String] = []
  /// The place of each worker of the history among ``names``.
  private(set) var ofWorker: [Int] = []

  init(_ history: RunHistory, _ omissions: PageOptions.Omissions) {
    let local = "local" + (history.began?.host.map { ": \(Self.text($0))" } ?? "")
    let hasOthers = history.workers.contains { $0.place != nil }
    var places: [String: Int] = [:]
    for worker in history.workers {
      let name = hasOthers ? Self.name(of: worker, local, omissions) : local
      let place = places[name] ?? names.count
      if place == names.count {
        places[name] = place
        names.append(name)
      }
      ofWorker.append(place)
    }
  }

  private static func name(
    of worker: HistoricWorker,
    _ local: String,
    _ omissions: PageOptions.Omissions
  ) -> String {
    // Only a greeting says to which configuration a worker belongs.
    guard worker.greeted != nil else { return "workers that did not greet" }
    guard let place = worker.place else { return local }
    guard !omissions.contains(.commands) else {
      return "worker configuration \(worker.configuration + 1)"
    }
    return WorkerPlace.name(of: Array(place.utf8))
  }

  private static func text(_ bytes: [UInt8]) -> String {
    String(decoding: VisibleText.of(bytes, limit: 80), as: UTF8.self)
  }
}

/// The name of the place where the workers of a command are.
enum WorkerPlace {
  /// `ssh HOST` if the command begins with that, or else the command.
  static func name(of command: [UInt8]) -> String {
    let words = command.split(separator: UInt8(ascii: " "))
    if let first = words.first, isRemoteShell(first), let host = host(words.dropFirst()) {
      return "ssh \(text(host))"
    }
    return text(command[...])
  }

  private static func isRemoteShell(_ word: ArraySlice<UInt8>) -> Bool {
    word.elementsEqual("ssh".utf8) || word.suffix(4).elementsEqual("/ssh".utf8)
  }

  /// The first word that is neither an option nor the value of one.
  private static func host(_ words: ArraySlice<ArraySlice<UInt8>>) -> ArraySlice<UInt8>? {
    var words = words
    while let word = words.popFirst() {
      guard word.first == UInt8(ascii: "-"), word.count > 1 else { return word }
      // The value of an option is the rest of its word, or the next one.
      if word.count == 2, optionsWithValues.contains(word[word.startIndex + 1]) {
        words = words.dropFirst()
      }
    }
    return nil
  }

  /// Letters of `ssh` behind which a value stands.
  private static let optionsWithValues = Array("BbcDEeFIiJLlmOoPpQRSWw".utf8)

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: VisibleText.of(Array(bytes), limit: 80), as: UTF8.self)
  }
}
