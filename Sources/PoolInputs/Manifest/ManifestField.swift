package import PoolWire

/// The fields that a line of a manifest may have.
///
/// Reading, help, execution and the journal's keys use this table. A field without a row here, or
/// without a case in `ManifestLineParser`, does not compile.
package enum ManifestField: UInt8, CaseIterable {
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
  case retryDelay
  case retryOn
  case idempotent
  case constraint

  /// Which part of the program uses a field.
  package enum Role: Hashable {
    /// It describes the operation, for the pool or for people.
    case operation
    /// Like `operation`, but rare: it is stored in a side table, not in the row.
    case extra
    /// It is passed to the command, as this field of the worker's payload.
    case command(CommandPayload.Field)
    /// It is passed to a kind.
    case kind
  }

  /// The name, role and help of a field.
  package struct Row {
    /// The key in a manifest.
    var name: String
    var role: Role
    /// Its description in the help.
    package var help: String

    init(_ name: String, _ role: Role, _ help: String) {
      self.name = name
      self.role = role
      self.help = help
    }
  }

  /// The field's row of the table.
  package var row: Row {
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
      Row("timeout", .operation, "number: time limit of each attempt in seconds (none)")
    case .retries: Row("retries", .operation, "integer: extra attempts after the first (0)")
    case .cwd:
      Row("cwd", .command(.cwd), "string: folder to execute in, relative to the current one")
    case .env: Row("env", .command(.env), "object of strings: added to the environment")
    case .stdin: Row("stdin", .command(.stdin), "string: the command's standard input (empty)")
    case .nice:
      Row(
        "nice",
        .command(.nice),
        "integer from 0 to 19: niceness of the command, added to the niceness of its qos (0)"
      )
    case .name: Row("name", .operation, "string: for people (the id)")
    case .exclusive:
      Row(
        "exclusive",
        .extra,
        """
        string or array of strings: categories. Operations with a common category never execute \
        at the same time
        """
      )
    case .limit:
      Row(
        "limit",
        .extra,
        """
        object of integers, such as {"net": 2}: at most 2 operations that name net execute at \
        the same time; all lines must give net the same number
        """
      )
    case .slots:
      Row(
        "slots",
        .extra,
        """
        integer: number of slots that the operation takes (1), at most all slots: those of -j, \
        and one for each worker of --worker
        """
      )
    case .barrier:
      Row(
        "barrier",
        .extra,
        """
        boolean: if true, the operation starts when all earlier lines have ended, and all later \
        lines wait for it (false)
        """
      )
    case .group:
      Row(
        "group",
        .extra,
        """
        string: the group that the operation belongs to. after may name a group: then the \
        operation waits for all members. A group succeeds if all members succeed, and fails if a \
        member failed. If no member failed but some were cancelled or skipped, so is the group
        """
      )
    case .inputs:
      Row(
        "inputs",
        .extra,
        """
        object of ids, such as {"x": "fetch"}: the output of fetch, which must succeed, is an \
        input of the kind, or a file for the command, whose path is in $OPOOL_INPUT_x
        """
      )
    case .expected:
      Row("expected", .extra, "number: expected duration in seconds, for --order critical-path")
    case .termSeq:
      Row("termSeq", .extra, "string such as \"TERM,500,KILL\": teardown sequence (--term-seq)")
    case .retryDelay:
      Row("retryDelay", .extra, "number: seconds before the first extra attempt (--retry-delay)")
    case .retryOn:
      Row(
        "retryOn",
        .extra,
        """
        string or array of strings, such as ["exit=75", "timeout"]: causes after which the \
        operation is tried again (--retry-on)
        """
      )
    case .idempotent:
      Row(
        "idempotent",
        .operation,
        """
        boolean: if true, the operation is executed again where the link to its worker has ended \
        and it may have begun there (--idempotent)
        """
      )
    case .constraint:
      Row(
        "constraint",
        .operation,
        """
        string or array of strings, such as ["gpu"]: features that the machine must have, all of \
        them (-S @gpu/HOST)
        """
      )
    }
  }

  package var name: String { row.name }
  package var role: Role { row.role }

  /// The field of the command's payload; nil for other fields.
  var commandField: CommandPayload.Field? {
    if case .command(let field) = role { field } else { nil }
  }

  /// The field with this key; nil for an unknown key.
  package init?(_ key: JSONStringRange, in scanner: JSONScanner) {
    guard let field = Self.table.value(of: key, in: scanner) else { return nil }
    self = field
  }

  private static let table = KeyTable(allCases, named: \.name)

  /// The fields of these roles, in the order of their declaration.
  package static func all(where isWanted: (Role) -> Bool) -> [Self] {
    allCases.filter { isWanted($0.role) }
  }
}

/// The set of fields of a line.
struct ManifestFieldSet {
  private var bits: UInt32 = 0

  init() {}

  /// The fields of the role `extra`.
  static let extras = Self(ManifestField.all { $0 == .extra })

  private init(_ fields: [ManifestField]) {
    for field in fields { _ = insert(field) }
  }

  /// Adds a field; returns false if the set has it already.
  mutating func insert(_ field: ManifestField) -> Bool {
    let bit = UInt32(1) << field.rawValue
    defer { bits |= bit }
    return bits & bit == 0
  }

  /// Whether both sets have a common field.
  func intersects(_ other: Self) -> Bool { bits & other.bits != 0 }

  func contains(_ field: ManifestField) -> Bool { bits & (1 << field.rawValue) != 0 }
}
