import PoolCommand

/// A manifest is either understood or refused with lines that name the file, and a plan of what was
/// understood has all of it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  do throws(ManifestErrors) {
    let manifest = try Manifest(input)
    _ = Plan(manifest)
  } catch {
    let lines = error.lines(file: Array("f".utf8))
    precondition(!lines.isEmpty, "refused without a word")
    for line in lines { precondition(line.hasPrefix("f:"), "no place in: \(line)") }
  }
  return 0
}
