import PoolModel
import PoolSystem

/// Why no more inputs can be read.
package enum InputError: Error {
  /// An input is not valid.
  case content(UsageError)
  /// A source cannot be read.
  case reading(String)
}

extension InputError: CustomStringConvertible {
  /// The lines for standard error, without the last line feed.
  package var description: String {
    switch self {
    case .content(let error): error.description
    case .reading(let message): "opool: \(message)"
    }
  }
}

/// Reads the inputs of one source, one after the other.
///
/// Used by one thread at a time. Reading may block forever; a closure is called before that, so
/// that the inputs read so far can be used meanwhile.
final class InputReader {
  private enum Origin {
    case list(ArraySlice<[UInt8]>)
    case stream(InputFile)
    case ended
  }

  private let words: String
  /// Whether it reads a file, which errors name.
  private let isNamed: Bool
  private var origin: Origin
  private var splitter: RecordSplitter
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)

  /// Opens the source.
  init(_ source: InputSource, delimiter: UInt8) throws(InputError) {
    words = source.words
    isNamed = source.path != nil
    splitter = RecordSplitter(delimiter: delimiter)
    if case .arguments(let arguments) = source.place {
      origin = .list(arguments[...])
      return
    }
    do throws(SystemFailure) {
      origin = .stream(try InputFile(source.path))
    } catch {
      throw .reading("\(words) cannot be read: \(error.reason)")
    }
  }

  deinit {
    close()
    buffer.deallocate()
  }

  /// The file that it reads; nil for arguments, and at the end.
  var file: InputFile? {
    if case .stream(let file) = origin { file } else { nil }
  }

  /// Returns the next input; nil at the end.
  ///
  /// Calls the closure before it waits for one, which returns whether more is wanted.
  func next(beforeReading: () -> Bool) throws(InputError) -> [UInt8]? {
    switch origin {
    case .list(var rest):
      let first = rest.popFirst()
      origin = .list(rest)
      return first
    case .stream(let file): return try next(from: file.descriptor, beforeReading)
    case .ended: return nil
    }
  }

  private func next(
    from descriptor: Int32,
    _ beforeReading: () -> Bool
  ) throws(InputError) -> [UInt8]? {
    while true {
      if let record = try valid({ () throws(UsageError) in try splitter.next() }) { return record }
      guard beforeReading() else { return nil }
      let count = try read(descriptor)
      guard count > 0 else { break }
      splitter.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
    close()
    return try valid { () throws(UsageError) in try splitter.last() }
  }

  private func read(_ descriptor: Int32) throws(InputError) -> Int {
    do throws(SystemFailure) {
      return try SystemIO.readWaiting(descriptor, into: buffer)
    } catch {
      throw .reading("\(words) cannot be read: \(error.reason)")
    }
  }

  /// The record, or the error with the source's name, unless it is the standard input.
  private func valid(_ body: () throws(UsageError) -> [UInt8]?) throws(InputError) -> [UInt8]? {
    do throws(UsageError) {
      return try body()
    } catch {
      guard isNamed else { throw .content(error) }
      var named = error
      named.message = "\(words): \(error.message)"
      throw .content(named)
    }
  }

  private func close() {
    if case .stream(let file) = origin { file.close() }
    origin = .ended
  }
}
