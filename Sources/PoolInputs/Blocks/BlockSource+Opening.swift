import PoolModel
import PoolSystem

extension BlockSource {
  /// The blocks of a descriptor: of its file if it is a regular file, otherwise of its stream.
  package init(
    _ descriptor: Int32,
    _ options: BlockOptions,
    slots: Int,
    memory: BlockMemory
  ) throws(UsageError) {
    do throws(SystemFailure) {
      let origin = try Descriptors.regularOffset(of: descriptor)
      if options.recordCount == nil, let origin {
        let size = try Self.size(options.size, of: descriptor, from: origin, slots)
        let cutter = FileCutter(
          file: descriptor,
          size: size,
          boundary: options.boundary,
          origin: origin,
          isGrid: options.areParts
        )
        self = .file(cutter)
        return
      }
    } catch {
      throw UsageError("the input cannot be read: \(error)", topic: .map)
    }
    self = .stream(try Self.stream(descriptor, options, memory))
  }

  private static func size(
    _ size: BlockOptions.Size,
    of file: Int32,
    from origin: Int64,
    _ slots: Int
  ) throws(SystemFailure) -> Int64 {
    switch size {
    case .bytes(let count): return Int64(count)
    case .share(let count):
      let (rest, parts) = (try Descriptors.size(of: file) - origin, Int64(count * slots))
      return max(rest.saturatingSum(parts - 1) / parts, 1)
    }
  }

  private static func stream(
    _ descriptor: Int32,
    _ options: BlockOptions,
    _ memory: BlockMemory
  ) throws(UsageError) -> BlockStream {
    guard !options.areParts, case .bytes(let size) = options.size else {
      throw UsageError(
        "--pipepart needs a regular file",
        hint: "write --pipe, or -a FILE",
        topic: .map
      )
    }
    guard size <= memory.largest else {
      throw UsageError(
        "--block: a stream is kept in memory, where a block may have \(memory.largest) bytes here",
        hint: "write a smaller size, or -a FILE",
        topic: .map
      )
    }
    let rule = options.recordCount.map(BlockCutter.Rule.records) ?? .bytes(size)
    return BlockStream(
      descriptor: descriptor,
      cutter: BlockCutter(rule, at: options.boundary),
      limit: memory.largest
    )
  }
}
