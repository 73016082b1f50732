import OperationPool
import PoolCore
import PoolInputs
import PoolJournal
import PoolModel
import PoolReports
import PoolSystem
import PoolText

/// Parses the value of an option.
struct OptionValue {
  let option: Option
  let bytes: [UInt8]
  let topic: HelpTopic

  /// A whole number in a range.
  func integer(in range: ClosedRange<Int>) throws(UsageError) -> Int {
    guard let value = DecimalParser.integer(bytes), range.contains(value) else {
      let isTooLarge = !bytes.isEmpty && bytes.allSatisfy(DecimalParser.isDigit)
      let bound =
        range.upperBound == Int(Int32.max) && !isTooLarge
        ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
      throw failure("\(option.spelling) needs a whole number \(bound)")
    }
    return value
  }

  /// The number of a descriptor that is not one of the three standard streams.
  func descriptor() throws(UsageError) -> Int32 {
    let number = Int32(try integer(in: 0...Int(Int32.max)))
    guard number > 2 else {
      throw failure(
        "\(option.spelling) is for descriptors from 3 on",
        hint: "each command has a standard input, output and error of its own"
      )
    }
    return number
  }

  /// A number of inputs.
  func batchSize() throws(UsageError) -> Int {
    do throws(UsageError) {
      return try integer(in: 0...1_000_000)
    } catch {
      var hinted = error
      hinted.hint = "the plan without the execution is --dry-run"
      throw hinted
    }
  }

  /// A duration.
  func nanoseconds(allowingZero: Bool = false) throws(UsageError) -> Int64 {
    guard let nanoseconds = DurationFormat.nanoseconds(bytes), allowingZero || nanoseconds > 0
    else {
      throw failure(
        "\(option.spelling) needs a time\(allowingZero ? "" : " above 0")",
        hint: "for example 5, 0.5, 500ms or 1m30s; seconds need no unit"
      )
    }
    return nanoseconds
  }

  /// A byte: a character of ASCII, or an escape.
  func delimiter() throws(UsageError) -> UInt8 {
    let text = bytes.count == 1 ? bytes : BackslashEscapes.plain(bytes) ?? []
    guard text.count == 1 else {
      throw failure("\(option.spelling) needs one byte: a character, or \\n \\t \\r \\0 \\xHH")
    }
    return text[0]
  }

  /// A text that stands for the input.
  func replacement() throws(UsageError) -> [UInt8] {
    if bytes.isEmpty { throw failure("\(option.spelling) needs a text, such as % or {}") }
    return bytes
  }

  /// A separator of columns.
  func columns() throws(UsageError) -> ColumnSplitter {
    do throws(PatternError) {
      return try ColumnSplitter(bytes)
    } catch {
      throw failure("\(option.spelling) needs a regular expression: \(error.reason)")
    }
  }

  /// The colon, which makes the first input a header.
  func isHeaderMark() throws(UsageError) -> Bool {
    guard bytes == Array(":".utf8) else {
      throw failure(
        "\(option.spelling) knows only ':', the first input of each source",
        hint: "leave lines out before opool, as with tail -n +2"
      )
    }
    return true
  }

  /// A shell whose quotes are those of `sh`.
  func shell() throws(UsageError) -> [UInt8] {
    guard ShellName(program: bytes) != nil else {
      throw failure("\(option.spelling) needs one of \(ShellName.list), or a path of one")
    }
    return bytes
  }

  /// How many operations execute at once.
  func width() throws(UsageError) -> WidthRequest {
    let number: WidthRequest?
    do throws(WidthSyntaxError) {
      number = try WidthRequest(number: bytes)
    } catch {
      throw failure("\(option.spelling) needs \(WidthSyntaxError.reason)")
    }
    if let number { return number }
    return .file(try path())
  }

  /// A load average.
  func load() throws(UsageError) -> LoadLimit {
    guard let load = LoadLimit(bytes) else {
      throw failure("\(option.spelling) needs a load average above 0, such as 4, 80% or +1")
    }
    return load
  }

  /// A number of bytes.
  func byteCount() throws(UsageError) -> Int64 {
    guard let count = ByteSize.parse(bytes) else {
      throw failure("\(option.spelling) needs a number of bytes, such as 500000, 512M or 2G")
    }
    return Int64(count)
  }

  /// The path of a folder.
  func folder() throws(UsageError) -> [UInt8] {
    if bytes.isEmpty { throw failure("\(option.spelling) needs the name of a folder") }
    return bytes
  }

  /// A teardown sequence.
  func teardown() throws(UsageError) -> PoolTeardownSequence {
    do throws(TeardownSyntaxError) {
      return try TeardownSyntax.parse(String(decoding: bytes, as: UTF8.self))
    } catch {
      throw failure(
        "\(option.spelling) needs steps and times: \(error.reason)",
        hint: "for example --term-seq MESSAGE,2000,TERM,1000,KILL"
      )
    }
  }

  /// When the run ends early.
  func halt() throws(UsageError) -> HaltPolicy? {
    do throws(HaltSyntaxError) {
      return try HaltPolicy.parse(String(decoding: bytes, as: UTF8.self))
    } catch {
      throw failure(
        "\(option.spelling) needs \(error.reason)",
        hint: "for example --halt now,fail=1 or --halt soon,done=10%"
      )
    }
  }

  /// Failures that are retried, separated by commas.
  func retryCondition() throws(UsageError) -> RetryCondition {
    let words = String(decoding: bytes, as: UTF8.self)
      .split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    do throws(RetryConditionError) {
      return try RetryCondition(words)
    } catch {
      throw failure("\(option.spelling) needs \(RetryConditionError.expected)")
    }
  }

  /// Rates of faults.
  func chaos() throws(UsageError) -> Chaos {
    do throws(ChaosSyntaxError) {
      return try ChaosSyntax.parse(String(decoding: bytes, as: UTF8.self))
    } catch {
      throw failure(
        "\(option.spelling) needs faults and rates: \(error.reason)",
        hint: "for example --chaos kill=1%,stop=0.1%,garble=0.1%,spawnfail=2%"
      )
    }
  }

  /// A time in seconds, or a percentage of the median.
  func timeout() throws(UsageError) -> (Int64?, RelativeTimeout?) {
    guard bytes.last == UInt8(ascii: "%") else { return (try nanoseconds(), nil) }
    guard let percent = DecimalParser.integer(bytes.dropLast()), (1...1_000_000).contains(percent)
    else { throw failure("\(option.spelling) needs a whole percentage above 0") }
    return (nil, RelativeTimeout(percent: percent))
  }

  /// An order of dispatch.
  func order() throws(UsageError) -> PoolSchedulingPolicy {
    let name = String(decoding: bytes, as: UTF8.self)
    guard let order = PoolSchedulingPolicy(rawValue: name) else {
      let names = PoolSchedulingPolicy.allCases.map(\.rawValue).joined(separator: ", ")
      throw failure("\(option.spelling) needs one of \(names)")
    }
    return order
  }

  /// A path.
  func path() throws(UsageError) -> [UInt8] {
    if bytes.isEmpty { throw failure("\(option.spelling) needs the name of a file") }
    return bytes
  }

  /// The identifier of an operation.
  func identifier() throws(UsageError) -> [UInt8] {
    if bytes.isEmpty { throw failure("\(option.spelling) needs the id of an operation") }
    return bytes
  }

  /// When outcomes are synced.
  func durability() throws(UsageError) -> Durability {
    guard let durability = Durability(name: String(decoding: bytes, as: UTF8.self)) else {
      let names = Durability.allCases.map(\.name).joined(separator: ", ")
      throw failure("\(option.spelling) needs one of \(names)")
    }
    return durability
  }

  /// A number, a colon and a command.
  func worker() throws(UsageError) -> WorkerRequest {
    let (features, text) = WorkerRequest.features(bytes[...]) ?? ([], [])
    let count = text.prefix { $0 != UInt8(ascii: ":") }
    let command = text.dropFirst(count.count + 1)
    guard count.count < text.count, let number = DecimalParser.integer(count),
      (1...10_000).contains(number),
      command.contains(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") })
    else {
      throw failure(
        "\(option.spelling) needs a number from 1 to 10000, a colon and a command",
        hint: "for example --worker '4:python3 worker.py'"
      )
    }
    var request = WorkerRequest(count: number, command: Array(command))
    request.features = features
    return request
  }

  /// Hosts, each perhaps behind the number of its slots and a slash.
  func hosts() throws(UsageError) -> [WorkerRequest] {
    let entries = bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    var requests: [WorkerRequest] = []
    for entry in entries { requests.append(try host(entry)) }
    return requests
  }

  /// The nodes of the Slurm job that this process is part of.
  func slurmNodes() throws(UsageError) -> [WorkerRequest] {
    guard let allocation = SlurmAllocation(.current) else {
      throw UsageError("--slurm: this is no job of Slurm; begin with salloc or sbatch")
    }
    return allocation.nodes.map { WorkerRequest(.node($0), count: 1) }
  }

  /// Names of variables of this process, with their values.
  func hostVariables() throws(UsageError) -> [HostSetup.Variable] {
    var variables: [HostSetup.Variable] = []
    for name in bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      let name = String(decoding: name, as: UTF8.self)
      let value = ProcessEnvironment.current.value(of: name)
      guard let variable = HostSetup.Variable(name, value ?? []) else {
        throw failure("\(option.spelling) needs names of variables, with commas between them")
      }
      guard value != nil else {
        throw failure("\(option.spelling): there is no variable '\(name)' here")
      }
      variables.append(variable)
    }
    return variables
  }

  private func host(_ entry: ArraySlice<UInt8>) throws(UsageError) -> WorkerRequest {
    guard let request = WorkerRequest(host: entry) else {
      throw failure(
        "\(option.spelling) needs hosts that ssh reaches, with commas between them, and at most "
          + "\(SSHLogin.slotLimit) slots each",
        hint: "for example -S 8/box,me@other,:"
      )
    }
    return request
  }

  /// An error that names the value.
  func failure(_ message: String, hint: String? = nil) -> UsageError {
    UsageError(message, argument: bytes, hint: hint, topic: topic)
  }
}
