#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// An extended regular expression of POSIX, for bytes without NUL.
///
/// Compiled once; `regexec` may be called by several threads.
package final class RegularExpression: @unchecked Sendable {
  private var compiled = regex_t()

  /// Compiles a pattern; for a wrong one, throws the system's message.
  package init(_ pattern: [UInt8]) throws(PatternError) {
    let status = (pattern + [0]).withUnsafeBytes { bytes in
      regcomp(&compiled, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), REG_EXTENDED)
    }
    guard status != 0 else { return }
    var text = [CChar](repeating: 0, count: 256)
    _ = regerror(status, &compiled, &text, text.count)
    let message = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    // A failed compilation leaves nothing to free, but deinit will free it.
    regcomp(&compiled, "x", 0)
    throw PatternError(reason: String(decoding: message, as: UTF8.self))
  }

  deinit { regfree(&compiled) }

  /// The range of the leftmost longest match; nil for none.
  ///
  /// A NUL ends the text. `^` matches at its start, unless that is not the start of a line.
  package func firstMatch(in text: ArraySlice<UInt8>, isLineStart: Bool = true) -> Range<Int>? {
    var match = regmatch_t()
    let flags = isLineStart ? 0 : REG_NOTBOL
    let status = (text + [0]).withUnsafeBytes { bytes in
      regexec(&compiled, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), 1, &match, flags)
    }
    guard status == 0 else { return nil }
    return text.startIndex + Int(match.rm_so)..<text.startIndex + Int(match.rm_eo)
  }
}

/// Why a text is no regular expression.
package struct PatternError: Error, Hashable {
  package var reason: String

  package init(reason: String) {
    self.reason = reason
  }
}
