import PoolSystem
import PoolWire

// A worker of the full profile, written by hand in one thread, with a fault on demand:
// `broken-worker FAULT`. Its payloads are "ok", "fail", "last" and "print".
let word = CurrentProcess.arguments.first.map { String(decoding: $0, as: UTF8.self) } ?? "none"
guard let fault = Fault(rawValue: word) else {
  CurrentProcess.complain("there is no fault '\(word)'")
  CurrentProcess.exit(2)
}
do {
  var worker = try HandmadeWorker(fault)
  try worker.run()
} catch {
  CurrentProcess.complain("broken-worker: \(error)")
  CurrentProcess.exit(fault.forgives(error) ? 0 : 1)
}
