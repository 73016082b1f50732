import PoolModel
import PoolWire
import Testing

@testable import PoolConformance

/// Contract: which message breaks which rule.
@Suite("Rules of conversations")
struct RuleTests {
  /// What a worker says after `hello` and two operations, and the rules that this breaks.
  private static let table: [(said: [String], broken: [ConversationRules.Rule])] = [
    (["executing 1", "finished 1", "executing 2", "cancelled 2"], []),
    (["finished 1"], [.executingFirst]), (["finished 1", "finished 2"], [.executingFirst]),
    (["executing 1", "finished 1", "finished 1"], [.answeredOnce]),
    (["executing 1", "finished 1", "executing 1"], [.answeredOnce]),
    (["executing 1", "executing 2", "finished 1", "finished 2"], [.oneAtATime]),
    (["executing 2", "finished 2"], [.order]), (["executing 1", "executing 1"], [.repeatedStart]),
    (["executing 1", #"executing 1,"pid":7,"group":7"#], []), (["executing 3"], [.numbers]),
    (["finished 3"], [.numbers]), (["cancelled 1"], [.asked]),
    (["executing 1", "returned 1"], [.asked, .numbers]), (["returned 2"], []),
    (["executing 1", #"output 1,"stream":"stdout","bytes":"x""#], []),
    ([#"output 1,"stream":"stdout","bytes":"x""#], [.place]), (["printed 1"], [.place]),
    (["executing 1", "finished 1", #"progress 1,"completed":1,"total":2"#], [.place]),
    ([#"log 1,"message":"m""#], [.place]),
    (["executing 1", "finished 1", #"log 1,"message":"m""#], []),
    (["executing 1", #"log 1,"message":7"#], [.validity]),
    (["executing 1", "written 1"], []), (["executing 1", "written 1", "written 1"], [.unneeded]),
    (["pong 1,\"number\":5"], []), (["pong 1,\"number\":5", "pong 1,\"number\":5"], [.unneeded]),
    (["executing 1", #"finished 1,"stdout":{"descriptor":3,"bytes":1}"#], [.files]),
    ([#"hello 1,"versions":[1],"kinds":[]"#], [.greeting]), (["pong 1,\"number\":1"], [.unneeded]),
  ]

  @Test("Each breach is found, once, and nothing else", arguments: table.indices)
  func breaches(_ index: Int) throws {
    let (said, broken) = Self.table[index]
    var it = try Conversed(
      #"{"greet":{}}"#,
      #"{"send":{"type":"execute","operation":1,"dispatch":1,"kind":"k"}}"#,
      #"{"send":{"type":"execute","operation":2,"dispatch":2,"kind":"k"}}"#,
      #"{"send":{"type":"cancel","operation":2,"dispatch":2,"steps":[]}}"#,
      #"{"send":{"type":"recall","operation":2,"dispatch":2}}"#,
      #"{"send":{"type":"tail","operation":1,"dispatch":1,"bytes":9}}"#,
      #"{"send":{"type":"ping","number":5}}"#
    )
    it.greet()
    it.hear(
      #"{"type":"hello","versions":[1],"kinds":["k"],"capabilities":["prefetch","cancel"]}"#
    )
    while case .write = it.next() {}
    for line in said {
      let words = line.split(separator: " ", maxSplits: 1)
      let number = words[1].prefix { $0.isNumber }
      let rest = words[1].dropFirst(number.count)
      it.hear(#"{"type":"\#(words[0])","operation":\#(number),"dispatch":\#(number)\#(rest)}"#)
    }
    #expect(it.rules == broken, "\(said)")
  }

  @Test("With teardown, a second executing may add nothing: the process could not be started")
  func teardown() {
    var rules = ConversationRules()
    let reference = DispatchReference(
      operation: OperationID(rawValue: 1),
      dispatch: DispatchNumber(rawValue: 1)
    )
    let hello = Hello(pid: 1, kinds: ["k"], capabilities: [.teardown, .cancel])
    _ = rules.hear(WorkerMessage.hello(hello))
    _ = rules.hear(CoordinatorMessage.welcome(Welcome(worker: WorkerID(rawValue: 1))))
    let execute = Execute(reference: reference, attempt: 1, kind: "k", payload: [])
    _ = rules.hear(CoordinatorMessage.execute(execute))
    for _ in 0..<2 { #expect(rules.hear(WorkerMessage.executing(reference, nil)).isEmpty) }
  }

  @Test("What the coordinator may not do breaks a rule of its own")
  func coordinator() {
    var rules = ConversationRules()
    func execute(_ number: UInt64, _ kind: String = "k") -> CoordinatorMessage {
      let reference = DispatchReference(
        operation: OperationID(rawValue: number),
        dispatch: DispatchNumber(rawValue: number)
      )
      return .execute(Execute(reference: reference, attempt: 1, kind: kind, payload: []))
    }
    func broken(_ message: CoordinatorMessage) -> [String] {
      rules.hear(message).map { "\($0.rule.rawValue): \($0.description)" }
    }
    let welcome = CoordinatorMessage.welcome(Welcome(worker: WorkerID(rawValue: 1)))
    #expect(broken(.ping(1)) == ["coordinator: something before the welcome"])
    _ = rules.hear(WorkerMessage.hello(Hello(pid: 1, kinds: ["k"], capabilities: [.prefetch])))
    #expect(broken(welcome) == [] && broken(welcome) == ["coordinator: a second welcome"])
    #expect(broken(execute(5)) == [] && broken(execute(4)) == ["coordinator: a used dispatch"])
    #expect(broken(execute(5)) == ["coordinator: a used dispatch"] && broken(execute(6)) == [])
    #expect(broken(execute(7, "x")) == ["coordinator: a kind that is not served"])
    #expect(broken(.drain) == ["coordinator: a drain among operations"])
    #expect(rules.end().map(\.rule) == [.completeness])
  }

  @Test("A body without a line feed, and one that is no JSON, break a rule each")
  func bytes() throws {
    var it = try Conversed(#"{"expectExit":"any"}"#)
    it.greet()
    it.hear(raw: [0, 0, 0, 3] + Array("{}x".utf8))
    #expect(it.rules == [.lineFeed, .validity])
    #expect(it.conversation.findings[0].failure.frame?.description == "< {}x")
  }
}
