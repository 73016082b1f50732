import PoolModel
import PoolSystem

/// Why no more inputs can be read.
enum InputError: Error {
  /// An input is not valid.
  case content(UsageError)
  /// A source cannot be read.
  case reading(String)
}

extension InputError: CustomStringConvertible {
  /// The lines for standard error, without the last line feed.
  var description: String {
    switch self {
    case .content(let error): error.description
    case .reading(let message): "opool: \(message)"
    }
  }
}

/// A file of inputs, and its name, unless it is the standard input.
struct InputFile {
  var name: [UInt8]?
  var identity: FileIdentity?
}

/// Reads the inputs of one source, one after the other.
///
/// Used by one thread at a time. Reading may block forever; a closure is called before that, so
/// that the inputs read so far can be used meanwhile.
final class InputReader {
  private enum Origin {
    case list(ArraySlice<[UInt8]>)
    case stream(descriptor: Int32)
    case ended
  }

  private let words: String
  /// The name of its file; nil for the standard input, and for arguments.
  private let path: [UInt8]?
  private var origin: Origin
  private var splitter: RecordSplitter
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)

  /// Opens the source.
  init(_ source: InputSource, delimiter: UInt8) throws(InputError) {
    words = source.words
    if case .file(let path) = source.place { self.path = path } else { path = nil }
    splitter = RecordSplitter(delimiter: delimiter)
    switch source.place {
    case .arguments(let arguments): origin = .list(arguments[...])
    case .standardInput: origin = .stream(descriptor: 0)
    case .file(let path):
      do throws(SystemFailure) {
        origin = .stream(descriptor: try Descriptors.openFile(path: path))
      } catch {
        throw .reading("\(source.words) cannot be read: \(error.reason)")
      }
    }
  }

  deinit {
    close()
    buffer.deallocate()
  }

  /// The file that it reads; nil for arguments, and at the end.
  var file: InputFile? {
    guard case .stream(let descriptor) = origin else { return nil }
    return InputFile(name: path, identity: FileIdentity(descriptor))
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
    case .stream(let descriptor): return try next(from: descriptor, beforeReading)
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
      guard path != nil else { throw .content(error) }
      var named = error
      named.message = "\(words): \(error.message)"
      throw .content(named)
    }
  }

  private func close() {
    if case .stream(let descriptor) = origin, path != nil { Descriptors.close(descriptor) }
    origin = .ended
  }
}
