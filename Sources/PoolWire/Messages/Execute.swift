package import PoolModel

/// One operation to execute.
///
/// What most operations lack is kept behind one reference, because they are copied on the hot path
/// of both sides.
package struct Execute: Hashable, Sendable {
  package var reference: DispatchReference
  /// Which execution of the operation this is, from 1.
  package var attempt: Int
  package var kind: String
  package var qualityOfService: PoolQualityOfService
  /// JSON, checked; `null` where the operation has none.
  package var payload: [UInt8]
  /// Nil where there are none.
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
  /// What an operation has beside its payload.
  package final class Surroundings: Sendable {
    /// The operation's name, where it was given one.
    package let name: String?
    /// The name of its queue, where that was given one.
    package let queue: String?
    /// Results of operations that it depends on; no two have the same name.
    package let inputs: [NamedInput]
    /// What is wrong with the message, if anything: the operation fails for that.
    package let flaw: String?

    /// Collects what there is; nil where that is nothing.
    ///
    /// No initialiser that fails: that would make the object first.
    package static func of(
      name: String? = nil,
      queue: String? = nil,
      inputs: [NamedInput] = [],
      flaw: String? = nil
    ) -> Surroundings? {
      guard name != nil || queue != nil || !inputs.isEmpty || flaw != nil else { return nil }
      return Surroundings(name, queue, inputs, flaw)
    }

    private init(_ name: String?, _ queue: String?, _ inputs: [NamedInput], _ flaw: String?) {
      self.name = name
      self.queue = queue
      self.inputs = inputs
      self.flaw = flaw
    }
  }
}

extension Execute.Surroundings: Hashable {
  package static func == (left: Execute.Surroundings, right: Execute.Surroundings) -> Bool {
    left.name == right.name && left.queue == right.queue && left.inputs == right.inputs
      && left.flaw == right.flaw
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(queue)
    hasher.combine(inputs)
  }
}

/// The result of an operation, as the input of another one.
package struct NamedInput: Hashable, Sendable {
  /// Where the bytes are, and what they are.
  package enum Content: Hashable, Sendable {
    /// The result of a kind: JSON, checked.
    case json([UInt8])
    /// The standard output of a command: any bytes.
    case output([UInt8])
    /// Either of them in a file, under its absolute path; only for workers of this machine.
    case file([UInt8])
  }

  package var name: String
  package var content: Content

  package init(name: String, _ content: Content) {
    self.name = name
    self.content = content
  }
}
