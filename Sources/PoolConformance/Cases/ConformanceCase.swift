package import PoolModel

/// One thing that a worker must do, as `Protocol/conformance` has it.
///
/// It is a conversation, or a rule that is watched in all conversations.
package struct ConformanceCase: Hashable, Sendable {
  /// How the case is judged.
  package enum Content: Hashable, Sendable {
    /// A conversation, step by step.
    case steps([Step])
    /// A rule, which must hold in the conversations of all other cases.
    case watch(ConversationRules.Rule)
  }

  /// A payload that only the user of the kit can name.
  package enum Payload: String, Hashable, Sendable, CaseIterable {
    /// The operation succeeds at once.
    case succeeds
    /// The operation fails at once.
    case fails
    /// The operation lasts until it is cancelled, or for a long time.
    case lasts
    /// The operation prints something, and succeeds.
    case prints
  }

  /// The name of its file, without the extension.
  package var name: String
  /// What the worker does, in one line.
  package var title: String
  /// The section of the protocol that demands it.
  package var section: String
  /// The sentences that demand it, as the protocol has them.
  package var paragraph: String
  /// The payloads that it cannot do without.
  package var needs: [Payload]
  /// The capabilities that promise it; without any, it is part of the minimal profile.
  package var capabilities: [Capability]
  package var content: Content
}

/// A step of a conversation.
package struct Step: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    /// Writes something to the worker.
    case send(Outgoing)
    /// Waits for a message.
    case expect(Expectation)
    /// Waits until each `execute` has its answer.
    case expectAnswers
    /// Ends the worker's input.
    case closeInput
    /// Waits for the worker's end.
    case expectExit(ExitDemand)
    /// Waits until the worker's standard error has this text; an empty one is any text.
    case expectStandardError(String)
  }

  package var action: Action
  /// The nanoseconds that it may take, if the usual limit is less.
  package var within: Int64?

  package init(_ action: Action, within: Int64? = nil) {
    (self.action, self.within) = (action, within)
  }
}

/// Bytes that are written to the worker.
package struct Outgoing: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    /// Messages, each a frame, in one write.
    case messages([JSONNode])
    /// An `execute` whose payload is an attachment before it.
    case packed(JSONNode)
    /// A frame's body, as it is written here.
    case body(String)
    /// Bytes without a frame around them.
    case bytes([UInt8])
  }

  package var content: Content
  /// The size of the pieces in which it is written; nil for one piece.
  package var pieces: Int?

  package init(_ content: Content, pieces: Int? = nil) {
    (self.content, self.pieces) = (content, pieces)
  }
}

/// A message that the worker must send.
package struct Expectation: Hashable, Sendable {
  /// The message must be like one of these.
  package var patterns: [MessagePattern]
  /// The types of messages that are looked at; all others are passed over.
  package var types: [String]
  /// A message like one of these ends the case: it has passed.
  package var endings: [MessagePattern] = []
}

/// How a worker must end.
package struct ExitDemand: Hashable, Sendable {
  package enum Status: String, Hashable, Sendable {
    case any
    /// Not with status 0.
    case failure
  }

  package var status: Status
  /// Whether no process of the worker's may live on.
  package var leavesNothing: Bool
}
