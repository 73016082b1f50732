import Foundation
import PoolSystem
import PoolTestSupport

/// A command line to be run as a user would run it, in a folder of its own:
/// `Opool("map", "-k", "echo {}").stdin("a\nb\n").run()`.
///
/// The built programs are found on PATH, so a worker is started by `opool-worker`.
struct Opool {
  /// The folder that the command runs in.
  let folder: TestFolder
  private var words: [[UInt8]]
  private var input: [UInt8] = []
  private var variables: [(name: String, value: String)] = []
  private var outputPath: String?

  /// `opool` with these arguments.
  init(_ arguments: String...) throws {
    try self.init(arguments)
  }

  /// `opool` with these arguments.
  init(_ arguments: [String]) throws {
    try self.init(program: ["opool"] + arguments)
  }

  /// `opool` with arguments that need not be UTF-8.
  init(bytes arguments: [[UInt8]]) throws {
    try self.init(program: [])
    words = [Array("opool".utf8)] + arguments
  }

  /// Takes the coordinator's number for `$2`, in the shell of an operation.
  ///
  /// The coordinator is the parent of the guardian, which is the parent of the worker.
  static let findCoordinator =
    "read -r s < /proc/$PPID/stat; set -- ${s##*) }; read -r s < /proc/$2/stat; set -- ${s##*) }"

  /// `opool` with other arguments, in the same folder.
  func again(_ arguments: String...) -> Self {
    with { $0.words = (["opool"] + arguments).map { Array($0.utf8) } }
  }

  /// A script for a shell, in the same folder.
  func again(shell script: String) -> Self {
    with { $0.words = ["/bin/sh", "-c", script].map { Array($0.utf8) } }
  }

  /// A script for a shell, in which `opool` is the program under test.
  static func shell(_ script: String, by shell: String = "/bin/sh") throws -> Self {
    try Self(program: [shell, "-c", script])
  }

  /// Before a command in the background of a script: a shell lets such a command ignore SIGINT and
  /// SIGQUIT, and what a caller ignores stays ignored.
  static let interruptible = #"perl -e '$SIG{INT} = $SIG{QUIT} = "DEFAULT"; exec @ARGV'"#

  private init(program words: [String]) throws {
    folder = try TestFolder()
    self.words = words.map { Array($0.utf8) }
  }

  /// The text that the command reads.
  func stdin(_ text: String) -> Self { stdin(Array(text.utf8)) }

  /// The bytes that the command reads.
  func stdin(_ bytes: [UInt8]) -> Self { with { $0.input = bytes } }

  /// A file in the folder, there before the command starts.
  func file(_ name: String, _ text: String) throws -> Self {
    try folder.write(text, to: name)
    return self
  }

  /// Sets a variable.
  func environment(_ name: String, _ value: String) -> Self {
    with { $0.variables.append((name, value)) }
  }

  /// Lets the command write its output to that file, such as `/dev/full`.
  func stdout(to path: String) -> Self { with { $0.outputPath = path } }

  private func with(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }

  /// Runs the command to its end.
  func run() throws -> OpoolRun {
    try start().wait()
  }

  /// Starts the command.
  func start() throws -> RunningOpool {
    try folder.write(input, to: ".stdin")
    let marker = UUID().uuidString
    let environment = try prepare(marker: marker)
    let streams = try [
      Descriptors.openFile(path: Array(folder.path(of: ".stdin").utf8)),
      Descriptors.createFile(path: Array((outputPath ?? folder.path(of: ".stdout")).utf8)),
      Descriptors.createFile(path: Array(folder.path(of: ".stderr").utf8)),
    ]
    defer { for stream in streams { Descriptors.close(stream) } }
    var launcher = CommandLauncher()
    let process = try launcher.start(
      CommandDescription(
        arguments: words,
        directory: Array(folder.path.utf8),
        environment: environment,
        standardInput: streams[0],
        standardOutput: streams[1],
        standardError: streams[2]
      )
    )
    return RunningOpool(process: process, folder: folder, marker: marker)
  }

  /// Makes a folder for temporary files, and an environment that leads there.
  func prepare(marker: String) throws -> ProcessEnvironment {
    try FileManager.default.createDirectory(
      atPath: folder.path(of: ".tmp"),
      withIntermediateDirectories: true
    )
    var environment = ProcessEnvironment.current
    let path = environment.value(of: "PATH").map { String(decoding: $0, as: UTF8.self) } ?? ""
    let own = [
      ("PATH", "\(Repository.products.path(percentEncoded: false)):\(path)"),
      ("TMPDIR", folder.path(of: ".tmp")),
      // GNU parallel keeps what it knows of the machine, and would do so in the home folder.
      ("PARALLEL_HOME", folder.path(of: ".parallel")),
      // Where records of runs are that took long, as on a machine with much to do.
      ("XDG_STATE_HOME", folder.path(of: ".state")),
      ("REPOSITORY", Repository.root.path(percentEncoded: false)),
      ("PYTHON_WORKER", Repository.root.appending(path: "Protocol/examples/worker.py").path),
      (Leftovers.variable, marker),
    ]
    environment.set(
      (own + variables.map { ($0.name, $0.value) }).map { (Array($0.0.utf8), Array($0.1.utf8)) }
    )
    return environment
  }
}
