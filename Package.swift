// swift-tools-version: 6.2
import PackageDescription

/// Whether a warning fails the build, as `Scripts/check` demands; a newer compiler may have new
/// ones.
let warningsAreErrors = Context.environment["OPOOL_WARNINGS"] == "error"

/// Settings of every Swift target: the upcoming features that make imports and existentials
/// explicit.
let strict: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + (warningsAreErrors ? [.treatAllWarnings(as: .error)] : [])

/// Links the libraries of Swift into a program, without what it does not use of them.
///
/// A worker that loads them has 190 page faults more, and executes twice as many instructions; and
/// both programs can be copied to a machine without Swift. Packages that use the libraries of this
/// one are not affected.
let standalone: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-static-stdlib", "-l_FoundationCShims", "-l_FoundationCollections", "-lCoreFoundation",
      "-l_FoundationICU",
    ],
    .when(platforms: [.linux], configuration: .release)
  )
]

/// A program of `Scripts/Examples`.
func example(_ name: String, in folder: String) -> Target {
  .executableTarget(
    name: name,
    dependencies: ["OperationPool", "OperationWorker"],
    path: "Scripts/Examples/\(folder)",
    swiftSettings: strict
  )
}

let package = Package(
  name: "opool",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "OperationPool", targets: ["OperationPool"]),
    .library(name: "OperationWorker", targets: ["OperationWorker"]),
    .executable(name: "opool", targets: ["opool", "CCommandStart"]),
    .executable(name: "opool-worker", targets: ["opool-worker", "CWorkerStart"]),
  ],
  targets: [
    // Floor 0: the words that every other floor speaks.
    .target(name: "PoolModel", swiftSettings: strict),
    // Floor 1: every decision, bytes to messages and back, and the system calls.
    .target(name: "PoolCore", dependencies: ["PoolModel"], swiftSettings: strict),
    .target(name: "PoolWire", dependencies: ["PoolModel"], swiftSettings: strict),
    .target(name: "CPoolSystem"),
    .target(
      name: "PoolSystem",
      dependencies: ["PoolModel", "CPoolSystem"],
      swiftSettings: strict
    ),
    .target(name: "PoolText", dependencies: ["PoolModel"], swiftSettings: strict),
    // Floor 2: what happened in a run, as records; what operations read and write, by handle; the
    // worker's loop.
    .target(name: "PoolEvents", dependencies: ["PoolModel", "PoolWire"], swiftSettings: strict),
    .target(
      name: "PoolContents",
      dependencies: ["PoolModel", "PoolWire", "PoolSystem"],
      swiftSettings: strict
    ),
    .target(
      name: "OperationWorker",
      dependencies: ["PoolModel", "PoolWire", "PoolSystem"],
      swiftSettings: strict
    ),
    // Also floor 2: what a worker must do, as cases; it knows no process.
    .target(
      name: "PoolConformance",
      dependencies: ["PoolModel", "PoolWire", "PoolText"],
      swiftSettings: strict
    ),
    // Floor 3: a file of checksummed records; what records mean; what is to be executed: manifests,
    // templates, inputs, blocks of a stream.
    .target(
      name: "PoolJournal",
      dependencies: ["PoolModel", "PoolWire", "PoolSystem", "PoolEvents"],
      swiftSettings: strict
    ),
    .target(
      name: "PoolAnalysis",
      dependencies: ["PoolModel", "PoolCore", "PoolText", "PoolEvents"],
      swiftSettings: strict
    ),
    .target(
      name: "PoolInputs",
      dependencies: [
        "PoolModel", "PoolCore", "PoolWire", "PoolText", "PoolSystem", "PoolEvents", "PoolContents",
      ],
      swiftSettings: strict
    ),
    // Floor 4: the queue and operation face, and the event loop that performs effects; the readers
    // of a run, which know no engine.
    .target(
      name: "OperationPool",
      dependencies: [
        "PoolModel", "PoolCore", "PoolWire", "PoolSystem", "PoolEvents", "PoolContents",
        "PoolAnalysis", "OperationWorker",
      ],
      swiftSettings: strict
    ),
    .target(
      name: "PoolReports",
      dependencies: [
        "PoolModel", "PoolCore", "PoolWire", "PoolText", "PoolSystem", "PoolEvents", "PoolContents",
        "PoolJournal", "PoolInputs", "PoolAnalysis",
      ],
      swiftSettings: strict
    ),
    // Floor 5: the command's arguments, and the wiring of a run.
    .target(
      name: "PoolCommand",
      dependencies: [
        "PoolModel", "PoolCore", "PoolWire", "PoolText", "PoolSystem", "PoolEvents", "PoolContents",
        "PoolConformance", "PoolJournal", "PoolInputs", "PoolAnalysis", "PoolReports",
        "OperationPool",
      ],
      swiftSettings: strict
    ),
    // Floor 6: parse, run, exit. The command starts the worker program, and is built with it.
    .executableTarget(
      name: "opool",
      dependencies: ["PoolCommand", "PoolSystem", "opool-worker"],
      swiftSettings: strict
    ),
    .executableTarget(
      name: "opool-worker",
      dependencies: ["OperationWorker", "PoolSystem"],
      swiftSettings: strict
    ),
    // What both programs do before anything of Swift, and how they are linked: parts of the
    // programs alone, since the tests link the targets above into programs of their own.
    .target(name: "CCommandStart", dependencies: ["CPoolSystem"], linkerSettings: standalone),
    .target(name: "CWorkerStart", dependencies: ["CPoolSystem"], linkerSettings: standalone),

    // Measures the library beside Foundation's own queue; see Scripts/bench/run.
    .executableTarget(
      name: "pool-bench",
      dependencies: ["OperationPool", "OperationWorker"],
      path: "Scripts/bench/PoolBench",
      swiftSettings: strict
    ),
    // Puts millions of operations through the core and the library; see Scripts/verify/stress.
    .executableTarget(
      name: "pool-stress",
      dependencies: ["OperationPool", "PoolCore", "PoolModel", "PoolRaces"],
      path: "Scripts/verify/PoolStress",
      swiftSettings: strict
    ),
    // The real core in virtual time; see Scripts/bench/workflows/replay and Scripts/bench/scale.
    .executableTarget(
      name: "pool-simulation",
      dependencies: ["PoolCore", "PoolModel"],
      path: "Scripts/bench/PoolSimulation",
      swiftSettings: strict
    ),
    // Pseudo-terminals, for the tests.
    .target(name: "CPoolTestSupport", path: "Tests/CPoolTestSupport"),
    // What the tests share: a seeded generator, paths of the built programs, running a command.
    .target(
      name: "PoolTestSupport",
      dependencies: ["CPoolTestSupport", "PoolModel", "PoolSystem"],
      path: "Tests/PoolTestSupport",
      swiftSettings: strict
    ),
    // Races between threads, for the tests and for pool-stress.
    .target(
      name: "PoolRaces",
      dependencies: ["OperationPool", "PoolModel", "PoolSystem", "PoolTestSupport"],
      path: "Tests/PoolRaces",
      swiftSettings: strict
    ),
    // A worker with kinds of its own, some of them hostile, for the tests.
    .executableTarget(
      name: "test-worker",
      dependencies: ["OperationWorker", "PoolTestSupport"],
      path: "Tests/TestWorker",
      swiftSettings: strict
    ),
    // A worker written by hand, with one fault on demand, for the tests of `opool check-worker`.
    .executableTarget(
      name: "broken-worker",
      dependencies: ["PoolModel", "PoolSystem", "PoolWire"],
      path: "Tests/BrokenWorker",
      swiftSettings: strict
    ),
    // A coordinator in a process of its own, for what would disturb other tests beside it.
    .executableTarget(
      name: "test-coordinator",
      dependencies: [
        "OperationPool", "OperationWorker", "PoolSystem", "CPoolSystem", "PoolTestSupport",
      ],
      path: "Tests/TestCoordinator",
      swiftSettings: strict
    ),
    // Programs to copy, which use the libraries as another package does; the README shows the
    // first.
    example("example-primes", in: "Primes"),
    example("example-word-count", in: "WordCount"),
    example("example-map-reduce", in: "MapReduce"),
    example("example-crash-containment", in: "CrashContainment"),
    example("example-migration", in: "Migration"),
    example("example-service", in: "Service"),
    .testTarget(name: "PoolModelTests", dependencies: ["PoolModel"], swiftSettings: strict),
    .testTarget(
      name: "PoolConformanceTests",
      dependencies: ["PoolConformance", "PoolModel", "PoolText", "PoolWire", "PoolTestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "PoolWireTests",
      dependencies: ["PoolConformance", "PoolWire", "PoolModel", "PoolTestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "PoolSystemTests",
      dependencies: ["CPoolSystem", "PoolModel", "PoolSystem", "PoolTestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "PoolCoreTests",
      dependencies: ["PoolCore", "PoolModel", "PoolTestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "OperationWorkerTests",
      dependencies: [
        "OperationWorker", "PoolWire", "PoolModel", "PoolSystem", "PoolTestSupport",
        "opool-worker", "test-worker",
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "PoolJournalTests",
      dependencies: [
        "PoolEvents", "PoolJournal", "PoolModel", "PoolSystem", "PoolWire", "PoolTestSupport",
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "PoolAnalysisTests",
      dependencies: ["PoolAnalysis", "PoolEvents", "PoolModel", "PoolTestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "PoolCommandTests",
      dependencies: [
        "PoolCommand", "OperationPool", "PoolAnalysis", "PoolContents", "PoolCore", "PoolEvents",
        "PoolInputs", "PoolJournal", "PoolModel", "PoolReports", "PoolSystem", "PoolText",
        "PoolWire", "PoolTestSupport",
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "OperationPoolTests",
      dependencies: [
        "OperationPool", "OperationWorker", "PoolContents", "PoolCore", "PoolEvents", "PoolWire",
        "PoolSystem", "PoolModel", "PoolRaces", "PoolTestSupport", "opool-worker", "test-worker",
        "test-coordinator",
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "PoolConformance", "PoolJournal", "PoolModel", "PoolSystem", "PoolTestSupport", "opool",
        "opool-worker", "test-worker", "broken-worker", "example-primes", "example-word-count",
        "example-map-reduce",
        "example-crash-containment", "example-migration", "example-service",
      ],
      exclude: ["Journal/Golden"],
      swiftSettings: strict
    ),
  ],
  swiftLanguageModes: [.v6]
)
