package import PoolModel

/// One operation to execute.
///
/// Rare parts are behind one reference, because operations are copied on the hot path of both
/// sides.
package struct Execute: Hashable, Sendable {
  package var reference: DispatchReference
  /// The number of this execution of the operation, from 1.
  package var attempt: Int
  package var kind: String
  package var qualityOfService: PoolQualityOfService
  /// JSON, checked, or a packed value; `null` without a payload.
  package var payload: [UInt8]
  /// Nil if there are none.
  package let surroundings: Surroundings?

  package init(
    reference: DispatchReference,
    attempt: Int,
    kind: String,
    qualityOfService: PoolQualityOfService = .default,
    payload: [UInt8],
    surroundings: Surroundings? = nil
  ) {
    self.reference = reference
    self.attempt = attempt
    self.kind = kind
    self.qualityOfService = qualityOfService
    self.payload = payload
    self.surroundings = surroundings
  }
}

extension Execute {
  /// The rare parts of an operation.
  package final class Surroundings: Sendable {
    /// The operation's name, if it has one.
    package let name: String?
    /// The name of its queue, if it has one.
    package let queue: String?
    /// Results of its dependencies; no two have the same name.
    package let inputs: [NamedInput]
    /// Variables of its environment; those that the operation itself names come after them.
    package let variables: ExecutionVariables
    /// How its outputs are handled, if it is a command.
    package let outputs: OutputHandling
    /// How much of its outputs is kept, if it is a command whose outputs are; nil for all.
    package let limits: OutputLimits?
    /// The time after which the worker ends it, if it is a command whose worker does; nil for none.
    package let timeLimit: TimeLimit?
    /// The error in the message, if any: the operation fails with it.
    package let flaw: String?

    /// Makes the object; nil if all parts are empty.
    ///
    /// Not a failable initialiser, which would allocate the object first.
    package static func of(
      name: String? = nil,
      queue: String? = nil,
      inputs: [NamedInput] = [],
      variables: ExecutionVariables = .none,
      outputs: OutputHandling = .kept,
      limits: OutputLimits? = nil,
      timeLimit: TimeLimit? = nil,
      flaw: String? = nil
    ) -> Surroundings? {
      guard
        name != nil || queue != nil || !inputs.isEmpty || !variables.isEmpty || outputs != .kept
          || limits != nil || timeLimit != nil || flaw != nil
      else { return nil }
      return Surroundings(name, queue, inputs, variables, outputs, limits, timeLimit, flaw)
    }

    /// Whether there are variables and nothing else, as with most commands.
    var isVariables: Bool {
      !variables.isEmpty && name == nil && queue == nil && inputs.isEmpty && outputs == .kept
        && limits == nil && timeLimit == nil && flaw == nil
    }

    private init(
      _ name: String?,
      _ queue: String?,
      _ inputs: [NamedInput],
      _ variables: ExecutionVariables,
      _ outputs: OutputHandling,
      _ limits: OutputLimits?,
      _ timeLimit: TimeLimit?,
      _ flaw: String?
    ) {
      self.name = name
      self.queue = queue
      self.inputs = inputs
      self.variables = variables
      self.outputs = outputs
      self.limits = limits
      self.timeLimit = timeLimit
      self.flaw = flaw
    }
  }
}

extension Execute.Surroundings: Hashable {
  package static func == (left: Execute.Surroundings, right: Execute.Surroundings) -> Bool {
    left.name == right.name && left.queue == right.queue && left.inputs == right.inputs
      && left.variables == right.variables && left.outputs == right.outputs
      && left.limits == right.limits && left.timeLimit == right.timeLimit && left.flaw == right.flaw
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(queue)
    hasher.combine(inputs)
  }
}

/// How long an execution may take, and how it is ended then.
package struct TimeLimit: Hashable, Sendable {
  /// Nanoseconds; microseconds on the wire.
  package var nanoseconds: Int64
  package var teardown: PoolTeardownSequence

  package init(nanoseconds: Int64, teardown: PoolTeardownSequence) {
    self.nanoseconds = nanoseconds
    self.teardown = teardown
  }
}

/// The result of an operation, as the input of another one.
package struct NamedInput: Hashable, Sendable {
  /// The type and the place of the bytes.
  package enum Content: Hashable, Sendable {
    /// The result of a kind: JSON, checked.
    case json([UInt8])
    /// The standard output of a command: any bytes.
    case output([UInt8])
    /// Either of them in a file, by its absolute path; only for workers of this machine.
    case file([UInt8])
  }

  package var name: String
  package var content: Content

  package init(name: String, _ content: Content) {
    self.name = name
    self.content = content
  }
}
