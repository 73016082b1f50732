import PoolModel
import PoolText
import PoolWire

/// Why a file of `Protocol/conformance` is no case.
package struct CaseError: Error, Hashable, CustomStringConvertible {
  package var description: String

  init(_ description: String) { self.description = description }
}

extension ConformanceCase {
  /// Reads the JSON of a case.
  package init(name: String, json: some Sequence<UInt8>) throws(CaseError) {
    let node: JSONNode
    do throws(JSONError) {
      node = try JSONNode(json)
    } catch {
      throw CaseError("no JSON: \(error)")
    }
    self.name = name
    title = try node.requireText("title")
    section = try node.requireText("section")
    paragraph = try node.texts("paragraph").joined(separator: " ")
    if paragraph.isEmpty { throw CaseError("paragraph: no text") }
    capabilities = try node.texts("capabilities").map { word throws(CaseError) in
      guard let capability = Capability(rawValue: word) else {
        throw CaseError("capabilities: there is no capability '\(word)'")
      }
      return capability
    }
    needs = try node.texts("needs").map { word throws(CaseError) in
      guard let payload = Payload(rawValue: word) else {
        throw CaseError("needs: there is no payload '\(word)'")
      }
      return payload
    }
    content = try Content(node)
  }
}

extension ConformanceCase.Content {
  fileprivate init(_ node: JSONNode) throws(CaseError) {
    if let word = node["watches"]?.text {
      guard let rule = ConversationRules.Rule(rawValue: word) else {
        throw CaseError("watches: there is no rule '\(word)'")
      }
      self = .watch(rule)
      return
    }
    guard case .array(let nodes)? = node["steps"] else {
      throw CaseError("a case has either steps or watches")
    }
    var steps: [Step] = []
    for (index, node) in nodes.enumerated() {
      do throws(CaseError) {
        steps += try Step.steps(node)
      } catch {
        throw CaseError("step \(index + 1): \(error.description)")
      }
    }
    self = .steps(steps)
  }
}

extension Step {
  /// The steps that a node stands for: one, or the two of a greeting.
  fileprivate static func steps(_ node: JSONNode) throws(CaseError) -> [Step] {
    let within = try node.nanoseconds("within")
    let pieces = node["pieces"]?.digits.flatMap { Int($0) }
    guard case .object(let members) = node, let verb = members.first else {
      throw CaseError("no object with a verb")
    }
    func sending(_ content: Outgoing.Content) -> [Step] {
      [Step(.send(Outgoing(content, pieces: pieces)), within: within)]
    }
    switch (verb.name, verb.value) {
    case ("greet", .object(let fields)):
      return [Step(.expect(.greeting), within: within)]
        + sending(.messages([.welcome(with: fields)]))
    case ("send", .array(let messages)): return sending(.messages(messages))
    case ("send", .object): return sending(.messages([verb.value]))
    case ("sendPacked", .object): return sending(.packed(verb.value))
    case ("sendBody", .string), ("sendBody", .array):
      return sending(.body(try node.texts("sendBody").joined()))
    case ("sendHex", .string(let digits)): return sending(.bytes(try bytes(digits)))
    default: return [Step(try waiting(verb, node), within: within)]
    }
  }

  private static func waiting(
    _ verb: JSONNode.Member,
    _ node: JSONNode
  ) throws(CaseError) -> Action {
    switch (verb.name, verb.value) {
    case ("expect", .array(let patterns)):
      return .expect(try Expectation(patterns, node))
    case ("expect", .object):
      return .expect(try Expectation([verb.value], node))
    case ("expectAnswers", .bool(true)): return .expectAnswers
    case ("closeInput", .bool(true)): return .closeInput
    case ("expectExit", .string(let word)):
      guard let status = ExitDemand.Status(rawValue: word) else {
        throw CaseError("expectExit: '\(word)' is neither 'any' nor 'failure'")
      }
      let leavesNothing = node["leaves"] == .string("nothing")
      return .expectExit(ExitDemand(status: status, leavesNothing: leavesNothing))
    case ("expectStandardError", .string(let text)): return .expectStandardError(text)
    default: throw CaseError("'\(verb.name)' is no verb, or has a wrong value")
    }
  }

  private static func bytes(_ digits: String) throws(CaseError) -> [UInt8] {
    let words = digits.split(separator: " ")
    let bytes = words.compactMap { UInt8($0, radix: 16) }
    guard bytes.count == words.count else { throw CaseError("sendHex: no hexadecimal bytes") }
    return bytes
  }
}

extension Expectation {
  /// What each conversation begins with.
  static let greeting = Self(
    patterns: [MessagePattern(.object([.init("type", .string("hello"))]))],
    types: ["hello"]
  )

  /// What a step expects: these messages, and what the step's other fields say.
  fileprivate init(_ nodes: [JSONNode], _ step: JSONNode) throws(CaseError) {
    patterns = nodes.map(MessagePattern.init)
    endings = step["passIf"].map { [MessagePattern($0)] } ?? []
    types = try step.texts("among") + (patterns + endings).compactMap(\.type)
  }
}

extension JSONNode {
  /// A `welcome` that offers nothing but what the fields say.
  fileprivate static func welcome(with fields: [Member]) -> JSONNode {
    let usual: [Member] = [
      Member("type", .string("welcome")), Member("version", .number("1")),
      Member("worker", .number("1")), Member("frameLimit", .number("\(Frame.defaultLimit)")),
      Member("files", .bool(false)),
    ]
    let names = Set(fields.map(\.name))
    return .object(usual.filter { !names.contains($0.name) } + fields)
  }

  fileprivate func requireText(_ name: String) throws(CaseError) -> String {
    guard let text = self[name]?.text, !text.isEmpty else { throw CaseError("\(name): no text") }
    return text
  }

  /// The strings of an array, or a single one; none if the field is absent.
  fileprivate func texts(_ name: String) throws(CaseError) -> [String] {
    guard let value = self[name] else { return [] }
    if let text = value.text { return [text] }
    guard case .array(let elements) = value else { throw CaseError("\(name): no array") }
    let texts = elements.compactMap(\.text)
    guard texts.count == elements.count else { throw CaseError("\(name): not all are texts") }
    return texts
  }

  /// A number of seconds.
  fileprivate func nanoseconds(_ name: String) throws(CaseError) -> Int64? {
    guard let value = self[name] else { return nil }
    guard let digits = value.digits,
      let time = DurationFormat.nanoseconds(Array(digits.utf8)), time > 0
    else { throw CaseError("\(name): no number of seconds") }
    return time
  }
}
