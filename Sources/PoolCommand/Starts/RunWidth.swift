import OperationPool
import PoolInputs
import PoolModel
import PoolSystem

/// How many operations a run executes at once, on this machine.
struct RunWidth {
  /// The file that says it, which may change.
  let file: [UInt8]?
  /// The number at the start.
  let atStart: Int
  /// The remark about it with -v; nil if the user gave a plain number, or none.
  let remark: String?

  /// The workers that may live at once.
  var workers: Int { file == nil ? atStart : WidthRequest.limit }

  /// Finds the number; throws if it is in a file that does not say it.
  ///
  /// Without a request, it is the number of jobs of the parent's jobserver, if that says one.
  init(_ request: WidthRequest?, jobs: Int? = nil) throws(RunFailure) {
    guard let request else {
      file = nil
      atStart = min(jobs ?? PoolWorkerConfiguration.defaultCount, WidthRequest.limit)
      remark = jobs == nil ? nil : "-j: \(atStart) at once, as the jobserver says"
      return
    }
    if case .file(let path) = request {
      do throws(WidthFileError) {
        (file, atStart) = (path, try Self.read(path))
      } catch {
        throw RunFailure(.usage, "\(error.message(path)); it is no number either")
      }
      remark = "-j: \(atStart) at once, as \(Printable.text(path)) says"
      return
    }
    let capacity = WorkerCapacity(MachineFacts())
    (file, atStart) = (nil, Self.width(request, capacity) ?? 1)
    switch request {
    case .most: remark = "-j 0: \(atStart) at once: \(capacity.reason)"
    case .offset, .percent: remark = "-j: \(atStart) at once"
    case .count, .file: remark = nil
    }
  }

  /// The number that a file says now.
  static func read(_ path: [UInt8]) throws(WidthFileError) -> Int {
    let request: WidthRequest
    do {
      // The first bytes are enough for a number.
      request = try WidthRequest(content: try SmallFile.start(of: path, atLeast: 4_096))
    } catch let failure as SystemFailure {
      throw WidthFileError(reason: failure.reason)
    } catch {
      throw WidthFileError(reason: "its first line is not a number up to 10000, 0, +N, -N or N%")
    }
    return width(request, WorkerCapacity(MachineFacts())) ?? 1
  }

  private static func width(_ request: WidthRequest, _ capacity: WorkerCapacity) -> Int? {
    request.width(cores: PoolWorkerConfiguration.defaultCount, most: capacity.most)
  }
}

extension SharedOptions {
  /// Reads the number of `-j` from what says it only once, such as a FIFO.
  mutating func readWidthOnce(
    in preparation: RunPreparation,
    before next: RunPreparation.Step
  ) throws(RunFailure) {
    guard case .file(let path) = width, FileIdentity(path: path)?.isRegular == false else { return }
    preparation.enter(.width)
    width = .count(try RunWidth(width).atStart)
    preparation.enter(next)
  }

  /// How many operations may execute at the same time.
  func slotCount(in preparation: RunPreparation) -> Int {
    guard workers.isEmpty else { return workers.reduce(0) { $0 + ($1.count ?? 1) } }
    preparation.enter(.width)
    defer { preparation.enter(.inputs) }
    let own = try? RunWidth(width, jobs: starts.jobserver.jobs)
    return own?.atStart ?? PoolWorkerConfiguration.defaultCount
  }
}

/// Why a file does not say how many operations execute at once.
struct WidthFileError: Error, Hashable {
  var reason: String

  func message(_ path: [UInt8]) -> String { "-j: \(Printable.text(path)): \(reason)" }
}
