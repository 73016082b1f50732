import PoolInputs
import PoolSystem

/// `opool run --stream`: executes the lines of a manifest as they come.
enum StreamRun {
  static func execute(_ options: RunOptions, _ preparation: RunPreparation) -> ExitCode {
    let file: InputFile
    do throws(SystemFailure) {
      file = try InputFile(options.manifest.path)
    } catch {
      CurrentProcess.complain("opool: \(options.manifest.words) cannot be read: \(error.reason)")
      return .manifest
    }
    let shared = options.shared
    let lines = StreamedLines(shell: shared.shell, servesOnlyCommands: shared.servesOnlyCommands)
    let manifest = StreamedManifest(lines, file: options.manifest.name)
    let producer = StreamProducer(file.descriptor, options.manifest.words, to: manifest)
    return WorkloadRun.execute(
      manifest,
      shared,
      preparation,
      from: file.identity,
      producer: producer
    )
  }
}
