import OperationPool
import OperationWorker
import PoolSystem

// A coordinator in a process of its own: it plays the scene that it is told to, and prints what a
// test looks at. It is also its own worker.
if Scene.isForgetful {
  try await Scene.forget()
} else if try PoolWorker.serveIfSpawned(
  .raw("pid", { _, _ in Array("\(CurrentProcess.identifier)".utf8) }),
  .raw("greet") { _, _ in
    print("hello")
    print("\u{1B}[2Jhalf a line", terminator: "")
    return Array("null".utf8)
  },
  .operation(StormDeed.self),
  .operation(Endless.self)
) {
  // Nothing else to do.
} else if CommandLine.arguments.dropFirst().first == "main-queue" {
  // Nothing asynchronous may come before: it would give the main thread away.
  try Scene.mainQueue()
} else {
  try await Scene.play(CommandLine.arguments.dropFirst().first ?? "")
}
