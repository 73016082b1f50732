import Foundation
import PoolSystem

/// The paths of the programs from which workers are started.
enum WorkerPrograms {
  /// The running program; if that is unknown, `opool` in the current folder.
  ///
  /// Does not use Foundation's `Bundle`, which ends the process if there is no `/proc`.
  static var thisExecutable: URL {
    URL(filePath: CurrentProcess.executable ?? "opool")
  }

  /// `opool-worker`, beside the running program or on PATH.
  ///
  /// Does not use Foundation's paths, whose first use takes 0.5 ms of each start.
  static func standardWorker() throws(PoolError) -> URL {
    let program = Array((CurrentProcess.executable ?? "opool").utf8)
    let neighbour = folder(of: program) + Array("/opool-worker".utf8)
    guard FileCheck.executability(of: neighbour) != 0 else { return url(neighbour) }
    var finder = ProgramFinder()
    do throws(SpawnFailure) {
      let path = ProcessEnvironment.current.value(of: "PATH")
      return url(try finder.find(Array("opool-worker".utf8), path: path, directory: nil))
    } catch {
      throw PoolError(
        .noWorker,
        "no 'opool-worker' beside '\(thisExecutable.lastPathComponent)' or on PATH: the package 'opool'"
          + " has it as a product, for the dependencies of the target, or to be installed"
      )
    }
  }

  private static func url(_ path: [UInt8]) -> URL {
    URL(filePath: String(decoding: path, as: UTF8.self))
  }

  /// The folder that contains a program, after symbolic links.
  private static func folder(of program: [UInt8]) -> [UInt8] {
    let resolved = (try? FilePath.resolve(program)) ?? program
    guard let slash = resolved.lastIndex(of: UInt8(ascii: "/")) else { return Array(".".utf8) }
    return Array(resolved[..<slash])
  }

  /// Refuses the running program if it is a test runner: as a worker, it would execute the tests,
  /// too.
  static func demandNoTests(_ url: URL) throws(PoolError) {
    let name = url.lastPathComponent
    guard url == thisExecutable, executesTests(name) else { return }
    throw PoolError(
      .noWorker,
      "'\(name)' executes tests: use '.inProcess' with the kinds of the worker, or the path of a"
        + " program that calls 'PoolWorker.serveIfSpawned'"
    )
  }

  /// Whether a program of that name is a test runner: SwiftPM's on Linux, or Xcode's.
  static func executesTests(_ name: String) -> Bool {
    name.hasSuffix(".xctest") || name == "xctest" || name == "swiftpm-testing-helper"
  }

  /// Whether a file can be executed; false for a folder, whose bit means something else.
  static func isExecutable(_ url: URL) -> Bool {
    FileCheck.executability(of: Array(url.path(percentEncoded: false).utf8)) == 0
  }
}

/// The standard worker that a run would use.
package enum StandardWorker {
  /// Its path; nil if there is none.
  package static var path: String? {
    (try? WorkerPrograms.standardWorker())?.path(percentEncoded: false)
  }
}
