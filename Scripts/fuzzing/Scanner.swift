import Foundation
import PoolWire

/// The scanner accepts what `JSONSerialization` does, but for what the tests name, and nothing else;
/// here: whatever the scanner accepts, it accepts, too.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = UnsafeRawBufferPointer(start: bytes, count: count)
  var scanner = JSONScanner(input)
  guard (try? scanner.skipValue()) != nil, (try? scanner.expectEnd()) != nil else { return 0 }
  do {
    _ = try JSONSerialization.jsonObject(with: Data(input), options: .fragmentsAllowed)
  } catch {
    // It refuses numbers that no double holds, whose text the scanner only passes on.
    let text = String(decoding: input, as: UTF8.self)
    precondition("\(error)".contains("umber"), "accepted, but not there: \(text): \(error)")
  }
  return 0
}
