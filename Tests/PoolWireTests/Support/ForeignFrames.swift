import PoolModel
import PoolWire

/// Frames as other encoders write them, in `Protocol/golden/foreign-*`, and what they mean.
enum ForeignFrames {
  static let all: [MessageCatalogue.Entry] = [
    entry("hello-order", .worker(.hello(Hello(pid: 0, kinds: ["sum"], capabilities: [.ping])))),
    entry("hello-nulls", .worker(.hello(Hello(pid: 0, kinds: [])))),
    entry("executing-spaces", .worker(.executing(exampleReference, nil))),
    entry("executing-half-a-group", .worker(.executing(exampleReference, nil))),
    entry(
      "finished-escapes",
      .worker(.finished(exampleReference, Answer(failure: failure, standardOutput: .inline(text))))
    ),
    entry(
      "finished-unknown-fields",
      .worker(.finished(exampleReference, Answer(result: Array(#"{ "a" : [ 1 , 2 ] }"#.utf8))))
    ),
    entry(
      "cancelled-loose-steps",
      .worker(
        .cancelled(
          exampleReference,
          Answer(stepsTaken: [
            TeardownStepTaken(.signal(2), after: 0), TeardownStepTaken(.message, after: 7),
          ]),
          step: nil
        )
      )
    ),
    entry("finished-twice", .worker(.finished(exampleReference, Answer(result: [0x32])))),
    entry("log-surrogates", .worker(.log(exampleReference, Log(message: "\u{1F980}é/\u{0}")))),
    entry("unknown-shapes", .worker(.unknown("statistics"))),
    entry(
      "execute-bare",
      .coordinator(
        .execute(
          Execute(
            reference: exampleReference,
            attempt: 1,
            kind: "noop",
            payload: Array("null".utf8)
          )
        )
      )
    ),
    entry(
      "execute-inputs",
      .coordinator(
        .execute(
          Execute(
            reference: exampleReference,
            attempt: 1,
            kind: "merge",
            payload: Array("null".utf8),
            surroundings: Execute.Surroundings.of(inputs: inputs)
          )
        )
      )
    ),
    entry(
      "cancel-extra-step-fields",
      .coordinator(
        .cancel(
          exampleReference,
          PoolTeardownSequence(steps: [
            PoolTeardownSequence.Step(.message, graceMilliseconds: 0),
            PoolTeardownSequence.Step(.signal(2), graceMilliseconds: 50),
          ])
        )
      )
    ),
  ]

  private static func entry(_ name: String, _ message: AnyMessage) -> MessageCatalogue.Entry {
    MessageCatalogue.Entry(name: "foreign-" + name, message: message)
  }

  private static let inputs = [
    NamedInput(name: "b", .output(text)),
    NamedInput(name: "a/", .json(Array("[ 1 ]".utf8))),
    NamedInput(name: "c", .json(Array("null".utf8))),
  ]
  private static let failure = Failure(cause: .error, message: "line\u{2028}two", type: "T")
  private static let text: [UInt8] = [0xFB, 0xFF, 0xFE]
}
