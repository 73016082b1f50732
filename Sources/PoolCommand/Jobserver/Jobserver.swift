import PoolSystem
import PoolText

/// The jobserver that the environment names, as this process found it at its start.
///
/// Later, other files may have the numbers of descriptors that were not open.
enum Jobserver: Hashable, Sendable {
  case none
  /// The environment names one that cannot be used.
  case unavailable(Obstacle)
  case found(MakeFlags.Address, jobs: Int?)

  /// Why one cannot be used; with the word of the variable that names it.
  enum Obstacle: Hashable, Sendable {
    /// A descriptor is not open: the recipe of the parent make has no `+`.
    case closed
    /// A descriptor is open, but is not this end of a pipe.
    case unsuitable(Int32, isWriter: Bool, word: [UInt8])
    /// The word has no address.
    case malformed(word: [UInt8])
  }

  /// What a descriptor is that may be an end of a pipe.
  enum End: Hashable, Sendable {
    case usable
    case other
    case closed

    init(_ descriptor: Int32, isWriter: Bool) {
      if Descriptors.isFIFO(descriptor, forWriting: isWriter) {
        self = .usable
      } else {
        self = Descriptors.isOpen(descriptor) ? .other : .closed
      }
    }
  }

  /// The variable that names it.
  static let variable = "MAKEFLAGS"

  /// Looks for one in the environment.
  static func find() -> Self {
    guard let text = ProcessEnvironment.current.value(of: variable) else { return .none }
    return Self(MakeFlags(text)) { End($0, isWriter: $1) }
  }

  /// Decides by the variable, and by the kinds of the descriptors.
  init(_ flags: MakeFlags, end: (_ descriptor: Int32, _ isWriter: Bool) -> End) {
    guard let word = flags.addressWord else {
      self = .none
      return
    }
    guard let address = flags.address, !address.isStandardStream else {
      self = .unavailable(.malformed(word: word))
      return
    }
    self = .found(address, jobs: flags.jobs)
    guard case .pipe(let read, let write) = address else { return }
    let ends = [(read, false), (write, true)].map { ($0, $1, end($0, $1)) }
    if ends.contains(where: { $0.2 == .closed }) {
      self = .unavailable(.closed)
    } else if let (number, isWriter, _) = ends.first(where: { $0.2 == .other }) {
      self = .unavailable(.unsuitable(number, isWriter: isWriter, word: word))
    }
  }

  /// The number of operations that the parent allows in all, if it says so.
  var jobs: Int? {
    if case .found(_, let jobs) = self { jobs } else { nil }
  }
}

extension Jobserver.Obstacle {
  /// What to say of it.
  var words: String {
    switch self {
    case .closed:
      return "add '+' to the line of the parent make's recipe"
    case .unsuitable(let number, let isWriter, let word):
      let end = isWriter ? "writing" : "reading"
      return "'\(MessageExcerpt.input(word))': descriptor \(number) is not the \(end) end of a pipe"
    case .malformed(let word):
      let shown = MessageExcerpt.input(word)
      return "'\(shown)' in \(Jobserver.variable) has neither R,W, from 3 on, nor fifo:PATH"
    }
  }
}
