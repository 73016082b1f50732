import PoolWire

/// The fields that a line of a manifest may have.
///
/// Reading, help, execution and the journal's keys go by this table: a field without a row in it, or
/// that no line reader reads, does not compile.
enum ManifestField: UInt8, CaseIterable {
  case id
  case run
  case shell
  case kind
  case payload
  case after
  case priority
  case qos
  case timeout
  case retries
  case cwd
  case env
  case stdin
  case nice
  case name
  case exclusive
  case limit
  case slots
  case barrier
  case group
  case inputs
  case expected
  case termSeq

  /// What a field is for.
  enum Role: Hashable {
    /// It says something of the operation: to the pool, or to people.
    case operation
    /// The same, and few lines have it: it is kept beside the rows.
    case extra
    /// It is passed on to the command, as this field of what the worker is sent.
    case command(CommandPayload.Field)
    /// It is passed on to a kind.
    case kind
  }

  /// What there is to know of a field.
  struct Row {
    /// As manifests have it.
    var name: String
    var role: Role
    /// What the help says of it.
    var help: String

    init(_ name: String, _ role: Role, _ help: String) {
      self.name = name
      self.role = role
      self.help = help
    }
  }

  /// What there is to know of the field.
  var row: Row {
    switch self {
    case .id: Row("id", .operation, "string: unique name (the line number)")
    case .run:
      Row("run", .command(.run), "array of strings: a program, found on PATH, and its arguments")
    case .shell: Row("shell", .command(.shell), "string: a line for /bin/sh -c")
    case .kind: Row("kind", .kind, "string: for a worker that serves this kind (see --worker)")
    case .payload: Row("payload", .kind, "any JSON: input for the kind (null)")
    case .after:
      Row(
        "after",
        .operation,
        """
        array of ids, or of {"id": …, "when": …}: what must end first; when is succeeded (default), \
        finished, failed or cancelled
        """
      )
    case .priority:
      Row("priority", .operation, "veryLow, low, normal, high, veryHigh or an integer (normal)")
    case .qos:
      Row("qos", .operation, "userInteractive, userInitiated, utility, background, default")
    case .timeout:
      Row("timeout", .operation, "number: seconds of execution for each attempt (none)")
    case .retries: Row("retries", .operation, "integer: extra attempts after the first (0)")
    case .cwd:
      Row("cwd", .command(.cwd), "string: folder to execute in, relative to the current one")
    case .env: Row("env", .command(.env), "object of strings: added to the environment")
    case .stdin: Row("stdin", .command(.stdin), "string: text given to the command (empty)")
    case .nice:
      Row(
        "nice",
        .command(.nice),
        "integer from 0 to 19: how far the command gives way to others, beside its qos (0)"
      )
    case .name: Row("name", .operation, "string: for people (the id)")
    case .exclusive:
      Row(
        "exclusive",
        .extra,
        """
        string or array of strings: categories; no two operations that share one execute at once
        """
      )
    case .limit:
      Row(
        "limit",
        .extra,
        """
        object of integers, such as {"net": 2}: at most 2 operations that name net execute at \
        once; all lines must give it the same number
        """
      )
    case .slots:
      Row("slots", .extra, "integer: how many of the -j places it takes (1); at most all")
    case .barrier:
      Row(
        "barrier",
        .extra,
        """
        boolean: whether it starts when all lines before it have ended, and all lines after it \
        wait for it (false)
        """
      )
    case .group:
      Row(
        "group",
        .extra,
        """
        string: a group to be a member of; an after may name it, and waits for all members; it \
        succeeded if they all did, was cancelled or skipped if nothing else is amiss, and failed \
        otherwise
        """
      )
    case .inputs:
      Row(
        "inputs",
        .extra,
        """
        object of ids, such as {"x": "fetch"}: outputs given to the kind beside its payload, or to \
        the command as files, here the one that $OPOOL_INPUT_x names; those operations must succeed
        """
      )
    case .expected:
      Row("expected", .extra, "number: seconds that it will likely take, for --order critical-path")
    case .termSeq:
      Row("termSeq", .extra, "string such as \"TERM,500,KILL\": how it is made to end (--term-seq)")
    }
  }

  var name: String { row.name }
  var role: Role { row.role }

  /// What of a command the field is; nil where it is nothing of it.
  var commandField: CommandPayload.Field? {
    if case .command(let field) = role { field } else { nil }
  }

  /// The field of a key, or nil where there is none of that name.
  init?(_ key: JSONStringRange, in scanner: JSONScanner) {
    guard let field = Self.table.value(of: key, in: scanner) else { return nil }
    self = field
  }

  private static let table = KeyTable(allCases, named: \.name)

  /// The fields of these roles, in the order of their declaration.
  static func all(where isWanted: (Role) -> Bool) -> [Self] {
    allCases.filter { isWanted($0.role) }
  }
}

/// Which fields a line has.
struct ManifestFieldSet {
  private var bits: UInt32 = 0

  init() {}

  /// The fields that few lines have.
  static let extras = Self(ManifestField.all { $0 == .extra })

  private init(_ fields: [ManifestField]) {
    for field in fields { _ = insert(field) }
  }

  /// Adds a field; false where it was there already.
  mutating func insert(_ field: ManifestField) -> Bool {
    let bit = UInt32(1) << field.rawValue
    defer { bits |= bit }
    return bits & bit == 0
  }

  /// Whether there is any of the other set.
  func intersects(_ other: Self) -> Bool { bits & other.bits != 0 }

  func contains(_ field: ManifestField) -> Bool { bits & (1 << field.rawValue) != 0 }
}
