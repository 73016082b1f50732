import PoolSystem

/// `opool run --stream`: executes the lines of a manifest as they come.
enum StreamRun {
  static func execute(_ options: RunOptions, _ preparation: RunPreparation) -> ExitCode {
    let descriptor: Int32
    do throws(SystemFailure) {
      descriptor = try options.manifest.open()
    } catch {
      CurrentProcess.complain("opool: \(options.manifest.words) cannot be read: \(error.reason)")
      return .manifest
    }
    let shared = options.shared
    let lines = StreamedLines(shell: shared.shell, servesOnlyCommands: shared.workers.isEmpty)
    let manifest = StreamedManifest(lines, file: options.manifest.name)
    let feeder = StreamFeeder(descriptor, options.manifest.words, to: manifest)
    return BatchRun.execute(
      manifest,
      shared,
      preparation,
      from: FileIdentity(descriptor),
      feeder: feeder
    )
  }
}

extension RunOptions.Source {
  /// Its name in errors.
  fileprivate var name: [UInt8] {
    switch self {
    case .standardInput: Array("-".utf8)
    case .file(let path): path
    }
  }

  fileprivate func open() throws(SystemFailure) -> Int32 {
    switch self {
    case .standardInput: 0
    case .file(let path): try Descriptors.openFile(path: path)
    }
  }
}
