@testable import PoolInputs

/// A manifest is either refused, with lines that name the file and a line of it, or understood:
/// then all that a run asks about its operations has an answer, and a plan has each of them once,
/// behind those that it comes after.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  do throws(ManifestErrors) {
    let manifest = try Manifest(input, lineLimit: 1 << 12)
    checkPlan(of: manifest)
    checkOperations(of: manifest)
  } catch {
    check(error, lineCount: input.count { $0 == UInt8(ascii: "\n") } + 1)
  }
  return 0
}

private func check(_ errors: ManifestErrors, lineCount: Int) {
  precondition(!errors.isEmpty, "refused without a word")
  for error in errors.first {
    precondition((1...lineCount).contains(error.line), "no such line: \(error)")
  }
  let lines = errors.lines(file: Array("f".utf8))
  precondition(lines.count == min(errors.count, ManifestErrors.limit + 1), "\(lines)")
  for line in lines.prefix(ManifestErrors.limit) {
    precondition(line.hasPrefix("f:"), "no place in: \(line)")
    precondition(!line.contains { $0.isNewline }, "more than a line: \(line)")
  }
}

private func checkPlan(of manifest: Manifest) {
  let plan = DryRunPlan(manifest)
  precondition(plan.count == manifest.count, "\(plan.count) of \(manifest.count) are planned")
  var places = [Int?](repeating: nil, count: manifest.count)
  for place in 0..<plan.count {
    let operation = plan.operation(at: place)
    precondition(places[operation] == nil, "operation \(operation) is planned twice")
    places[operation] = place
    for (target, _) in manifest.dependencies(of: operation) where target < manifest.count {
      precondition(places[target] != nil, "operation \(operation) comes before \(target)")
    }
  }
}

/// Asks for what a run asks for; that the answers come is enough.
private func checkOperations(of manifest: Manifest) {
  var keys = WorkloadKeys(.latest)
  keys.add(0..<manifest.count, of: manifest)
  var ids: Set<[UInt8]> = []
  for operation in 0..<manifest.count {
    precondition(ids.insert(manifest.id(of: operation)).inserted, "two of one identifier")
    precondition(manifest.slots(of: operation) >= 1, "operation \(operation) takes no place")
    _ = manifest.execution(of: operation)
    _ = manifest.actionText(of: operation)
    _ = manifest.details(of: operation)
    _ = manifest.name(of: operation)
    for resource in manifest.claims(of: operation) { _ = manifest.resource(resource) }
    if let group = manifest.group(of: operation) { _ = manifest.groupName(group) }
    manifest.forEachInput(of: operation) { _, source in
      precondition(source < manifest.count, "an input from an unknown operation")
    }
  }
}
